import type { OrderKind, OrderStatus } from "@sesame/contract/checkout";
import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
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
  readonly is_suspended: boolean;
  readonly since: Date;
  /** What the provider said came in; null: it did not say, or not in francs. */
  readonly told: Fcfa | null;
};

/** Its order locked, and its matter of the desk ended; null: it waits for no decision. */
export async function lockMismatch(tx: Db, id: bigint, now: Date): Promise<Mismatched | null> {
  await lockOrdersOf(tx, [id]);
  const { rows } = await sql<Mismatched>`
    WITH ended AS (
      UPDATE desk_alerts SET resolved_at = coalesce(resolved_at, ${now})
      WHERE kind = 'payment.mismatch' AND subject = 'payment:' || ${id}::bigint
      RETURNING (details->>'received')::bigint AS received
    )
    SELECT p.id, p.order_id, o.kind, o.status AS order_status, o.buyer_id, o.seller_id, p.amount,
      p.key_id IS NOT NULL AS direct, p.suspended_amount IS NOT NULL AS is_suspended,
      p.mismatched_since AS since, coalesce(p.suspended_amount, (SELECT nullif(received, 0) FROM ended)) AS told
    FROM payments p JOIN orders o ON o.id = p.order_id
    WHERE p.id = ${id} AND p.status = 'mismatched'
  `.execute(tx);
  return rows[0] ?? null;
}

export async function writeReceived(tx: Db, id: bigint, received: Fcfa): Promise<void> {
  await sql`UPDATE payments SET received = ${received} WHERE id = ${id}`.execute(tx);
}

export type MismatchAccounts = {
  readonly provider: bigint;
  readonly suspense: bigint;
  readonly mismatches: bigint;
};

export async function findAccounts(tx: Db, paymentId: bigint): Promise<MismatchAccounts> {
  const { rows } = await sql<MismatchAccounts>`
    SELECT provider.id AS provider, suspense.id AS suspense, mismatches.id AS mismatches
    FROM payments p
    JOIN ledger_accounts provider ON provider.key = 'provider:' || p.provider
    JOIN ledger_accounts suspense ON suspense.key = 'suspense'
    JOIN ledger_accounts mismatches ON mismatches.key = 'platform:mismatches'
    WHERE p.id = ${paymentId}
  `.execute(tx);
  const [found] = rows;
  if (!found) throw new Error(`the payment ${paymentId} has its accounts`);
  return found;
}

/**
 * Money that came in and paid nothing: nobody asks about it any more, and its order waits for another
 * payment, or fails. → whether it failed
 */
export async function closeMismatch(
  tx: Db,
  id: bigint,
  { received, now }: { received: Fcfa; now: Date },
): Promise<boolean> {
  const came = received > 0n ? received : null;
  await sql`
    UPDATE payments SET decided_at = ${now}, received = ${came}::bigint,
      status = CASE WHEN ${came}::bigint IS NULL THEN 'refused' ELSE 'paid' END
    WHERE id = ${id}
  `.execute(tx);
  await sql`DELETE FROM payment_checks WHERE payment_id = ${id}`.execute(tx);
  const { rows } = await sql`
    UPDATE orders o SET status = 'failed' FROM payments p
    WHERE p.id = ${id} AND o.id = p.order_id AND o.status = 'pending' AND NOT EXISTS (
      SELECT FROM payments q WHERE q.order_id = o.id AND q.status IN ('pending', 'mismatched'))
    RETURNING o.id
  `.execute(tx);
  return rows.length > 0;
}
