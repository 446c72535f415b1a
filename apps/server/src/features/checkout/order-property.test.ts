import { HOUR_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PaymentOutcome } from "../../../../emulators/src/index.ts";
import { type OpenOrder, openOrder, openShop, sellerHas, type Shop } from "../../../test/sales.ts";

/** Every life leaves its rows to the next: more lives are more runs, by `--minutes`. */
const RUNS = process.env["LONG"] === "1" ? 500 : 20;

let shop: Shop;
let sold = 0n;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.app.close());

/** What the provider's answers are: the truth, another amount or currency, or a fault. */
type Mood = "normal" | "amount" | "currency" | "500" | "not-found" | "nonsense";

/** What may happen around an order, in any order. */
type Happening =
  | { readonly what: "pay"; readonly how: PaymentOutcome; readonly silent: boolean }
  | { readonly what: "repeat" }
  | { readonly what: "wait"; readonly hours: number }
  | { readonly what: "mood"; readonly mood: Mood }
  | { readonly what: "notices"; readonly forged: boolean; readonly copies: number };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({
    what: fc.constant("pay" as const),
    how: fc.constantFrom<PaymentOutcome>("success", "failure", "cancel", "pending"),
    silent: fc.boolean(),
  }),
  fc.record({ what: fc.constant("repeat" as const) }),
  fc.record({ what: fc.constant("wait" as const), hours: fc.constantFrom(0.01, 0.1, 1, 7, 40) }),
  fc.record({
    what: fc.constant("mood" as const),
    mood: fc.constantFrom<Mood>("normal", "amount", "currency", "500", "not-found", "nonsense"),
  }),
  fc.record({
    what: fc.constant("notices" as const),
    forged: fc.boolean(),
    copies: fc.integer({ min: 1, max: 3 }),
  }),
);

/**
 * All that matters of an order: whether the provider has the money, whether we have said so, and
 * whether the provider can be believed just now.
 */
type Model = { provider: "open" | "refused" | "paid"; believed: boolean; paid: boolean };

function happen(one: Happening, order: OpenOrder, model: Model): void {
  const { moneroo } = shop.app.emulators.collectors;
  switch (one.what) {
    case "pay":
      if (model.provider === "paid") return;
      moneroo.settle(order.paymentId, one.how, { silent: one.silent });
      model.provider = PROVIDER_SAYS[one.how];
      return;
    case "repeat": {
      const mine = moneroo.noticeViews().filter(({ paymentId }) => paymentId === order.paymentId);
      const last = mine.at(-1);
      if (last) moneroo.repeatNotice(last.id);
      return;
    }
    case "wait":
      return shop.app.clock.advance(one.hours * HOUR_MS);
    case "mood":
      setMood(order, one.mood);
      model.believed = one.mood === "normal";
      return;
    case "notices":
      moneroo.notices.forgeSignature = one.forged;
      moneroo.notices.copies = one.copies;
  }
}

function setMood({ paymentId }: OpenOrder, mood: Mood): void {
  const { moneroo } = shop.app.emulators.collectors;
  moneroo.clearFaults();
  moneroo.alter(paymentId, {
    amount: mood === "amount" ? 4_999 : null,
    currency: mood === "currency" ? "XAF" : null,
  });
  if (mood === "normal" || mood === "amount" || mood === "currency") return;
  moneroo.fault("fetch", mood, Infinity);
}

const PROVIDER_SAYS = {
  success: "paid",
  failure: "refused",
  cancel: "refused",
  pending: "open",
} as const;

async function statusOf(order: OpenOrder): Promise<string | undefined> {
  const { rows } = await sql<{ status: string }>`
    SELECT status FROM orders WHERE id = ${order.id}`.execute(shop.app.db);
  return rows[0]?.status;
}

/** What the order may say now: it never runs ahead of the provider, and never takes a yes back. */
function allowed(model: Model): string[] {
  if (model.paid) return ["paid"];
  if (model.provider === "paid" && model.believed) return ["paid", "pending", "failed"];
  return ["pending", "failed"];
}

async function play(happenings: readonly Happening[]): Promise<void> {
  const { moneroo } = shop.app.emulators.collectors;
  happen({ what: "notices", forged: false, copies: 1 }, { id: "", paymentId: "" }, FRESH());
  moneroo.clearFaults();
  const order = await openOrder(shop, await shop.app.signInBuyer());
  const model = FRESH();
  for (const one of happenings) {
    happen(one, order, model);
    await shop.app.drain();
    const status = await statusOf(order);
    expect(allowed(model)).toContain(status);
    if (status === "paid" && !model.paid) sold += 1n;
    model.paid = status === "paid";
    expect(await sellerHas(shop)).toBe(sold * 4_100n);
  }
  // Left alone with a provider in good health, it ends as the provider says, whatever was before.
  happen({ what: "mood", mood: "normal" }, order, model);
  for (let day = 0; day < 4; day += 1) {
    shop.app.clock.advance(24 * HOUR_MS);
    await shop.app.drain();
  }
  moneroo.notices.forgeSignature = false;
  happen({ what: "repeat" }, order, model);
  await shop.app.drain();
  const last = await statusOf(order);
  if (last === "paid" && !model.paid) sold += 1n;
  const known = moneroo.noticeViews().some(({ paymentId }) => paymentId === order.paymentId);
  if (model.provider === "paid" && known) expect(last).toBe("paid");
  if (model.provider !== "paid") expect(last).toBe("failed");
  expect(await sellerHas(shop)).toBe(sold * 4_100n);
  expect(await check(shop.app.db)).toEqual([]);
}

const FRESH = (): Model => ({ provider: "open", believed: true, paid: false });

describe("an order under random notices, answers and moves of the clock", () => {
  test(`is paid once if the provider was, never otherwise (${RUNS} lives)`, async () => {
    await fc.assert(fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 8 }), play), {
      numRuns: RUNS,
      endOnFailure: true,
    });
  }, 3_600_000);
});
