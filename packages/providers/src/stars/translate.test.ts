import { readFileSync } from "node:fs";
import { fcfa } from "@sesame/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quoteInStars, theirInvoice, translatePage } from "./index.ts";

const RECORDED: { transactions: Record<string, unknown>[] } = JSON.parse(
  readFileSync(new URL("./recorded/transactions.json", import.meta.url), "utf8"),
);
const incoming = (id: string, reference: string, amount = 625) => ({
  id,
  amount,
  date: 1_793_700_000,
  source: { type: "user", user: { id: 555 }, invoice_payload: reference },
});

describe("an invoice", () => {
  test.each([
    [5_000, 8, 625n],
    [5_001, 8, 626n],
    [1, 8, 1n],
    [100, 13, 8n],
    [1_000_000, 7, 142_858n],
  ])("%i francs at %i a Star are %s Stars: never less than the price", (francs, rate, count) => {
    const quote = { currency: "XTR", amount: String(count), rate: String(rate) };
    expect(quoteInStars(fcfa(francs), rate)).toEqual(quote);
    expect(count * BigInt(rate) >= BigInt(francs)).toBe(true);
  });

  test("keeps to Telegram's lengths, whatever the title", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (words) => {
        const description = `A${words}`;
        const invoice = theirInvoice({
          reference: "17-2",
          title: description,
          description,
          stars: 1,
        });
        const title = String(invoice["title"]);
        expect(title.length).toBeGreaterThan(0);
        expect(title.length).toBeLessThanOrEqual(32);
        expect(String(invoice["description"]).length).toBeLessThanOrEqual(255);
        expect(title.isWellFormed()).toBe(description.isWellFormed());
      }),
    );
  });
});

describe("their list", () => {
  test("holds much that is no payment of ours, and nothing in it throws", () => {
    const page = translatePage(RECORDED);
    expect(page?.charges.map(({ chargeId }) => chargeId)).toEqual(["stxAAA-1_k=="]);
    expect(page).toMatchObject({ refunds: ["stxAAA-1_k=="], count: 4 });
    const odd = [
      { ...incoming("a b", "17-2") },
      { ...incoming("a", "17-2"), amount: 0.5 },
      { ...incoming("a", "17-2"), amount: -625 },
      { ...incoming("a", "17-2"), date: "x" },
      { ...incoming("a", "") },
      { ...incoming("a", "17-2"), source: { type: "fragment", invoice_payload: "17-2" } },
      null,
    ];
    expect(translatePage({ transactions: odd })).toEqual({ charges: [], refunds: [], count: 7 });
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        translatePage(value);
        translatePage({ transactions: [value, { id: "a", source: value, receiver: value }] });
      }),
    );
  });
});
