import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { keys } from "../../lib/resources.ts";
import { renderScreen } from "../../testing/screen.tsx";
import { answerCalls } from "../../testing/web-server.ts";
import {
  exampleChannel,
  exampleProduct,
  exampleTransaction,
  exampleUser,
} from "../../testing/wire-examples.ts";
import { Home } from "./home.tsx";

afterEach(() => {
  cleanup();
  document.head.querySelector('meta[name="sesame-instance"]')?.remove();
  vi.unstubAllGlobals();
});

function show(type_plan: "gratuit" | "payant", sold: number): void {
  const rows = Array.from({ length: sold }, (_, at) => exampleTransaction({ id: String(at) }));
  answerCalls(() => ({
    status: 200,
    body: { success: true, transactions: rows, claims: [], next_cursor: null },
  }));
  renderScreen(<Home />, {
    known: [
      [keys.user, exampleUser({ type_plan, balancePayant: 9_000, soldeDisponible: 9_000 })],
      [keys.channels, [exampleChannel()]],
      [keys.products, sold > 0 ? [exampleProduct()] : []],
    ],
  });
}

const tiles = () =>
  within(screen.getByRole("navigation", { name: "Raccourcis" }))
    .getAllByRole("link")
    .map((link) => [link.textContent, link.getAttribute("href")]);

// @shows B §2: home dashboard tiles, decision 12: both plans see all tiles
test.each([
  ["gratuit", "Plan Gratuit"],
  ["payant", "Plan Premium"],
] as const)("on the plan %s home greets, and shows the badge and all six tiles", (plan, badge) => {
  show(plan, 0);
  expect(screen.getByRole("heading", { level: 1, name: "Bonjour Awa" })).toBeTruthy();
  expect(screen.getByText(badge)).toBeTruthy();
  expect(tiles()).toEqual([
    ["Donation", "/Donation"],
    ["Produits", "/ProductsList"],
    ["Groupes", "/GroupeListe"],
    ["Statistiques", "/Statistics"],
    ["Calendrier", "/Calendrier"],
    ["Support", "/CustomerSupport"],
  ]);
});

// @shows B §2: home 'Aucune transaction', decision 75: Soni from the first steps
test("without a sale says so, and the next step is a guided offer", async () => {
  show("gratuit", 0);
  await screen.findByText("Aucune transaction");
  const step = screen.getByRole("link", { name: /Créez votre premier produit/ });
  expect(step.getAttribute("href")).toBe("/soni");
});

// @shows B §2: home last four transactions, B §2: link to the community channel
test("shows the four last transactions, and the way to the community", async () => {
  const meta = document.createElement("meta");
  meta.name = "sesame-instance";
  meta.content = JSON.stringify({ communityUrl: "https://t.me/vendeurs" });
  document.head.append(meta);
  show("gratuit", 6);
  expect(await screen.findAllByText(/Koffi Mensah/)).toHaveLength(4);
  expect(screen.getByText("Rejoindre la communauté")).toBeTruthy();
});
