import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readSaved } from "../features/identity/storage.ts";
import { beginSellerApp, openAt, serveSeller, told } from "../testing/seller-app.ts";
import { exampleProduct, exampleStart } from "../testing/wire-examples.ts";
import { App } from "./app.tsx";

const heard = new Map<string, (body?: unknown) => void>();
vi.mock("socket.io-client", () => ({
  io: () => ({
    on: (event: string, handler: (body?: unknown) => void) => heard.set(event, handler),
    close: () => undefined,
  }),
}));

beforeEach(() => {
  heard.clear();
  beginSellerApp();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The live connection is opened when the phone is idle. */
async function untilListening(): Promise<void> {
  await waitFor(() => expect(heard.size).toBeGreaterThan(0));
}

describe("what happens elsewhere", () => {
  test("a sale and a linked group have everything asked anew; a member, his group", async () => {
    const log = serveSeller();
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

  test("what was read since the sign-in is what opens without a network", async () => {
    const products = [exampleProduct(), exampleProduct({ id: "2", title: "Publié depuis" })];
    const log = serveSeller(exampleStart(), ({ path }) =>
      path.startsWith("/api/products/seller") ? { status: 200, body: products } : undefined,
    );
    openAt("/");
    render(<App />);
    await screen.findByText("Bonjour Awa");
    await untilListening();
    act(() => heard.get("chatadd")?.());
    await waitFor(() => expect(readSaved("5001")?.products).toHaveLength(2));
    expect(readSaved("5001")?.user.nom).toBe("Awa Koné");
    // Read again and the same, it is not written again.
    localStorage.setItem("userProducts", "[]");
    log.length = 0;
    act(() => heard.get("chatadd")?.());
    await waitFor(() => expect(log.map(({ path }) => path)).toContain("/api/products/seller/7"));
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    expect(localStorage.getItem("userProducts")).toBe("[]");
  });
});

type Client = { Telegram: { WebView: { receiveEvent(type: string, payload?: unknown): void } } };
const telegramSays = (type: string, payload?: unknown) =>
  act(() => (window as unknown as Client).Telegram.WebView.receiveEvent(type, payload));

test("Telegram's own buttons follow the pages, and the bar clears the one below it", async () => {
  sessionStorage.setItem("sesame.landed", "1");
  serveSeller();
  openAt("/ProductsList");
  render(<App />);
  const product = await screen.findByRole("link", { name: /^Accès VIP/ });
  await waitFor(() => expect(told.join("\n")).toContain('"text":"AJOUTER UN PRODUIT"'));
  telegramSays("viewport_changed", { height: innerHeight - 56, is_state_stable: true });
  expect(document.documentElement.style.getPropertyValue("--covered-bottom")).toBe("56px");
  telegramSays("main_button_pressed");
  await screen.findByRole("dialog", { name: "Où vendre ce produit ?" });
  const backShown = () => told.filter((each) => each.startsWith("web_app_setup_back")).at(-1);
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
