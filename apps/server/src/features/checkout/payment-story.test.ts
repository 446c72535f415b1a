import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AlteredPayment, PaymentOutcome } from "../../../../emulators/src/index.ts";
import { leaveGroups } from "../../../test/groups.ts";
import { startTestApp } from "../../../test/harness.ts";
import {
  openOrder,
  type OpenOrder,
  openShopIn,
  readOrder,
  sellerHas,
  type Shop,
} from "../../../test/sales.ts";
import fc from "fast-check";

let shop: Shop;
let order: OpenOrder;
let before: { fees: bigint; suspense: bigint; alert: bigint };

const app = await startTestApp();
const { moneroo } = app.emulators.collectors;

beforeEach(async () => {
  app.emulators.panel.clearFaults({});
  await leaveGroups(app);
  // Ends the wait after an outage of the provider.
  app.clock.advance(HOUR_MS);
  shop = await openShopIn(app);
  before = {
    fees: await app.balance("platform:fees"),
    suspense: await suspense(),
    alert: await app.lastAlert(),
  };
  order = await openOrder(shop);
  // Lets the webhook about the opening arrive.
  await app.drain();
});

afterEach(async () => {
  expect(await check(app.db)).toEqual([]);
  expect(app.takeErrors()).toEqual([]);
  // Unpaid payments are looked up no more: the next test's provider may answer anything.
  await app.sql`DELETE FROM payment_checks`;
});

const suspense = () => app.balance("suspense");
const inSuspense = async () => (await suspense()) - before.suspense;

/** The alerts raised since the test began. */
const alerts = () => app.alertsAfter(before.alert);

const pay = (outcome: "success" | "failure" | "cancel" | "pending", silent = false) =>
  moneroo.settle(order.paymentId, outcome, { silent });
/** The provider's answers about it from now on; null: the truth. */
const reportAs = (change: AlteredPayment) => moneroo.alter(order.paymentId, change);
const statusNow = async () => (await readOrder(shop, order.id)).status;
const webhook = () => moneroo.webhookViews().at(-1);
const feesPosted = async () => (await app.balance("platform:fees")) - before.fees;

async function expectPaidOnce(): Promise<void> {
  expect(await statusNow()).toBe("paid");
  expect(await sellerHas(shop)).toBe(4_100n);
  expect(await feesPosted()).toBe(900n);
  expect(await app.sumOfBooks()).toBe(0n);
}

describe("a payment", () => {
  test("settles without any webhook, with the first lookup after 10 seconds", async () => {
    pay("success", true);
    await app.advance(9_000);
    expect(await statusNow()).toBe("pending");
    await app.advance(2_000);
    await expectPaidOnce();
  });

  test("is looked up at most 20 seconds apart in its first minute", async () => {
    await app.advance(11_000);
    for (let waited = 11_000; waited <= 60_000; waited += 20_000) {
      pay("pending");
      await app.advance(20_000);
    }
    pay("success", true);
    await app.advance(40_000);
    await expectPaidOnce();
  });

  test("reported twice, ten times, and again days later is money once", async () => {
    moneroo.webhooks.copies = 10;
    pay("success");
    await app.drain();
    const id = webhook()?.id ?? 0;
    for (let copy = 0; copy < 3; copy += 1) moneroo.repeatWebhook(id);
    await app.advance(3 * DAY_MS);
    moneroo.repeatWebhook(id);
    await app.advance(MINUTE_MS);
    await expectPaidOnce();
  });

  test("that failed, then succeeded without a webhook is found by further lookups", async () => {
    pay("failure");
    await app.drain();
    pay("success", true);
    await app.advance(11_000);
    await expectPaidOnce();
  });

  test("whose webhooks come in the wrong order has the provider's current status", async () => {
    moneroo.webhooks.delayMs = HOUR_MS;
    pay("failure");
    moneroo.webhooks.delayMs = 0;
    pay("success");
    await app.drain();
    await expectPaidOnce();
    await app.advance(2 * HOUR_MS);
    await expectPaidOnce();
  });

  test("that is never paid has failed after 72 hours, and a late success still counts, once", async () => {
    await app.advance(71 * HOUR_MS);
    expect(await statusNow()).toBe("pending");
    await app.advance(7 * HOUR_MS);
    expect(await statusNow()).toBe("failed");
    pay("success");
    await app.drain();
    await expectPaidOnce();
  });

  test("is settled after a well signed webhook with unusual spacing", async () => {
    moneroo.webhooks.unusualSpacing = true;
    pay("success");
    await app.drain();
    expect(webhook()?.lastAnswer).toBe("200");
    await expectPaidOnce();
  });

  test("of a second order made meanwhile is a second sale, and adds its time", async () => {
    app.clock.advance(2 * MINUTE_MS);
    const second = await openOrder(shop);
    expect(second.id).not.toBe(order.id);
    pay("success");
    await app.pay("moneroo", second.paymentId);
    expect(await sellerHas(shop)).toBe(8_200n);
    const both = [await readOrder(shop, order.id), await readOrder(shop, second.id)];
    expect(both.map(({ access }) => access?.expires_at)).toContain(
      addMs(app.clock.now(), 60 * DAY_MS).toISOString(),
    );
  });
});

describe("a success of another amount, currency or reference", () => {
  test("after 24 hours the money goes to suspense, and comes back when corrected", async () => {
    reportAs({ amount: 4_999 });
    pay("success");
    await app.drain();
    expect(await inSuspense()).toBe(0n);
    for (let hours = 0; hours < 30; hours += 3) await app.advance(3 * HOUR_MS);
    expect(await inSuspense()).toBeGreaterThan(0n);
    expect(await app.sumOfBooks()).toBe(0n);
    expect(await statusNow()).toBe("pending");
    reportAs({ amount: null });
    await app.advance(7 * HOUR_MS);
    await expectPaidOnce();
    expect(await inSuspense()).toBe(0n);
  });

  test("is never money in another currency, not even in suspense", async () => {
    reportAs({ currency: "XAF" });
    pay("success");
    await app.drain();
    for (let hours = 0; hours < 30; hours += 6) await app.advance(6 * HOUR_MS);
    expect(await statusNow()).toBe("pending");
    expect(await alerts()).toEqual(["payment.mismatch"]);
    expect(await inSuspense()).toBe(0n);
  });

  test("with an unknown status is pending, and without an order's reference a mismatch until it has one", async () => {
    pay("success");
    for (const [status, reference, alarm] of [
      ["on_hold_for_review", null, []],
      [null, "", ["payment.mismatch"]],
    ] as const) {
      reportAs({ status, reference });
      await app.advance(MINUTE_MS);
      expect([await statusNow(), await alerts()]).toEqual(["pending", alarm]);
    }
    reportAs({ reference: null });
    await app.advance(MINUTE_MS).then(expectPaidOnce);
  });
});

test("a provider that does not find the payment delays a sale, and loses none", async () => {
  moneroo.fault("fetch", "not-found", Infinity);
  pay("success");
  await app.drain();
  expect(await statusNow()).toBe("pending");
  moneroo.clearFaults();
  await app.advance(3 * MINUTE_MS);
  await expectPaidOnce();
});

test("when Telegram's part is done, buyer and seller read the same order, the seller without the link", async () => {
  pay("success");
  await app.drain();
  const own = await readOrder(shop, order.id);
  const theirs = await readOrder(shop, order.id, shop.seller);
  expect(own.access?.invite_link).toMatch(/^https:\/\/t\.me\//);
  expect(own.paid_at).toBe(app.clock.now().toISOString());
  expect(await alerts()).toEqual([]);
  expect(theirs).toMatchObject({ id: order.id, status: "paid", access: null, payment_url: null });
  const stranger = await app.signInBuyer();
  const refused = await app.call("GET", `/api/orders/${order.id}`, stranger);
  expect(refused).toMatchObject({ status: 404, body: { code: "checkout.order-not-found" } });
});

/** Each order leaves its rows to the next: for more orders use more runs, by `--minutes`. */
const RUNS = process.env["LONG"] === "1" ? 500 : 20;
let sold = 0n;

/** The provider's answers: the truth, another amount or currency, or a fault. */
type Mood = "normal" | "amount" | "currency" | "500" | "not-found" | "nonsense";

/** What may happen with an order, in any order. */
const happening = fc.oneof(
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
    what: fc.constant("webhooks" as const),
    forged: fc.boolean(),
    copies: fc.integer({ min: 1, max: 3 }),
  }),
);
type Happening = typeof happening extends fc.Arbitrary<infer H> ? H : never;

/**
 * The state that matters: whether the provider has the money, whether we have recorded it, and
 * whether the provider answers correctly now.
 */
type Model = { provider: "open" | "refused" | "paid"; believed: boolean; paid: boolean };

function happen(one: Happening, order: OpenOrder, model: Model): void {
  switch (one.what) {
    case "pay":
      if (model.provider === "paid") return;
      moneroo.settle(order.paymentId, one.how, { silent: one.silent });
      model.provider = PROVIDER_SAYS[one.how];
      return;
    case "repeat": {
      const mine = moneroo.webhookViews().filter(({ paymentId }) => paymentId === order.paymentId);
      const last = mine.at(-1);
      if (last) moneroo.repeatWebhook(last.id);
      return;
    }
    case "wait":
      return app.clock.advance(one.hours * HOUR_MS);
    case "mood":
      setMood(order, one.mood);
      model.believed = one.mood === "normal";
      return;
    case "webhooks":
      moneroo.webhooks.forgeSignature = one.forged;
      moneroo.webhooks.copies = one.copies;
  }
}

function setMood({ paymentId }: OpenOrder, mood: Mood): void {
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

const statusOf = ({ id }: OpenOrder) => app.value<string>`
  SELECT status FROM orders WHERE id = ${id}`;

/** The allowed statuses of the order: never ahead of the provider, and never back from paid. */
function allowed(model: Model): string[] {
  if (model.paid) return ["paid"];
  if (model.provider === "paid" && model.believed) return ["paid", "pending", "failed"];
  return ["pending", "failed"];
}

async function play(happenings: readonly Happening[]): Promise<void> {
  app.emulators.panel.clearFaults({});
  const order = await openOrder(shop, await app.signInBuyer());
  const model: Model = { provider: "open", believed: true, paid: false };
  for (const one of happenings) {
    happen(one, order, model);
    await app.drain();
    const status = await statusOf(order);
    expect(allowed(model)).toContain(status);
    if (status === "paid" && !model.paid) sold += 1n;
    model.paid = status === "paid";
    expect(await sellerHas(shop)).toBe(sold * 4_100n);
  }
  // With correct answers at last, the order ends as in the provider's records.
  happen({ what: "mood", mood: "normal" }, order, model);
  for (let day = 0; day < 4; day += 1) await app.advance(DAY_MS);
  moneroo.webhooks.forgeSignature = false;
  happen({ what: "repeat" }, order, model);
  await app.drain();
  const last = await statusOf(order);
  if (last === "paid" && !model.paid) sold += 1n;
  const known = moneroo.webhookViews().some(({ paymentId }) => paymentId === order.paymentId);
  if (model.provider === "paid" && known) expect(last).toBe("paid");
  if (model.provider !== "paid") expect(last).toBe("failed");
  expect(await sellerHas(shop)).toBe(sold * 4_100n);
  expect(await check(app.db)).toEqual([]);
}

/** Paid after its last lookup, while every webhook is forged: only a repeated one reports it. */
const LATE_AND_FORGED: Happening[] = [
  { what: "webhooks", forged: true, copies: 1 },
  { what: "wait", hours: 40 },
  { what: "wait", hours: 40 },
  { what: "pay", how: "success", silent: false },
];

test(`an order under random webhooks, answers and moves of the clock is paid once if the provider was, never otherwise (${RUNS} lives)`, async () => {
  await fc.assert(fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 8 }), play), {
    numRuns: RUNS,
    examples: [[LATE_AND_FORGED]],
    endOnFailure: true,
  });
}, 3_600_000);
