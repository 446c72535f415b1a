import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

/** A question to ask a provider now. */
export type DueCheck = {
  readonly payment_id: bigint;
  readonly order_id: bigint;
  readonly provider: string;
  readonly provider_payment_id: string;
  readonly amount: Fcfa;
  readonly created_at: Date;
  readonly give_up_at: Date;
};

/**
 * Takes due questions until `leaseEnd`: a worker that dies gives them back by then. A notice that
 * comes meanwhile makes its question due again, so the answer under way is not the last word.
 */
export async function claimChecks(
  db: Db,
  claim: { now: Date; leaseEnd: Date; limit: number },
): Promise<DueCheck[]> {
  const { rows } = await sql<DueCheck>`
    WITH due AS MATERIALIZED (
      SELECT payment_id FROM payment_checks WHERE due_at <= ${claim.now}
      ORDER BY due_at LIMIT ${claim.limit}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE payment_checks c SET due_at = ${claim.leaseEnd}
    FROM due JOIN payments p ON p.id = due.payment_id
    WHERE c.payment_id = due.payment_id
    RETURNING p.id AS payment_id, p.order_id, p.provider, p.provider_payment_id, p.amount,
      p.created_at, c.give_up_at
  `.execute(db);
  return rows;
}

/** Asks again later, unless somebody has moved the question since it was claimed. */
export async function postponeChecks(
  db: Db,
  checks: readonly { paymentId: bigint; dueAt: Date }[],
  leaseEnd: Date,
): Promise<void> {
  if (checks.length === 0) return;
  await sql`
    UPDATE payment_checks c SET due_at = later.due_at
    FROM unnest(
      ${checks.map(({ paymentId }) => paymentId)}::bigint[],
      ${checks.map(({ dueAt }) => dueAt)}::timestamptz[]
    ) AS later(payment_id, due_at)
    WHERE c.payment_id = later.payment_id AND c.due_at = ${leaseEnd}
  `.execute(db);
}

/** Asks no more, unless a notice has asked for it since the question was claimed. */
export async function dropChecks(
  tx: Db,
  paymentIds: readonly bigint[],
  leaseEnd: Date,
): Promise<void> {
  await sql`
    DELETE FROM payment_checks
    WHERE payment_id = ANY(${[...paymentIds]}::bigint[]) AND due_at = ${leaseEnd}
  `.execute(tx);
}
