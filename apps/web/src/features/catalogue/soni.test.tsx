import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { renderScreen } from "../../testing/screen.tsx";
import { type Asked, answerCalls, ok, good } from "../../testing/web-server.ts";
import { exampleChannel, exampleUser } from "../../testing/wire-examples.ts";
import { MyShop } from "./my-shop.tsx";
import { Soni } from "./soni.tsx";

const NOTHING = { name: null, goal: null, motivation: null };
const OPTION = { id: "4", minutes: 43_200, active: true };

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
function open(answers: unknown, broken = false): Asked[] {
  const log = answerCalls(({ method, body }) => {
    if (method === "PUT" && broken) return { status: 500, body: { message: "Non." } };
    if (method === "PUT") return good({ answers: body });
    return good({ answers });
  });
  renderScreen(<Soni />, {
    known: { user: exampleUser(), channels: [exampleChannel()], durations: [OPTION] },
  });
  return log;
}

const press = async (name: string | RegExp) =>
  fireEvent.click(await screen.findByRole("button", { name }));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** A word of the seller's, and the answer to it. */
async function say(name: string): Promise<void> {
  await press(name);
  await pass(1_000);
}

async function answerName(name: string): Promise<void> {
  const field = await screen.findByRole("textbox", { name: "Nom de votre offre" });
  fireEvent.change(field, { target: { value: name } });
  // Enter in a field submits its form.
  fireEvent.submit(field.closest("form") as HTMLFormElement);
}

test("three questions follow one another, and end in a product's form begun with them", async () => {
  const log = open(NOTHING);
  await screen.findByText(/Bonjour Awa, je suis Soni/);
  await say("En savoir plus");
  await screen.findByText(/pas une intelligence artificielle/);
  await say("Commencer");
  await screen.findByText(/Comment s'appelle votre offre/);
  await answerName("   ");
  expect(screen.getByRole("textbox")).toBeTruthy();
  await answerName("Cercle VIP");
  await pass(1_000);
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Animer une communauté"));
  await say("Vendre une formation");
  await say("4");
  await screen.findByText(/une durée de 30 jours, simple à renouveler/);
  const saved = () => log.filter(({ method }) => method === "PUT").map(({ body }) => body);
  await waitFor(() =>
    expect(saved().at(-1)).toEqual({ name: "Cercle VIP", goal: "training", motivation: 4 }),
  );
  await press("Ouvrir mon produit");
  fireEvent.click(screen.getByText("Club Forex"));
  expect(location.pathname).toBe("/ajouterProduit/-1001000000001");
  const draft: unknown = JSON.parse(localStorage.getItem("productDraft:7:1") ?? "null");
  expect(draft).toMatchObject({
    title: "Cercle VIP",
    price: "5000",
    duration: "4",
    category: "formation",
  });
});

test("Soni answers after a second, and not before", async () => {
  open(NOTHING);
  const begin = await screen.findByRole("button", { name: "Commencer" });
  // Not a moment passes but what is said here.
  vi.useFakeTimers();
  fireEvent.click(begin);
  expect(screen.getByText("Soni écrit…")).toBeTruthy();
  await pass(900);
  expect(screen.queryByText(/Comment s'appelle votre offre/)).toBeNull();
  await pass(150);
  expect(screen.getByText(/Comment s'appelle votre offre/)).toBeTruthy();
  // Who answers by keyboard goes on without looking for the field.
  expect(document.activeElement).toBe(screen.getByRole("textbox"));
  expect(screen.getByRole("log")).toBeTruthy();
});

test("earlier answers are found again, the focus stays, and the conversation can be restarted", async () => {
  const log = open({ name: "Cercle VIP", goal: "support", motivation: 1 });
  await screen.findByText(/une durée de 7 jours/);
  expect(document.activeElement).toBe(document.body);
  await press("Recommencer");
  await screen.findByRole("button", { name: "Commencer" });
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Commencer" })),
  );
  await waitFor(() => expect(log.at(-1)?.body).toEqual(NOTHING));
});

test("a draft's own words are not written over", async () => {
  const typed = { title: "Mon titre", price: "7000", description: "", duration: "" };
  localStorage.setItem("productDraft:7:1", JSON.stringify(typed));
  open({ name: "Cercle VIP", goal: "support", motivation: 3 });
  await press("Ouvrir mon produit");
  fireEvent.click(screen.getByText("Club Forex"));
  const draft: unknown = JSON.parse(localStorage.getItem("productDraft:7:1") ?? "null");
  expect(draft).toMatchObject({ title: "Mon titre", price: "7000", duration: "4" });
});

test("the shop is shared by its two links, or says why it cannot be", async () => {
  const page = "http://localhost:3000/boutique/7";
  const telegram = "https://t.me/SesameBot?startapp=boutique_7";
  const shop = { success: true, share_link: telegram, page_url: page, products: 2, open: true };
  const show = (body: unknown) => {
    cleanup();
    answerCalls(() => ok(body));
    renderScreen(<MyShop />, { known: { user: exampleUser() } });
  };
  show(shop);
  const field = await screen.findByRole("textbox", { name: "Lien de la boutique" });
  expect((field as HTMLInputElement).value).toBe(page);
  expect(screen.getByDisplayValue(telegram)).toBeTruthy();
  show({ ...shop, products: 0 });
  await screen.findByText("Votre boutique est vide");
  show({ ...shop, open: false });
  await screen.findByText(/Votre boutique est fermée/);
});
