import { PAYOUT_RETURNED_REASON } from "@sesame/contract/treasury";
import { DAY_MS, fcfa, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import { createPayoutApp, type PayoutFixtures } from "../../../test/payouts.ts";
import {
  hear,
  type ScriptedPayouts,
  scriptPayouts,
  type Sending,
} from "../../../test/scripted-payouts.ts";
import { resolveIn } from "./decide.ts";

const house = createPayoutApp();
let stage: PayoutFixtures;
let handled: ScriptedPayouts;

afterAll(() => house.close());
beforeEach(async () => {
  stage = await house.openStage(({ clock }) => {
    const now = () => clock.now();
    handled = scriptPayouts({ id: "paydunya", handles: true, now });
    return [handled];
  });
});
afterEach(async () => {
  expect(await stage.broken()).toEqual([]);
  stage.close();
});

async function approved(): Promise<bigint> {
  const id = await stage.ask(5_000);
  expect(await stage.approve(id, "paydunya")).toMatchObject({ ok: true });
  return id;
}

const SELLER = () => `seller:${stage.seller.id}:premium`;

describe("a provider that changes its mind", () => {
  test("and says yes after the francs went back is booked, once, and told to the desk", async () => {
    const id = await approved();
    await stage.drive();
    const sending = handled.sendingOf(`wd-${id}-1`);
    sending.verdict = "failed";
    await stage.advance(10_000);
    sending.verdict = "succeeded";
    sending.cost = fcfa(50);
    await stage.advance(DAY_MS);
    await stage.advance(DAY_MS);
    expect(await stage.alerts()).toEqual(["payout.late-success"]);
    expect(await stage.withdrawal(id)).toMatchObject({ status: "rejected" });
    expect(await stage.balance(SELLER())).toBe(1_000_000n);
    // Left twice: what he has too much is an advance to him.
    expect(await stage.balance("payouts:suspense")).toBe(0n);
    expect(await stage.balance("platform:advances")).toBe(-5_000n);
    expect(await stage.balance("provider:paydunya")).toBe(5_050n);
    expect(await stage.stateOf(id)).toMatchObject({ status: "failed", nextCheckAt: null });
  });

  /** Received, and its seller told. */
  async function received() {
    const id = await approved();
    await stage.drive();
    const sending = handled.sendingOf(`wd-${id}-1`);
    Object.assign(sending, { verdict: "succeeded", cost: fcfa(50) });
    await stage.advance(10_000);
    expect(await stage.withdrawal(id)).toMatchObject({ status: "approved" });
    expect(await stage.balance(SELLER())).toBe(995_000n);
    return { id, sending };
  }

  async function hears({ id }: Sending, words: string) {
    await hear(stage, handled, { id, words });
    await stage.drive();
  }
  const looks = () => handled.calls.filter((call) => call.startsWith("lookup")).length;

  /** Said twice, ten minutes apart. */
  async function takenBack() {
    const { id, sending } = await received();
    sending.verdict = "failed";
    await hears(sending, "no");
    await stage.advance(10 * MINUTE_MS);
    return { id, sending };
  }

  test("and takes back what had arrived is believed when it still says so ten minutes later", async () => {
    const { id, sending } = await received();
    sending.verdict = "failed";
    await hears(sending, "no");
    await stage.advance(9 * MINUTE_MS);
    expect(await stage.withdrawal(id)).toMatchObject({ status: "approved" });
    expect(await stage.balance(SELLER())).toBe(995_000n);
    await stage.advance(MINUTE_MS);
    for (const words of ["no", "no again"]) {
      expect(await stage.withdrawal(id)).toMatchObject({
        status: "rejected",
        reject_code: "payout-failed",
        reject_reason: PAYOUT_RETURNED_REASON,
        paid_at: null,
      });
      expect(await stage.balance(SELLER())).toBe(1_000_000n);
      expect(await stage.balance("provider:paydunya")).toBe(50n);
      expect(await stage.alerts()).toEqual(["payout.returned"]);
      expect(await stage.stateOf(id)).toMatchObject({ status: "succeeded", nextCheckAt: null });
      await hears(sending, words);
      await stage.advance(DAY_MS);
    }
    const { rows } = await sql<{ payload: unknown }>`
      SELECT payload FROM outbox WHERE topic = 'withdrawals.tell-seller' AND ref = ${id}
        AND payload->>'news' = 'returned'`.execute(stage.db);
    expect(rows).toHaveLength(1);
  });

  test("and says yes again within ten minutes has paid", async () => {
    const { id, sending } = await received();
    sending.verdict = "failed";
    await hears(sending, "no");
    sending.verdict = "succeeded";
    await stage.advance(10 * MINUTE_MS);
    sending.verdict = "failed";
    await hears(sending, "no again");
    await stage.advance(5 * MINUTE_MS);
    expect(await stage.withdrawal(id)).toMatchObject({ status: "approved" });
    expect(await stage.alerts()).toEqual([]);
    expect((await stage.stateOf(id)).steps.map(({ step }) => step).slice(-2)).toEqual([
      "doubted",
      "doubted",
    ]);
  });

  test("and pays after all what had come back: it left twice", async () => {
    const { id, sending } = await takenBack();
    sending.verdict = "succeeded";
    await hears(sending, "yes");
    expect(await stage.withdrawal(id)).toMatchObject({ status: "rejected" });
    expect(await stage.balance(SELLER())).toBe(1_000_000n);
    expect(await stage.balance("platform:advances")).toBe(-5_000n);
    expect(await stage.balance("provider:paydunya")).toBe(5_050n);
    expect(await stage.alerts()).toEqual(["payout.returned", "payout.late-success"]);
  });

  test("and takes back what had come late gives it to its seller, who owes it", async () => {
    const id = await approved();
    await stage.drive();
    const sending = handled.sendingOf(`wd-${id}-1`);
    for (const verdict of ["failed", "succeeded", "failed"] as const) {
      sending.verdict = verdict;
      await hears(sending, `${verdict} ${stage.clock.now().toISOString()}`);
      await stage.advance(10 * MINUTE_MS);
    }
    expect(await stage.balance(SELLER())).toBe(1_005_000n);
    expect(await stage.balance("platform:advances")).toBe(-5_000n);
    expect(await stage.balance("provider:paydunya")).toBe(0n);
    expect(await stage.alerts()).toEqual(["payout.late-success", "payout.returned"]);
  });

  const resolve = (withdrawalId: bigint, outcome: "sent" | "returned", reference: string) =>
    stage.db.transaction().execute((tx) => {
      const resolution = { withdrawalId, outcome, reference, reason: "Vu", by: stage.agent };
      return resolveIn(tx, { resolution, now: stage.clock.now() });
    });

  test("is not heard against a person who said that it came back", async () => {
    const { id, sending } = await received();
    expect(await resolve(id, "returned", "RV1")).toEqual({ ok: true, value: null });
    await hears(sending, "yes");
    await stage.advance(DAY_MS);
    expect(await stage.balance(SELLER())).toBe(1_000_000n);
    expect(await stage.balance("platform:advances")).toBe(0n);
    expect(await stage.alerts()).toEqual(["payout.returned"]);
    expect(await stage.stateOf(id)).toMatchObject({ nextCheckAt: null });
    // One return is proved by one reference.
    const other = await approved();
    await stage.drive();
    handled.sendingOf(`wd-${other}-1`).verdict = "succeeded";
    await stage.advance(MINUTE_MS);
    expect(await resolve(other, "returned", "rv1")).toMatchObject({ ok: false });
  });

  test("nor against one who said that it was sent", async () => {
    handled.faults.submit.push("lost-after");
    const id = await approved();
    await stage.drive();
    const sending = handled.sendingOf(`wd-${id}-1`);
    sending.verdict = "not-started";
    expect(await resolve(id, "sent", "OM1")).toEqual({ ok: true, value: null });
    sending.verdict = "failed";
    await hears(sending, "no");
    await stage.advance(HOUR_MS);
    expect(await stage.withdrawal(id)).toMatchObject({ status: "approved" });
    expect((await stage.stateOf(id)).steps.map(({ step }) => step)).not.toContain("doubted");
  });

  test("and is silent when asked a second time is asked later, and later", async () => {
    const { id, sending } = await received();
    sending.verdict = "failed";
    await hears(sending, "no");
    for (const answer of [() => (handled.down = true), () => (handled.forgetful = true)]) {
      answer();
      await stage.advance(20 * MINUTE_MS);
      const { nextCheckAt } = await stage.stateOf(id);
      const waitMs = (nextCheckAt?.getTime() ?? 0) - stage.clock.now().getTime();
      expect(waitMs).toBeGreaterThanOrEqual(9 * MINUTE_MS);
      handled.down = false;
    }
    expect(await stage.withdrawal(id)).toMatchObject({ status: "approved" });
    handled.forgetful = false;
    await stage.advance(HOUR_MS);
    expect(await stage.withdrawal(id)).toMatchObject({ status: "rejected" });
  });

  test("is not asked again because a notice of what arrived is repeated", async () => {
    const { sending } = await received();
    await hears(sending, "yes");
    const asked = looks();
    await hears(sending, "yes");
    expect(looks()).toBe(asked);
  });

  test.each([
    ["amount", { amount: 4_000n, verdict: "succeeded" }],
    ["reference", { told: "wd-999-1", verdict: "succeeded" }],
    ["reference of a no", { told: "wd-999-1", verdict: "failed" }],
    ["amount of a no", { amount: 1n, verdict: "failed" }],
  ] as const)("about another %s moves nothing and is the desk's", async (_what, told) => {
    const id = await approved();
    await stage.drive();
    Object.assign(handled.sendingOf(`wd-${id}-1`), told);
    await stage.advance(10_000);
    await stage.advance(DAY_MS);
    expect(await stage.stateOf(id)).toMatchObject({ status: "sent" });
    expect(await stage.alerts()).toContain("payout.mismatch");
    expect(await stage.balance("payouts:in-transit")).toBe(5_000n);
    expect((await stage.stateOf(id)).steps.filter(({ step }) => step === "mismatch")).toHaveLength(
      1,
    );
  });
});

describe("a worker that waits for an answer longer than its lease", () => {
  const gate = () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    handled.gates.push(opened);
    return open;
  };
  const submits = () => handled.calls.filter((call) => call.startsWith("submit")).length;
  const untilTold = (times: number) => eventually(() => expect(submits()).toBe(times));

  test("has lost it: its no, come late, gives back nothing another has sent again", async () => {
    const [first, second] = [gate(), gate()];
    handled.faults.submit.push({ kind: "request", message: "Too late" });
    handled.ends = "succeeded";
    const id = await approved();
    const slow = stage.workers[0]();
    await untilTold(1);
    stage.clock.advance(3 * MINUTE_MS);
    const other = stage.workers[1]();
    await untilTold(2);
    first();
    await slow;
    expect(await stage.stateOf(id)).toMatchObject({ status: "sending" });
    expect(await stage.balance("payouts:in-transit")).toBe(5_000n);
    second();
    await other;
    await stage.drive();
    expect(await stage.stateOf(id)).toMatchObject({ status: "succeeded" });
    expect(handled.sendings).toHaveLength(1);
  });

  test("still names what it sent, when the answer comes", async () => {
    const open = gate();
    const id = await approved();
    const slow = stage.workers[0]();
    await untilTold(1);
    handled.forgetful = true;
    stage.clock.advance(3 * MINUTE_MS);
    await stage.workers[1]();
    expect(await stage.stateOf(id)).toMatchObject({ status: "uncertain" });
    open();
    await slow;
    expect(await stage.stateOf(id)).toMatchObject({
      status: "sent",
      providerPayoutId: "paydunya-1",
    });
  });
});

test("an answer the database does not take keeps its id until it does", async () => {
  let open = () => {};
  handled.gates.push(
    new Promise((resolve) => {
      open = resolve;
    }),
  );
  const id = await approved();
  const slow = stage.workers[0]();
  await eventually(() => expect(handled.calls).toHaveLength(2));
  await sql`ALTER TABLE payout_steps RENAME TO payout_steps_away`.execute(stage.db);
  open();
  await slow;
  await stage.workers[0]();
  expect(stage.takeErrors()).toHaveLength(2);
  await sql`ALTER TABLE payout_steps_away RENAME TO payout_steps`.execute(stage.db);
  expect(await stage.stateOf(id)).toMatchObject({ status: "sending", providerPayoutId: null });
  await stage.workers[0]();
  expect(await stage.stateOf(id)).toMatchObject({
    status: "sent",
    providerPayoutId: "paydunya-1",
  });
});

test("what the provider does not know at all is not told again", async () => {
  handled.faults.submit.push("lost-before");
  const id = await approved();
  handled.forgetful = true;
  await stage.drive();
  await stage.advance(5 * MINUTE_MS);
  await stage.advance(DAY_MS);
  expect(handled.calls.filter((call) => call.startsWith("submit"))).toHaveLength(1);
  expect(await stage.stateOf(id)).toMatchObject({ status: "uncertain" });
  expect(await stage.alerts()).toEqual(["payout.uncertain"]);
});

describe("in production", () => {
  test("a sandbox's success is no money", async () => {
    const own = await house.openStage(
      ({ clock }) => {
        const now = () => clock.now();
        return [(handled = scriptPayouts({ id: "paydunya", handles: true, now }))];
      },
      { production: true },
    );
    handled.environment = "sandbox";
    handled.ends = "succeeded";
    const id = await own.ask(5_000);
    await own.approve(id, "paydunya");
    await own.drive();
    expect(await own.stateOf(id)).toMatchObject({ status: "sent" });
    expect(await own.alerts()).toEqual(["payout.mismatch"]);
    own.close();
  });
});
