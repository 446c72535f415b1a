-- A seller's name for buyers and staff: the chosen one, or the person's. Plain SQL and STABLE: the planner
-- inlines it.
CREATE OR REPLACE FUNCTION seller_name(s sellers, p people)
RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(s.display_name, p.name, '')
$$;

-- Sign-in, in one call: the person as Telegram describes him, the chat opened to a bot, the session. A
-- seller's app starts with it, so it is one round trip. The upsert locks the person's row: a logout at
-- the same instant is seen or waits. → outcome: 'signed-in'; 'revoked', the proof is older than the
-- person's last logout; 'new-seller', the person has no seller yet and no session was written: the
-- caller creates the seller first; 'closed', the seller closed his account. A refused sign-in changes
-- nothing of the person (decision 101).
CREATE OR REPLACE FUNCTION identity_sign_in(
  p_telegram_id bigint, p_first_name text, p_last_name text, p_username text,
  p_language_code text, p_photo_url text, p_proved_at timestamptz, p_writable_bots text[],
  p_audience text, p_token_hash bytea, p_now timestamptz, p_expires_at timestamptz
) RETURNS TABLE (person_id bigint, outcome text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_id bigint;
BEGIN
  INSERT INTO people AS p (telegram_id, first_name, last_name, username, language_code, photo_url,
    created_at, seen_at)
  VALUES (p_telegram_id, p_first_name, p_last_name, p_username, p_language_code, p_photo_url,
    p_now, p_now)
  ON CONFLICT (telegram_id) DO UPDATE SET
    first_name = excluded.first_name, last_name = excluded.last_name,
    username = excluded.username, seen_at = excluded.seen_at,
    language_code = coalesce(excluded.language_code, p.language_code),
    photo_url = coalesce(excluded.photo_url, p.photo_url)
    -- A refused sign-in updates nothing: otherwise a page left open would restore an erased name.
    WHERE p.logged_out_at IS NULL OR p.logged_out_at < p_proved_at
  RETURNING p.id INTO v_id;
  IF v_id IS NULL THEN
    RETURN QUERY SELECT p.id, 'revoked'::text FROM people p WHERE p.telegram_id = p_telegram_id;
    RETURN;
  END IF;
  INSERT INTO bot_chats AS b (bot, person_id, reachable, changed_at)
  SELECT w.bot, v_id, true, p_now FROM unnest(p_writable_bots) AS w(bot)
  ON CONFLICT (bot, person_id) DO UPDATE SET reachable = true, changed_at = excluded.changed_at
    WHERE NOT b.reachable;
  IF p_audience = 'seller' AND EXISTS (
    SELECT FROM sellers s WHERE s.id = v_id AND s.closed_at IS NOT NULL
  ) THEN
    RETURN QUERY SELECT v_id, 'closed'::text;
    RETURN;
  END IF;
  IF p_audience = 'seller' AND NOT EXISTS (SELECT FROM sellers s WHERE s.id = v_id) THEN
    RETURN QUERY SELECT v_id, 'new-seller'::text;
    RETURN;
  END IF;
  INSERT INTO sessions (token_hash, person_id, audience, created_at, expires_at)
  VALUES (p_token_hash, v_id, p_audience, p_now, p_expires_at);
  RETURN QUERY SELECT v_id, 'signed-in'::text;
END $$;

-- Puts a seller, whose row the caller has locked FOR NO KEY UPDATE, on a plan: the available balance
-- moves to that plan's account by a transfer of its own (decision 7); held francs follow when they are
-- released. Posting is locked alone until the commit (as a snapshot does), so that no sale in progress
-- credits the former account: call it before anything else that posts in the transaction.
CREATE OR REPLACE FUNCTION plan_change(p_seller bigint, p_plan text, p_until timestamptz, p_now timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_from bigint;
  v_to bigint;
  v_changes int;
  v_amount bigint;
BEGIN
  PERFORM ledger_enter_alone();
  SELECT s.account_id INTO STRICT v_from FROM sellers s WHERE s.id = p_seller;
  UPDATE sellers SET plan = p_plan, premium_until = p_until, updated_at = p_now,
    premium_since = CASE WHEN p_plan = 'premium' THEN coalesce(
      CASE WHEN plan = 'premium' THEN premium_since END, p_now) END,
    premium_set_at = CASE WHEN p_plan = 'premium' THEN p_now END,
    plan_changes = plan_changes
      + ((plan IS NOT DISTINCT FROM 'premium') <> (p_plan = 'premium'))::int
  WHERE id = p_seller RETURNING account_id, plan_changes INTO v_to, v_changes;
  IF v_from = v_to THEN
    RETURN;
  END IF;
  PERFORM ledger_lock_accounts(array[v_from, v_to]);
  SELECT a.posted - a.held INTO v_amount FROM ledger_accounts a WHERE a.id = v_from;
  IF v_amount > 0 AND ledger_post(
    array['plan-move:' || p_seller || ':' || v_changes], array[1, 1],
    array[v_from, v_to], array[-v_amount, v_amount], array[p_now], p_now) <> array['posted'] THEN
    RAISE EXCEPTION 'the balance of the seller % was moved before', p_seller;
  END IF;
END $$;
