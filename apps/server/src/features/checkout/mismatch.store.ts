import type { OrderKind, OrderStatus } from "@sesame/contract/checkout";
import type { Fcfa } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { type Db, maybe } from "../../postgres/database.ts";
import { lockOrdersOf } from "./settle.store.ts";

/** A payment its provider says yes to, of something else than what was ordered. */
export type Mismatched = {
  readonly id: bigint;
  readonly order_id: bigint;
  readonly kind: OrderKind;
  readonly order_status: OrderStatus;
  readonly buyer_id: bigint;
  readonly seller_id: bigint | null;
  readonly amount: Fcfa;
  readonly direct: boolean;
  readonly suspended: Fcfa | null;
  readonly since: Date;
  /** The provider has returned a part of it. */
  readonly is_part: boolean;
  /** What the provider said came in; null: it did not say, or has returned a part of it. */
  readonly reported: Fcfa | null;
  /** By what a refund names it. */
  readonly transaction: string | null;
  /** What the provider keeps of it; null: it does not say. */
  readonly cost: Fcfa | null;
  readonly provider: string;
};

const isPart = (details: RawBuilder<unknown>) =>
  sql`(${details}->>'reason' IS NOT DISTINCT FROM 'partly-refunded')`;

/**
 * What the provider said came in of `payments p`, by the details of its alert; null: it did not say, or
 * has returned a part of it.
 */
export const reportedReceived = (details: RawBuilder<unknown>) => sql<Fcfa | null>`
  CASE WHEN NOT ${isPart(details)}
    THEN coalesce(p.suspended_amount, nullif((${details}->>'received')::bigint, 0)) END`;

/** Its order locked, and its matter of the desk ended; null: it waits for no decision. */
export async function lockMismatch(tx: Db, id: bigint, now: Date): Promise<Mismatched | null> {
  await lockOrdersOf(tx, [id]);
  return maybe<Mismatched>(tx)`
    WITH ended AS (
      UPDATE desk_alerts SET resolved_at = coalesce(resolved_at, ${now})
      WHERE kind = 'payment.mismatch' AND subject = 'payment:' || ${id}::bigint
      RETURNING details
    )
    SELECT p.id, p.order_id, o.kind, o.status AS order_status, o.buyer_id, o.seller_id, p.amount,
      p.key_id IS NOT NULL AS direct, p.suspended_amount AS suspended,
      p.mismatched_since AS since, e.details->>'transaction' AS transaction,
      (e.details->>'cost')::bigint AS cost,
      ${isPart(sql`e.details`)} AS is_part, ${reportedReceived(sql`e.details`)} AS reported,
      p.provider
    FROM payments p JOIN orders o ON o.id = p.order_id LEFT JOIN ended e ON true
    WHERE p.id = ${id} AND p.status = 'mismatched'
  `;
}

export async function markHonoured(
  tx: Db,
  id: bigint,
  { received, isCounted }: { received: Fcfa; isCounted: boolean },
): Promise<void> {
  await sql`
    UPDATE payments SET received = ${received}, decided_as = 'honoured', counted = ${isCounted}
    WHERE id = ${id}
  `.execute(tx);
}

/**
 * Money that came in and paid nothing: its order waits for another payment, or fails, and the desk for
 * the money to be given back. It is asked about once more, for what was paid beside it. → whether the
 * order failed
 */
export async function closeUnpaid(
  tx: Db,
  id: bigint,
  closed: { received: Fcfa; isCounted: boolean; now: Date },
): Promise<boolean> {
  const { received, isCounted, now } = closed;
  if (received === 0n) {
    await sql`
      UPDATE payments SET status = 'expired', decided_at = ${now}, mismatched_since = NULL
      WHERE id = ${id}
    `.execute(tx);
    await sql`DELETE FROM payment_checks WHERE payment_id = ${id}`.execute(tx);
  } else {
    await sql`
      UPDATE payments SET status = 'paid', decided_at = ${now}, received = ${received},
        decided_as = 'given-back', counted = ${isCounted}
      WHERE id = ${id}
    `.execute(tx);
    await sql`UPDATE payment_checks SET due_at = ${now} WHERE payment_id = ${id}`.execute(tx);
    await sql`
      INSERT INTO desk_alerts (kind, subject, details, created_at)
      SELECT 'payment.surplus', 'payment:' || p.id, jsonb_build_object('order_id', p.order_id,
        'provider', p.provider, 'provider_payment_id', p.provider_payment_id, 'amount', p.received),
        ${now}
      FROM payments p WHERE p.id = ${id}
      ON CONFLICT (kind, subject) DO NOTHING
    `.execute(tx);
  }
  const { rows } = await sql`
    UPDATE orders o SET status = 'failed' FROM payments p
    WHERE p.id = ${id} AND o.id = p.order_id AND o.status = 'pending' AND NOT EXISTS (
      SELECT FROM payments q WHERE q.order_id = o.id AND q.status IN ('pending', 'mismatched'))
    RETURNING o.id
  `.execute(tx);
  return rows.length > 0;
}
