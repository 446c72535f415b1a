import { vi } from "vitest";
import { setSession } from "../lib/session.ts";
import { exampleStart } from "./wire-examples.ts";
import { type Answer, type Asked, answerCalls, good, ok } from "./web-server.ts";

export const INIT = `user=${encodeURIComponent(JSON.stringify({ id: 5001, first_name: "Awa" }))}&auth_date=1&hash=x`;

/** Calls of the page to Telegram: `method payload`. */
export const askedOfTelegram: string[] = [];

/** Prepares to open the whole sellers' app on a phone that knows nothing of it. */
export function beginSellerApp(): void {
  localStorage.clear();
  sessionStorage.clear();
  setSession({ at: "none" });
  window.scrollTo = () => undefined;
  askedOfTelegram.length = 0;
  vi.stubGlobal("TelegramWebviewProxy", {
    postEvent: (method: string, payload: string) =>
      void askedOfTelegram.push(`${method} ${payload}`),
  });
}

/** As Telegram opens it; without init data when null. */
export function openAt(path: string, initData: string | null = INIT): void {
  const hash = initData ? `#tgWebAppData=${encodeURIComponent(initData)}` : "";
  history.replaceState(null, "", `${path}${hash}`);
}

export function serveSeller(
  start = exampleStart(),
  other?: (asked: Asked) => Answer | undefined,
): Asked[] {
  return answerCalls((asked) => {
    const own = other?.(asked);
    if (own) return own;
    if (asked.path === "/api/auth/vendeur") return ok(start);
    if (asked.path.startsWith("/api/transactions")) {
      return good({ transactions: [], next_cursor: null });
    }
    if (asked.path.startsWith("/api/users/")) return good({ user: { ...start.user, deja: true } });
    return ok({});
  });
}
