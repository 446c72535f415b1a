import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { readSaved, save } from "../features/identity/storage.ts";
import {
  beginSellerApp,
  INIT,
  openAt,
  serveSeller,
  askedOfTelegram,
  telegramSays,
} from "../testing/seller-app.ts";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { answerCalls, ok, good } from "../testing/web-server.ts";
import {
  exampleProduct,
  exampleStart,
  exampleTransaction,
  exampleUser,
} from "../testing/wire-examples.ts";
import { App } from "./app.tsx";

const received = new Map<string, (body?: unknown) => void>();
vi.mock("socket.io-client", () => ({
  io: () => ({
    on: (event: string, handler: (body?: unknown) => void) => received.set(event, handler),
    close: () => undefined,
  }),
}));

beforeEach(() => {
  received.clear();
  beginSellerApp();
});

function open(...at: Parameters<typeof openAt>): void {
  openAt(...at);
  render(<App />);
}

describe("the first landing", () => {
  test("a newcomer is welcomed, and goes to the stories", async () => {
    serveSeller(exampleStart({ user: exampleUser({ deja: false, plan: false }) }));
    open("/");
    await screen.findByText("Bienvenue sur Sésame");
    await screen.findByText("Passer");
    expect(location.pathname).toBe("/stories");
  });

  test("who has seen them and chosen no plan goes to the plans", async () => {
    serveSeller(exampleStart({ user: exampleUser({ deja: true, plan: false }) }));
    open("/");
    await waitFor(() => expect(location.pathname).toBe("/Plans"));
  });

  test("who has a plan goes home, and his flag is corrected", async () => {
    const log = serveSeller(exampleStart({ user: exampleUser({ deja: false, plan: true }) }));
    open("/Plans");
    await screen.findByText("Bonjour Awa");
    await waitFor(() => expect(location.pathname).toBe("/IndexEspace"));
    await waitFor(() =>
      expect(log.find(({ method }) => method === "PUT")?.body).toEqual({ deja: true }),
    );
  });

  test("happens once per session: the plans stay reachable", async () => {
    sessionStorage.setItem("sesame.landed", "1");
    serveSeller();
    open("/Plans");
    await screen.findByText("Choisissez votre plan");
    expect(location.pathname).toBe("/Plans");
  });
});

/** What this phone kept of a person's last sign-in. */
function keepLastSignIn(person: string): void {
  localStorage.setItem("telegramUserId", person);
  save(person, exampleStart(), "2026-11-20T10:00:00.000Z");
}

describe("Telegram that says nothing of who opened the app", () => {
  test("is asked thirty times in three seconds, then the app stays shut", async () => {
    vi.useFakeTimers();
    open("/", null);
    // Its screen is a file of its own, loaded in real time while the timers stand still.
    await eventually(async () => {
      await act(async () => undefined);
      return screen.getByText("Vérification...");
    });
    await act(() => vi.advanceTimersByTimeAsync(2_900));
    screen.getByText("Vérification...");
    await act(() => vi.advanceTimersByTimeAsync(300));
    screen.getByText("Ouvrez Sésame dans Telegram");
  });

  test("leaves what this phone kept of its last person to be read, and nothing is asked", async () => {
    vi.useFakeTimers();
    keepLastSignIn("5001");
    const log = serveSeller();
    open("/", null);
    await act(() => vi.advanceTimersByTimeAsync(3_200));
    screen.getByText("Bonjour Awa");
    screen.getByText(/^hors ligne, données du 20 novembre 2026/);
    expect(log).toHaveLength(0);
  });

  test("and says it late lets the person in", async () => {
    serveSeller();
    open("/", null);
    await screen.findByText("Vérification...");
    openAt("/");
    await screen.findByText("Bonjour Awa");
  });
});

describe("the session", () => {
  test("the init data goes to the server as it came, and the token with the next calls", async () => {
    const log = serveSeller();
    open("/");
    await screen.findByText("Aucune transaction");
    expect(log[0]?.headers.get("x-telegram-init-data")).toBe(INIT);
    await waitFor(() => expect(location.pathname).toBe("/IndexEspace"));
    fireEvent.click(await screen.findByRole("link", { name: "Historique" }));
    await waitFor(() => expect(log.length).toBeGreaterThan(1));
    expect(log.at(-1)?.headers.get("authorization")).toBe("Bearer t0k");
  });

  test("one request paints the whole of home", async () => {
    const sale = exampleTransaction({ produitNom: "Accès du matin" });
    const log = serveSeller(
      exampleStart({ accueil: { transactions: [sale], complaints_waiting: 2 } }),
    );
    open("/");
    await screen.findByText(/Accès du matin/);
    await screen.findByText(/2 réclamations/);
    expect(log.map(({ path }) => path)).toEqual(["/api/auth/vendeur"]);
  });

  test("what is painted from the cache is asked anew with one fresh token", async () => {
    keepLastSignIn("5001");
    const log = serveSeller(exampleStart({ user: exampleUser({ nom: "Awa Diallo" }) }));
    open("/");
    expect(screen.getByText("Bonjour Awa")).toBeTruthy();
    await screen.findByText("Aucune transaction");
    expect(log.filter(({ path }) => path === "/api/auth/vendeur")).toHaveLength(1);
    const others = log.filter(({ path }) => path !== "/api/auth/vendeur");
    for (const { headers } of others) expect(headers.get("authorization")).toBe("Bearer t0k");
  });

  test("outside Telegram the seller area is closed, and says where to go", async () => {
    vi.stubGlobal("TelegramWebviewProxy", undefined);
    const log = serveSeller();
    open("/", null);
    await screen.findByText("Ouvrez Sésame dans Telegram");
    expect(log).toHaveLength(0);
  });

  test("without the server, the last data is shown read-only and dated", async () => {
    keepLastSignIn("5001");
    answerCalls(() => "silence");
    vi.useFakeTimers();
    open("/");
    screen.getByText("Bonjour Awa");
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    screen.getByText(/^hors ligne, données du 20 novembre 2026/);
  });

  test("a server that never answers leaves the splash for the error within six seconds", async () => {
    vi.useFakeTimers();
    answerCalls(() => "no end");
    open("/");
    await act(() => vi.advanceTimersByTimeAsync(4_900));
    const said = screen.getAllByRole("status").map(({ textContent }) => textContent);
    expect(said).toContain("Chargement de l'application...");
    await act(() => vi.advanceTimersByTimeAsync(1_100));
    screen.getByText("Une erreur s'est produite lors du chargement. Veuillez réessayer.");
    screen.getByText("La requête a mis trop de temps à répondre");
  });

  test("an answer that does not say success is none, whatever else it holds", async () => {
    const log = answerCalls(() => ok({ ...exampleStart(), success: 1 }));
    open("/");
    await screen.findByText("Une erreur s'est produite lors du chargement. Veuillez réessayer.");
    expect(localStorage.getItem("api_token")).toBeNull();
    expect(log).toHaveLength(1);
  });

  test("a refused proof is said in the server's words", async () => {
    const message = "Votre session a expiré. Veuillez rouvrir l'application depuis Telegram.";
    answerCalls(() => ({ status: 401, body: { success: false, code: "x", message } }));
    open("/");
    await screen.findByText(message);
    expect(screen.getByText("Réessayer")).toBeTruthy();
  });

  test("another person's cache is never shown", async () => {
    keepLastSignIn("4000");
    answerCalls(() => ({ status: 401, body: { message: "Non." } }));
    open("/");
    await screen.findByText("Non.");
    expect(screen.queryByText("Bonjour Awa")).toBeNull();
  });
});

test("who logs out has his token revoked, his data wiped, and is in the settings' place", async () => {
  sessionStorage.setItem("sesame.landed", "1");
  const log = serveSeller();
  open("/profile");
  fireEvent.click(await screen.findByRole("button", { name: "Se déconnecter" }));
  fireEvent.click(screen.getAllByRole("button", { name: "Se déconnecter" }).at(-1) as HTMLElement);
  await screen.findByRole("heading", { name: "Vous êtes déconnecté" });
  const out = log.find(({ path }) => path === "/api/auth/logout");
  expect(out?.headers.get("authorization")).toBe("Bearer t0k");
  expect(Object.keys(localStorage)).toEqual([]);
  expect(location.pathname).toBe("/settings");
});

test("who erases his data is signed out, whatever the dead token is answered", async () => {
  sessionStorage.setItem("sesame.landed", "1");
  let erased = false;
  serveSeller(exampleStart(), ({ path }) => {
    if (erased) return { status: 401, body: { success: false, code: "x", message: "Non." } };
    if (path !== "/api/me/delete") return undefined;
    erased = true;
    return good({ message: "Effacées." });
  });
  open("/mes-donnees");
  fireEvent.click(await screen.findByRole("button", { name: "Effacer mes données" }));
  fireEvent.click(screen.getByRole("button", { name: "Effacer définitivement" }));
  await screen.findByRole("heading", { name: "Vous êtes déconnecté" });
  // What was asked with the dead token has been answered as well.
  await act(async () => undefined);
  screen.getByRole("heading", { name: "Vous êtes déconnecté" });
});

test.each([
  ["the old dashboard", "/dashboard", "Bonjour Awa"],
  ["an unknown address", "/nimporte/quoi", "Cette page n'existe pas. Vous êtes à l'accueil."],
])("%s leads home", async (_which, path, said) => {
  sessionStorage.setItem("sesame.landed", "1");
  serveSeller();
  open(path);
  await screen.findByText(said);
  expect(location.pathname).toBe("/IndexEspace");
});

/** The live connection is opened when the phone is idle. */
async function untilListening(): Promise<void> {
  await waitFor(() => expect(received.size).toBeGreaterThan(0));
}

describe("what happens elsewhere", () => {
  test("a sale and a linked group have everything asked anew; a member, his group", async () => {
    const log = serveSeller();
    open("/");
    await screen.findByText("Bonjour Awa");
    await untilListening();
    const everything = ["/api/users/7", "/api/channels", "/api/products/seller/7"];
    const askedAfter = async (event: string, least: readonly string[], body?: unknown) => {
      log.length = 0;
      act(() => received.get(event)?.(body));
      await waitFor(() =>
        expect(log.map(({ path }) => path)).toEqual(expect.arrayContaining([...least])),
      );
      return log.map(({ path }) => path);
    };
    await askedAfter("payment_received", everything, { amount: 5_000, title: "Recettes" });
    screen.getByText(/^Nouvelle vente : 5\s000\sFCFA · Recettes$/);
    await askedAfter("chatadd", everything);
    await askedAfter("seller:standing", everything);
    const afterMember = await askedAfter("user:joined", ["/api/channels"]);
    expect(afterMember).not.toContain("/api/users/7");
    await askedAfter("user:left", ["/api/channels"]);
  });

  test("a first connection that came late has everything asked anew; one at once, nothing", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    for (const late of [false, true]) {
      received.clear();
      const log = serveSeller();
      openAt("/");
      const { unmount } = render(<App />);
      await screen.findByText("Bonjour Awa");
      await untilListening();
      log.length = 0;
      // A clock that is set meanwhile makes nothing late.
      if (late) vi.advanceTimersByTime(10_000);
      else vi.setSystemTime(Date.now() + 10_000);
      act(() => received.get("connect")?.());
      await act(() => new Promise((resolve) => setTimeout(resolve)));
      const asked = log.map(({ path }) => path);
      expect(asked.includes("/api/channels"), `late: ${late}`).toBe(late);
      unmount();
    }
  });

  test("what was read since the sign-in is what opens without a network", async () => {
    const products = [exampleProduct(), exampleProduct({ id: "2", title: "Publié depuis" })];
    const log = serveSeller(exampleStart(), ({ path }) =>
      path.startsWith("/api/products/seller") ? ok(products) : undefined,
    );
    open("/");
    await screen.findByText("Bonjour Awa");
    await untilListening();
    act(() => received.get("chatadd")?.());
    await waitFor(() => expect(readSaved("5001")?.products).toHaveLength(2));
    expect(readSaved("5001")?.user.nom).toBe("Awa Koné");
    // Read again and the same, it is not written again.
    localStorage.setItem("userProducts", "[]");
    log.length = 0;
    act(() => received.get("chatadd")?.());
    await waitFor(() => expect(log.map(({ path }) => path)).toContain("/api/products/seller/7"));
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    expect(localStorage.getItem("userProducts")).toBe("[]");
  });
});

test("Telegram's own buttons follow the pages, and the bar clears the one below it", async () => {
  sessionStorage.setItem("sesame.landed", "1");
  serveSeller();
  open("/ProductsList");
  const product = await screen.findByRole("link", { name: /^Accès VIP/ });
  await waitFor(() => expect(askedOfTelegram.join("\n")).toContain('"text":"AJOUTER UN PRODUIT"'));
  telegramSays("viewport_changed", { height: innerHeight - 56, is_state_stable: true });
  expect(document.documentElement.style.getPropertyValue("--covered-bottom")).toBe("56px");
  telegramSays("main_button_pressed");
  await screen.findByRole("dialog", { name: "Où vendre ce produit ?" });
  const backShown = () =>
    askedOfTelegram.filter((each) => each.startsWith("web_app_setup_back")).at(-1);
  await waitFor(() => expect(backShown()).toContain('"is_visible":true'));
  telegramSays("back_button_pressed");
  await waitFor(() => expect(backShown()).toContain('"is_visible":false'));
  expect(screen.queryByRole("dialog")).toBeNull();
  fireEvent.click(product);
  await screen.findByRole("button", { name: "Copier le lien" });
  await waitFor(() => expect(backShown()).toContain('"is_visible":true'));
  telegramSays("back_button_pressed");
  expect(location.pathname).toBe("/ProductsList");
  await waitFor(() => expect(backShown()).toContain('"is_visible":false'));
});
