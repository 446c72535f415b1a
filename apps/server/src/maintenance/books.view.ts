import type { BrokenInvariant } from "@sesame/ledger";
import { type Db, many } from "../postgres/database.ts";

/**
 * Two processes settle by clocks that may differ a little; a sale that counted a second more or
 * less is valid.
 */
export const CLOCK_TOLERANCE = "10 seconds";

/**
 * Broken sales. Each must be: an order is paid ⇔ the ledger has its sale, with its price and fee ⇔ one payment of its
 * provider paid it, its price ⇔ it has an end of its time; the suspense account holds exactly the francs in suspense,
 * and each provider's account our balance there. A plan's sale is the platform's; a payment with a seller's own keys
 * (`direct`, and every trial) has none. At most `limit`.
 */
export async function brokenSales(db: Db, limit: number): Promise<BrokenInvariant[]> {
  const sold = await brokenSold(db, limit);
  const strays = await brokenStrays(db, limit);
  const cash = await brokenCash(db, limit);
  return [...sold, ...strays, ...cash].slice(0, limit);
}

async function brokenSold(db: Db, limit: number): Promise<BrokenInvariant[]> {
  return many<BrokenInvariant>(db)`
    WITH provider AS MATERIALIZED (
      SELECT id, substr(key, 10) AS name FROM ledger_accounts WHERE key LIKE 'provider:%'
    ), platform AS MATERIALIZED (
      SELECT min(id) FILTER (WHERE key = 'platform:fees') AS fees,
        min(id) FILTER (WHERE key = 'platform:subscriptions') AS subscriptions
      FROM ledger_accounts WHERE key IN ('platform:fees', 'platform:subscriptions')
    ), sold AS (
      SELECT o.id, o.kind, o.direct, o.access_until, t.legs,
        (SELECT count(*) FROM payments p WHERE p.order_id = o.id AND p.status = 'paid'
          AND p.suspended_amount IS NULL AND p.provider = o.provider AND p.amount = o.price
          AND (p.key_id IS NOT NULL) = o.direct) AS payments,
        provider.id || ':' || -o.price AS given,
        -- To the account of the seller's plan when it was settled: one of two.
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
    -- A second success on a seller's own account is not in the ledger.
    SELECT 'one payment for a sale', 'order:' || id, '1', payments::text
    FROM sold WHERE payments < 1 OR (payments > 1 AND NOT direct)
    UNION ALL
    SELECT 'end of the access sold', 'order:' || id, 'an instant', NULL
    FROM sold WHERE access_until IS NULL AND kind NOT IN ('trial', 'donation')
    UNION ALL
    SELECT 'own keys of a trial', 'order:' || id, 'direct', NULL
    FROM sold WHERE kind = 'trial' AND NOT direct
    LIMIT ${limit}
  `;
}

/** Francs and payments without a paid order, and the suspense account. */
async function brokenStrays(db: Db, limit: number): Promise<BrokenInvariant[]> {
  return many<BrokenInvariant>(db)`
    SELECT 'order of a sale' AS invariant, t.id AS subject, 'paid' AS expected, o.status AS found
    FROM (
      -- Looked up by id: each is one step, whatever the planner's statistics.
      SELECT id, CASE WHEN id ~ '^sale:[0-9]{1,18}$' THEN substr(id, 6)::bigint END AS order_id
      FROM ledger_transfers WHERE id LIKE 'sale:%'
    ) AS t
    LEFT JOIN orders o ON o.id = t.order_id
    WHERE coalesce(o.status NOT IN ('paid', 'refunded'), true)
    UNION ALL
    SELECT 'order of a payment', 'payment:' || p.id, 'paid', o.status
    FROM payments p JOIN orders o ON o.id = p.order_id
    WHERE p.status = 'paid' AND p.decided_as IS DISTINCT FROM 'given-back'
      AND o.status NOT IN ('paid', 'refunded')
    UNION ALL
    SELECT 'way out of a mismatch', 'payment:' || p.id, p.decided_as, o.status
    FROM payments p JOIN orders o ON o.id = p.order_id
    WHERE p.decided_as IS NOT NULL AND (p.status <> 'paid' OR NOT CASE p.decided_as
      WHEN 'honoured' THEN o.status IN ('paid', 'refunded') AND p.suspended_amount IS NULL
        AND p.amount = o.price
      ELSE EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id AND r.kind = 'overpayment'
          AND r.amount = p.received)
        OR EXISTS (SELECT FROM outbox j WHERE j.topic = 'refunds.return-overpayment' AND j.ref = p.id
          AND j.failed_at IS NULL) END)
    UNION ALL
    SELECT 'francs beside a payment', coalesce(due.id, t.id), due.legs, t.legs
    FROM (
      SELECT 'mismatch:' || p.id AS id, provider.id || ':' || p.amount - p.received || ','
        || mismatches.id || ':' || p.received - p.amount AS legs
      FROM payments p
      JOIN ledger_accounts provider ON provider.key = 'provider:' || p.provider
      JOIN ledger_accounts mismatches ON mismatches.key = 'platform:mismatches'
      WHERE p.decided_as = 'honoured' AND p.key_id IS NULL AND p.received <> p.amount
      UNION ALL
      SELECT 'collected:' || p.id, ours.id || ':' || -p.cost || ',' || provider.id || ':' || p.cost
      FROM payments p
      JOIN ledger_accounts provider ON provider.key = 'provider:' || p.provider
      JOIN ledger_accounts ours ON ours.key = 'platform:provider-costs'
      WHERE p.cost > 0
    ) AS due
    FULL JOIN (SELECT id, legs FROM ledger_transfers
      WHERE id LIKE 'mismatch:%' OR id LIKE 'collected:%') AS t ON t.id = due.id
    WHERE due.legs IS DISTINCT FROM t.legs
    UNION ALL
    SELECT 'francs in suspense', 'suspense', aside.total::text, ledger_balance(a.id)::text
    FROM ledger_accounts a,
      (SELECT coalesce(sum(suspended_amount), 0)::bigint - (
        -- A refunded overpayment is no longer in suspense.
        SELECT coalesce(sum(r.amount), 0)::bigint FROM refunds r
        WHERE r.kind = 'overpayment' AND NOT r.direct) AS total FROM payments) AS aside
    WHERE a.key = 'suspense' AND ledger_balance(a.id) <> aside.total
    LIMIT ${limit}
  `;
}

/**
 * Providers whose account is not what they collected, less payouts, refunds and fees. Counts and
 * moves by hand (`day:`, `move:`) are accepted.
 */
async function brokenCash(db: Db, limit: number): Promise<BrokenInvariant[]> {
  return many<BrokenInvariant>(db)`
    WITH cash AS (
      SELECT provider, sum(francs) AS francs FROM (
        SELECT provider, CASE WHEN status = 'paid' THEN coalesce(received, amount)
          ELSE suspended_amount END - coalesce(cost, 0) AS francs
        FROM payments
        WHERE key_id IS NULL AND (status = 'paid' OR suspended_amount IS NOT NULL)
        UNION ALL
        SELECT rail, -cost - amount * ((status = 'succeeded')::int + (late_at IS NOT NULL)::int
          - (returned_at IS NOT NULL)::int) FROM payouts
        WHERE status = 'succeeded' OR late_at IS NOT NULL
        UNION ALL
        SELECT p.provider, -r.amount - r.provider_fee
          - CASE WHEN r.rail = 'returned' AND p.decided_as = 'honoured' THEN p.received - p.amount
            ELSE 0 END
        FROM refunds r JOIN payments p ON p.id = r.payment_id
        WHERE r.status = 'done' AND NOT r.direct AND r.rail <> 'staff'
      ) AS moves GROUP BY provider
    ), due AS (
      SELECT a.id, a.key, coalesce(c.francs, 0)
        - (SELECT coalesce(sum(e.amount), 0) FROM ledger_entries e WHERE e.account_id = a.id
          AND (e.transfer_id LIKE 'day:%' OR e.transfer_id LIKE 'move:%')) AS francs
      FROM ledger_accounts a LEFT JOIN cash c ON a.key = 'provider:' || c.provider
      WHERE a.key LIKE 'provider:%'
    )
    SELECT 'cash at a provider' AS invariant, key AS subject, francs::text AS expected,
      (-ledger_balance(id))::text AS found
    FROM due WHERE -ledger_balance(id) <> francs
    LIMIT ${limit}
  `;
}

/**
 * Memberships whose end is not the time paid and given. Each sale and each gift adds its minutes to
 * the end it finds, or to its own instant if that is later: so the end is all minutes, counted from
 * the entry that gives the latest end. Each makes the end later, whatever the clock of the process.
 * Refunded orders end as the refund decided.
 */
export async function brokenAccesses(db: Db, limit: number): Promise<BrokenInvariant[]> {
  return many<BrokenInvariant>(db)`
    WITH entry AS (
      SELECT 'order:' || o.id AS subject, o.id, o.buyer_id, o.group_id, o.access_until AS until,
        o.settled_at AS at, o.duration_minutes AS minutes
      FROM orders o
      WHERE o.kind = 'product' AND o.status = 'paid'
      UNION ALL
      SELECT 'grant:' || x.id, x.id, x.person_id, x.group_id, x.until, x.granted_at, x.minutes
      FROM membership_grants x
    ), counted AS (
      SELECT e.*,
        coalesce(sum(e.minutes) OVER earlier, 0) AS minutes_before
      FROM entry e
      WHERE NOT EXISTS (
        SELECT FROM orders r WHERE r.buyer_id = e.buyer_id AND r.group_id = e.group_id
          AND r.status = 'refunded')
      WINDOW earlier AS (PARTITION BY e.buyer_id, e.group_id ORDER BY e.until, e.id
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ), served AS (
      SELECT c.*, max(c.at - c.minutes_before * interval '1 minute')
          OVER (PARTITION BY c.buyer_id, c.group_id ORDER BY c.until, c.id)
        + (c.minutes_before + c.minutes) * interval '1 minute' AS expected,
        row_number() OVER (PARTITION BY c.buyer_id, c.group_id
          ORDER BY c.until DESC, c.id DESC) AS from_last
      FROM counted c
    ), last_entry AS (SELECT * FROM served WHERE from_last = 1)
    SELECT 'access = time paid' AS invariant, s.subject,
      s.expected::text AS expected, s.until::text AS found
    FROM served s
    WHERE s.until NOT BETWEEN s.expected - ${CLOCK_TOLERANCE}::interval
      AND s.expected + ${CLOCK_TOLERANCE}::interval
    UNION ALL
    SELECT 'access = time paid',
      'access:' || coalesce(a.id::text, 'of person ' || l.buyer_id || ' in group ' || l.group_id),
      coalesce(l.expected::text, 'none'), coalesce(a.ends_at::text, 'none')
    FROM last_entry l
    FULL JOIN accesses a ON a.person_id = l.buyer_id AND a.group_id = l.group_id
    WHERE (a.ends_at BETWEEN l.expected - ${CLOCK_TOLERANCE}::interval
        AND l.expected + ${CLOCK_TOLERANCE}::interval) IS NOT true
      AND NOT EXISTS (SELECT FROM orders r WHERE r.buyer_id = a.person_id
        AND r.group_id = a.group_id AND r.status = 'refunded')
    LIMIT ${limit}
  `;
}
