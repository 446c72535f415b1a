import { MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPayoutApp, type PayoutFixtures } from "../../../test/payouts.ts";
import { type ScriptedPayouts, scriptPayouts } from "../../../test/scripted-payouts.ts";
import {
  approveIn,
  failByHandIn,
  inspect,
  markPaidByHandIn,
  type Resolution,
  resolveIn,
} from "./decide.ts";

const house = createPayoutApp();
let stage: PayoutFixtures;
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

const inTransaction = <T>(run: (tx: PayoutFixtures["db"]) => Promise<T>): Promise<T> =>
  stage.db.transaction().execute(run);
const paid = (withdrawalId: bigint, reference: string) =>
  inTransaction((tx) => {
    const payment = { withdrawalId, reference, by: stage.agent };
    return markPaidByHandIn(tx, { payment, now: stage.clock.now() });
  });
const failed = (withdrawalId: bigint, reason = "Numéro fermé") =>
  inTransaction((tx) => {
    const failure = { withdrawalId, reason, by: stage.agent };
    return failByHandIn(tx, { failed: failure, now: stage.clock.now() });
  });
const resolve = (withdrawalId: bigint, choice: Partial<Resolution>) =>
  inTransaction((tx) => {
    const { outcome = "sent", ...rest } = choice;
    const resolution = { withdrawalId, outcome, reason: "Vu chez eux", by: stage.agent, ...rest };
    return resolveIn(tx, { resolution, now: stage.clock.now() });
  });
const refused = (refusal: object) => ({ ok: false, refusal });
const SELLER = () => `seller:${stage.seller.id}:premium`;

describe("an approval", () => {
  test("of twenty at once, by any lane, is one payout", async () => {
    const id = await stage.ask(5_000);
    const lanes = ["manual", "paydunya", "moneroo"] as const;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => stage.approve(id, lanes[index % 3] ?? "manual")),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    for (const answer of answers.filter(({ ok }) => !ok)) {
      expect(answer).toEqual(refused({ kind: "not-pending", status: "approved" }));
    }
    await stage.drive();
    const { rows } = await sql`SELECT FROM payouts`.execute(stage.db);
    expect(rows).toHaveLength(1);
    expect(handled.sendings.length + nameless.sendings.length).toBeLessThanOrEqual(1);
    expect(await stage.balance("payouts:in-transit")).toBe(5_000n);
  });

  test("by hand with the operator's reference is paid at once", async () => {
    const id = await stage.ask(5_000);
    expect(await stage.approve(id, "manual", " CI2611.A1 ")).toMatchObject({
      ok: true,
      value: { status: "succeeded" },
    });
    expect(await stage.stateOf(id)).toMatchObject({ operatorReference: "CI2611.A1" });
    expect(await stage.balance("float:orange-money-ci")).toBe(5_000n);
    expect(await stage.withdrawal(id)).toMatchObject({ paid_at: stage.clock.now() });
  });

  test("is refused by a lane that is closed, or does not serve the method or the amount", async () => {
    const id = await stage.ask(5_000);
    const small = await stage.ask(100);
    const other = await stage.ask(5_000, { method: "expresso-senegal" });
    const lane = (refusal: object) => refused({ kind: "lane", refusal });
    expect(await stage.approve(id, "fedapay")).toEqual(lane({ kind: "closed" }));
    expect(await stage.approve(other, "paydunya")).toEqual(lane({ kind: "method" }));
    expect(await stage.approve(small, "paydunya")).toEqual(
      lane({ kind: "amount", min: 200n, max: null }),
    );
    expect(handled.calls).toEqual([]);
    expect(await stage.withdrawal(id)).toMatchObject({ status: "pending" });
  });

  test("of what nobody asked for is refused", async () => {
    expect(await stage.approve(999n, "manual")).toEqual(
      refused({ kind: "not-pending", status: null }),
    );
  });

  test("that its transaction gives up leaves nothing", async () => {
    const id = await stage.ask(5_000);
    const giveUp = stage.db.transaction().execute(async (tx) => {
      const approval = { withdrawalId: id, lane: "paydunya", by: stage.agent } as const;
      await approveIn(stage.engine, tx, { approval, now: stage.clock.now() });
      throw new Error("the second agent said no");
    });
    await expect(giveUp).rejects.toThrow("the second agent said no");
    await stage.drive();
    expect(handled.calls).toEqual([]);
    expect(await stage.withdrawal(id)).toMatchObject({ status: "pending" });
  });
});

describe("a payment by hand", () => {
  test("waits for its reference, which proves one payment only", async () => {
    const id = await stage.ask(5_000);
    const next = await stage.ask(6_000);
    await stage.approve(id, "manual");
    await stage.approve(next, "manual");
    expect(await paid(id, " ")).toEqual(refused({ kind: "reference-missing" }));
    expect(await paid(id, "CI2611.A1")).toEqual({ ok: true, value: null });
    expect(await paid(next, "ci2611.a1")).toEqual(refused({ kind: "reference-used" }));
    expect(await paid(id, "CI2611.B2")).toEqual(refused({ kind: "nothing-to-pay" }));
    const again = await stage.ask(7_000);
    expect(await stage.approve(again, "manual", "CI2611.A1")).toEqual(
      refused({ kind: "reference-used" }),
    );
    expect(await stage.withdrawal(again)).toMatchObject({ status: "pending" });
  });

  test("of one reference for two requests at once proves one", async () => {
    const ids = await Promise.all([stage.ask(5_000), stage.ask(6_000)]);
    for (const id of ids) await stage.approve(id, "manual");
    const answers = await Promise.all(ids.map((id) => paid(id, "CI2611.A1")));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers).toContainEqual(refused({ kind: "reference-used" }));
  });

  test("that fails gives the francs back, and the seller the reason", async () => {
    const id = await stage.ask(5_000);
    await stage.approve(id, "manual");
    expect(await failed(id)).toEqual({ ok: true, value: null });
    expect(await failed(id)).toEqual(refused({ kind: "nothing-to-pay" }));
    expect(await paid(id, "CI2611.A1")).toEqual(refused({ kind: "nothing-to-pay" }));
    expect(await stage.withdrawal(id)).toMatchObject({
      status: "rejected",
      reject_reason: "Numéro fermé",
    });
    expect(await stage.balance(SELLER())).toBe(1_000_000n);
  });

  test("takes over what a silent provider was never told, and nothing it was told", async () => {
    handled.down = true;
    const id = await stage.ask(5_000);
    await stage.approve(id, "paydunya");
    await stage.drive();
    expect(await paid(id, "CI2611.A1")).toEqual({ ok: true, value: null });
    handled.down = false;
    await stage.advance(10 * MINUTE_MS);
    expect(handled.sendings).toEqual([]);
    expect(await stage.stateOf(id)).toMatchObject({ lane: "manual", status: "succeeded" });
    const told = await stage.ask(6_000);
    await stage.approve(told, "paydunya");
    await stage.drive();
    expect(await paid(told, "CI2611.B2")).toEqual(refused({ kind: "nothing-to-pay" }));
    expect(await failed(told)).toEqual(refused({ kind: "nothing-to-pay" }));
  });
});

describe("an uncertain payout", () => {
  async function uncertain(heard: "lost-before" | "lost-after"): Promise<bigint> {
    nameless.faults.submit.push(heard);
    const id = await stage.ask(5_000);
    await stage.approve(id, "moneroo");
    await stage.drive();
    expect(await stage.stateOf(id)).toMatchObject({ status: "uncertain" });
    return id;
  }

  test("that an agent saw sent is settled on his word", async () => {
    const id = await uncertain("lost-after");
    expect(await resolve(id, { outcome: "sent", reference: "OM-1" })).toMatchObject({ ok: true });
    expect(await stage.stateOf(id)).toMatchObject({
      status: "succeeded",
      operatorReference: "OM-1",
    });
    expect(await stage.balance("provider:moneroo")).toBe(5_000n);
    expect(await resolve(id, { outcome: "not-sent" })).toEqual(refused({ kind: "not-uncertain" }));
  });

  test("that an agent saw not sent gives the francs back", async () => {
    const id = await uncertain("lost-before");
    expect(await resolve(id, { outcome: "not-sent" })).toMatchObject({ ok: true });
    expect(await stage.balance(SELLER())).toBe(1_000_000n);
    expect(await stage.withdrawal(id)).toMatchObject({ status: "rejected" });
  });

  test("is linked to theirs after it was asked about, and ends as it says", async () => {
    const id = await uncertain("lost-after");
    const other = await uncertain("lost-after");
    const theirs = nameless.sendingOf(`wd-${id}-1`);
    expect(await inspect(stage.engine, id, "nothing")).toEqual(refused({ kind: "payout-unknown" }));
    expect(await inspect(stage.engine, other, theirs.id)).toEqual(
      refused({ kind: "payout-differs" }),
    );
    expect(await inspect(stage.engine, id, theirs.id)).toMatchObject({ ok: true });
    expect(await resolve(id, { outcome: "link", providerPayoutId: theirs.id })).toMatchObject({
      ok: true,
    });
    expect(await resolve(other, { outcome: "link", providerPayoutId: theirs.id })).toEqual(
      refused({ kind: "payout-id-used" }),
    );
    await stage.drive();
    expect(await stage.stateOf(id)).toMatchObject({ status: "sent" });
    theirs.verdict = "succeeded";
    await stage.advance(MINUTE_MS);
    expect(await stage.stateOf(id)).toMatchObject({ status: "succeeded" });
  });

  test("linked to another's is told to the desk and settles nothing", async () => {
    const id = await uncertain("lost-before");
    const other = await uncertain("lost-after");
    const theirs = nameless.sendingOf(`wd-${other}-1`);
    theirs.verdict = "succeeded";
    await resolve(id, { outcome: "link", providerPayoutId: theirs.id });
    await stage.drive();
    expect(await stage.stateOf(id)).toMatchObject({ status: "uncertain" });
    expect(await stage.alerts()).toContain("payout.mismatch");
  });

  test("said not sent and then received left twice: an advance, and the desk says so", async () => {
    const id = await uncertain("lost-after");
    const theirs = nameless.sendingOf(`wd-${id}-1`);
    await resolve(id, { outcome: "not-sent", providerPayoutId: theirs.id });
    theirs.verdict = "succeeded";
    await stage.advance(MINUTE_MS * 11);
    expect(await stage.alerts()).toContain("payout.late-success");
    expect(await stage.balance("payouts:suspense")).toBe(0n);
    expect(await stage.balance("platform:advances")).toBe(-5_000n);
  });

  test("of nobody's lane or already known is not resolved", async () => {
    const id = await stage.ask(5_000);
    expect(await resolve(id, {})).toEqual(refused({ kind: "not-uncertain" }));
    await stage.approve(id, "manual");
    expect(await resolve(id, {})).toEqual(refused({ kind: "not-uncertain" }));
    const sent = await stage.ask(5_000);
    await stage.approve(sent, "paydunya");
    await stage.drive();
    expect(await resolve(sent, { outcome: "not-sent" })).toEqual(
      refused({ kind: "not-uncertain" }),
    );
  });
});
