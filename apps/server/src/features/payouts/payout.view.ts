import type { Lane } from "@sesame/contract/desk";
import type { PayoutStatus } from "@sesame/contract/payouts";
import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, maybe } from "../../postgres/database.ts";
import { PAYOUT_COLUMNS, type PayoutRow } from "./payout.store.ts";

/** The withdrawal's last payout; null when it has none. */
export async function findPayoutOf(db: Db, withdrawalId: bigint): Promise<PayoutRow | null> {
  return maybe<PayoutRow>(db)`
    SELECT ${PAYOUT_COLUMNS} FROM payouts p WHERE p.withdrawal_id = ${withdrawalId}
    ORDER BY p.id DESC LIMIT 1
  `;
}

type PayoutStep = {
  readonly at: Date;
  /** A status, or: asked-again, refused-again, mismatch, late-success, doubted, returned, linked,
   * taken-over. */
  readonly step: string;
  readonly details: string | null;
};

export type PayoutState = {
  readonly id: bigint;
  readonly lane: Lane;
  readonly status: PayoutStatus;
  /** Ours, as the provider knows it. */
  readonly reference: string;
  readonly amount: Fcfa;
  readonly handle: string | null;
  readonly providerPayoutId: string | null;
  readonly operatorReference: string | null;
  /** The provider's last word. */
  readonly word: string | null;
  readonly failure: string | null;
  readonly cost: Fcfa;
  readonly createdAt: Date;
  readonly submittedAt: Date | null;
  readonly settledAt: Date | null;
  /** It succeeded after its francs had gone back to the seller. */
  readonly lateAt: Date | null;
  readonly nextCheckAt: Date | null;
  readonly checks: number;
  readonly steps: readonly PayoutStep[];
};

type StateRow = PayoutRow & {
  readonly word: string | null;
  readonly cost: Fcfa;
  readonly check_at: Date | null;
  readonly checks: number;
};

/** All that is known of it, for the desk. */
export async function payoutOf(db: Db, withdrawalId: bigint): Promise<PayoutState | null> {
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
