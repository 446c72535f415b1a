import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readSaved, save } from "../features/identity/storage.ts";
import { setSession } from "../lib/session.ts";
import { type Answer, type Asked, answerCalls } from "../testing/web-server.ts";
import {
  exampleProduct,
  exampleStart,
  exampleTransaction,
  exampleUser,
} from "../testing/wire-examples.ts";
import { App } from "./app.tsx";

const heard = new Map<string, (body?: unknown) => void>();
vi.mock("socket.io-client", () => ({
  io: () => ({
    on: (event: string, handler: (body?: unknown) => void) => heard.set(event, handler),
    close: () => undefined,
  }),
}));

const INIT = `user=${encodeURIComponent(JSON.stringify({ id: 5001, first_name: "Awa" }))}&auth_date=1&hash=x`;

function openAt(path: string, initData: string | null = INIT): void {
  const hash = initData ? `#tgWebAppData=${encodeURIComponent(initData)}` : "";
  history.replaceState(null, "", `${path}${hash}`);
}

async function openFromHome(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole("link", { name }));
}

/** The live connection is opened when the phone is idle. */
async function untilListening(): Promise<void> {
  await waitFor(() => expect(heard.size).toBeGreaterThan(0), { timeout: 5_000 });
}

function server(start = exampleStart(), other?: (asked: Asked) => Answer | undefined) {
  return answerCalls((asked) => {
    const own = other?.(asked);
    if (own) return own;
    if (asked.path === "/api/auth/vendeur") return { status: 200, body: start };
    if (asked.path.startsWith("/api/transactions")) {
      return { status: 200, body: { success: true, transactions: [], next_cursor: null } };
    }
    if (asked.path.startsWith("/api/users/")) {
      return { status: 200, body: { success: true, user: { ...start.user, deja: true } } };
    }
    return { status: 200, body: {} };
  });
}

beforeEach(() => {
  heard.clear();
  localStorage.clear();
  sessionStorage.clear();
  setSession({ at: "none" });
  window.scrollTo = () => undefined;
  vi.stubGlobal("TelegramWebviewProxy", { postEvent: () => undefined });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

// @shows A9.welcome-redirect
describe("the first landing", () => {
  test("a newcomer goes to the stories", async () => {
    server(exampleStart({ user: exampleUser({ deja: false, plan: false }) }));
    openAt("/");
    render(<App />);
    await screen.findByText("Passer");
    expect(location.pathname).toBe("/stories");
  });

  test("who has seen them and chosen no plan goes to the plans", async () => {
    server(exampleStart({ user: exampleUser({ deja: true, plan: false }) }));
    openAt("/");
    render(<App />);
    await waitFor(() => expect(location.pathname).toBe("/Plans"));
  });

  test("who has a plan goes home, and his flag is corrected", async () => {
    const log = server(exampleStart({ user: exampleUser({ deja: false, plan: true }) }));
    openAt("/Plans");
    render(<App />);
    await screen.findByText("Bonjour Awa");
    expect(location.pathname).toBe("/IndexEspace");
    await waitFor(() =>
      expect(log.find(({ method }) => method === "PUT")?.body).toEqual({ deja: true }),
    );
  });

  test("happens once per session: the plans stay reachable", async () => {
    sessionStorage.setItem("sesame.landed", "1");
    server();
    openAt("/Plans");
    render(<App />);
    await screen.findByText("Choisissez votre plan");
    expect(location.pathname).toBe("/Plans");
  });
});

describe("Telegram that says nothing of who opened the app", () => {
  // @shows A9.polling, A4.authentication, A4.environment-absent
  test("is asked thirty times in three seconds, then the app stays shut", async () => {
    vi.useFakeTimers();
    openAt("/", null);
    render(<App />);
    await act(async () => void (await import("../features/identity/telegram-required.tsx")));
    screen.getByText("Vérification...");
    await act(() => vi.advanceTimersByTimeAsync(2_900));
    screen.getByText("Vérification...");
    await act(() => vi.advanceTimersByTimeAsync(300));
    screen.getByText("Ouvrez Sésame dans Telegram");
  });

  // @shows A4.environment-restored, A9.polling, decision 17
  test("leaves what this phone kept of its last person to be read, and nothing is asked", async () => {
    vi.useFakeTimers();
    localStorage.setItem("telegramUserId", "5001");
    save("5001", exampleStart(), "2026-11-20T10:00:00.000Z");
    const log = server();
    openAt("/", null);
    render(<App />);
    await act(() => vi.advanceTimersByTimeAsync(3_200));
    screen.getByText("Bonjour Awa");
    screen.getByText(/^hors ligne, données du 20 novembre 2026/);
    expect(log).toHaveLength(0);
  });

  // @shows A9.polling
  test("and says it late lets the person in", async () => {
    server();
    openAt("/", null);
    render(<App />);
    await screen.findByText("Vérification...");
    openAt("/");
    await screen.findByText("Bonjour Awa");
  });
});

describe("the session", () => {
  // @shows A4.authentication, A4.data-refresh, A7.subscriptions-read, A6.proof-of-identity
  test("the init data goes to the server as it came, and the token with the next calls", async () => {
    const log = server();
    openAt("/");
    render(<App />);
    await screen.findByText("Aucune transaction");
    expect(log[0]?.headers.get("x-telegram-init-data")).toBe(INIT);
    await openFromHome("Historique");
    // The screen comes first: a busy machine takes its time.
    await waitFor(() => expect(log.length).toBeGreaterThan(1), { timeout: 5_000 });
    expect(log.at(-1)?.headers.get("authorization")).toBe("Bearer t0k");
  });

  test("one request paints the whole of home", async () => {
    const sale = exampleTransaction({ produitNom: "Accès du matin" });
    const log = server(exampleStart({ accueil: { transactions: [sale], claims_waiting: 2 } }));
    openAt("/");
    render(<App />);
    await screen.findByText("Accès du matin");
    await screen.findByText(/2 réclamations/);
    expect(log.map(({ path }) => path)).toEqual(["/api/auth/vendeur"]);
  });

  // @shows A4.authentication-delay, A9.authentication-delay, A9.splash-times, A4.splash
  test("what is painted from the cache is asked anew with one fresh token", async () => {
    localStorage.setItem("telegramUserId", "5001");
    save("5001", exampleStart(), "2026-11-20T10:00:00.000Z");
    const log = server(exampleStart({ user: exampleUser({ nom: "Awa Diallo" }) }));
    openAt("/");
    render(<App />);
    expect(screen.getByText("Bonjour Awa")).toBeTruthy();
    await screen.findByText("Aucune transaction");
    expect(log.filter(({ path }) => path === "/api/auth/vendeur")).toHaveLength(1);
    const others = log.filter(({ path }) => path !== "/api/auth/vendeur");
    for (const { headers } of others) expect(headers.get("authorization")).toBe("Bearer t0k");
  });

  // @shows A4.environment, A4.environment-absent, A8.outside
  test("outside Telegram the seller area is closed, and says where to go", async () => {
    vi.stubGlobal("TelegramWebviewProxy", undefined);
    const log = server();
    openAt("/", null);
    render(<App />);
    await screen.findByText("Ouvrez Sésame dans Telegram");
    expect(log).toHaveLength(0);
  });

  // @shows A4.authentication-failed, A8.authentication-fails, decision 16
  test("without the server, the last data is shown read-only and dated", async () => {
    localStorage.setItem("telegramUserId", "5001");
    save("5001", exampleStart(), "2026-11-20T10:00:00.000Z");
    answerCalls(() => "silence");
    vi.useFakeTimers();
    openAt("/");
    render(<App />);
    screen.getByText("Bonjour Awa");
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    screen.getByText(/^hors ligne, données du 20 novembre 2026/);
  });

  // @shows A9.splash-times, A4.splash, A9.timeouts, A8.splash-error
  test("a server that never answers leaves the splash for the error within six seconds", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", (_path: string, { signal }: RequestInit) => {
      return new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(new Error("aborted")));
      });
    });
    openAt("/");
    render(<App />);
    await act(() => vi.advanceTimersByTimeAsync(4_900));
    screen.getByText("Chargement de l'application...");
    await act(() => vi.advanceTimersByTimeAsync(1_100));
    screen.getByText("Une erreur s'est produite lors du chargement. Veuillez réessayer.");
    screen.getByText("La requête a mis trop de temps à répondre");
  });

  // @shows A5.authentication-flag
  test("an answer that does not say success is none, whatever else it holds", async () => {
    const log = answerCalls(() => ({ status: 200, body: { ...exampleStart(), success: 1 } }));
    openAt("/");
    render(<App />);
    await screen.findByText("Une erreur s'est produite lors du chargement. Veuillez réessayer.");
    expect(localStorage.getItem("api_token")).toBeNull();
    expect(log).toHaveLength(1);
  });

  // @shows A4.data-refresh, A4.payment-received, A4.chatadd, A7.realtime-events, decision 47
  test("a sale and a linked group have everything asked anew; a member, his group", async () => {
    const log = server();
    openAt("/");
    render(<App />);
    await screen.findByText("Bonjour Awa");
    await untilListening();
    const everything = ["/api/users/7", "/api/channels", "/api/products/seller/7"];
    const askedAfter = async (event: string, least: readonly string[], body?: unknown) => {
      log.length = 0;
      act(() => heard.get(event)?.(body));
      await waitFor(() =>
        expect(log.map(({ path }) => path)).toEqual(expect.arrayContaining([...least])),
      );
      return log.map(({ path }) => path);
    };
    await askedAfter("payment_received", everything, { amount: 5_000, title: "Recettes" });
    screen.getByText(/^Nouvelle vente : 5\s000\sFCFA · Recettes$/);
    await askedAfter("chatadd", everything);
    const afterMember = await askedAfter("user:joined", ["/api/channels"]);
    expect(afterMember).not.toContain("/api/users/7");
  });

  // @shows A4.environment-restored, A3.local-storage-keys.userProducts
  test("what was read since the sign-in is what opens without a network", async () => {
    const products = [exampleProduct(), exampleProduct({ id: "2", title: "Publié depuis" })];
    server(exampleStart(), ({ path }) =>
      path.startsWith("/api/products/seller") ? { status: 200, body: products } : undefined,
    );
    openAt("/");
    render(<App />);
    await screen.findByText("Bonjour Awa");
    await untilListening();
    act(() => heard.get("chatadd")?.());
    await waitFor(() => expect(readSaved("5001")?.products).toHaveLength(2));
    expect(readSaved("5001")?.user.nom).toBe("Awa Koné");
  });

  // @shows A5.authentication-flag
  test("a refused proof is said in the server's words", async () => {
    const message = "Votre session a expiré. Veuillez rouvrir l'application depuis Telegram.";
    answerCalls(() => ({ status: 401, body: { success: false, code: "x", message } }));
    openAt("/");
    render(<App />);
    await screen.findByText(message);
    expect(screen.getByText("Réessayer")).toBeTruthy();
  });

  test("another person's cache is never shown", async () => {
    localStorage.setItem("telegramUserId", "4000");
    save("4000", exampleStart(), "2026-11-20T10:00:00.000Z");
    answerCalls(() => ({ status: 401, body: { message: "Non." } }));
    openAt("/");
    render(<App />);
    await screen.findByText("Non.");
    expect(screen.queryByText("Bonjour Awa")).toBeNull();
  });
});

test("an unknown address leads home, with a word", async () => {
  sessionStorage.setItem("sesame.landed", "1");
  server();
  openAt("/nimporte/quoi");
  render(<App />);
  await screen.findByText("Cette page n'existe pas. Vous êtes à l'accueil.");
  expect(location.pathname).toBe("/IndexEspace");
});
