import type { BrokenInvariant } from "@sesame/ledger";
import { sql } from "kysely";
import type { Db } from "../postgres/database.ts";

/**
 * Two processes settle by clocks that may differ a little; a sale that counted a second more or
 * less is no break.
 */
const CLOCK_TOLERANCE = "10 seconds";

/**
 * Sales that are not whole: an order is paid ⇔ the ledger has its sale, with its price and fee ⇔ one
 * payment of its provider paid it ⇔ it says until when it serves; and the suspense account holds
 * exactly the francs set aside. A plan's sale is the platform's; what a seller's own keys collected
 * (`direct`, and every trial) has none. At most `limit`.
 */
export async function brokenSales(db: Db, limit: number): Promise<BrokenInvariant[]> {
  const sold = await brokenSold(db, limit);
  const strays = await brokenStrays(db, limit);
  return [...sold, ...strays].slice(0, limit);
}

async function brokenSold(db: Db, limit: number): Promise<BrokenInvariant[]> {
  const { rows } = await sql<BrokenInvariant>`
    WITH provider AS MATERIALIZED (
      SELECT id, substr(key, 10) AS name FROM ledger_accounts WHERE key LIKE 'provider:%'
    ), platform AS MATERIALIZED (
      SELECT min(id) FILTER (WHERE key = 'platform:fees') AS fees,
        min(id) FILTER (WHERE key = 'platform:subscriptions') AS subscriptions
      FROM ledger_accounts WHERE key IN ('platform:fees', 'platform:subscriptions')
    ), sold AS (
      SELECT o.id, o.kind, o.direct, o.access_until, t.legs,
        (SELECT count(*) FROM payments p WHERE p.order_id = o.id AND p.status = 'paid'
          AND p.suspended_amount IS NULL AND p.provider = o.provider
          AND (p.key_id IS NOT NULL) = o.direct) AS payments,
        provider.id || ':' || -o.price AS given,
        -- To the account of the plan the seller had when it was settled: one of his two.
        CASE WHEN o.kind = 'plan' THEN ',' || platform.subscriptions || ':' || o.price
          WHEN o.price > o.fee THEN ',' || s.free_account_id || ':' || o.price - o.fee
          ELSE '' END AS net_if_free,
        CASE WHEN o.kind = 'plan' THEN ',' || platform.subscriptions || ':' || o.price
          WHEN o.price > o.fee THEN ',' || s.premium_account_id || ':' || o.price - o.fee
          ELSE '' END AS net_if_premium,
        CASE WHEN o.fee > 0 THEN ',' || platform.fees || ':' || o.fee ELSE '' END AS fee
      FROM orders o
      LEFT JOIN sellers s ON s.id = o.seller_id
      LEFT JOIN provider ON provider.name = o.provider
      CROSS JOIN platform
      LEFT JOIN ledger_transfers t ON t.id = 'sale:' || o.id
      WHERE o.status IN ('paid', 'refunded')
    )
    SELECT 'sale in the ledger' AS invariant, 'order:' || id AS subject,
      CASE WHEN direct THEN 'none' ELSE given || net_if_free || fee END AS expected, legs AS found
    FROM sold
    WHERE CASE WHEN direct THEN legs IS NOT NULL ELSE
      (legs IN (given || net_if_free || fee, given || net_if_premium || fee)) IS NOT true END
    UNION ALL
    -- A second success on a seller's own account stands nowhere in our books.
    SELECT 'one payment for a sale', 'order:' || id, '1', payments::text
    FROM sold WHERE payments < 1 OR (payments > 1 AND NOT direct)
    UNION ALL
    SELECT 'end of the access sold', 'order:' || id, 'an instant', NULL
    FROM sold WHERE access_until IS NULL AND kind NOT IN ('trial', 'donation')
    UNION ALL
    SELECT 'own keys of a trial', 'order:' || id, 'direct', NULL
    FROM sold WHERE kind = 'trial' AND NOT direct
    LIMIT ${limit}
  `.execute(db);
  return rows;
}

/** Francs and payments without an order that is paid, and what stands aside. */
async function brokenStrays(db: Db, limit: number): Promise<BrokenInvariant[]> {
  const { rows } = await sql<BrokenInvariant>`
    SELECT 'order of a sale' AS invariant, t.id AS subject, 'paid' AS expected, o.status AS found
    FROM (
      -- Looked up by number: whatever the planner knows of the tables, each is one step.
      SELECT id, CASE WHEN id ~ '^sale:[0-9]{1,18}$' THEN substr(id, 6)::bigint END AS order_id
      FROM ledger_transfers WHERE id LIKE 'sale:%'
    ) AS t
    LEFT JOIN orders o ON o.id = t.order_id
    WHERE coalesce(o.status NOT IN ('paid', 'refunded'), true)
    UNION ALL
    SELECT 'order of a payment', 'payment:' || p.id, 'paid', o.status
    FROM payments p JOIN orders o ON o.id = p.order_id
    WHERE p.status = 'paid' AND o.status NOT IN ('paid', 'refunded')
    UNION ALL
    SELECT 'francs in suspense', 'suspense', aside.total::text, ledger_balance(a.id)::text
    FROM ledger_accounts a,
      (SELECT coalesce(sum(suspended_amount), 0)::bigint - (
        -- A surplus that was given back stands there no more.
        SELECT coalesce(sum(r.amount), 0)::bigint FROM refunds r
        WHERE r.kind = 'surplus' AND NOT r.direct) AS total FROM payments) AS aside
    WHERE a.key = 'suspense' AND ledger_balance(a.id) <> aside.total
    LIMIT ${limit}
  `.execute(db);
  return rows;
}

/**
 * Accesses whose end is not the time paid. Each sale adds its minutes to the end it finds, or to the
 * instant of its settlement when that is later: so the end is all minutes sold, counted from the
 * settlement that leaves the latest end. Orders that were refunded end as the refund decided.
 */
export async function brokenAccesses(db: Db, limit: number): Promise<BrokenInvariant[]> {
  const { rows } = await sql<BrokenInvariant>`
    WITH sale AS (
      SELECT o.id, o.buyer_id, o.group_id, o.access_until, o.settled_at,
        coalesce(sum(o.duration_minutes) OVER earlier, 0) AS minutes_before,
        o.duration_minutes AS minutes
      FROM orders o
      WHERE o.kind = 'product' AND o.status = 'paid' AND NOT EXISTS (
        SELECT FROM orders r WHERE r.buyer_id = o.buyer_id AND r.group_id = o.group_id
          AND r.status = 'refunded')
      WINDOW earlier AS (PARTITION BY o.buyer_id, o.group_id ORDER BY o.settled_at, o.id
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ), paid_until AS (
      SELECT s.*, max(s.settled_at - s.minutes_before * interval '1 minute')
          OVER (PARTITION BY s.buyer_id, s.group_id ORDER BY s.settled_at, s.id)
        + (s.minutes_before + s.minutes) * interval '1 minute' AS until,
        row_number() OVER (PARTITION BY s.buyer_id, s.group_id
          ORDER BY s.settled_at DESC, s.id DESC) AS from_last
      FROM sale s
    ), last_sale AS (SELECT * FROM paid_until WHERE from_last = 1)
    SELECT 'access = time paid' AS invariant, 'order:' || u.id AS subject,
      u.until::text AS expected, u.access_until::text AS found
    FROM paid_until u
    WHERE u.access_until NOT BETWEEN u.until - ${CLOCK_TOLERANCE}::interval
      AND u.until + ${CLOCK_TOLERANCE}::interval
    UNION ALL
    SELECT 'access = time paid',
      'access:' || coalesce(a.id::text, 'of person ' || l.buyer_id || ' in group ' || l.group_id),
      coalesce(l.until::text, 'none'), coalesce(a.ends_at::text, 'none')
    FROM last_sale l
    FULL JOIN accesses a ON a.person_id = l.buyer_id AND a.group_id = l.group_id
    WHERE (a.ends_at BETWEEN l.until - ${CLOCK_TOLERANCE}::interval
        AND l.until + ${CLOCK_TOLERANCE}::interval) IS NOT true
      AND NOT EXISTS (SELECT FROM orders r WHERE r.buyer_id = a.person_id
        AND r.group_id = a.group_id AND r.status = 'refunded')
    LIMIT ${limit}
  `.execute(db);
  return rows;
}
