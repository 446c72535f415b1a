import type { Lane } from "@sesame/contract/desk";
import { assert, type Fcfa } from "@sesame/kernel";
import { getAccount, openAccount, postBetween } from "@sesame/ledger";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import { owe } from "../refunds/index.ts";
import type { PayoutRow } from "./payout.store.ts";

/** Where sent money left from: the provider's account, or the purse an agent pays a method with. */
function sourceOf(tx: Db, payout: { lane: Lane; method: string }, now: Date): Promise<bigint> {
  return payout.lane === "manual"
    ? openAccount(tx, { key: `float:${payout.method}`, guarded: false }, now)
    : getAccount(tx, `provider:${payout.lane}`);
}

export const IN_TRANSIT = "payouts:in-transit";

/** The money has left for good: in transit → who paid it, and what the provider took for it. */
export async function postSent(
  tx: Db,
  payout: PayoutRow,
  paid: { cost: Fcfa; now: Date },
): Promise<void> {
  const source = await sourceOf(tx, payout, paid.now);
  const { amount, id } = payout;
  await postBetween(tx, `sent:${id}`, { from: IN_TRANSIT, to: source, amount, now: paid.now });
  await postCost(tx, { id, source }, paid);
}

async function postCost(
  tx: Db,
  { id, source: to }: { id: bigint; source: bigint },
  { cost: amount, now }: { cost: Fcfa; now: Date },
): Promise<void> {
  if (amount === 0n) return;
  await postBetween(tx, `cost:${id}`, { from: "platform:provider-costs", to, amount, now });
}

/**
 * It left although the francs had gone back to the seller: they left twice, from suspense, and are an
 * advance to him.
 */
export async function postLate(
  tx: Db,
  payout: PayoutRow,
  paid: { cost: Fcfa; now: Date },
): Promise<void> {
  const { now } = paid;
  const { amount, id } = payout;
  const sellerId = await lockSeller(tx, payout.withdrawal_id);
  const source = await sourceOf(tx, payout, now);
  const suspense = "payouts:suspense";
  await postBetween(tx, `late:${id}`, { from: suspense, to: source, amount, now });
  // Of one that had arrived before, it was taken then.
  if (payout.status !== "succeeded") await postCost(tx, { id, source }, paid);
  await postBetween(tx, `recover:${id}`, { from: "platform:advances", to: suspense, amount, now });
  await owe(tx, { sellerId, amount, now });
}

/** As whoever withdraws, or takes an advance back. */
async function lockSeller(tx: Db, withdrawalId: bigint): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT s.id FROM withdrawals w JOIN sellers s ON s.id = w.seller_id WHERE w.id = ${withdrawalId}
    FOR NO KEY UPDATE OF s
  `.execute(tx);
  assert(rows[0], `the withdrawal ${withdrawalId} has a seller`);
  return rows[0].id;
}

/** A transfer the seller sees: in transit → the account of the plan he has now. */
export async function postReturn(tx: Db, payout: PayoutRow, now: Date): Promise<void> {
  const to = await sellerAccount(tx, payout);
  const { amount } = payout;
  await postBetween(tx, `return:${payout.withdrawal_id}`, { from: IN_TRANSIT, to, amount, now });
}

/** It had arrived and came back: from where it left → the account of the plan its seller has now. */
export async function postReversed(tx: Db, payout: PayoutRow, now: Date): Promise<void> {
  const to = await sellerAccount(tx, payout);
  const from = await sourceOf(tx, payout, now);
  await postBetween(tx, `reversed:${payout.id}`, { from, to, amount: payout.amount, now });
}

async function sellerAccount(tx: Db, payout: PayoutRow): Promise<bigint> {
  const { rows } = await sql<{ account: bigint }>`
    SELECT CASE WHEN s.plan = 'premium' THEN s.premium_account_id ELSE s.free_account_id END
      AS account
    FROM withdrawals w JOIN sellers s ON s.id = w.seller_id WHERE w.id = ${payout.withdrawal_id}
    -- It cannot change from here to the commit: the francs would stay behind.
    FOR SHARE OF s
  `.execute(tx);
  assert(rows[0], `the withdrawal ${payout.withdrawal_id} has a seller`);
  return rows[0].account;
}

export async function markSucceeded(
  tx: Db,
  payout: PayoutRow,
  end: {
    readonly now: Date;
    readonly cost: Fcfa;
    readonly operatorReference: string | null;
    readonly byHand: boolean;
    readonly by: bigint | null;
  },
): Promise<void> {
  await sql`
    UPDATE payouts SET status = 'succeeded', settled_at = ${end.now}, check_at = NULL,
      cost = ${end.cost}, failure = NULL, settled_by = ${end.by},
      lane = CASE WHEN ${end.byHand} THEN 'manual' ELSE lane END,
      operator_reference = coalesce(${end.operatorReference}, operator_reference)
    WHERE id = ${payout.id}
  `.execute(tx);
  await sql`
    UPDATE withdrawals SET paid_at = ${end.now} WHERE id = ${payout.withdrawal_id}
  `.execute(tx);
}

export async function markFailed(
  tx: Db,
  payout: PayoutRow,
  end: { now: Date; failure: string | null; reason: string; checkAt: Date | null },
): Promise<void> {
  await sql`
    UPDATE payouts SET status = 'failed', settled_at = ${end.now}, check_at = ${end.checkAt},
      checks = 0, failure = ${end.failure}
    WHERE id = ${payout.id}
  `.execute(tx);
  await rejectAgain(tx, payout.withdrawal_id, end.reason);
}

/** It had been approved, and may have been paid: its francs are the seller's again. */
async function rejectAgain(tx: Db, withdrawalId: bigint, reason: string): Promise<void> {
  await sql`
    UPDATE withdrawals SET status = 'rejected', reject_code = ${PAYOUT_FAILED},
      reject_reason = ${reason}, paid_at = NULL
    WHERE id = ${withdrawalId}
  `.execute(tx);
}

/** `reject_code` of a withdrawal whose francs came back after its approval (decision 86). */
const PAYOUT_FAILED = "payout-failed";

export async function markLate(
  tx: Db,
  payoutId: bigint,
  late: { now: Date; cost: Fcfa },
): Promise<void> {
  await sql`
    UPDATE payouts SET late_at = ${late.now}, check_at = NULL,
      cost = CASE WHEN status = 'succeeded' THEN cost ELSE ${late.cost}::bigint END
    WHERE id = ${payoutId}
  `.execute(tx);
}

/** Since when it is said not to have arrived; null: it is said again that it has. */
export async function markDoubted(
  tx: Db,
  payoutId: bigint,
  doubt: { since: Date | null; checkAt: Date | null },
): Promise<void> {
  await sql`
    UPDATE payouts SET doubted_at = ${doubt.since}, check_at = ${doubt.checkAt}
    WHERE id = ${payoutId}
  `.execute(tx);
}

/** An operator's word that it came back, and the reference of what came. */
export type ReturnProof = { readonly by: bigint; readonly reference: string };

export async function markReturned(
  tx: Db,
  payout: PayoutRow,
  { reason, proof, now }: { reason: string; proof: ReturnProof | null; now: Date },
): Promise<void> {
  await sql`
    UPDATE payouts SET returned_at = ${now}, doubted_at = NULL, check_at = NULL,
      returned_by = ${proof?.by ?? null}, return_reference = ${proof?.reference ?? null}
    WHERE id = ${payout.id}
  `.execute(tx);
  await rejectAgain(tx, payout.withdrawal_id, reason);
}
