import { act } from "@testing-library/react";
import { vi } from "vitest";
import { setSession } from "../lib/session.ts";
import { exampleStart } from "./wire-examples.ts";
import { type Answer, type Asked, answerCalls, good, ok } from "./web-server.ts";

export const initOf = (id: number, more = "") =>
  `user=${encodeURIComponent(JSON.stringify({ id, first_name: "Awa" }))}${more}&auth_date=1&hash=x`;
export const INIT = initOf(5001);

/** Calls of the page to Telegram: `method payload`. */
export const askedOfTelegram: string[] = [];

/** Prepares to open the whole sellers' app on a phone that knows nothing of it. */
export function beginSellerApp(): void {
  setSession({ at: "none" });
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

type Client = { Telegram: { WebView: { receiveEvent(type: string, payload?: unknown): void } } };

/** An event as Telegram's applications give it to the page. */
export const telegramSays = (type: string, payload?: unknown) =>
  act(() => (window as unknown as Client).Telegram.WebView.receiveEvent(type, payload));

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
