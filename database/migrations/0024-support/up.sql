-- Sellers' conversations with the desk (decisions 76 and 77), and the erasure of a person's data
-- (decision 101). No lock on existing tables: two new ones, and identity_sign_in
-- (0016) written again.
--
-- Words of tickets may be erased, so their table is not append-only as the claims' record is.
SET LOCAL lock_timeout = '2s';

CREATE TABLE tickets (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id bigint NOT NULL REFERENCES sellers,
  kind text NOT NULL
    CHECK (kind IN ('sale', 'withdrawal', 'group', 'product', 'plan', 'account', 'other')),
  order_id bigint REFERENCES orders,
  withdrawal_id bigint REFERENCES withdrawals,
  -- open: waits for the desk; answered: waits for the seller; closed: a new message opens it again.
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'answered', 'closed')),
  opened_at timestamptz NOT NULL,
  -- Of the last message.
  changed_at timestamptz NOT NULL,
  -- Of the oldest message that waits for the desk.
  waiting_since timestamptz,
  closed_at timestamptz,
  -- Agents were told that it waits.
  told_at timestamptz,
  -- The last message of the desk's he has seen.
  seen_id bigint NOT NULL DEFAULT 0,
  CHECK ((status = 'open') = (waiting_since IS NOT NULL)),
  CHECK ((status = 'closed') = (closed_at IS NOT NULL)),
  CHECK (order_id IS NULL OR withdrawal_id IS NULL)
) WITH (fillfactor = 80);
CREATE INDEX tickets_by_seller ON tickets (seller_id, changed_at DESC, id DESC);
CREATE INDEX tickets_waiting ON tickets (waiting_since, id) WHERE status = 'open';
CREATE INDEX tickets_untold ON tickets (waiting_since) WHERE status = 'open' AND told_at IS NULL;
CREATE INDEX tickets_told ON tickets (told_at DESC) WHERE told_at IS NOT NULL;
CREATE INDEX tickets_by_status ON tickets (status, changed_at DESC, id DESC);

CREATE TABLE ticket_messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ticket_id bigint NOT NULL REFERENCES tickets,
  author text NOT NULL CHECK (author IN ('seller', 'desk')),
  author_id bigint NOT NULL REFERENCES people,
  -- NULL: erased at the seller's request.
  words text,
  at timestamptz NOT NULL
);
CREATE INDEX ticket_messages_by_ticket ON ticket_messages (ticket_id, id);
CREATE INDEX ticket_messages_by_author ON ticket_messages (author_id, at DESC);

-- As in 0016, but what is refused leaves the person as he was (decision 101).
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
    -- What is refused tells us nothing: else a page left open would bring an erased name back.
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
