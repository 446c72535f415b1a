-- What the desk knows and decides beside withdrawals: suspensions, reports, alerts closed by hand,
-- the search of people, the count of each purse at the end of a day.
--
-- Locks: ALTER TABLE without a rewrite on sellers, products and desk_alerts, for a moment; triggers
-- made on people and sellers; a few indexes on sellers and withdrawals. The words of the names are
-- read from sellers, who are few beside people.
SET LOCAL lock_timeout = '2s';

-- Suspended by the operator, with a reason the seller reads and a date of review (decision 99).
ALTER TABLE sellers ADD COLUMN suspended_at timestamptz, ADD COLUMN suspended_reason text,
  ADD COLUMN suspended_review_at timestamptz, ADD COLUMN closed_at timestamptz;
ALTER TABLE products ADD COLUMN suspended_at timestamptz, ADD COLUMN suspended_reason text,
  ADD COLUMN suspended_review_at timestamptz;

-- As before (0010), and 'closed': the seller closed his account, no session was written.
CREATE OR REPLACE FUNCTION identity_sign_in(
  p_telegram_id bigint, p_first_name text, p_last_name text, p_username text,
  p_language_code text, p_photo_url text, p_proved_at timestamptz, p_writable_bots text[],
  p_audience text, p_token_hash bytea, p_now timestamptz, p_expires_at timestamptz
) RETURNS TABLE (person_id bigint, outcome text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_id bigint;
  v_logged_out_at timestamptz;
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
  RETURNING p.id, p.logged_out_at INTO v_id, v_logged_out_at;
  IF v_logged_out_at >= p_proved_at THEN
    RETURN QUERY SELECT v_id, 'revoked'::text;
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

-- Who said an alert was dealt with, and how. NULL: it ended by itself.
ALTER TABLE desk_alerts ADD COLUMN resolved_by bigint REFERENCES people,
  ADD COLUMN resolution text;
CREATE INDEX desk_alerts_newest ON desk_alerts (created_at DESC, id DESC);

-- An alert raised again knows nothing of how it was dealt with the last time.
CREATE FUNCTION desk_reopen_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.resolved_by := NULL;
  new.resolution := NULL;
  RETURN new;
END $$;
CREATE TRIGGER reopened BEFORE UPDATE ON desk_alerts FOR EACH ROW
  WHEN (old.resolved_at IS NOT NULL AND new.resolved_at IS NULL)
  EXECUTE FUNCTION desk_reopen_alert();

-- A buyer's word about a product: one for each, a desk alert for all.
CREATE TABLE product_reports (
  product_id bigint NOT NULL REFERENCES products,
  person_id bigint NOT NULL REFERENCES people,
  reason_code text NOT NULL,
  words text,
  -- He had bought it.
  is_buyer boolean NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (product_id, person_id)
);
CREATE INDEX product_reports_by_person ON product_reports (person_id, created_at);

-- The words of a text as they are searched: lower case, without accents, two letters or more, and
-- no longer than an index takes.
CREATE FUNCTION desk_words(p_text text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(DISTINCT left(w.word, 40)), '{}')
  FROM regexp_split_to_table(
    lower(translate(p_text, 'àáâãäåçèéêëìíîïñòóôõöùúûüýÿÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ',
      'aaaaaaceeeeiiiinooooouuuuyyAAAAAACEEEEIIIINOOOOOUUUUY')),
    '[^[:alnum:]_]+') AS w(word)
  WHERE char_length(w.word) >= 2
$$;

-- The words of sellers' names: any of them finds its seller, from its beginning.
CREATE TABLE seller_words (
  word text COLLATE "C" NOT NULL,
  seller_id bigint NOT NULL REFERENCES sellers,
  PRIMARY KEY (word, seller_id)
);
CREATE INDEX seller_words_by_seller ON seller_words (seller_id);

CREATE FUNCTION desk_name_seller(p_seller bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM seller_words w WHERE w.seller_id = p_seller;
  INSERT INTO seller_words (word, seller_id)
  SELECT DISTINCT u.word, s.id
  FROM sellers s JOIN people p ON p.id = s.id
  CROSS JOIN LATERAL unnest(desk_words(
    concat_ws(' ', p.first_name, p.last_name, p.username, s.display_name))) AS u(word)
  WHERE s.id = p_seller
  -- His two names may change at once: whoever is second finds words that are there.
  ON CONFLICT DO NOTHING;
END $$;

CREATE FUNCTION desk_names_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM desk_name_seller(new.id);
  RETURN NULL;
END $$;
CREATE TRIGGER named AFTER INSERT OR UPDATE OF display_name ON sellers
  FOR EACH ROW EXECUTE FUNCTION desk_names_changed();
-- People sign in all day: only those renamed are read, and only sellers have words.
CREATE TRIGGER renamed AFTER UPDATE ON people FOR EACH ROW
  WHEN ((old.first_name, old.last_name, old.username)
    IS DISTINCT FROM (new.first_name, new.last_name, new.username))
  EXECUTE FUNCTION desk_names_changed();
INSERT INTO seller_words (word, seller_id)
SELECT DISTINCT u.word, s.id
FROM sellers s JOIN people p ON p.id = s.id
CROSS JOIN LATERAL unnest(desk_words(
  concat_ws(' ', p.first_name, p.last_name, p.username, s.display_name))) AS u(word);

-- Numbers are written in many ways; their last eight figures are always the same.
CREATE FUNCTION desk_phone_key(p_phone text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT right(regexp_replace(p_phone, '[^0-9]', '', 'g'), 8)
$$;
CREATE INDEX sellers_by_whatsapp ON sellers (desk_phone_key(whatsapp_number))
  WHERE whatsapp_number IS NOT NULL;
CREATE INDEX payout_profiles_by_phone ON payout_profiles (desk_phone_key(phone))
  WHERE phone IS NOT NULL;
CREATE INDEX withdrawals_by_phone_key ON withdrawals (desk_phone_key(phone), id DESC);

-- Purses: an agent's float for each method, and what lies at each provider. Francs we have there
-- are minus the account's balance. Money enters and leaves by hand from or to the treasury; what a
-- count finds missing or too much stands on an account of its own.
SELECT ledger_open_accounts(array[
  'float:orange-money-ci', 'float:mtn-ci', 'float:moov-ci', 'float:wave-ci',
  'float:orange-money-senegal', 'float:free-money-senegal', 'float:expresso-senegal',
  'float:wave-senegal', 'float:mtn-benin', 'float:moov-benin', 'float:t-money-togo',
  'float:moov-togo', 'float:orange-money-mali', 'float:orange-money-burkina',
  'float:moov-burkina-faso', 'treasury', 'platform:cash-differences'
], false, '2026-01-01T00:00:00Z');

-- Money put into a purse (amount > 0) or taken out of it (< 0) by hand: transfer `move:float:{id}`.
CREATE TABLE float_moves (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account text NOT NULL,
  -- Where it came from, or went to.
  other text NOT NULL CHECK (other <> account),
  amount bigint NOT NULL CHECK (amount <> 0),
  reference text NOT NULL,
  moved_by bigint NOT NULL REFERENCES people,
  moved_at timestamptz NOT NULL
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON float_moves
  FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();

-- The count of a purse at the end of a day, against the ledger. Written once; a mistake is corrected
-- by another line. The difference is posted (`day:{id}`), so that the next day opens with the count.
CREATE TABLE day_closes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account text NOT NULL,
  on_date date NOT NULL,
  -- The first count of that day, for a correction of it.
  corrects bigint REFERENCES day_closes,
  opening bigint NOT NULL,
  money_in bigint NOT NULL CHECK (money_in >= 0),
  money_out bigint NOT NULL CHECK (money_out >= 0),
  expected bigint NOT NULL CHECK (expected = opening + money_in - money_out),
  counted bigint NOT NULL CHECK (counted >= 0),
  difference bigint NOT NULL CHECK (difference = counted - expected),
  explanation text,
  -- The entries of the ledger it covers: after the first number, up to the second.
  after_seq bigint NOT NULL,
  upto_seq bigint NOT NULL CHECK (upto_seq >= after_seq),
  closed_by bigint NOT NULL REFERENCES people,
  closed_at timestamptz NOT NULL,
  CHECK (explanation IS NOT NULL OR (difference = 0 AND corrects IS NULL))
);
CREATE UNIQUE INDEX day_closes_once ON day_closes (account, on_date) WHERE corrects IS NULL;
CREATE INDEX day_closes_by_correction ON day_closes (corrects, id) WHERE corrects IS NOT NULL;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON day_closes
  FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();

-- The number of an account's last entry recorded before an instant; 0 when there is none. Entries
-- are numbered as they are recorded, so halving finds it in a few looks whatever their number.
CREATE FUNCTION desk_seq_before(p_account bigint, p_instant timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_low bigint := 0;
  v_high bigint := coalesce(
    (SELECT max(e.seq) FROM ledger_entries e WHERE e.account_id = p_account), 0);
  v_middle bigint;
  v_seq bigint;
  v_at timestamptz;
BEGIN
  WHILE v_low < v_high LOOP
    v_middle := v_low + (v_high - v_low + 1) / 2;
    SELECT e.seq, t.recorded_at INTO v_seq, v_at
    FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
    WHERE e.account_id = p_account AND e.seq >= v_middle AND e.seq <= v_high
    ORDER BY e.seq LIMIT 1;
    IF v_at < p_instant THEN
      v_low := v_seq;
    ELSE
      v_high := v_middle - 1;
    END IF;
  END LOOP;
  RETURN coalesce(
    (SELECT max(e.seq) FROM ledger_entries e WHERE e.account_id = p_account AND e.seq <= v_low), 0);
END $$;

-- One purse between two numbers. → francs it had at the first, what came in and went out since
-- (differences found by counts left out: a purse opens with its last count), and the last number.
CREATE FUNCTION desk_purse(p_account bigint, p_after bigint, p_upto bigint)
RETURNS TABLE (had bigint, money_in bigint, money_out bigint, entries bigint)
LANGUAGE sql STABLE AS $$
  SELECT -(ledger_balance(p_account) - (
      SELECT coalesce(sum(e.amount), 0)::bigint FROM ledger_entries e
      WHERE e.account_id = p_account AND e.seq > p_after)),
    coalesce(sum(-e.amount) FILTER (WHERE e.amount < 0), 0)::bigint,
    coalesce(sum(e.amount) FILTER (WHERE e.amount > 0), 0)::bigint,
    count(e.seq)
  FROM ledger_entries e
  WHERE e.account_id = p_account AND e.seq > p_after AND e.seq <= p_upto
    AND e.transfer_id NOT LIKE 'day:%'
$$;
