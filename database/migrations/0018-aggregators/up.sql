-- Sellers' own accounts at providers (premium), and which methods each seller has switched on. No
-- lock on existing tables.
SET LOCAL lock_timeout = '2s';

-- A seller's account at a provider: other keys to it, or to another, are another row, and the old one
-- stays to be asked about the payments that were opened by it. What opens no account (the secret of
-- its notices, a browser's public key) changes in its row, so that the address of the notices stands.
CREATE TABLE seller_keys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id bigint NOT NULL REFERENCES sellers,
  provider text NOT NULL
    CHECK (provider IN ('moneroo', 'fedapay', 'kkiapay', 'paydunya', 'cryptopay')),
  -- JSON of all keys under AES-256-GCM, bound to seller, provider, row and field; no answer has it.
  secrets bytea NOT NULL,
  -- Which SECRETS_KEY it is under: rotation rewrites those of another one.
  secrets_key_id text NOT NULL,
  -- What may be shown: {"secretKey": "sk_…1234"}.
  masked jsonb NOT NULL,
  -- Counts its changes, those of rotation excepted: who changes it saw the last one.
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  -- The provider accepted them, by a call.
  verified_at timestamptz NOT NULL,
  -- Said no since: the seller is told, sales by them stop.
  refused_at timestamptz,
  -- Other keys took its place, or the seller took them away.
  ended_at timestamptz
);
CREATE UNIQUE INDEX seller_keys_in_use ON seller_keys (seller_id, provider) WHERE ended_at IS NULL;
-- What rotation has still to rewrite.
CREATE INDEX seller_keys_by_secrets_key ON seller_keys (secrets_key_id, id);

-- A seller's own switches; without a row the provider is on, KkiaPay excepted (decision 3): the rule
-- is `isOnByDefault` of @sesame/contract/aggregators.
CREATE TABLE seller_methods (
  seller_id bigint NOT NULL REFERENCES sellers,
  provider text NOT NULL,
  active boolean NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, provider)
);
