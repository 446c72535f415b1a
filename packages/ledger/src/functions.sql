-- Double entry. A transfer moves francs between accounts by signed entries (credit > 0) that sum
-- to zero. It is written once, under an id that its caller derives from a business row (`sale:123`),
-- and never changed. The ledger has no notion of sellers or withdrawals.
--
-- Why it is built so
-- · Guarded accounts keep `posted` and `held` in their row, and a CHECK keeps them covered. The
--   others (providers, platform, in transit, suspense) take part in every sale: their row is never
--   updated; their balance is a snapshot plus later entries, and may be negative.
-- · Entries have no foreign key to accounts: each check would lock the one row of the provider that
--   all sales share. The functions check the accounts, and `check` (index.ts) verifies it hourly.
-- · Lock order: posting (advisory), accounts by id, transfers by id, holds. ledger_post_sales alone
--   locks the accounts last.
-- · Times are parameters: the business clock is not the machine's.
--
-- Errors, all bugs of the caller (SQLSTATE): SL001 malformed, SL002 no such account, SL003 a
-- change of written rows. Refusals are values, never errors.

-- For every table whose rows never change. A trigger may pass another SQLSTATE.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % refused: what is written stays', tg_op, tg_table_name
    USING errcode = coalesce(tg_argv[0], 'SL003');
END $$;

-- Opens accounts, or finds open ones. → their ids, in the order of the keys. A key open with the
-- other kind of guard raises SL001.
CREATE OR REPLACE FUNCTION ledger_open_accounts(p_keys text[], p_guarded boolean, p_now timestamptz)
RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  v_ids bigint[];
BEGIN
  INSERT INTO ledger_accounts (key, guarded, created_at)
  SELECT DISTINCT k.key, p_guarded, p_now FROM unnest(p_keys) AS k(key)
  WHERE NOT EXISTS (SELECT FROM ledger_accounts a WHERE a.key = k.key)
  ORDER BY k.key
  ON CONFLICT (key) DO NOTHING;
  SELECT array_agg(a.id ORDER BY k.ord) INTO v_ids
  FROM unnest(p_keys) WITH ORDINALITY AS k(key, ord)
  JOIN ledger_accounts a ON a.key = k.key AND a.guarded = p_guarded;
  IF coalesce(cardinality(v_ids), 0) <> cardinality(p_keys) THEN
    RAISE EXCEPTION 'an account of % is open with the other kind of guard', p_keys
      USING errcode = 'SL001';
  END IF;
  RETURN coalesce(v_ids, '{}');
END $$;

-- The advisory lock of posting, shared by all transactions that post; a snapshot takes it alone.
CREATE OR REPLACE FUNCTION ledger_enter() RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock_shared(1818584167, 0);
$$;

-- Waits until postings of other transactions are committed, and blocks new ones until this commit.
CREATE OR REPLACE FUNCTION ledger_enter_alone() RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(1818584167, 0);
$$;

-- Locks the guarded accounts of the list, in id order. → their ids. SL002 if an account is absent.
CREATE OR REPLACE FUNCTION ledger_lock_accounts(p_accounts bigint[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  v_guarded bigint[];
  v_absent bigint;
BEGIN
  SELECT coalesce(array_agg(locked.id), '{}') INTO v_guarded FROM (
    SELECT a.id FROM ledger_accounts a WHERE a.id = ANY (p_accounts) AND a.guarded
    ORDER BY a.id FOR NO KEY UPDATE
  ) AS locked;
  SELECT min(rest.id) INTO v_absent
  FROM (SELECT unnest(p_accounts) AS id EXCEPT ALL SELECT unnest(v_guarded)) AS rest
  WHERE NOT EXISTS (SELECT FROM ledger_accounts a WHERE a.id = rest.id);
  IF v_absent IS NOT NULL THEN
    RAISE EXCEPTION 'no ledger account %', v_absent USING errcode = 'SL002';
  END IF;
  RETURN v_guarded;
END $$;

-- Checks the form of transfers. → the content of each, in order. SL001 unless every transfer has
-- legs, none of zero, which sum to zero (so there are two or more).
CREATE OR REPLACE FUNCTION ledger_contents(
  p_ids text[], p_leg_transfer int[], p_leg_account bigint[], p_leg_amount bigint[]
) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_contents text[];
  v_sound boolean;
BEGIN
  SELECT array_agg(c.legs ORDER BY c.t),
    bool_and(c.total = 0 AND c.sound AND c.t BETWEEN 1 AND cardinality(p_ids))
  INTO v_contents, v_sound
  FROM (
    SELECT l.t, string_agg(l.account || ':' || l.amount, ',' ORDER BY l.ord) AS legs,
      sum(l.amount) AS total,
      bool_and(l.amount <> 0 AND l.account IS NOT NULL AND l.amount IS NOT NULL) AS sound
    FROM unnest(p_leg_transfer, p_leg_account, p_leg_amount)
      WITH ORDINALITY AS l(t, account, amount, ord)
    GROUP BY l.t
  ) AS c;
  IF v_sound IS NOT true OR cardinality(v_contents) <> cardinality(p_ids) THEN
    RAISE EXCEPTION 'transfers % are malformed: legs must sum to zero, none be zero', p_ids
      USING errcode = 'SL001';
  END IF;
  RETURN v_contents;
END $$;

-- Inserts the transfers that are new. → for each, 'posted', 'duplicate' or 'conflict'.
CREATE OR REPLACE FUNCTION ledger_add_transfers(
  p_ids text[], p_contents text[], p_occurred_at timestamptz[], p_now timestamptz
) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  v_added text[];
  v_outcomes text[];
BEGIN
  WITH added AS (
    INSERT INTO ledger_transfers (id, legs, occurred_at, recorded_at)
    SELECT i.id, i.legs, i.occurred_at, p_now
    FROM unnest(p_ids, p_contents, p_occurred_at) WITH ORDINALITY AS i(id, legs, occurred_at, ord)
    ORDER BY i.id, i.ord
    ON CONFLICT (id) DO NOTHING
    RETURNING id
  )
  SELECT coalesce(array_agg(id), '{}') INTO v_added FROM added;
  IF cardinality(v_added) = cardinality(p_ids) THEN
    RETURN array_fill('posted'::text, ARRAY[cardinality(p_ids)]);
  END IF;
  SELECT array_agg(
    CASE WHEN t.legs <> i.legs THEN 'conflict'
      WHEN a.id IS NOT NULL AND i.nth = 1 THEN 'posted' ELSE 'duplicate' END
    ORDER BY i.ord) INTO v_outcomes
  FROM (
    SELECT u.*, row_number() OVER (PARTITION BY u.id ORDER BY u.ord) AS nth
    FROM unnest(p_ids, p_contents) WITH ORDINALITY AS u(id, legs, ord)
  ) AS i
  JOIN ledger_transfers t ON t.id = i.id
  LEFT JOIN unnest(v_added) AS a(id) ON a.id = i.id;
  RETURN v_outcomes;
END $$;

-- Writes checked transfers whose accounts are locked and covered. → as ledger_add_transfers.
CREATE OR REPLACE FUNCTION ledger_write(
  p_ids text[], p_contents text[], p_leg_transfer int[], p_leg_account bigint[],
  p_leg_amount bigint[], p_occurred_at timestamptz[], p_now timestamptz
) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  v_outcomes text[] := ledger_add_transfers(p_ids, p_contents, p_occurred_at, p_now);
BEGIN
  WITH leg AS MATERIALIZED (
    SELECT l.account, i.id, l.amount, l.ord
    FROM unnest(p_leg_transfer, p_leg_account, p_leg_amount)
      WITH ORDINALITY AS l(t, account, amount, ord)
    JOIN unnest(p_ids, v_outcomes) WITH ORDINALITY AS i(id, outcome, t) ON i.t = l.t
    WHERE i.outcome = 'posted'
  ), written AS (
    INSERT INTO ledger_entries (account_id, transfer_id, amount)
    SELECT leg.account, leg.id, leg.amount FROM leg ORDER BY leg.ord
  )
  UPDATE ledger_accounts a SET posted = a.posted + d.delta
  FROM (SELECT account, sum(amount)::bigint AS delta FROM leg GROUP BY account) AS d
  WHERE a.id = d.account AND a.guarded AND d.delta <> 0;
  RETURN v_outcomes;
END $$;

-- Posts transfers as if each were posted alone, in the given order, all in one call.
-- p_leg_transfer: the transfer of each leg, as an index into p_ids from 1. → for each id:
--   'posted'        written now
--   'duplicate'     written before with the same content; nothing written
--   'conflict'      written before with other content; nothing written
--   'insufficient'  would leave a guarded account uncovered; nothing written
-- A malformed transfer (SL001) or an unknown account (SL002) refuses the whole call.
CREATE OR REPLACE FUNCTION ledger_post(
  p_ids text[], p_leg_transfer int[], p_leg_account bigint[], p_leg_amount bigint[],
  p_occurred_at timestamptz[], p_now timestamptz
) RETURNS text[] LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_contents text[];
  v_outcomes text[] := '{}';
  v_written text;
  v_accounts bigint[];
  v_amounts bigint[];
BEGIN
  IF cardinality(p_ids) = 0 THEN
    RETURN '{}';
  END IF;
  v_contents := ledger_contents(p_ids, p_leg_transfer, p_leg_account, p_leg_amount);
  PERFORM ledger_enter();
  PERFORM ledger_lock_accounts(ARRAY(SELECT DISTINCT unnest(p_leg_account)));
  -- If the accounts cover all debits without any credit, they cover them in every order.
  IF ledger_covers(p_leg_account, p_leg_amount, true) THEN
    RETURN ledger_write(p_ids, v_contents, p_leg_transfer, p_leg_account, p_leg_amount,
      p_occurred_at, p_now);
  END IF;
  FOR i IN 1 .. cardinality(p_ids) LOOP
    v_written := (SELECT t.legs FROM ledger_transfers t WHERE t.id = p_ids[i]);
    v_accounts := ARRAY(SELECT l.account FROM unnest(p_leg_transfer, p_leg_account)
      WITH ORDINALITY AS l(t, account, ord) WHERE l.t = i ORDER BY l.ord);
    v_amounts := ARRAY(SELECT l.amount FROM unnest(p_leg_transfer, p_leg_amount)
      WITH ORDINALITY AS l(t, amount, ord) WHERE l.t = i ORDER BY l.ord);
    v_outcomes := v_outcomes || CASE
      WHEN v_written = v_contents[i] THEN ARRAY['duplicate']
      WHEN v_written IS NOT NULL THEN ARRAY['conflict']
      WHEN NOT ledger_covers(v_accounts, v_amounts, false) THEN ARRAY['insufficient']
      ELSE ledger_write(p_ids[i:i], v_contents[i:i], array_fill(1, ARRAY[cardinality(v_accounts)]),
        v_accounts, v_amounts, p_occurred_at[i:i], p_now) END;
  END LOOP;
  RETURN v_outcomes;
END $$;

-- Whether the guarded accounts, locked, stay covered after the legs (or after the debits alone).
CREATE OR REPLACE FUNCTION ledger_covers(
  p_accounts bigint[], p_amounts bigint[], p_debits_alone boolean
) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (
    SELECT FROM (
      SELECT l.account, sum(l.amount) AS delta
      FROM unnest(p_accounts, p_amounts) AS l(account, amount)
      WHERE l.amount < 0 OR NOT p_debits_alone
      GROUP BY l.account
    ) AS d
    JOIN ledger_accounts a ON a.id = d.account
    WHERE a.guarded AND d.delta < 0 AND a.posted - a.held + d.delta < 0
  );
$$;

-- ledger_post for sales: for each, `from` −(net + fee), `to` +net, p_fee_to +fee; a part of zero
-- has no leg. `from` and p_fee_to are unguarded, `to` is guarded (or null where net is 0), so a
-- sale is never insufficient: outcomes are 'posted', 'duplicate' and 'conflict'. Call it last in a
-- transaction: it locks the sellers' rows at its very end, and two batches that share a seller wait
-- for each other from there to the commit. One id must always be posted by the same function: this
-- one locks ids before accounts, ledger_post accounts before ids.
CREATE OR REPLACE FUNCTION ledger_post_sales(
  p_ids text[], p_from bigint[], p_to bigint[], p_net bigint[], p_fee_to bigint, p_fee bigint[],
  p_occurred_at timestamptz[], p_now timestamptz
) RETURNS text[] LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_shared bigint[] := ARRAY(SELECT DISTINCT f.id FROM unnest(p_from || p_fee_to) AS f(id));
  v_contents text[];
  v_sound boolean;
  v_outcomes text[];
  v_absent bigint;
BEGIN
  IF cardinality(p_ids) = 0 THEN
    RETURN '{}';
  END IF;
  SELECT array_agg(
    s.source || ':' || -(s.net + s.fee)
    || CASE WHEN s.net > 0 THEN ',' || s.target || ':' || s.net ELSE '' END
    || CASE WHEN s.fee > 0 THEN ',' || p_fee_to || ':' || s.fee ELSE '' END ORDER BY s.ord),
    bool_and(coalesce(s.net >= 0 AND s.fee >= 0 AND s.net + s.fee > 0, false))
  INTO v_contents, v_sound
  FROM unnest(p_ids, p_from, p_to, p_net, p_fee)
    WITH ORDINALITY AS s(id, source, target, net, fee, ord);
  IF v_sound IS NOT true OR cardinality(v_contents) <> cardinality(p_ids) THEN
    RAISE EXCEPTION 'sales % are malformed', p_ids USING errcode = 'SL001';
  END IF;
  PERFORM ledger_enter();
  SELECT min(f.id) INTO v_absent FROM unnest(v_shared) AS f(id)
  WHERE NOT EXISTS (SELECT FROM ledger_accounts a WHERE a.id = f.id AND NOT a.guarded);
  IF v_absent IS NOT NULL THEN
    RAISE EXCEPTION 'no unguarded ledger account %', v_absent USING errcode = 'SL002';
  END IF;
  v_outcomes := ledger_add_transfers(p_ids, v_contents, p_occurred_at, p_now);
  INSERT INTO ledger_entries (account_id, transfer_id, amount)
  SELECT leg.account, s.id, leg.amount
  FROM unnest(p_ids, p_from, p_to, p_net, p_fee, v_outcomes)
    AS s(id, source, target, net, fee, outcome)
  CROSS JOIN LATERAL (
    VALUES (s.source, -(s.net + s.fee)), (s.target, s.net), (p_fee_to, s.fee)
  ) AS leg(account, amount)
  WHERE leg.amount <> 0 AND s.outcome = 'posted';
  WITH net AS MATERIALIZED (
    SELECT s.target, sum(s.net)::bigint AS net
    FROM unnest(p_to, p_net, v_outcomes) AS s(target, net, outcome)
    WHERE s.outcome = 'posted' AND s.net > 0 GROUP BY s.target
  ), locked AS MATERIALIZED (
    SELECT a.id FROM ledger_accounts a
    WHERE a.id = ANY (ARRAY(SELECT net.target FROM net)) AND a.guarded
    ORDER BY a.id FOR NO KEY UPDATE
  ), credited AS (
    UPDATE ledger_accounts a SET posted = a.posted + net.net
    FROM locked JOIN net ON net.target = locked.id WHERE a.id = locked.id
    RETURNING a.id
  )
  SELECT (SELECT count(*) FROM net) = (SELECT count(*) FROM credited) INTO v_sound;
  IF NOT v_sound THEN
    RAISE EXCEPTION 'no guarded ledger account among %', p_to USING errcode = 'SL002';
  END IF;
  RETURN v_outcomes;
END $$;

-- Reserves francs of a guarded account. → 'held'; 'duplicate' (this hold was opened before, ended
-- or not) or 'conflict' (with other content); 'insufficient'.
CREATE OR REPLACE FUNCTION ledger_hold(p_id text, p_account bigint, p_amount bigint, p_now timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_decision text;
BEGIN
  IF p_amount IS NULL OR p_amount <= 0 THEN
    RAISE EXCEPTION 'hold % of % francs', p_id, p_amount USING errcode = 'SL001';
  END IF;
  -- The first turn decides before the lock: a refusal or a repeat then waits for no lock.
  FOR v_turn IN 1 .. 2 LOOP
    v_decision := (
      SELECT CASE
        WHEN (h.account_id, h.amount) = (p_account, p_amount) THEN 'duplicate'
        WHEN h.id IS NOT NULL THEN 'conflict'
        WHEN a.posted - a.held < p_amount THEN 'insufficient'
        ELSE 'held' END
      FROM ledger_accounts a LEFT JOIN ledger_holds h ON h.id = p_id
      WHERE a.id = p_account AND a.guarded);
    EXIT WHEN v_turn = 2 OR v_decision IS DISTINCT FROM 'held';
    PERFORM FROM ledger_accounts a WHERE a.id = p_account FOR NO KEY UPDATE;
  END LOOP;
  IF v_decision IS NULL THEN
    RAISE EXCEPTION 'no guarded ledger account %', p_account USING errcode = 'SL002';
  END IF;
  IF v_decision <> 'held' THEN
    RETURN v_decision;
  END IF;
  INSERT INTO ledger_holds (id, account_id, amount, opened_at)
  VALUES (p_id, p_account, p_amount, p_now) ON CONFLICT (id) DO NOTHING;
  IF NOT found THEN
    RETURN 'conflict'; -- opened meanwhile, on another account: this one is locked
  END IF;
  UPDATE ledger_accounts SET held = held + p_amount WHERE id = p_account;
  RETURN 'held';
END $$;

-- Ends a hold by the transfer that pays it: one debit, of the held account, of the whole amount. →
-- 'paid'; 'duplicate' (paid before by this transfer); 'conflict' (paid by another, or the
-- transfer's id is used); 'released' (too late); 'unknown' (no such hold).
CREATE OR REPLACE FUNCTION ledger_pay_hold(
  p_hold text, p_transfer text, p_leg_account bigint[], p_leg_amount bigint[],
  p_occurred_at timestamptz, p_now timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_transfers int[] := array_fill(1, ARRAY[cardinality(p_leg_account)]);
  v_contents text[] :=
    ledger_contents(ARRAY[p_transfer], v_transfers, p_leg_account, p_leg_amount);
  v_hold ledger_holds;
  v_taken text;
BEGIN
  SELECT * INTO v_hold FROM ledger_holds h WHERE h.id = p_hold;
  IF NOT found THEN
    RETURN 'unknown';
  END IF;
  PERFORM ledger_enter();
  PERFORM ledger_lock_accounts(ARRAY(SELECT DISTINCT unnest(p_leg_account || v_hold.account_id)));
  SELECT * INTO v_hold FROM ledger_holds h WHERE h.id = p_hold;
  v_taken := (SELECT t.legs FROM ledger_transfers t WHERE t.id = p_transfer);
  IF v_hold.ended_as = 'released' THEN
    RETURN 'released';
  END IF;
  IF v_taken IS NOT NULL OR v_hold.ended_as = 'paid' THEN
    RETURN CASE WHEN v_hold.transfer_id = p_transfer AND v_taken = v_contents[1]
      THEN 'duplicate' ELSE 'conflict' END;
  END IF;
  IF ARRAY(SELECT l.account || ':' || l.amount
      FROM unnest(p_leg_account, p_leg_amount) AS l(account, amount) WHERE l.amount < 0)
    <> ARRAY[v_hold.account_id || ':' || -v_hold.amount] THEN
    RAISE EXCEPTION 'hold % is paid by one debit of its whole amount', p_hold
      USING errcode = 'SL001';
  END IF;
  UPDATE ledger_holds SET ended_at = p_now, ended_as = 'paid', transfer_id = p_transfer
  WHERE id = p_hold;
  UPDATE ledger_accounts SET held = held - v_hold.amount WHERE id = v_hold.account_id;
  IF ledger_write(ARRAY[p_transfer], v_contents, v_transfers, p_leg_account, p_leg_amount,
    ARRAY[p_occurred_at], p_now) <> ARRAY['posted'] THEN
    RAISE EXCEPTION 'transfer % was written meanwhile', p_transfer
      USING errcode = 'serialization_failure';
  END IF;
  RETURN 'paid';
END $$;

-- Ends a hold by returning the francs. → 'released'; 'duplicate' (released before); 'paid' (too
-- late); 'unknown' (no such hold).
CREATE OR REPLACE FUNCTION ledger_release_hold(p_hold text, p_now timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_hold ledger_holds;
BEGIN
  PERFORM FROM ledger_accounts a
  WHERE a.id = (SELECT h.account_id FROM ledger_holds h WHERE h.id = p_hold) FOR NO KEY UPDATE;
  SELECT * INTO v_hold FROM ledger_holds h WHERE h.id = p_hold;
  IF v_hold.id IS NULL THEN
    RETURN 'unknown';
  END IF;
  IF v_hold.ended_as IS NOT NULL THEN
    RETURN CASE v_hold.ended_as WHEN 'released' THEN 'duplicate' ELSE 'paid' END;
  END IF;
  UPDATE ledger_holds SET ended_at = p_now, ended_as = 'released' WHERE id = p_hold;
  UPDATE ledger_accounts SET held = held - v_hold.amount WHERE id = v_hold.account_id;
  RETURN 'released';
END $$;

-- Waits until every posting in progress has ended, then unlocks at once. → the last sequence
-- number: every entry up to it is committed or never will be. Gives up after 2 s (55P03), so that
-- sales do not wait behind a stuck transaction.
CREATE OR REPLACE FUNCTION ledger_barrier() RETURNS bigint LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  v_seq bigint;
BEGIN
  -- A lock of the session: a transaction's lock could not be released before the commit.
  PERFORM pg_advisory_lock(1818584167, 0);
  v_seq := coalesce(pg_sequence_last_value('ledger_entry_seq'), 0);
  PERFORM pg_advisory_unlock(1818584167, 0);
  RETURN v_seq;
EXCEPTION
  WHEN lock_not_available OR deadlock_detected THEN RAISE;
  WHEN others OR query_canceled THEN
    PERFORM pg_advisory_unlock(1818584167, 0);
    RAISE;
END $$;

-- Advances the snapshots of unguarded accounts. → the number of the last entry they include. Call
-- it alone in its transaction (READ COMMITTED), about every minute.
CREATE OR REPLACE FUNCTION ledger_snapshot(p_now timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_seq bigint;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'ledger_snapshot must see what was committed while it waited'
      USING errcode = 'SL001';
  END IF;
  PERFORM pg_advisory_xact_lock(1818584167, 1); -- one snapshot at a time
  v_seq := ledger_barrier();
  INSERT INTO ledger_snapshots AS s (account_id, seq, balance, taken_at)
  SELECT a.id, v_seq, coalesce(old.balance, 0) + later.amount, p_now
  FROM ledger_accounts a
  LEFT JOIN ledger_snapshots old ON old.account_id = a.id
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(e.amount), 0)::bigint AS amount FROM ledger_entries e
    WHERE e.account_id = a.id AND e.seq > coalesce(old.seq, 0) AND e.seq <= v_seq
  ) AS later
  WHERE NOT a.guarded
  ON CONFLICT (account_id) DO UPDATE
    SET seq = excluded.seq, balance = excluded.balance, taken_at = excluded.taken_at;
  RETURN v_seq;
END $$;

-- The balance of an account, in francs: posted, or its snapshot plus later entries.
CREATE OR REPLACE FUNCTION ledger_balance(p_account bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN a.guarded THEN a.posted ELSE coalesce(s.balance, 0) + (
    SELECT coalesce(sum(e.amount), 0)::bigint FROM ledger_entries e
    WHERE e.account_id = a.id AND e.seq > coalesce(s.seq, 0)
  ) END
  FROM ledger_accounts a LEFT JOIN ledger_snapshots s ON s.account_id = a.id
  WHERE a.id = p_account;
$$;
