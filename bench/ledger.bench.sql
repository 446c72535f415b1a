-- Functions that the ledger is compared with, in a schema of their own. Each writes sales of 5 000
-- francs to random sellers and makes its own input: the client only calls.
CREATE SCHEMA ledger_bench;
CREATE SEQUENCE ledger_bench.batch;

CREATE TABLE ledger_bench.shared AS
SELECT ids[1] AS provider, ids[2] AS fees
FROM ledger_open_accounts(ARRAY['bench:provider', 'bench:fees'], false, '2026-01-01') AS ids;
CREATE TABLE ledger_bench.sellers AS
SELECT u.id, u.place FROM unnest(ledger_open_accounts(
  ARRAY(SELECT 'bench:seller:' || i FROM generate_series(1, 10000) AS i), true, '2026-01-01'
)) WITH ORDINALITY AS u(id, place);

-- On a new database the sellers' numbers have no gaps: a random one needs no look-up.
CREATE FUNCTION ledger_bench.some_sellers(p_count int) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  v_first bigint := (SELECT s.id FROM ledger_bench.sellers s WHERE s.place = 1);
BEGIN
  RETURN ARRAY(
    SELECT v_first + floor(random() * 10000)::bigint FROM generate_series(1, p_count));
END $$;
CREATE UNIQUE INDEX ON ledger_bench.sellers (place) INCLUDE (id);

CREATE FUNCTION ledger_bench.some_ids(p_count int) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  v_first bigint := nextval('ledger_bench.batch') * 1000;
BEGIN
  RETURN ARRAY(SELECT 'sale:' || v_first + i FROM generate_series(1, p_count) AS i);
END $$;

CREATE FUNCTION ledger_bench.post_sales(p_count int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_shared ledger_bench.shared;
BEGIN
  SELECT * INTO v_shared FROM ledger_bench.shared;
  PERFORM ledger_post_sales(
    ledger_bench.some_ids(p_count), array_fill(v_shared.provider, ARRAY[p_count]),
    ledger_bench.some_sellers(p_count), array_fill(4100::bigint, ARRAY[p_count]), v_shared.fees,
    array_fill(900::bigint, ARRAY[p_count]),
    array_fill('2026-01-01'::timestamptz, ARRAY[p_count]), '2026-01-01');
END $$;

-- The limit: the same rows, into the same tables with the same indexes, and no checks.
CREATE TABLE ledger_bench.accounts (LIKE ledger_accounts INCLUDING ALL) WITH (fillfactor = 50);
INSERT INTO ledger_bench.accounts OVERRIDING SYSTEM VALUE SELECT * FROM ledger_accounts;
CREATE TABLE ledger_bench.transfers (LIKE ledger_transfers INCLUDING ALL);
CREATE TABLE ledger_bench.entries (LIKE ledger_entries INCLUDING ALL);
CREATE SEQUENCE ledger_bench.entry_seq;
ALTER TABLE ledger_bench.entries ALTER seq SET DEFAULT nextval('ledger_bench.entry_seq');

CREATE FUNCTION ledger_bench.bulk_with_balances(p_count int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_shared ledger_bench.shared;
  v_ids text[] := ledger_bench.some_ids(p_count);
  v_sellers bigint[] := ledger_bench.some_sellers(p_count);
BEGIN
  SELECT * INTO v_shared FROM ledger_bench.shared;
  INSERT INTO ledger_bench.transfers
  SELECT s.id, v_shared.provider || ':-5000,' || s.seller || ':4100,' || v_shared.fees || ':900',
    '2026-01-01', '2026-01-01'
  FROM unnest(v_ids, v_sellers) AS s(id, seller);
  INSERT INTO ledger_bench.entries (account_id, transfer_id, amount)
  SELECT l.account, s.id, l.amount FROM unnest(v_ids, v_sellers) AS s(id, seller)
  CROSS JOIN LATERAL (VALUES
    (v_shared.provider, -5000), (s.seller, 4100), (v_shared.fees, 900)) AS l(account, amount);
  UPDATE ledger_bench.accounts a SET posted = a.posted + n.net
  FROM (
    SELECT s.id, count(*) * 4100 AS net FROM unnest(v_sellers) AS s(id) GROUP BY s.id ORDER BY s.id
  ) AS n
  WHERE a.id = n.id;
END $$;

-- One durable commit: the least that a payment written alone can cost.
CREATE TABLE ledger_bench.commits (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text);
CREATE FUNCTION ledger_bench.one_commit(p_count int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_bench.commits (note) VALUES ('sale');
END $$;

-- A shared-row ledger (pgledger's design): one call per payment, both accounts of each transfer
-- locked in order and updated, each entry keeping the balance before and after.
CREATE TABLE ledger_bench.row_accounts (
  id bigint PRIMARY KEY, balance bigint NOT NULL, version bigint NOT NULL
) WITH (fillfactor = 50);
INSERT INTO ledger_bench.row_accounts SELECT id, 0, 0 FROM ledger_accounts;
CREATE TABLE ledger_bench.row_transfers (
  id uuid PRIMARY KEY, source bigint NOT NULL REFERENCES ledger_bench.row_accounts,
  target bigint NOT NULL REFERENCES ledger_bench.row_accounts, amount bigint NOT NULL,
  event_at timestamptz NOT NULL, created_at timestamptz NOT NULL
);
CREATE INDEX ON ledger_bench.row_transfers (source);
CREATE INDEX ON ledger_bench.row_transfers (target);
CREATE INDEX ON ledger_bench.row_transfers (event_at);
CREATE TABLE ledger_bench.row_entries (
  id uuid PRIMARY KEY, account_id bigint NOT NULL REFERENCES ledger_bench.row_accounts,
  transfer_id uuid NOT NULL REFERENCES ledger_bench.row_transfers, amount bigint NOT NULL,
  balance_before bigint NOT NULL, balance_after bigint NOT NULL, version bigint NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX ON ledger_bench.row_entries (account_id);
CREATE INDEX ON ledger_bench.row_entries (transfer_id);

CREATE FUNCTION ledger_bench.row_move(p_source bigint, p_target bigint, p_amount bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_id uuid := gen_random_uuid();
  v_side record;
  v_after ledger_bench.row_accounts;
BEGIN
  INSERT INTO ledger_bench.row_transfers
  VALUES (v_id, p_source, p_target, p_amount, '2026-01-01', '2026-01-01');
  FOR v_side IN VALUES (p_source, -p_amount), (p_target, p_amount) LOOP
    UPDATE ledger_bench.row_accounts a
    SET balance = a.balance + v_side.column2, version = a.version + 1
    WHERE a.id = v_side.column1 RETURNING * INTO v_after;
    INSERT INTO ledger_bench.row_entries
    VALUES (gen_random_uuid(), v_side.column1, v_id, v_side.column2,
      v_after.balance - v_side.column2, v_after.balance, v_after.version, '2026-01-01');
  END LOOP;
END $$;
CREATE FUNCTION ledger_bench.row_sale(p_count int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_shared ledger_bench.shared;
  v_seller bigint := (ledger_bench.some_sellers(1))[1];
BEGIN
  SELECT * INTO v_shared FROM ledger_bench.shared;
  PERFORM FROM ledger_bench.row_accounts a
  WHERE a.id IN (v_shared.provider, v_shared.fees, v_seller) ORDER BY a.id FOR UPDATE;
  PERFORM ledger_bench.row_move(v_shared.provider, v_seller, 4100);
  PERFORM ledger_bench.row_move(v_shared.provider, v_shared.fees, 900);
END $$;
