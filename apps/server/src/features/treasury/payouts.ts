import type { Lane, PayoutStatus } from "@sesame/contract/treasury";
import { DAY_MS, type Fcfa } from "@sesame/kernel";
import type { PayoutAnswer } from "@sesame/providers";
import { sql } from "kysely";
import { type Db, maybe, one } from "../../postgres/database.ts";
import { type DateAhead, LONGEST_PAUSE_MS } from "../../jobs/leases.ts";

export type PayoutRow = {
  readonly id: bigint;
  readonly withdrawal_id: bigint;
  readonly lane: Lane;
  readonly reference: string;
  readonly amount: Fcfa;
  readonly method: string;
  readonly phone: string;
  readonly status: PayoutStatus;
  readonly handle: string | null;
  readonly provider_payout_id: string | null;
  readonly operator_reference: string | null;
  readonly failure: string | null;
  readonly created_at: Date;
  readonly submitted_at: Date | null;
  readonly settled_at: Date | null;
  readonly late_at: Date | null;
  /** The provider said once that what had arrived did not. */
  readonly doubted_at: Date | null;
  /** Who said its end, where no provider did. */
  readonly settled_by: bigint | null;
  readonly returned_at: Date | null;
  readonly returned_by: bigint | null;
};

/** Of `payouts p`. */
export const PAYOUT_COLUMNS = sql`p.id, p.withdrawal_id, p.lane, p.reference, p.amount, p.method,
  p.phone, p.status, p.handle, p.provider_payout_id, p.operator_reference, p.failure, p.created_at,
  p.submitted_at, p.settled_at, p.late_at, p.doubted_at,
  p.settled_by, p.returned_at, p.returned_by`;

type Ends = Pick<PayoutRow, "status" | "late_at" | "returned_at">;

/** Its money is with the seller, as far as anybody knows. */
export function hasArrived(payout: Ends): boolean {
  const { status, late_at: late, returned_at: returned } = payout;
  if (returned !== null) return late !== null && late > returned;
  return status === "succeeded" || late !== null;
}

/** Its money arrived and has never come back: an operator may say that it has. */
export function mayComeBack(payout: Ends): boolean {
  return hasArrived(payout) && payout.returned_at === null;
}

/** Its money came back, and has not arrived again. */
export function isBack({ late_at: late, returned_at: returned }: Omit<Ends, "status">): boolean {
  return returned !== null && (late === null || returned > late);
}

/** Says that a payout is due at once. */
export const PAYOUTS_CHANNEL = "sesame_payouts";

export async function wakePayouts(tx: Db): Promise<void> {
  await sql`SELECT pg_notify(${PAYOUTS_CHANNEL}, '')`.execute(tx);
}

type LockedWithdrawal = {
  readonly account_id: bigint;
  readonly amount: Fcfa;
  readonly method: string;
  readonly phone: string;
  readonly status: string;
};

/** Whoever decides on a withdrawal, or on its payout, locks it first. */
export const lockWithdrawal = (tx: Db, id: bigint) => maybe<LockedWithdrawal>(tx)`
  SELECT account_id, amount, method, phone, status
  FROM withdrawals WHERE id = ${id} FOR UPDATE
`;

/** The withdrawal's last payout, both locked; null when it has none. */
export async function lockPayoutOf(tx: Db, withdrawalId: bigint): Promise<PayoutRow | null> {
  await lockWithdrawal(tx, withdrawalId);
  return maybe<PayoutRow>(tx)`
    SELECT ${PAYOUT_COLUMNS} FROM payouts p WHERE p.withdrawal_id = ${withdrawalId}
    ORDER BY p.id DESC LIMIT 1 FOR UPDATE
  `;
}

/** The payout, its withdrawal locked before it. */
export async function lockPayout(tx: Db, payoutId: bigint): Promise<PayoutRow> {
  await sql`
    SELECT FROM withdrawals
    WHERE id = (SELECT withdrawal_id FROM payouts WHERE id = ${payoutId}) FOR UPDATE
  `.execute(tx);
  return one<PayoutRow>(tx)`
    SELECT ${PAYOUT_COLUMNS} FROM payouts p WHERE p.id = ${payoutId} FOR UPDATE
  `;
}

type Step = {
  readonly payoutId: bigint;
  /** A status, or: asked-again, refused-again, mismatch, late-success, doubted, returned, linked,
   * taken-over. */
  readonly step: string;
  readonly details?: string | null;
};

export async function writeStep(tx: Db, step: Step, now: Date): Promise<void> {
  await sql`
    INSERT INTO payout_steps (payout_id, at, step, details)
    VALUES (${step.payoutId}, ${now}, ${step.step}, ${step.details ?? null})
  `.execute(tx);
}

/** What the provider told, kept whatever the status: an id of theirs is never forgotten. */
export async function noteAnswer(tx: Db, payoutId: bigint, answer: PayoutAnswer): Promise<void> {
  await sql`
    UPDATE payouts SET word = ${answer.word},
      provider_payout_id = coalesce(provider_payout_id, ${answer.providerPayoutId}),
      operator_reference = coalesce(operator_reference, ${answer.operatorReference})
    WHERE id = ${payoutId}
  `.execute(tx);
}

/** Takes away the numbers that the money was sent to. */
export async function eraseNumbersPaid(tx: Db, id: bigint): Promise<void> {
  await sql`
    UPDATE payouts p SET phone = '' FROM withdrawals w
    WHERE w.id = p.withdrawal_id AND w.seller_id = ${id} AND p.phone <> ''
  `.execute(tx);
}

/** Instants ahead that no clock may have written further off. */
export const PAYOUTS_DATES: readonly DateAhead[] = [
  // One that failed is looked at late: from the first to the third day at once.
  {
    table: "payouts",
    column: "check_at",
    longestMs: 2 * DAY_MS,
    where: "check_at IS NOT NULL AND status = 'failed'",
  },
  {
    table: "payouts",
    column: "check_at",
    longestMs: LONGEST_PAUSE_MS,
    where: "check_at IS NOT NULL AND status <> 'failed'",
  },
  {
    table: "payout_rumours",
    column: "check_at",
    longestMs: LONGEST_PAUSE_MS,
    where: "check_at IS NOT NULL",
  },
];
