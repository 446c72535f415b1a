import { assert } from "@sesame/kernel";
import { countUnsettledOrders } from "../checkout/index.ts";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

export type Holdings = {
  readonly balance: bigint;
  readonly held: bigint;
  readonly requests: number;
  readonly accesses: number;
  readonly accesses_until: Date | null;
  readonly payments: number;
  /** Advanced for his refunds. */
  readonly owed: bigint;
  /** Claims, refunds he sends himself, and refunds of his plan, that are open. */
  readonly claims: number;
  /** Suspended, or his payouts are frozen. */
  readonly under_measure: boolean;
};

/** What the account still holds; the seller's row is locked by the caller. */
export async function readHoldings(tx: Db, id: bigint, now: Date): Promise<Holdings> {
  const { rows } = await sql<Holdings>`
    SELECT (free.posted + premium.posted)::bigint AS balance,
      (free.held + premium.held)::bigint AS held,
      (SELECT count(*)::int FROM withdrawals w WHERE w.seller_id = s.id
        AND (w.status = 'pending' OR (w.status = 'approved' AND w.paid_at IS NULL)
          OR EXISTS (SELECT FROM payouts p
            WHERE p.withdrawal_id = w.id AND p.doubted_at IS NOT NULL))) AS requests,
      running.count AS accesses, running.until AS accesses_until,
      ${countUnsettledOrders(
        sql`(o.seller_id = s.id
        OR (o.buyer_id = s.id AND o.kind IN ('plan', 'trial')))`,
        now,
      )} AS payments,
      coalesce((SELECT d.owed FROM seller_advances d WHERE d.seller_id = s.id), 0)::bigint AS owed,
      (SELECT count(*)::int FROM claims c WHERE c.seller_id = s.id AND c.closed_at IS NULL)
        + (SELECT count(*)::int FROM refunds r WHERE r.status <> 'done'
          AND (r.seller_id = s.id AND r.lane = 'seller'
            OR r.buyer_id = s.id AND r.seller_id IS NULL)) AS claims,
      s.suspended_at IS NOT NULL OR coalesce(f.frozen_at IS NOT NULL, false) AS under_measure
    FROM sellers s
    JOIN ledger_accounts free ON free.id = s.free_account_id
    JOIN ledger_accounts premium ON premium.id = s.premium_account_id
    LEFT JOIN payout_profiles f ON f.seller_id = s.id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, max(a.ends_at) AS until
      FROM accesses a JOIN groups g ON g.id = a.group_id
      WHERE g.seller_id = s.id AND a.ends_at > ${now} AND a.status IN ('waiting', 'inside', 'left')
    ) AS running
    WHERE s.id = ${id}
  `.execute(tx);
  assert(rows[0], "a seller who is signed in exists");
  return rows[0];
}

/** Archives what he sells, ends what runs by itself and his sessions. → the tokens' hashes, in hex. */
export async function closeSeller(tx: Db, id: bigint, now: Date): Promise<string[]> {
  await sql`
    UPDATE sellers SET closed_at = ${now}, updated_at = ${now} WHERE id = ${id}
  `.execute(tx);
  await sql`
    UPDATE products SET archived_at = ${now}, updated_at = ${now}
    WHERE seller_id = ${id} AND archived_at IS NULL
  `.execute(tx);
  await sql`
    UPDATE payout_profiles SET automatic = false, next_run_at = NULL, updated_at = ${now}
    WHERE seller_id = ${id} AND automatic
  `.execute(tx);
  const { rows } = await sql<{ hash: string }>`
    UPDATE sessions SET revoked_at = ${now}
    WHERE person_id = ${id} AND audience = 'seller' AND revoked_at IS NULL AND expires_at > ${now}
    RETURNING encode(token_hash, 'hex') AS hash
  `.execute(tx);
  return rows.map(({ hash }) => hash);
}
