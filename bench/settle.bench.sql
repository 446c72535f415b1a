-- A function that a settlement is compared with, in a schema of its own: the same rows of a
-- payment, into the same tables with the same indexes, in bulk, without locks or checks.
CREATE SCHEMA settle_bench;
CREATE TABLE settle_bench.orders (LIKE orders INCLUDING ALL) WITH (fillfactor = 50);
CREATE TABLE settle_bench.payments (LIKE payments INCLUDING ALL) WITH (fillfactor = 50);
CREATE TABLE settle_bench.payment_checks (LIKE payment_checks INCLUDING ALL) WITH (fillfactor = 50);
CREATE TABLE settle_bench.provider_webhooks (LIKE provider_webhooks INCLUDING ALL);
CREATE TABLE settle_bench.accesses (LIKE accesses INCLUDING ALL) WITH (fillfactor = 70);
CREATE TABLE settle_bench.outbox (LIKE outbox INCLUDING ALL) WITH (fillfactor = 50);
CREATE TABLE settle_bench.transfers (LIKE ledger_transfers INCLUDING ALL);
CREATE TABLE settle_bench.entries (LIKE ledger_entries INCLUDING ALL);
CREATE TABLE settle_bench.accounts (LIKE ledger_accounts INCLUDING ALL) WITH (fillfactor = 50);
INSERT INTO settle_bench.orders OVERRIDING SYSTEM VALUE SELECT * FROM orders;
INSERT INTO settle_bench.payments OVERRIDING SYSTEM VALUE SELECT * FROM payments;
INSERT INTO settle_bench.payment_checks SELECT * FROM payment_checks;
INSERT INTO settle_bench.accounts OVERRIDING SYSTEM VALUE SELECT * FROM ledger_accounts;

CREATE FUNCTION settle_bench.bulk(p_payments bigint[], p_now timestamptz)
RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  INSERT INTO settle_bench.provider_webhooks
  SELECT 'moneroo', sha256(('bulk' || id)::bytea), 'py_many_' || id, ('bulk' || id)::bytea, p_now
  FROM unnest(p_payments) AS u(id);
  UPDATE settle_bench.payments p SET status = 'paid', decided_at = p_now
  WHERE p.id = ANY (p_payments);
  DELETE FROM settle_bench.payment_checks c WHERE c.payment_id = ANY (p_payments);
  UPDATE settle_bench.orders o SET status = 'paid', paid_at = p_now, settled_at = p_now,
    access_until = p_now
  WHERE o.id IN (SELECT p.order_id FROM settle_bench.payments p WHERE p.id = ANY (p_payments));
  INSERT INTO settle_bench.accesses
    (person_id, group_id, status, ends_at, started_at, order_id, updated_at)
  SELECT o.buyer_id, o.group_id, 'waiting', p_now, p_now, o.id, p_now
  FROM settle_bench.payments p JOIN settle_bench.orders o ON o.id = p.order_id
  WHERE p.id = ANY (p_payments)
  ON CONFLICT (person_id, group_id) DO UPDATE SET ends_at = excluded.ends_at;
  INSERT INTO settle_bench.outbox (topic, ref, priority, due_at)
  SELECT job.topic, u.id, job.priority, p_now FROM unnest(p_payments) AS u(id)
  CROSS JOIN (VALUES ('access.open', 0), ('sales.notify-seller', 1)) AS job(topic, priority);
  INSERT INTO settle_bench.transfers
  SELECT 'sale:' || u.id, '2:-5000,' || u.id || ':4100,1:900', p_now, p_now
  FROM unnest(p_payments) AS u(id);
  INSERT INTO settle_bench.entries (account_id, transfer_id, amount)
  SELECT l.account, 'sale:' || p.id, l.amount
  FROM settle_bench.payments p
  JOIN settle_bench.orders o ON o.id = p.order_id JOIN sellers s ON s.id = o.seller_id
  CROSS JOIN LATERAL (
    VALUES (2::bigint, -5000), (s.free_account_id, 4100), (1, 900)) AS l(account, amount)
  WHERE p.id = ANY (p_payments);
  UPDATE settle_bench.accounts a SET posted = a.posted + n.net
  FROM (
    SELECT s.free_account_id AS id, count(*) * 4100 AS net
    FROM settle_bench.payments p
    JOIN settle_bench.orders o ON o.id = p.order_id JOIN sellers s ON s.id = o.seller_id
    WHERE p.id = ANY (p_payments) GROUP BY 1 ORDER BY 1
  ) AS n
  WHERE a.id = n.id;
END $$;
