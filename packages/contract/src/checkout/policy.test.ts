import { HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { sayRefusal } from "../common/refusal.ts";
import { ASKED_FOR_MS, askAfterMs, isDisturbed, isEmail } from "./policy.ts";
import { sayQuote } from "./refusals.fr.ts";
import { type CheckoutRefusal, checkoutRefusals } from "./refusals.fr.ts";

/** The ages at which an unpaid payment is checked with the provider, in milliseconds. */
function agesAsked(): number[] {
  const ages: number[] = [];
  for (let age = askAfterMs(0); age < ASKED_FOR_MS; age += askAfterMs(age)) ages.push(age);
  return ages;
}

describe("checking a payment with a provider without webhooks", () => {
  test("begins after 10 s, with at most 20 s between calls in the first minute", () => {
    const ages = agesAsked();
    expect(ages[0]).toBe(10_000);
    const early = ages.filter((age) => age <= MINUTE_MS + 20_000);
    for (const [index, age] of early.entries()) {
      if (index > 0 && age <= MINUTE_MS)
        expect(age - (early[index - 1] ?? 0)).toBeLessThanOrEqual(20_000);
    }
    expect(early.length).toBeGreaterThanOrEqual(4);
  });

  test("slows down, never waits more than 6 h, and takes some thirty calls in all", () => {
    const ages = agesAsked();
    const waits = ages.map((age) => askAfterMs(age));
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(Math.max(...waits)).toBe(6 * HOUR_MS);
    expect(ages.length).toBeLessThan(40);
  });
});

test.each([
  [0, 0, false],
  [0, 2, false],
  [0, 3, true],
  [9, 3, true],
  [10, 3, false],
  [300, 99, false],
  [300, 100, true],
])("is a provider disturbed after %i answers and %i failures: %s", (answered, failed, expected) => {
  expect(isDisturbed({ answered, failed })).toBe(expected);
});

test("an email has a name, one @ and a whole domain", () => {
  const right = ["awa@example.com", "a.b+c@mail.example.ci", "17@x.co"];
  const wrong = ["", "awa", "awa@", "@x.ci", "awa@x", "a wa@x.ci", "a@b@c.ci", "a@x.c"];
  expect([...wrong, '"<b>"@x.ci', ...right].filter(isEmail)).toEqual(right);
});

test.each([
  ["EUR", "7.62", "7,62 €"],
  ["EUR", "1524.50", "1\u00a0524,50 €"],
  ["XTR", "1", "1 Star"],
  ["XTR", "125000", "125\u00a0000 Stars"],
  ["USDT", "8.1", "8,1 USDT"],
])("a quote of %s %s is written %s", (currency, amount, said) => {
  expect(sayQuote({ currency, amount })).toBe(said);
});

test.each([
  ["Montant trop petit", "Erreur lors de l'initialisation du paiement : Montant trop petit"],
  [null, "Erreur lors de l'initialisation du paiement"],
])("a provider's refusal is shown with or without its text: %s", (message, said) => {
  const kind = "checkout.provider-refused";
  const refusal: CheckoutRefusal = { kind, message, orderId: null };
  expect(sayRefusal(refusal, checkoutRefusals).body.message).toBe(said);
});
