import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { initOf, openAt } from "../testing/seller-app.ts";
import { exampleBackOffice, exampleRequest } from "../testing/staff-examples.ts";
import { type Answer, type Asked, answerCalls, ok, good } from "../testing/web-server.ts";
import { BackOfficeApp } from "./staff-app.tsx";
import { isBackOfficeAddress } from "./staff-entrance.tsx";

const INIT = initOf(5003);

function open(path: string, initData: string | null = INIT): void {
  openAt(path, initData);
  render(<BackOfficeApp />);
}

function serve(
  roles: { agent: boolean; operator: boolean },
  other?: (asked: Asked) => Answer | undefined,
) {
  return answerCalls((asked) => {
    const own = other?.(asked);
    if (own) return own;
    if (asked.path === "/api/auth/acheteur") {
      return good({ token: "t0k", user: { telegram_id: 5003, ...roles } });
    }
    if (asked.path === "/api/desk") {
      return ok(exampleBackOffice({ me: { id: "3", name: "Fatou Diallo", ...roles } }));
    }
    return good({ now: "", withdrawals: [exampleRequest()], next_cursor: null });
  });
}

beforeEach(() => void vi.stubGlobal("TelegramWebviewProxy", { postEvent: () => undefined }));
test.each([
  ["/bureau", true],
  ["/Bureau/retraits/3", true],
  ["/bureaux", false],
  ["/", false],
])("%s is an address of the back office: %s", (path, is) =>
  expect(isBackOfficeAddress(path)).toBe(is),
);

describe("the back office's entrance", () => {
  test("signs an agent in by the buyers' door, with the proof as it came", async () => {
    const log = serve({ agent: true, operator: false });
    open("/bureau");
    await screen.findByText(/^Awa Koné/);
    expect(log[0]?.path).toBe("/api/auth/acheteur");
    expect(log[0]?.headers.get("x-telegram-init-data")).toBe(INIT);
    expect(log.some(({ path }) => path.includes("vendeur"))).toBe(false);
    expect(log.at(-1)?.headers.get("authorization")).toBe("Bearer t0k");
    expect(screen.queryByText("Réglages")).toBeNull();
  });

  test("a person who is no agent reads so, and nothing more is asked of the server", async () => {
    const log = serve({ agent: false, operator: false });
    open("/bureau/reglages");
    await screen.findByText("Réservé aux agents");
    screen.getByText("5003");
    expect(log).toHaveLength(1);
  });

  test("sends an agent away from the operator's pages, with the reason", async () => {
    serve({ agent: true, operator: false });
    open("/bureau/reglages");
    await screen.findByText("Réservé à l'opérateur");
  });

  test("outside Telegram says where to open it", async () => {
    const log = serve({ agent: true, operator: true });
    open("/bureau", null);
    await screen.findByText("Ouvrez le bureau dans Telegram");
    expect(log).toHaveLength(0);
  });

  test("says what failed, and tries again", async () => {
    let down = true;
    serve({ agent: true, operator: true }, ({ path }) => {
      if (path !== "/api/auth/acheteur" || !down) return undefined;
      return { status: 503, body: { success: false, code: "x", message: "Indisponible." } };
    });
    open("/bureau");
    await screen.findByText("Indisponible.");
    down = false;
    fireEvent.click(screen.getByRole("button", { name: "Réessayer" }));
    await screen.findByText(/^Awa Koné/);
  });
});

describe("the queue", () => {
  test("narrows by tab, words and filters, in one address of the server", async () => {
    const log = serve({ agent: true, operator: true });
    open("/bureau");
    await screen.findByText(/^Awa Koné/);
    fireEvent.click(screen.getByLabelText(/^Terminées/));
    fireEvent.change(screen.getByRole("searchbox"), { target: { value: " RT-41 " } });
    fireEvent.click(screen.getByRole("button", { name: "Filtrer" }));
    fireEvent.click(screen.getByRole("switch", { name: "En retard seulement" }));
    fireEvent.click(screen.getByRole("button", { name: "Voir les demandes" }));
    await waitFor(() =>
      expect(log.at(-1)?.path).toBe("/api/desk/withdrawals?status=done&late=1&q=RT-41"),
    );
    screen.getByText("1 filtre actif");
  });
});
