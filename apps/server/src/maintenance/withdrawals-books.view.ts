import type { BrokenInvariant } from "@sesame/ledger";
import { type Db, many } from "../postgres/database.ts";

/**
 * Broken withdrawals. Each has its hold, ended as its status requires; an approved one has one
 * payout that did not fail, whose francs are in transit until they are sent, and a failed one has
 * returned them; transit is exactly what is approved and not ended. At most `limit`.
 */
export async function brokenWithdrawals(db: Db, limit: number): Promise<BrokenInvariant[]> {
  const requests = await brokenRequests(db, limit);
  const payouts = await brokenPayouts(db, limit);
  return [...requests, ...payouts].slice(0, limit);
}

async function brokenRequests(db: Db, limit: number): Promise<BrokenInvariant[]> {
  return many<BrokenInvariant>(db)`
    WITH transit AS MATERIALIZED (
      SELECT id FROM ledger_accounts WHERE key = 'payouts:in-transit'
    ), asked AS (
      SELECT 'withdrawal:' || w.id AS subject, w.status, w.account_id || ':' || w.amount AS held,
        h.account_id || ':' || h.amount AS hold, coalesce(h.ended_as, 'open') AS ended,
        CASE WHEN w.status = 'pending' THEN 'open'
          WHEN w.status = 'approved' OR p.all_payouts > 0 THEN 'paid' ELSE 'released' END AS end_due,
        w.account_id || ':' || -w.amount || ',' || transit.id || ':' || w.amount AS paid,
        t.legs, p.alive, p.all_payouts, p.same, (w.paid_at IS NOT NULL) AS said_paid, p.succeeded
      FROM withdrawals w CROSS JOIN transit
      LEFT JOIN ledger_holds h ON h.id = 'hold:' || w.id
      LEFT JOIN ledger_transfers t ON t.id = 'payout:' || w.id
      CROSS JOIN LATERAL (
        SELECT count(*) AS all_payouts, count(*) FILTER (WHERE p.status <> 'failed' AND p.returned_at IS NULL) AS alive,
          bool_and((p.amount, p.method, p.phone) = (w.amount, w.method, w.phone)) AS same,
          coalesce(bool_or(p.status = 'succeeded' AND p.returned_at IS NULL), false) AS succeeded
        FROM payouts p WHERE p.withdrawal_id = w.id
      ) AS p
    )
    SELECT 'hold of a withdrawal' AS invariant, subject, held AS expected, hold AS found
    FROM asked WHERE hold IS DISTINCT FROM held
    UNION ALL
    SELECT 'end of a hold', subject, end_due, ended FROM asked WHERE ended <> end_due
    UNION ALL
    SELECT 'francs of an approval', subject, CASE WHEN end_due = 'paid' THEN paid END, legs
    FROM asked WHERE legs IS DISTINCT FROM CASE WHEN end_due = 'paid' THEN paid END
    UNION ALL
    SELECT 'one payout for an approval', subject,
      CASE WHEN status = 'approved' THEN '1' ELSE '0' END, alive::text
    FROM asked WHERE alive <> CASE WHEN status = 'approved' THEN 1 ELSE 0 END
    UNION ALL
    SELECT 'payout as asked', subject, 'the same', 'another' FROM asked WHERE NOT same
    UNION ALL
    SELECT 'payment reported', subject, succeeded::text, said_paid::text
    FROM asked WHERE said_paid <> succeeded
    UNION ALL
    SELECT 'withdrawal of a hold', h.id, 'a withdrawal', NULL
    FROM ledger_holds h WHERE h.id ~ '^hold:[0-9]{1,18}$' AND NOT EXISTS (
      SELECT FROM withdrawals w WHERE w.id = substr(h.id, 6)::bigint)
    UNION ALL
    SELECT 'francs in transit', 'payouts:in-transit', open.total::text,
      ledger_balance(transit.id)::text
    FROM transit, (SELECT coalesce(sum(amount), 0)::bigint AS total FROM payouts
      WHERE status NOT IN ('succeeded', 'failed')) AS open
    WHERE ledger_balance(transit.id) <> open.total
    LIMIT ${limit}
  `;
}

/** Each end has its transfer, with its francs, and no other end has one. */
async function brokenPayouts(db: Db, limit: number): Promise<BrokenInvariant[]> {
  return many<BrokenInvariant>(db)`
    WITH account AS MATERIALIZED (
      SELECT id, key FROM ledger_accounts WHERE NOT guarded
    ), named AS (
      SELECT p.id, p.withdrawal_id, p.status, p.late_at, p.returned_at, p.amount, p.cost, w.seller_id,
        source.id AS source, transit.id AS transit, suspense.id AS suspense, costs.id AS costs,
        advances.id AS advances
      FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id
      JOIN account transit ON transit.key = 'payouts:in-transit'
      JOIN account suspense ON suspense.key = 'payouts:suspense'
      JOIN account costs ON costs.key = 'platform:provider-costs'
      JOIN account advances ON advances.key = 'platform:advances'
      LEFT JOIN account source ON source.key
        = CASE WHEN p.rail = 'manual' THEN 'float:' || p.method ELSE 'provider:' || p.rail END
    ), due AS (
      SELECT 'sent:' || id AS id, transit || ':' || -amount || ',' || source || ':' || amount AS legs,
        NULL AS other, status = 'succeeded' AS is_due FROM named
      UNION ALL
      SELECT 'late:' || id, suspense || ':' || -amount || ',' || source || ':' || amount, NULL,
        late_at IS NOT NULL FROM named
      UNION ALL
      SELECT 'recover:' || id, advances || ':' || -amount || ',' || suspense || ':' || amount, NULL,
        late_at IS NOT NULL FROM named
      UNION ALL
      SELECT 'cost:' || id, costs || ':' || -cost || ',' || source || ':' || cost, NULL,
        cost > 0 AND (status = 'succeeded' OR late_at IS NOT NULL) FROM named
      UNION ALL
      -- To the account of the seller's plan then: one of two.
      SELECT 'return:' || withdrawal_id,
        transit || ':' || -amount || ',' || s.free_account_id || ':' || amount,
        transit || ':' || -amount || ',' || s.premium_account_id || ':' || amount,
        status = 'failed' FROM named JOIN sellers s ON s.id = seller_id
      UNION ALL
      SELECT 'reversed:' || named.id,
        source || ':' || -amount || ',' || s.free_account_id || ':' || amount,
        source || ':' || -amount || ',' || s.premium_account_id || ':' || amount,
        returned_at IS NOT NULL FROM named JOIN sellers s ON s.id = seller_id
    )
    SELECT 'francs of a payout' AS invariant, due.id AS subject,
      CASE WHEN due.is_due THEN due.legs END AS expected, t.legs AS found
    FROM due LEFT JOIN ledger_transfers t ON t.id = due.id
    WHERE CASE WHEN due.is_due THEN (t.legs IN (due.legs, due.other)) IS NOT true
      ELSE t.id IS NOT NULL END
    UNION ALL
    SELECT 'payout of francs', t.id, 'a payout', NULL
    FROM ledger_transfers t
    WHERE t.id ~ '^(sent|late|recover|cost|return|reversed):[0-9]{1,18}$'
      AND NOT EXISTS (SELECT FROM due WHERE due.id = t.id)
    UNION ALL
    SELECT 'francs that left twice', account.key, '0', ledger_balance(account.id)::text
    FROM account WHERE account.key = 'payouts:suspense' AND ledger_balance(account.id) <> 0
    LIMIT ${limit}
  `;
}
