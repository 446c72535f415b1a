import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPayoutApp, type PayoutFixtures } from "../../../test/payouts.ts";
import { type ScriptedPayouts, scriptPayouts } from "../../../test/scripted-payouts.ts";

const house = createPayoutApp();
let stage: PayoutFixtures;
/** Two steps, with a handle: PayDunya's way. One step, without: Moneroo's. */
let handled: ScriptedPayouts;
let nameless: ScriptedPayouts;

afterAll(() => house.close());
beforeEach(async () => {
  stage = await house.openStage(({ clock }) => {
    const now = () => clock.now();
    handled = scriptPayouts({ id: "paydunya", handles: true, now });
    nameless = scriptPayouts({ id: "moneroo", handles: false, now });
    return [handled, nameless];
  });
});
afterEach(async () => {
  expect(await stage.broken()).toEqual([]);
  stage.close();
});

async function approved(lane: "paydunya" | "moneroo", amount = 5_000): Promise<bigint> {
  const id = await stage.ask(amount);
  expect(await stage.approve(id, lane)).toMatchObject({ ok: true });
  return id;
}

const SELLER = () => `seller:${stage.seller.id}:premium`;
const WAIT_MS = 2 * MINUTE_MS;

describe("a payout by a provider", () => {
  test("is prepared, told once, looked up, and settled when it was received", async () => {
    handled.ends = "sent";
    const id = await approved("paydunya");
    await stage.drive();
    expect(await stage.stateOf(id)).toMatchObject({ status: "sent", handle: `h-wd-${id}-1` });
    expect(await stage.balance("payouts:in-transit")).toBe(5_000n);
    const sending = handled.sendingOf(`wd-${id}-1`);
    expect(sending.request).toMatchObject({
      withdrawalId: String(id),
      amount: 5_000n,
      method: "orange-money-ci",
      phone: "+2250700000001",
      callbackUrl: "https://sesame.example/webhooks/paydunya",
    });
    Object.assign(sending, { verdict: "succeeded", cost: 75n });
    await stage.advance(10_000);
    expect(await stage.stateOf(id)).toMatchObject({
      status: "succeeded",
      cost: 75n,
      operatorReference: "OP-paydunya-1",
    });
    expect((await stage.stateOf(id)).steps.map(({ step }) => step)).toEqual([
      "ready",
      "prepared",
      "sending",
      "sent",
      "succeeded",
    ]);
    expect(await stage.withdrawal(id)).toMatchObject({
      status: "approved",
      paid_at: stage.clock.now(),
    });
    expect(await stage.balance("provider:paydunya")).toBe(5_075n);
    expect(await stage.balance("platform:provider-costs")).toBe(-75n);
    expect(await stage.balance(SELLER())).toBe(995_000n);
  });

  test("a success told at once is looked up before it is believed", async () => {
    handled.ends = "succeeded";
    const id = await approved("paydunya");
    await stage.drive();
    expect(handled.calls.map((call) => call.split(" ")[0])).toEqual([
      "prepare",
      "submit",
      "lookup",
    ]);
    expect(await stage.stateOf(id)).toMatchObject({ status: "succeeded" });
  });

  test("whose answer was lost is looked up, never told twice", async () => {
    handled.faults.submit.push("lost-after");
    const id = await approved("paydunya");
    await stage.drive();
    expect(await stage.stateOf(id)).toMatchObject({ status: "uncertain" });
    await stage.advance(10_000);
    expect(await stage.stateOf(id)).toMatchObject({ status: "sent" });
    handled.sendingOf(`wd-${id}-1`).verdict = "succeeded";
    await stage.advance(MINUTE_MS);
    expect(await stage.stateOf(id)).toMatchObject({ status: "succeeded" });
    expect(handled.calls.filter((call) => call.startsWith("submit"))).toHaveLength(1);
  });

  test("that they were never told is told again after two minutes, under the same names", async () => {
    handled.ends = "succeeded";
    handled.faults.submit.push("lost-before");
    const id = await approved("paydunya");
    await stage.drive();
    await stage.advance(10_000);
    await stage.advance(WAIT_MS - 11_000);
    expect(handled.calls.filter((call) => call.startsWith("submit"))).toHaveLength(1);
    expect(await stage.stateOf(id)).toMatchObject({ status: "uncertain" });
    await stage.advance(MINUTE_MS);
    expect(await stage.stateOf(id)).toMatchObject({ status: "succeeded" });
    expect(handled.sendings).toHaveLength(1);
    expect(handled.sendings[0]).toMatchObject({ handle: `h-wd-${id}-1` });
  });

  test("told again and refused is given up only when they still say it never began", async () => {
    handled.faults.submit.push("lost-before", { kind: "request", message: "Not now" });
    const id = await approved("paydunya");
    await stage.drive();
    await stage.advance(WAIT_MS);
    expect(await stage.stateOf(id)).toMatchObject({ status: "uncertain", failure: "Not now" });
    await stage.advance(10_000);
    expect(await stage.stateOf(id)).toMatchObject({ status: "uncertain" });
    await stage.advance(WAIT_MS);
    expect(await stage.stateOf(id)).toMatchObject({ status: "failed" });
    expect(await stage.balance(SELLER())).toBe(1_000_000n);
  });

  test("that cannot be named is told once, whatever happens, and is the desk's", async () => {
    nameless.faults.submit.push("lost-before");
    const id = await approved("moneroo");
    await stage.drive();
    await stage.advance(9 * MINUTE_MS);
    expect(await stage.alerts()).toEqual([]);
    await stage.advance(2 * MINUTE_MS);
    await stage.advance(DAY_MS);
    expect(nameless.calls.filter((call) => call.startsWith("submit"))).toHaveLength(1);
    expect(await stage.stateOf(id)).toMatchObject({ status: "uncertain" });
    expect(await stage.alerts()).toEqual(["payout.uncertain"]);
    expect(await stage.balance("payouts:in-transit")).toBe(5_000n);
  });

  test("that the provider cannot be reached for waits, and the desk hears of it", async () => {
    handled.down = true;
    const id = await approved("paydunya");
    await stage.drive();
    await stage.advance(11 * MINUTE_MS);
    expect(await stage.stateOf(id)).toMatchObject({ status: "ready" });
    expect(await stage.alerts()).toEqual(["payout.delayed"]);
    handled.down = false;
    handled.ends = "succeeded";
    await stage.advance(6 * MINUTE_MS);
    expect(await stage.stateOf(id)).toMatchObject({ status: "succeeded" });
    expect(await stage.alerts()).toEqual([]);
  });

  test("asked for patience, tells the very same a little later", async () => {
    nameless.ends = "succeeded";
    nameless.faults.submit.push({ kind: "busy", retryAfterMs: 60_000 });
    const id = await approved("moneroo");
    await stage.drive();
    expect(await stage.stateOf(id)).toMatchObject({ status: "prepared" });
    await stage.advance(59_000);
    expect(nameless.sendings).toHaveLength(0);
    await stage.advance(1_000);
    expect(await stage.stateOf(id)).toMatchObject({ status: "succeeded" });
    expect(nameless.sendings).toHaveLength(1);
  });
});

describe("francs that were not sent", () => {
  test("go back at an explicit no, to the account of the plan the seller has now", async () => {
    handled.faults.submit.push({ kind: "request", message: "Unknown number" });
    const id = await approved("paydunya");
    await sql`UPDATE sellers SET plan = 'free'`.execute(stage.db);
    await stage.drive();
    expect(await stage.stateOf(id)).toMatchObject({ status: "failed", failure: "Unknown number" });
    expect(await stage.withdrawal(id)).toMatchObject({
      status: "rejected",
      reject_code: "payout-failed",
      paid_at: null,
    });
    expect(await stage.balance(SELLER())).toBe(995_000n);
    expect(await stage.balance(`seller:${stage.seller.id}:free`)).toBe(5_000n);
    expect(await stage.balance("payouts:in-transit")).toBe(0n);
  });

  test.each([
    ["float", "payout.float-short"],
    ["keys", "provider.keys-refused"],
  ] as const)(
    "go back when the provider's %s is the reason, and the desk hears it",
    async (kind, alert) => {
      handled.faults.submit.push({ kind });
      nameless.faults.prepare.push({ kind });
      const first = await approved("paydunya");
      const second = await approved("moneroo");
      await stage.drive();
      expect(await stage.withdrawal(first)).toMatchObject({ status: "rejected" });
      expect(await stage.withdrawal(second)).toMatchObject({ status: "rejected" });
      expect(await stage.alerts()).toEqual([alert, alert]);
      expect(await stage.balance(SELLER())).toBe(1_000_000n);
    },
  );

  test("go back when the provider says that it failed for ever", async () => {
    const id = await approved("paydunya");
    await stage.drive();
    handled.sendingOf(`wd-${id}-1`).verdict = "failed";
    await stage.advance(10_000);
    expect(await stage.stateOf(id)).toMatchObject({
      status: "failed",
      failure: "the number is closed",
    });
    expect(await stage.balance(SELLER())).toBe(1_000_000n);
  });
});

describe("a frozen seller", () => {
  const freeze = (at: Date | null) =>
    sql`
      INSERT INTO payout_profiles (seller_id, frozen_at, frozen_by, updated_at)
      VALUES (${BigInt(stage.seller.id)}, ${at}, ${at && "seller"}, ${stage.clock.now()})
      ON CONFLICT (seller_id) DO UPDATE SET frozen_at = excluded.frozen_at,
        frozen_by = excluded.frozen_by
    `.execute(stage.db);

  test("is sent nothing until he is free again", async () => {
    handled.ends = "succeeded";
    const id = await approved("paydunya");
    await freeze(stage.clock.now());
    await stage.drive();
    await stage.advance(30 * MINUTE_MS);
    expect(handled.calls).toEqual([]);
    expect(await stage.alerts()).toEqual(["payout.delayed"]);
    await freeze(null);
    await stage.advance(MINUTE_MS);
    expect(await stage.stateOf(id)).toMatchObject({ status: "succeeded" });
  });

  test("is not told again what was never heard", async () => {
    handled.faults.submit.push("lost-before");
    const id = await approved("paydunya");
    await stage.drive();
    await freeze(stage.clock.now());
    await stage.advance(5 * MINUTE_MS);
    await stage.advance(5 * MINUTE_MS);
    expect(handled.sendings).toEqual([]);
    expect(await stage.stateOf(id)).toMatchObject({ status: "uncertain" });
  });
});
