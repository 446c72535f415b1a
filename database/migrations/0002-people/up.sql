-- People, the sellers among them, and their sessions. Takes no lock on existing tables.
SET LOCAL lock_timeout = '2s';

CREATE TABLE people (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  telegram_id bigint NOT NULL UNIQUE,
  first_name text NOT NULL,
  last_name text,
  username text,
  language_code text,
  photo_url text,
  created_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  -- Init data signed before this instant is refused (WIRE §2).
  logged_out_at timestamptz
);

-- Whether a bot may write to a person: known from /start, write access, blocking, and refusals.
CREATE TABLE bot_chats (
  bot text NOT NULL CHECK (bot IN ('seller', 'buyer')),
  person_id bigint NOT NULL REFERENCES people,
  reachable boolean NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (bot, person_id)
);

CREATE TABLE sellers (
  id bigint PRIMARY KEY REFERENCES people,
  -- NULL until the seller has chosen.
  plan text CHECK (plan IN ('free', 'premium')),
  premium_until timestamptz,
  onboarded boolean NOT NULL DEFAULT false,
  free_account_id bigint NOT NULL UNIQUE REFERENCES ledger_accounts,
  premium_account_id bigint NOT NULL UNIQUE REFERENCES ledger_accounts,
  display_name text,
  country text,
  whatsapp_number text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  person_id bigint NOT NULL REFERENCES people,
  audience text NOT NULL CHECK (audience IN ('seller', 'buyer')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX sessions_by_person ON sessions (person_id);

-- Accepted effects are remembered and answered again (WIRE §2).
CREATE TABLE idempotency_keys (
  person_id bigint NOT NULL REFERENCES people,
  route text NOT NULL,
  key text NOT NULL,
  body_hash bytea NOT NULL,
  status smallint,
  answer jsonb,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (person_id, route, key)
);
