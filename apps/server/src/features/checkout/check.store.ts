import type { OrderKind, PaymentStatus } from "@sesame/contract/checkout";
import type { Fcfa } from "@sesame/kernel";
import type { Quote } from "@sesame/providers";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

/** A question to ask a provider now. */
export type DueCheck = {
  readonly payment_id: bigint;
  readonly order_id: bigint;
  readonly kind: OrderKind;
  readonly provider: string;
  /** Whose account it is; null: the instance's. */
  readonly key_id: bigint | null;
  readonly provider_payment_id: string;
  /** A paid one is asked about when another name of theirs is told for it. */
  readonly status: PaymentStatus;
  readonly transaction_id: string | null;
  /** Ours, as the provider knows it. */
  readonly reference: string;
  readonly quote: Quote | null;
  /** Names of theirs that rumours gave. */
  readonly heard: readonly string[];
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
  claim: { now: Date; leaseEnd: Date; limit: number; except?: readonly string[] },
): Promise<DueCheck[]> {
  const { except = [] } = claim;
  // Only while a slow provider is being asked: those that wait for it are passed over.
  const others =
    except.length === 0
      ? sql``
      : sql`AND NOT EXISTS (SELECT FROM payments busy
          WHERE busy.id = payment_id AND busy.provider = ANY(${[...except]}::text[]))`;
  const { rows } = await sql<DueCheck>`
    WITH due AS MATERIALIZED (
      SELECT payment_id FROM payment_checks WHERE due_at <= ${claim.now} ${others}
      ORDER BY due_at LIMIT ${claim.limit}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE payment_checks c SET due_at = ${claim.leaseEnd}
    FROM due JOIN payments p ON p.id = due.payment_id JOIN orders o ON o.id = p.order_id
    WHERE c.payment_id = due.payment_id
    RETURNING p.id AS payment_id, p.order_id, o.kind, p.provider, p.key_id,
      p.provider_payment_id, p.status, p.transaction_id, coalesce(p.reference, p.order_id::text) AS reference, p.quote,
      p.amount, p.created_at, c.give_up_at,
      ARRAY(SELECT r.transaction_id FROM payment_rumours r WHERE r.payment_id = p.id
        ORDER BY r.heard_at, r.transaction_id) AS heard
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
