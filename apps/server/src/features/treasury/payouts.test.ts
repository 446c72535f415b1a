import { DAY_MS, fcfa, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { createPayoutApp, type PayoutFixtures } from "../../../test/payouts.ts";
import { receive, ScriptedPayouts, type Sending } from "../../../test/scripted-payouts.ts";
import { PAYOUT_RETURNED_REASON } from "@sesame/contract/treasury";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import { failByHandIn, inspect, markPaidByHandIn, type Resolution, resolveIn } from "./decide.ts";
import { approveIn } from "./payouts.ts";

const house = createPayoutApp();
/** Two steps, with a handle: PayDunya's way. One step, without: Moneroo's. */
let handled: ScriptedPayouts;
let nameless: ScriptedPayouts;

const provide = ({ clock }: Pick<PayoutFixtures, "clock">) => {
  const now = () => clock.now();
  handled = new ScriptedPayouts({ id: "paydunya", handles: true, now });
  nameless = new ScriptedPayouts({ id: "moneroo", handles: false, now });
  return [handled, nameless];
};
const setup = house.each(provide);

async function approved(rail: "paydunya" | "moneroo" = "paydunya", amount = 5_000) {
  const id = await setup.ask(amount);
  expect(await setup.approve(id, rail)).toMatchObject({ ok: true });
  return id;
}

/** Approved, and submitted as far as the provider lets it be. */
async function submitted(rail?: "paydunya" | "moneroo", amount?: number) {
  const id = await approved(rail, amount);
  await setup.drive();
  return id;
}

/** What PayDunya has of it. */
const theirsOf = (id: bigint) => handled.sendingOf(`wd-${id}-1`);

async function sentByPaydunya() {
  const id = await submitted();
  return { id, sending: theirsOf(id) };
}

const submitsTo = ({ calls }: ScriptedPayouts) =>
  calls.filter((call) => call.startsWith("submit")).length;

const stepsOf = async (id: bigint) => (await setup.stateOf(id)).steps.map(({ step }) => step);

/** PayDunya takes no request until the function is called. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  handled.gates.push(promise);
  return resolve;
}

const SELLER = () => `seller:${setup.seller.id}:premium`;
const WAIT_MS = 2 * MINUTE_MS;

describe("a payout by a provider", () => {
  test("is prepared, submitted once, looked up, and settled when it was received", async () => {
    handled.ends = "sent";
    const { id, sending } = await sentByPaydunya();
    expect(await setup.stateOf(id)).toMatchObject({ status: "sent", handle: `h-wd-${id}-1` });
    expect(await setup.balance("payouts:in-transit")).toBe(5_000n);
    expect(sending.request).toMatchObject({
      withdrawalId: String(id),
      amount: 5_000n,
      method: "orange-money-ci",
      phone: "+2250700000001",
      callbackUrl: "https://sesame.example/webhooks/paydunya",
    });
    Object.assign(sending, { status: "succeeded", cost: 75n });
    await setup.advance(10_000);
    expect(await setup.stateOf(id)).toMatchObject({
      status: "succeeded",
      cost: 75n,
      operatorReference: "OP-paydunya-1",
    });
    expect(await stepsOf(id)).toEqual(["ready", "prepared", "sending", "sent", "succeeded"]);
    const paid = { status: "approved", paid_at: setup.clock.now() };
    expect(await setup.withdrawal(id)).toMatchObject(paid);
    expect(await setup.balance("provider:paydunya")).toBe(5_075n);
    expect(await setup.balance("platform:provider-costs")).toBe(-75n);
    expect(await setup.balance(SELLER())).toBe(995_000n);
  });

  test("that succeeds at once is looked up before it is settled", async () => {
    handled.ends = "succeeded";
    const id = await submitted();
    const calls = handled.calls.map((call) => call.split(" ")[0]);
    expect(calls).toEqual(["prepare", "submit", "lookup"]);
    expect(await setup.stateOf(id)).toMatchObject({ status: "succeeded" });
  });

  test("whose answer was lost is looked up, never submitted twice", async () => {
    handled.faults.submit.push("lost-after");
    const id = await submitted();
    expect(await setup.stateOf(id)).toMatchObject({ status: "uncertain" });
    await setup.advance(10_000);
    expect(await setup.stateOf(id)).toMatchObject({ status: "sent" });
    theirsOf(id).status = "succeeded";
    await setup.advance(MINUTE_MS);
    expect(await setup.stateOf(id)).toMatchObject({ status: "succeeded" });
    expect(submitsTo(handled)).toBe(1);
  });

  test("that never arrived is submitted again after two minutes, with the same ids", async () => {
    handled.ends = "succeeded";
    handled.faults.submit.push("lost-before");
    const id = await submitted();
    await setup.advance(10_000);
    await setup.advance(WAIT_MS - 11_000);
    expect(submitsTo(handled)).toBe(1);
    expect(await setup.stateOf(id)).toMatchObject({ status: "uncertain" });
    await setup.advance(MINUTE_MS);
    expect(await setup.stateOf(id)).toMatchObject({ status: "succeeded" });
    expect(handled.sendings).toMatchObject([{ handle: `h-wd-${id}-1` }]);
  });

  test("submitted again and refused is failed only if the provider still reports that it never began", async () => {
    handled.faults.submit.push("lost-before", { kind: "request", message: "Not now" });
    const id = await submitted();
    await setup.advance(WAIT_MS);
    expect(await setup.stateOf(id)).toMatchObject({ status: "uncertain", failure: "Not now" });
    await setup.advance(10_000);
    expect(await setup.stateOf(id)).toMatchObject({ status: "uncertain" });
    await setup.advance(WAIT_MS);
    expect(await setup.stateOf(id)).toMatchObject({ status: "failed" });
    expect(await setup.balance(SELLER())).toBe(1_000_000n);
  });

  test("that cannot be looked up is submitted once, whatever happens, and is left to the back office", async () => {
    nameless.faults.submit.push("lost-before");
    const id = await submitted("moneroo");
    await setup.advance(9 * MINUTE_MS);
    expect(await setup.alerts()).toEqual([]);
    await setup.advance(2 * MINUTE_MS);
    await setup.advance(DAY_MS);
    expect(submitsTo(nameless)).toBe(1);
    expect(await setup.stateOf(id)).toMatchObject({ status: "uncertain" });
    expect(await setup.alerts()).toEqual(["payout.uncertain"]);
    expect(await setup.balance("payouts:in-transit")).toBe(5_000n);
  });

  test("whose provider cannot be reached waits, and the back office is alerted", async () => {
    handled.down = true;
    const id = await submitted();
    await setup.advance(11 * MINUTE_MS);
    expect(await setup.stateOf(id)).toMatchObject({ status: "ready" });
    expect(await setup.alerts()).toEqual(["payout.delayed"]);
    handled.down = false;
    handled.ends = "succeeded";
    await setup.advance(6 * MINUTE_MS);
    expect(await setup.stateOf(id)).toMatchObject({ status: "succeeded" });
    expect(await setup.alerts()).toEqual([]);
  });

  test("is submitted again unchanged after the wait the provider required", async () => {
    nameless.ends = "succeeded";
    nameless.faults.submit.push({ kind: "busy", retryAfterMs: 60_000 });
    const id = await submitted("moneroo");
    expect(await setup.stateOf(id)).toMatchObject({ status: "prepared" });
    await setup.advance(59_000);
    expect(nameless.sendings).toHaveLength(0);
    await setup.advance(1_000);
    expect(await setup.stateOf(id)).toMatchObject({ status: "succeeded" });
    expect(nameless.sendings).toHaveLength(1);
  });
});

describe("francs that were not sent", () => {
  test("return after an explicit refusal, to the account of the seller's current plan", async () => {
    handled.faults.submit.push({ kind: "request", message: "Unknown number" });
    const id = await approved("paydunya");
    await setup.sql`UPDATE sellers SET plan = 'free'`;
    await setup.drive();
    expect(await setup.stateOf(id)).toMatchObject({ status: "failed", failure: "Unknown number" });
    const rejected = { status: "rejected", reject_code: "payout-failed", paid_at: null };
    expect(await setup.withdrawal(id)).toMatchObject(rejected);
    expect(await setup.balance(SELLER())).toBe(995_000n);
    expect(await setup.balance(`seller:${setup.seller.id}:free`)).toBe(5_000n);
    expect(await setup.balance("payouts:in-transit")).toBe(0n);
  });

  test.each([
    ["float", "payout.float-short"],
    ["keys", "provider.keys-refused"],
  ] as const)(
    "return when the reason is the provider's %s, and the back office is alerted",
    async (kind, alert) => {
      handled.faults.submit.push({ kind });
      nameless.faults.prepare.push({ kind });
      for (const id of [await submitted(), await submitted("moneroo")])
        expect(await setup.withdrawal(id)).toMatchObject({ status: "rejected" });
      expect(await setup.alerts()).toEqual([alert, alert]);
      expect(await setup.balance(SELLER())).toBe(1_000_000n);
    },
  );

  test("return when the provider reports a final failure", async () => {
    const { id, sending } = await sentByPaydunya();
    sending.status = "failed";
    await setup.advance(10_000);
    const failure = "the number is closed";
    expect(await setup.stateOf(id)).toMatchObject({ status: "failed", failure });
    expect(await setup.balance(SELLER())).toBe(1_000_000n);
  });
});

describe("a frozen seller", () => {
  const freeze = (at: Date | null) =>
    setup.sql`
      INSERT INTO payout_profiles (seller_id, frozen_at, frozen_by, updated_at)
      VALUES (${BigInt(setup.seller.id)}, ${at}, ${at && "seller"}, ${setup.clock.now()})
      ON CONFLICT (seller_id) DO UPDATE SET frozen_at = excluded.frozen_at,
        frozen_by = excluded.frozen_by`;

  test("is sent nothing until the freeze ends", async () => {
    handled.ends = "succeeded";
    const id = await approved("paydunya");
    await freeze(setup.clock.now());
    await setup.drive();
    await setup.advance(30 * MINUTE_MS);
    expect(handled.calls).toEqual([]);
    expect(await setup.alerts()).toEqual(["payout.delayed"]);
    await freeze(null);
    await setup.advance(MINUTE_MS);
    expect(await setup.stateOf(id)).toMatchObject({ status: "succeeded" });
  });

  test("has no payout submitted again that never reached the provider", async () => {
    handled.faults.submit.push("lost-before");
    const id = await submitted();
    await freeze(setup.clock.now());
    await setup.advance(5 * MINUTE_MS);
    await setup.advance(5 * MINUTE_MS);
    expect(handled.sendings).toEqual([]);
    expect(await setup.stateOf(id)).toMatchObject({ status: "uncertain" });
  });
});

describe("a provider that changes its status", () => {
  test("to success after the francs returned is booked, once, and reported to the back office", async () => {
    const { id, sending } = await sentByPaydunya();
    sending.status = "failed";
    await setup.advance(10_000);
    Object.assign(sending, { status: "succeeded", cost: fcfa(50) });
    await setup.advance(DAY_MS);
    await setup.advance(DAY_MS);
    expect(await setup.alerts()).toEqual(["payout.late-success"]);
    expect(await setup.withdrawal(id)).toMatchObject({ status: "rejected" });
    expect(await setup.balance(SELLER())).toBe(1_000_000n);
    // It left twice: what the seller has too much is an advance.
    expect(await setup.balance("payouts:suspense")).toBe(0n);
    expect(await setup.balance("platform:advances")).toBe(-5_000n);
    expect(await setup.balance("provider:paydunya")).toBe(5_050n);
    expect(await setup.stateOf(id)).toMatchObject({ status: "failed", nextCheckAt: null });
  });

  /** Received, and the seller notified. */
  async function received() {
    const { id, sending } = await sentByPaydunya();
    Object.assign(sending, { status: "succeeded", cost: fcfa(50) });
    await setup.advance(10_000);
    expect(await setup.withdrawal(id)).toMatchObject({ status: "approved" });
    expect(await setup.balance(SELLER())).toBe(995_000n);
    return { id, sending };
  }

  /** The same, but the provider now says that it failed. */
  async function doubted() {
    const { id, sending } = await received();
    sending.status = "failed";
    await receives(sending, "no");
    return { id, sending };
  }

  async function receives({ id }: Sending, words: string) {
    await receive(setup, handled, { id, words });
    await setup.drive();
  }
  const looks = () => handled.calls.filter((call) => call.startsWith("lookup")).length;

  /** Reported twice, ten minutes apart. */
  async function takenBack() {
    const both = await doubted();
    await setup.advance(10 * MINUTE_MS);
    return both;
  }

  test("to failure after the arrival is believed if it is the same ten minutes later", async () => {
    const { id, sending } = await doubted();
    await setup.advance(9 * MINUTE_MS);
    expect(await setup.withdrawal(id)).toMatchObject({ status: "approved" });
    expect(await setup.balance(SELLER())).toBe(995_000n);
    await setup.advance(MINUTE_MS);
    for (const words of ["no", "no again"]) {
      expect(await setup.withdrawal(id)).toMatchObject({
        status: "rejected",
        reject_code: "payout-failed",
        reject_reason: PAYOUT_RETURNED_REASON,
        paid_at: null,
      });
      expect(await setup.balance(SELLER())).toBe(1_000_000n);
      expect(await setup.balance("provider:paydunya")).toBe(50n);
      expect(await setup.alerts()).toEqual(["payout.returned"]);
      expect(await setup.stateOf(id)).toMatchObject({ status: "succeeded", nextCheckAt: null });
      await receives(sending, words);
      await setup.advance(DAY_MS);
    }
    const rows = await setup.sql`
      SELECT FROM outbox WHERE topic = 'withdrawals.notify-seller' AND ref = ${id}
        AND payload->>'news' = 'returned'`;
    expect(rows).toHaveLength(1);
  });

  test("back to success within ten minutes has paid", async () => {
    const { id, sending } = await doubted();
    sending.status = "succeeded";
    await setup.advance(10 * MINUTE_MS);
    sending.status = "failed";
    await receives(sending, "no again");
    await setup.advance(5 * MINUTE_MS);
    expect(await setup.withdrawal(id)).toMatchObject({ status: "approved" });
    expect(await setup.alerts()).toEqual([]);
    expect((await stepsOf(id)).slice(-2)).toEqual(["doubted", "doubted"]);
  });

  test("to success after the money came back has paid twice", async () => {
    const { id, sending } = await takenBack();
    sending.status = "succeeded";
    await receives(sending, "yes");
    expect(await setup.withdrawal(id)).toMatchObject({ status: "rejected" });
    expect(await setup.balance(SELLER())).toBe(1_000_000n);
    expect(await setup.balance("platform:advances")).toBe(-5_000n);
    expect(await setup.balance("provider:paydunya")).toBe(5_050n);
    expect(await setup.alerts()).toEqual(["payout.returned", "payout.late-success"]);
  });

  test("to failure after a late arrival returns the francs to the seller, who owes them", async () => {
    const { sending } = await sentByPaydunya();
    for (const status of ["failed", "succeeded", "failed"] as const) {
      sending.status = status;
      await receives(sending, `${status} ${setup.clock.now().toISOString()}`);
      await setup.advance(10 * MINUTE_MS);
    }
    expect(await setup.balance(SELLER())).toBe(1_005_000n);
    expect(await setup.balance("platform:advances")).toBe(-5_000n);
    expect(await setup.balance("provider:paydunya")).toBe(0n);
    expect(await setup.alerts()).toEqual(["payout.late-success", "payout.returned"]);
  });

  test("is not believed against a person who entered that it came back", async () => {
    const { id, sending } = await received();
    const returned = { outcome: "returned", reference: "RV1" } as const;
    expect(await resolve(id, returned)).toEqual({ ok: true, value: null });
    await receives(sending, "yes");
    await setup.advance(DAY_MS);
    expect(await setup.balance(SELLER())).toBe(1_000_000n);
    expect(await setup.balance("platform:advances")).toBe(0n);
    expect(await setup.alerts()).toEqual(["payout.returned"]);
    expect(await setup.stateOf(id)).toMatchObject({ nextCheckAt: null });
    // One reference proves one return.
    const other = await sentByPaydunya();
    other.sending.status = "succeeded";
    await setup.advance(MINUTE_MS);
    const again = { outcome: "returned", reference: "rv1" } as const;
    expect(await resolve(other.id, again)).toMatchObject({ ok: false });
  });

  test("nor against a person who entered that it was sent", async () => {
    handled.faults.submit.push("lost-after");
    const { id, sending } = await sentByPaydunya();
    sending.status = "not-started";
    expect(await resolve(id, { reference: "OM1" })).toEqual({ ok: true, value: null });
    sending.status = "failed";
    await receives(sending, "no");
    await setup.advance(HOUR_MS);
    expect(await setup.withdrawal(id)).toMatchObject({ status: "approved" });
    expect(await stepsOf(id)).not.toContain("doubted");
  });

  test("and does not answer the second lookup is looked up later, and later", async () => {
    const { id } = await doubted();
    for (const answer of [() => (handled.down = true), () => (handled.forgetful = true)]) {
      answer();
      await setup.advance(20 * MINUTE_MS);
      const { nextCheckAt } = await setup.stateOf(id);
      const waitMs = (nextCheckAt?.getTime() ?? 0) - setup.clock.now().getTime();
      expect(waitMs).toBeGreaterThanOrEqual(9 * MINUTE_MS);
      handled.down = false;
    }
    expect(await setup.withdrawal(id)).toMatchObject({ status: "approved" });
    handled.forgetful = false;
    await setup.advance(HOUR_MS);
    expect(await setup.withdrawal(id)).toMatchObject({ status: "rejected" });
  });

  test("is not looked up again because of a repeated webhook about an arrived payout", async () => {
    const { sending } = await received();
    await receives(sending, "yes");
    const asked = looks();
    await receives(sending, "yes");
    expect(looks()).toBe(asked);
  });

  test.each([
    ["amount", { amount: 4_000n, status: "succeeded" }],
    ["reference", { reportedReference: "wd-999-1", status: "succeeded" }],
    ["reference of a no", { reportedReference: "wd-999-1", status: "failed" }],
    ["amount of a no", { amount: 1n, status: "failed" }],
  ] as const)(
    "of another %s moves nothing and is left to the back office",
    async (_what, answer) => {
      const { id, sending } = await sentByPaydunya();
      Object.assign(sending, answer);
      await setup.advance(10_000);
      await setup.advance(DAY_MS);
      expect(await setup.stateOf(id)).toMatchObject({ status: "sent" });
      expect(await setup.alerts()).toContain("payout.mismatch");
      expect(await setup.balance("payouts:in-transit")).toBe(5_000n);
      expect((await stepsOf(id)).filter((step) => step === "mismatch")).toHaveLength(1);
    },
  );
});

describe("a worker that waits for an answer longer than its lease", () => {
  const untilSubmitted = (times: number) =>
    eventually(() => expect(submitsTo(handled)).toBe(times));

  test("has lost it: its late refusal returns nothing that another worker has sent again", async () => {
    const [first, second] = [gate(), gate()];
    handled.faults.submit.push({ kind: "request", message: "Too late" });
    handled.ends = "succeeded";
    const id = await approved();
    const slow = setup.workers[0]();
    await untilSubmitted(1);
    setup.clock.advance(3 * MINUTE_MS);
    const other = setup.workers[1]();
    await untilSubmitted(2);
    first();
    await slow;
    expect(await setup.stateOf(id)).toMatchObject({ status: "sending" });
    expect(await setup.balance("payouts:in-transit")).toBe(5_000n);
    second();
    await other;
    await setup.drive();
    expect(await setup.stateOf(id)).toMatchObject({ status: "succeeded" });
    expect(handled.sendings).toHaveLength(1);
  });

  test("still stores the id of what it sent, when the answer comes", async () => {
    const open = gate();
    const id = await approved();
    const slow = setup.workers[0]();
    await untilSubmitted(1);
    handled.forgetful = true;
    setup.clock.advance(3 * MINUTE_MS);
    await setup.workers[1]();
    expect(await setup.stateOf(id)).toMatchObject({ status: "uncertain" });
    open();
    await slow;
    const sent = { status: "sent", providerPayoutId: "paydunya-1" };
    expect(await setup.stateOf(id)).toMatchObject(sent);
  });
});

test("an answer that the database cannot store keeps its id until it can", async () => {
  const open = gate();
  const id = await approved();
  const slow = setup.workers[0]();
  await eventually(() => expect(handled.calls).toHaveLength(2));
  await setup.sql`ALTER TABLE payout_steps RENAME TO payout_steps_away`;
  open();
  await slow;
  await setup.workers[0]();
  expect(setup.takeErrors()).toHaveLength(2);
  await setup.sql`ALTER TABLE payout_steps_away RENAME TO payout_steps`;
  expect(await setup.stateOf(id)).toMatchObject({ status: "sending", providerPayoutId: null });
  await setup.workers[0]();
  expect(await setup.stateOf(id)).toMatchObject({ status: "sent", providerPayoutId: "paydunya-1" });
});

test("a payout unknown to the provider is not submitted again", async () => {
  handled.faults.submit.push("lost-before");
  const id = await approved();
  handled.forgetful = true;
  await setup.drive();
  await setup.advance(5 * MINUTE_MS);
  await setup.advance(DAY_MS);
  expect(submitsTo(handled)).toBe(1);
  expect(await setup.stateOf(id)).toMatchObject({ status: "uncertain" });
  expect(await setup.alerts()).toEqual(["payout.uncertain"]);
});

test("in production, a sandbox's success is no money", async () => {
  const own = await house.openSetup(provide, { production: true });
  handled.environment = "sandbox";
  handled.ends = "succeeded";
  const id = await own.ask(5_000);
  await own.approve(id, "paydunya");
  await own.drive();
  expect(await own.stateOf(id)).toMatchObject({ status: "sent" });
  expect(await own.alerts()).toEqual(["payout.mismatch"]);
  own.close();
});

const inTransaction = <T>(run: (tx: PayoutFixtures["db"]) => Promise<T>): Promise<T> =>
  setup.db.transaction().execute(run);
const paid = (withdrawalId: bigint, reference: string) =>
  inTransaction((tx) => {
    const payment = { withdrawalId, reference, by: setup.agent };
    return markPaidByHandIn(tx, { payment, now: setup.clock.now() });
  });
const failed = (withdrawalId: bigint, reason = "Numéro fermé") =>
  inTransaction((tx) => {
    const failure = { withdrawalId, reason, by: setup.agent };
    return failByHandIn(tx, { failed: failure, now: setup.clock.now() });
  });
const resolve = (withdrawalId: bigint, choice: Partial<Resolution>) =>
  inTransaction((tx) => {
    const { outcome = "sent", ...rest } = choice;
    const resolution = { withdrawalId, outcome, reason: "Vu chez eux", by: setup.agent, ...rest };
    return resolveIn(tx, { resolution, now: setup.clock.now() });
  });
const refused = (refusal: object) => ({ ok: false, refusal });

describe("an approval", () => {
  test("requested twenty times at once, by any rail, is one payout", async () => {
    const id = await setup.ask(5_000);
    const rails = ["manual", "paydunya", "moneroo"] as const;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => setup.approve(id, rails[index % 3] ?? "manual")),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    for (const answer of answers.filter(({ ok }) => !ok)) {
      expect(answer).toEqual(refused({ kind: "not-pending", status: "approved" }));
    }
    await setup.drive();
    expect(await setup.sql`SELECT FROM payouts`).toHaveLength(1);
    expect(handled.sendings.length + nameless.sendings.length).toBeLessThanOrEqual(1);
    expect(await setup.balance("payouts:in-transit")).toBe(5_000n);
  });

  test("by hand with the operator's reference is paid at once", async () => {
    const id = await setup.ask(5_000);
    expect(await setup.approve(id, "manual", " CI2611.A1 ")).toMatchObject({
      ok: true,
      value: { status: "succeeded" },
    });
    expect(await setup.stateOf(id)).toMatchObject({ operatorReference: "CI2611.A1" });
    expect(await setup.balance("float:orange-money-ci")).toBe(5_000n);
    expect(await setup.withdrawal(id)).toMatchObject({ paid_at: setup.clock.now() });
  });

  test("is refused by a rail that is closed, or does not serve the method or the amount", async () => {
    const id = await setup.ask(5_000);
    const small = await setup.ask(100);
    const other = await setup.ask(5_000, { method: "expresso-senegal" });
    const rail = (refusal: object) => refused({ kind: "rail", refusal });
    expect(await setup.approve(id, "fedapay")).toEqual(rail({ kind: "closed" }));
    expect(await setup.approve(other, "paydunya")).toEqual(rail({ kind: "method" }));
    const tooSmall = rail({ kind: "amount", min: 200n, max: null });
    expect(await setup.approve(small, "paydunya")).toEqual(tooSmall);
    expect(handled.calls).toEqual([]);
    expect(await setup.withdrawal(id)).toMatchObject({ status: "pending" });
  });

  test("of an unknown request is refused", async () => {
    const unknown = refused({ kind: "not-pending", status: null });
    expect(await setup.approve(999n, "manual")).toEqual(unknown);
  });

  test("whose transaction is rolled back leaves nothing", async () => {
    const id = await setup.ask(5_000);
    const giveUp = inTransaction(async (tx) => {
      const approval = { withdrawalId: id, rail: "paydunya", by: setup.agent } as const;
      await approveIn(setup.engine, tx, { approval, now: setup.clock.now() });
      throw new Error("the second agent said no");
    });
    await expect(giveUp).rejects.toThrow("the second agent said no");
    await setup.drive();
    expect(handled.calls).toEqual([]);
    expect(await setup.withdrawal(id)).toMatchObject({ status: "pending" });
  });
});

describe("a payment by hand", () => {
  test("of one reference for two requests at once proves one", async () => {
    const ids = await Promise.all([setup.ask(5_000), setup.ask(6_000)]);
    for (const id of ids) await setup.approve(id, "manual");
    const answers = await Promise.all(ids.map((id) => paid(id, "CI2611.A1")));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers).toContainEqual(refused({ kind: "reference-used" }));
  });

  test("takes over a payout never submitted to a silent provider, and no other", async () => {
    handled.down = true;
    const id = await submitted();
    expect(await paid(id, "CI2611.A1")).toEqual({ ok: true, value: null });
    handled.down = false;
    await setup.advance(10 * MINUTE_MS);
    expect(handled.sendings).toEqual([]);
    expect(await setup.stateOf(id)).toMatchObject({ rail: "manual", status: "succeeded" });
    const sent = await submitted("paydunya", 6_000);
    expect(await paid(sent, "CI2611.B2")).toEqual(refused({ kind: "nothing-to-pay" }));
    expect(await failed(sent)).toEqual(refused({ kind: "nothing-to-pay" }));
  });
});

describe("an uncertain payout", () => {
  async function uncertain(fault: "lost-before" | "lost-after"): Promise<bigint> {
    nameless.faults.submit.push(fault);
    const id = await submitted("moneroo");
    expect(await setup.stateOf(id)).toMatchObject({ status: "uncertain" });
    return id;
  }

  test("that an agent found as sent is the provider's money, with the agent's reference", async () => {
    const id = await uncertain("lost-after");
    expect(await resolve(id, { outcome: "sent", reference: "OM-1" })).toMatchObject({ ok: true });
    const ended = { status: "succeeded", operatorReference: "OM-1" };
    expect(await setup.stateOf(id)).toMatchObject(ended);
    expect(await setup.balance("provider:moneroo")).toBe(5_000n);
  });

  test("is linked to the provider's after a lookup, and ends as reported", async () => {
    const id = await uncertain("lost-after");
    const other = await uncertain("lost-after");
    const theirs = nameless.sendingOf(`wd-${id}-1`);
    expect(await inspect(setup.engine, id, "nothing")).toEqual(refused({ kind: "payout-unknown" }));
    const differs = refused({ kind: "payout-differs" });
    expect(await inspect(setup.engine, other, theirs.id)).toEqual(differs);
    expect(await inspect(setup.engine, id, theirs.id)).toMatchObject({ ok: true });
    const link = { outcome: "link", providerPayoutId: theirs.id } as const;
    expect(await resolve(id, link)).toMatchObject({ ok: true });
    expect(await resolve(other, link)).toEqual(refused({ kind: "payout-id-used" }));
    await setup.drive();
    expect(await setup.stateOf(id)).toMatchObject({ status: "sent" });
    theirs.status = "succeeded";
    await setup.advance(MINUTE_MS);
    expect(await setup.stateOf(id)).toMatchObject({ status: "succeeded" });
  });

  test("linked to another's is reported to the back office and settles nothing", async () => {
    const id = await uncertain("lost-before");
    const other = await uncertain("lost-after");
    const theirs = nameless.sendingOf(`wd-${other}-1`);
    theirs.status = "succeeded";
    await resolve(id, { outcome: "link", providerPayoutId: theirs.id });
    await setup.drive();
    expect(await setup.stateOf(id)).toMatchObject({ status: "uncertain" });
    expect(await setup.alerts()).toContain("payout.mismatch");
  });

  test("entered as not sent and then received left twice: it is an advance, and the back office is alerted", async () => {
    const id = await uncertain("lost-after");
    const theirs = nameless.sendingOf(`wd-${id}-1`);
    await resolve(id, { outcome: "not-sent", providerPayoutId: theirs.id });
    theirs.status = "succeeded";
    await setup.advance(MINUTE_MS * 11);
    expect(await setup.alerts()).toContain("payout.late-success");
    expect(await setup.balance("payouts:suspense")).toBe(0n);
    expect(await setup.balance("platform:advances")).toBe(-5_000n);
  });

  test("that no provider sends, or whose end is known, cannot be resolved", async () => {
    const notUncertain = refused({ kind: "not-uncertain" });
    const id = await setup.ask(5_000);
    expect(await resolve(id, {})).toEqual(notUncertain);
    await setup.approve(id, "manual");
    expect(await resolve(id, {})).toEqual(notUncertain);
    expect(await resolve(await submitted(), { outcome: "not-sent" })).toEqual(notUncertain);
  });
});
