import { cleanup, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderScreen, reportInstance } from "../../testing/screen.tsx";
import { answerCalls, good } from "../../testing/web-server.ts";
import {
  exampleChannel,
  exampleProduct,
  exampleTransaction,
  exampleUser,
} from "../../testing/wire-examples.ts";
import { Home } from "./home.tsx";

function show(type_plan: "gratuit" | "payant", sold: number, owed = 0): void {
  const rows = Array.from({ length: sold }, (_, at) =>
    exampleTransaction({ id: String(at), nomClient: `Client ${at}` }),
  );
  answerCalls(() => good({ transactions: rows, complaints: [], next_cursor: null }));
  renderScreen(<Home />, {
    known: {
      user: exampleUser({ type_plan, balancePayant: 9_000, soldeDisponible: 9_000, owed }),
      channels: [exampleChannel()],
      products: sold > 0 ? [exampleProduct()] : [],
    },
  });
}

const tiles = () =>
  within(screen.getByRole("navigation", { name: "Raccourcis" }))
    .getAllByRole("link")
    .map((link) => [link.textContent, link.getAttribute("href")]);

test.each([
  ["gratuit", "Plan Gratuit"],
  ["payant", "Plan Premium"],
] as const)("on the plan %s home greets, and shows the badge and all six tiles", (plan, badge) => {
  show(plan, 0);
  expect(screen.getByRole("heading", { level: 1, name: "Bonjour Awa" })).toBeTruthy();
  expect(screen.getByText(badge)).toBeTruthy();
  for (const [name, href] of [
    ["Retrait", "/retrait"],
    ["Historique", "/transactions/history"],
  ] as const) {
    expect(screen.getByRole("link", { name }).getAttribute("href")).toBe(href);
  }
  expect(tiles()).toEqual([
    ["Donation", "/Donation"],
    ["Produits", "/ProductsList"],
    ["Groupes", "/GroupeListe"],
    ["Statistiques", "/Statistics"],
    ["Calendrier", "/Calendrier"],
    ["Support", "/CustomerSupport"],
  ]);
});

test("without a sale says so, and the next step is a guided offer", async () => {
  show("gratuit", 0);
  await screen.findByText("Aucune transaction");
  const step = screen.getByRole("link", { name: /Créez votre premier produit/ });
  expect(step.getAttribute("href")).toBe("/soni");
});

test("says what the seller owes, why, and how it is repaid", async () => {
  show("gratuit", 1, 4_000);
  await screen.findByText(
    /^Vous devez 4.000 FCFA à Sésame, avancés pour rembourser vos acheteurs\. Cette somme est prise/,
  );
});

test("shows the four last transactions, and the way to the community", async () => {
  reportInstance({ communityUrl: "https://t.me/vendeurs" });
  show("gratuit", 6);
  expect((await screen.findAllByText(/^Client \d$/)).map(({ textContent }) => textContent)).toEqual(
    ["Client 0", "Client 1", "Client 2", "Client 3"],
  );
  expect(document.body.textContent).toContain("5\u00a0000\u00a0FCFA");
  expect(screen.getByText("Rejoindre la communauté")).toBeTruthy();
});

test("shows what can be spent by the plan one has, the whole of both, and what is no number as zero", () => {
  const open = (user: Parameters<typeof exampleUser>[0]) => {
    answerCalls(() => ({ status: 400, body: {} }));
    renderScreen(<Home />, { known: { user: exampleUser(user) } });
  };
  const both = { balanceGratuit: 4_100, balancePayant: 9_000 };
  open({ ...both, soldeDisponible: 4_100 });
  screen.getByText("4 100", { exact: false });
  screen.getByText(/Solde total : 13\s100\sFCFA, dont 9\s000\sFCFA/);
  cleanup();
  open({ ...both, type_plan: "payant", soldeDisponible: 8_000 });
  screen.getByText(/Solde total : 13\s100\sFCFA, dont 5\s100\sFCFA/);
  cleanup();
  const nonsense = "beaucoup" as unknown as number;
  open({ balanceGratuit: nonsense, soldeDisponible: nonsense });
  screen.getByText("0");
});
