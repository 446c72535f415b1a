import { expect, test } from "vitest";
import { exampleTransaction } from "../../testing/wire-examples.ts";
import { balanceOf } from "./parts/balance-card.tsx";
import { summarise } from "./summary.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");

test("only what was paid counts, and the parts add up", () => {
  const summary = summarise(
    [
      exampleTransaction({ id: "1" }),
      exampleTransaction({ id: "2", renouvellement: "Renouvellement" }),
      exampleTransaction({ id: "3", status: "pending" }),
      exampleTransaction({ id: "4", status: "refunded" }),
      exampleTransaction({ id: "5", idClient: "91", idProduit: "2", produitNom: "Pro" }),
    ],
    7,
    NOW,
  );
  expect(summary).toMatchObject({ sales: 3, renewed: 1, gross: 15_000, net: 12_300, fees: 2_700 });
  expect(summary.net + summary.fees).toBe(summary.gross);
  expect(summary.buyers).toBe(2);
  expect(summary.products.map(({ title, sales }) => [title, sales])).toEqual([
    ["Accès VIP mensuel", 2],
    ["Pro", 1],
  ]);
});

test("each day of the period has its bar, empty ones too", () => {
  const summary = summarise([exampleTransaction()], 7, NOW);
  expect(summary.days).toHaveLength(7);
  expect(summary.days.reduce((total, day) => total + day.net, 0)).toBe(4_100);
  expect(summary.days.filter((day) => day.net > 0)).toHaveLength(1);
});

test.each([
  [4_100, 4_100],
  ["4100", 4_100],
  ["abc", 0],
  ["", 0],
  [null, 0],
  [Number.NaN, 0],
])("a balance of %j is %i francs", (value, francs) => {
  expect(balanceOf(value)).toBe(francs);
});
