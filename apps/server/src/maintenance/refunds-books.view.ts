import type { BrokenInvariant } from "@sesame/ledger";
import { sql } from "kysely";
import { type Db, many } from "../postgres/database.ts";
import { CLOCK_TOLERANCE } from "./books.view.ts";

/**
 * Broken refunds. Each must be: an order is refunded ⇔ it has its refund ⇔ the whole price has left its
 * accounts; done refunds have left transit; transit is exactly what is not done; the platform's
 * advances are exactly what sellers owe. At most `limit`.
 */
export async function brokenRefunds(db: Db, limit: number): Promise<BrokenInvariant[]> {
  const francs = await brokenFrancs(db, limit);
  const totals = await brokenTotals(db, limit);
  const orders = await brokenOrders(db, limit);
  return [...francs, ...totals, ...orders].slice(0, limit);
}

const idOf = (key: string) => sql`(SELECT id FROM account WHERE key = ${key})`;

/** Each refund has its transfers, with its francs, and no other refund has one. */
async function brokenFrancs(db: Db, limit: number): Promise<BrokenInvariant[]> {
  return many<BrokenInvariant>(db)`
    WITH account AS MATERIALIZED (
      SELECT id, key FROM ledger_accounts WHERE NOT guarded
    ), named AS (
      SELECT r.id, r.kind, o.kind AS order_kind, r.direct, r.status, r.amount, r.advanced, o.fee,
        r.provider_fee, r.rail,
        CASE WHEN p.decided_as = 'honoured' THEN p.received - p.amount ELSE 0 END AS more,
        o.price - o.fee - r.advanced AS of_seller, s.free_account_id, s.premium_account_id,
        ${idOf("refunds:in-transit")} AS transit, ${idOf("platform:advances")} AS advances,
        ${idOf("platform:fees")} AS fees, ${idOf("platform:subscriptions")} AS ours,
        ${idOf("suspense")} AS suspense, ${idOf("platform:chargebacks")} AS chargebacks,
        ${idOf("platform:mismatches")} AS mismatches, source.id AS source
      FROM refunds r
      JOIN orders o ON o.id = r.order_id
      JOIN payments p ON p.id = r.payment_id
      LEFT JOIN sellers s ON s.id = r.seller_id
      LEFT JOIN account source ON source.key
        = CASE WHEN r.rail = 'staff' THEN 'float:' || r.method ELSE 'provider:' || p.provider END
    ), left_whom AS (
      SELECT id, NOT direct AS is_due,
        CASE WHEN advanced > 0 THEN advances || ':' || -advanced || ',' ELSE '' END
          || CASE WHEN fee > 0 THEN fees || ':' || -fee || ',' ELSE '' END
          || transit || ':' || amount AS rest,
        CASE WHEN kind = 'overpayment' THEN suspense || ':' || -amount || ',' || transit || ':' || amount
          WHEN order_kind = 'plan' THEN ours || ':' || -amount || ',' || transit || ':' || amount
        END AS whole,
        -- From the account of the seller's plan then: one of two.
        CASE WHEN of_seller > 0 THEN free_account_id || ':' || -of_seller || ',' ELSE '' END AS free,
        CASE WHEN of_seller > 0 THEN premium_account_id || ':' || -of_seller || ',' ELSE '' END
          AS premium
      FROM named
    ), due AS (
      SELECT 'refund:' || id AS id, is_due, coalesce(whole, free || rest) AS legs,
        coalesce(whole, premium || rest) AS other FROM left_whom
      UNION ALL
      SELECT 'given-back:' || id, NOT direct AND status = 'done',
        transit || ':' || -amount || ',' || source || ':' || amount, NULL FROM named
      UNION ALL
      SELECT 'chargeback:' || id, provider_fee > 0,
        chargebacks || ':' || -provider_fee || ',' || source || ':' || provider_fee, NULL FROM named
      UNION ALL
      SELECT 'mismatch-returned:' || id, more <> 0 AND rail = 'returned' AND status = 'done'
          AND NOT direct, mismatches || ':' || -more || ',' || source || ':' || more, NULL FROM named
    )
    SELECT 'francs of a refund' AS invariant, due.id AS subject,
      CASE WHEN due.is_due THEN due.legs END AS expected, t.legs AS found
    FROM due LEFT JOIN ledger_transfers t ON t.id = due.id
    WHERE CASE WHEN due.is_due THEN (t.legs IN (due.legs, due.other)) IS NOT true
      ELSE t.id IS NOT NULL END
    UNION ALL
    SELECT 'refund of francs', t.id, 'a refund', NULL
    FROM ledger_transfers t
    WHERE t.id ~ '^(refund|given-back|chargeback|mismatch-returned):[0-9]{1,18}$'
      AND NOT EXISTS (SELECT FROM due WHERE due.id = t.id)
    LIMIT ${limit}
  `;
}

async function brokenTotals(db: Db, limit: number): Promise<BrokenInvariant[]> {
  return many<BrokenInvariant>(db)`
    WITH advanced AS (
      SELECT given.seller_id, sum(given.francs)::bigint AS total FROM (
        SELECT seller_id, advanced AS francs FROM refunds WHERE advanced > 0
        UNION ALL
        SELECT w.seller_id, p.amount FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id
        WHERE p.late_at IS NOT NULL
      ) AS given GROUP BY given.seller_id
    ), written AS (
      SELECT seller_id, sum(amount)::bigint AS total FROM write_offs
      WHERE decided_at IS NOT NULL GROUP BY seller_id
    ), recovered AS (
      SELECT split_part(e.transfer_id, ':', 2)::bigint AS seller_id, sum(e.amount)::bigint AS total,
        count(*) AS times
      FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
      WHERE a.key = 'platform:advances' AND e.transfer_id ~ '^recover:[0-9]{1,18}:[0-9]{1,9}$'
      GROUP BY 1
    )
    SELECT 'refunds in transit' AS invariant, a.key AS subject, open.total::text AS expected,
      ledger_balance(a.id)::text AS found
    FROM ledger_accounts a, (SELECT coalesce(sum(amount), 0)::bigint AS total FROM refunds
      WHERE status <> 'done' AND NOT direct) AS open
    WHERE a.key = 'refunds:in-transit' AND ledger_balance(a.id) <> open.total
    UNION ALL
    SELECT 'advances owed', a.key, (-owed.total)::text, ledger_balance(a.id)::text
    FROM ledger_accounts a,
      (SELECT coalesce(sum(owed), 0)::bigint AS total FROM seller_advances) AS owed
    WHERE a.key = 'platform:advances' AND ledger_balance(a.id) <> -owed.total
    UNION ALL
    SELECT 'advance of a seller', 'seller:' || coalesce(d.seller_id, g.seller_id, b.seller_id),
      (coalesce(g.total, 0) - coalesce(b.total, 0) - coalesce(w.total, 0))::text,
      coalesce(d.owed, 0)::text
    FROM seller_advances d
    FULL JOIN advanced g ON g.seller_id = d.seller_id
    FULL JOIN recovered b ON b.seller_id = coalesce(d.seller_id, g.seller_id)
    LEFT JOIN written w ON w.seller_id = coalesce(d.seller_id, g.seller_id, b.seller_id)
    WHERE coalesce(g.total, 0) - coalesce(b.total, 0) - coalesce(w.total, 0)
        <> coalesce(d.owed, 0)
      OR coalesce(b.times, 0) <> coalesce(d.recoveries, 0)
    UNION ALL
    SELECT 'francs of a write-off', coalesce(due.id, t.id), due.legs, t.legs
    FROM (
      SELECT 'write-off:' || w.id AS id,
        losses.id || ':' || -w.amount || ',' || advances.id || ':' || w.amount AS legs
      FROM write_offs w
      JOIN ledger_accounts losses ON losses.key = 'platform:losses'
      JOIN ledger_accounts advances ON advances.key = 'platform:advances'
      WHERE w.decided_at IS NOT NULL
    ) AS due
    FULL JOIN (SELECT id, legs FROM ledger_transfers WHERE id LIKE 'write-off:%') AS t
      ON t.id = due.id
    WHERE due.legs IS DISTINCT FROM t.legs
    LIMIT ${limit}
  `;
}

/** Orders, complaints and accesses match the refunds. */
async function brokenOrders(db: Db, limit: number): Promise<BrokenInvariant[]> {
  return many<BrokenInvariant>(db)`
    SELECT 'refund of an order' AS invariant, 'order:' || o.id AS subject, 'a refund' AS expected,
      NULL AS found
    FROM orders o
    WHERE o.status = 'refunded'
      AND NOT EXISTS (SELECT FROM refunds r WHERE r.order_id = o.id AND r.kind = 'sale')
    UNION ALL
    SELECT 'order of a refund', 'refund:' || r.id, 'refunded', o.status
    FROM refunds r JOIN orders o ON o.id = r.order_id
    WHERE r.kind = 'sale' AND (o.status <> 'refunded' OR r.amount <> o.price)
    UNION ALL
    SELECT 'order of a complaint', 'complaint:' || c.id, 'refunded', o.status
    FROM complaints c JOIN orders o ON o.id = c.order_id
    WHERE c.status = 'refunded' AND o.status <> 'refunded'
    UNION ALL
    -- The time paid by the remaining sales; or less, if it was over at the last refund.
    SELECT 'access after a refund', 'access:' || a.id, coalesce(time.paid_until::text, 'over'),
      a.ends_at::text
    FROM (
      SELECT o.buyer_id, o.group_id, max(r.created_at) AS refunded_at
      FROM refunds r JOIN orders o ON o.id = r.order_id
      WHERE r.kind = 'sale' AND o.kind = 'product' GROUP BY o.buyer_id, o.group_id
    ) AS undone
    JOIN accesses a ON a.person_id = undone.buyer_id AND a.group_id = undone.group_id
    CROSS JOIN LATERAL (
      SELECT max(o.access_until) AS paid_until FROM orders o
      WHERE o.buyer_id = undone.buyer_id AND o.group_id = undone.group_id AND o.kind = 'product'
        AND o.status = 'paid'
    ) AS time
    CROSS JOIN LATERAL (
      -- Given time stays when a sale is refunded: the end may be later by as much.
      SELECT coalesce(sum(x.minutes), 0) * interval '1 minute' AS length,
        max(x.granted_at) AS last_at
      FROM membership_grants x
      WHERE x.person_id = undone.buyer_id AND x.group_id = undone.group_id
    ) AS given
    WHERE NOT (given.last_at IS NOT NULL
        AND a.ends_at >= coalesce(time.paid_until, a.ends_at)
        AND a.ends_at <= greatest(time.paid_until, undone.refunded_at, given.last_at)
          + given.length + ${CLOCK_TOLERANCE}::interval)
      AND (a.ends_at BETWEEN time.paid_until - ${CLOCK_TOLERANCE}::interval
        AND time.paid_until + ${CLOCK_TOLERANCE}::interval) IS NOT true
      AND NOT (a.ends_at <= undone.refunded_at + ${CLOCK_TOLERANCE}::interval
        AND coalesce(a.ends_at >= time.paid_until, true))
    LIMIT ${limit}
  `;
}
