import { type RawBuilder, sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createPayoutApp, type PayoutFixtures } from "../../test/payouts.ts";
import { type ScriptedPayouts, scriptPayouts } from "../../test/scripted-payouts.ts";
import { keepDatabase, pastGuards } from "../../test/tables.ts";
import { resolveIn } from "../features/treasury/decide.ts";
import { cancel } from "../features/withdrawals/withdrawals.ts";
import { brokenWithdrawals } from "./withdrawals-books.view.ts";

const house = createPayoutApp();
let stage: PayoutFixtures;
let mend: () => Promise<void>;
let paydunya: ScriptedPayouts;
let ids: Record<
  "pending" | "manual" | "sent" | "paid" | "failed" | "late" | "returned" | "cancelled",
  bigint
>;

/** One request of each kind there is. */
beforeAll(async () => {
  stage = await house.openStage(({ clock }) => {
    paydunya = scriptPayouts({ id: "paydunya", handles: true, now: () => clock.now() });
    return [paydunya];
  });
  const ask = () => stage.ask(5_000);
  ids = {
    pending: await ask(),
    manual: await ask(),
    sent: await ask(),
    paid: await ask(),
    failed: await ask(),
    late: await ask(),
    returned: await ask(),
    cancelled: await ask(),
  };
  await stage.approve(ids.manual, "manual", "CI1");
  for (const id of [ids.sent, ids.paid, ids.failed, ids.late]) await stage.approve(id, "paydunya");
  await stage.approve(ids.returned, "manual", "CI2");
  await stage.drive();
  Object.assign(theirs(ids.paid), { verdict: "succeeded", cost: 75n });
  theirs(ids.failed).verdict = "failed";
  theirs(ids.late).verdict = "failed";
  await stage.advance(10_000);
  theirs(ids.late).verdict = "succeeded";
  await stage.advance(3_600_000);
  await stage.db.transaction().execute((tx) => {
    const told = { outcome: "returned", reference: "CI3", reason: "Vu", by: stage.agent } as const;
    const resolution = { withdrawalId: ids.returned, ...told };
    return resolveIn(tx, { resolution, now: stage.clock.now() });
  });
  const sellerId = BigInt(stage.seller.id);
  await cancel(stage.engine, { id: ids.cancelled, sellerId, call: null });
  mend = await keepDatabase(stage.db);
});
afterAll(() => house.close());
afterEach(async () => {
  stage.close();
  await mend();
});

const theirs = (id: bigint) => paydunya.sendingOf(`wd-${id}-1`);
const payoutOf = async (id: bigint) => (await stage.stateOf(id)).id;

async function found(): Promise<string[]> {
  const broken = await brokenWithdrawals(stage.db, 50);
  return broken.map(({ invariant, subject }) => `${invariant}: ${subject}`);
}

/** Breaks the books as no code of ours can. */
const plant = (breakage: RawBuilder<unknown>) => pastGuards(stage.db, breakage);

describe("the audit of withdrawals", () => {
  test("finds nothing in true books, one of each kind", async () => {
    expect(await stage.broken()).toEqual([]);
  });

  test.each<[string, () => RawBuilder<unknown>, () => Promise<string[]>]>([
    [
      "a hold that is gone",
      () => sql`DELETE FROM ledger_holds WHERE id = ${`hold:${ids.pending}`}`,
      async () => [`hold of a withdrawal: withdrawal:${ids.pending}`],
    ],
    [
      "a hold that ended by itself",
      () => sql`UPDATE ledger_holds SET ended_as = 'released',
        ended_at = opened_at WHERE id = ${`hold:${ids.pending}`}`,
      async () => [`end of a hold: withdrawal:${ids.pending}`],
    ],
    [
      "a hold of nobody's",
      () => sql`INSERT INTO ledger_holds (id, account_id, amount, opened_at)
        SELECT 'hold:999', account_id, 5, opened_at FROM ledger_holds LIMIT 1`,
      async () => ["withdrawal of a hold: hold:999"],
    ],
    [
      "an approval without its payout",
      () => sql`DELETE FROM payouts WHERE withdrawal_id = ${ids.sent}`,
      async () => [
        `one payout for an approval: withdrawal:${ids.sent}`,
        "francs in transit: payouts:in-transit",
      ],
    ],
    [
      "a payout of a pending request",
      () => sql`UPDATE withdrawals SET status = 'pending', decided_at = NULL
        WHERE id = ${ids.sent}`,
      async () => [
        `end of a hold: withdrawal:${ids.sent}`,
        `francs of an approval: withdrawal:${ids.sent}`,
        `one payout for an approval: withdrawal:${ids.sent}`,
      ],
    ],
    [
      "a payout of other francs",
      () => sql`UPDATE payouts SET amount = 6000 WHERE withdrawal_id = ${ids.sent}`,
      async () => [
        `payout as asked: withdrawal:${ids.sent}`,
        "francs in transit: payouts:in-transit",
      ],
    ],
    [
      "a payment told that was not made",
      () => sql`UPDATE withdrawals SET paid_at = created_at WHERE id = ${ids.sent}`,
      async () => [`payment told: withdrawal:${ids.sent}`],
    ],
    [
      "a success without its francs",
      () => sql`UPDATE payouts SET status = 'succeeded', settled_at = created_at
        WHERE withdrawal_id = ${ids.sent}`,
      async () => [
        `payment told: withdrawal:${ids.sent}`,
        "francs in transit: payouts:in-transit",
        `francs of a payout: sent:${await payoutOf(ids.sent)}`,
      ],
    ],
    [
      "a failure that gave nothing back",
      () => sql`DELETE FROM ledger_transfers WHERE id = ${`return:${ids.failed}`}`,
      async () => [`francs of a payout: return:${ids.failed}`],
    ],
    [
      "a cost that is not the provider's",
      () => sql`UPDATE payouts SET cost = 70 WHERE withdrawal_id = ${ids.paid}`,
      async () => [`francs of a payout: cost:${await payoutOf(ids.paid)}`],
    ],
    [
      "a late success that was not booked",
      () => sql`UPDATE payouts SET late_at = NULL WHERE withdrawal_id = ${ids.late}`,
      async () => [
        `francs of a payout: late:${await payoutOf(ids.late)}`,
        `francs of a payout: recover:${await payoutOf(ids.late)}`,
      ],
    ],
    [
      "a return that was not booked",
      () => sql`DELETE FROM ledger_transfers
        WHERE id = 'reversed:' || (SELECT id FROM payouts WHERE withdrawal_id = ${ids.returned})`,
      async () => [`francs of a payout: reversed:${await payoutOf(ids.returned)}`],
    ],
    [
      "a payout that came back only in the books",
      () => sql`UPDATE payouts SET returned_at = NULL, returned_by = NULL, return_reference = NULL
        WHERE withdrawal_id = ${ids.returned}`,
      async () => [
        `one payout for an approval: withdrawal:${ids.returned}`,
        `payment told: withdrawal:${ids.returned}`,
        `francs of a payout: reversed:${await payoutOf(ids.returned)}`,
      ],
    ],
    [
      "francs of no payout",
      () => sql`INSERT INTO ledger_transfers
        SELECT 'sent:999', legs, occurred_at, recorded_at FROM ledger_transfers LIMIT 1`,
      async () => ["payout of francs: sent:999"],
    ],
  ])("finds %s", async (_what, breakage, expected) => {
    const planned = await expected();
    await plant(breakage());
    expect((await found()).toSorted()).toEqual(planned.toSorted());
  });

  test("puts what it finds on the desk, every hour", async () => {
    await plant(sql`UPDATE withdrawals SET paid_at = created_at WHERE id = ${ids.sent}`);
    await stage.app.app.loops.find(({ name }) => name === "books.audit")?.drain();
    expect(await stage.alerts()).toContain("withdrawal.broken");
    expect(stage.app.takeErrors()).toHaveLength(1);
  });
});
