import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import type { PayoutState, PayoutStep } from "./door.ts";
import { PAYOUT_COLUMNS, type PayoutRow } from "./payout.store.ts";

/** The withdrawal's last payout; null when it has none. */
export async function findPayoutOf(db: Db, withdrawalId: bigint): Promise<PayoutRow | null> {
  const { rows } = await sql<PayoutRow>`
    SELECT ${PAYOUT_COLUMNS} FROM payouts p WHERE p.withdrawal_id = ${withdrawalId}
    ORDER BY p.id DESC LIMIT 1
  `.execute(db);
  return rows[0] ?? null;
}

type StateRow = PayoutRow & {
  readonly word: string | null;
  readonly cost: Fcfa;
  readonly check_at: Date | null;
  readonly checks: number;
};

/** All that is known of it, for the desk. */
export async function viewPayoutOf(db: Db, withdrawalId: bigint): Promise<PayoutState | null> {
  const { rows } = await sql<StateRow>`
    SELECT ${PAYOUT_COLUMNS}, p.word, p.cost, p.check_at, p.checks
    FROM payouts p WHERE p.withdrawal_id = ${withdrawalId}
    ORDER BY p.id DESC LIMIT 1
  `.execute(db);
  const row = rows[0];
  if (!row) return null;
  const { rows: steps } = await sql<PayoutStep>`
    SELECT at, step, details FROM payout_steps WHERE payout_id = ${row.id} ORDER BY id
  `.execute(db);
  return {
    id: row.id,
    lane: row.lane,
    status: row.status,
    reference: row.reference,
    amount: row.amount,
    handle: row.handle,
    providerPayoutId: row.provider_payout_id,
    operatorReference: row.operator_reference,
    word: row.word,
    failure: row.failure,
    cost: row.cost,
    createdAt: row.created_at,
    submittedAt: row.submitted_at,
    settledAt: row.settled_at,
    lateAt: row.late_at,
    nextCheckAt: row.check_at,
    checks: row.checks,
    steps,
  };
}
