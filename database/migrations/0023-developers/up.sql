-- The developer API: keys that read a shop, and the events it sends out by signed webhooks. Only
-- new tables: no lock on existing ones.
--
-- An event is noted in the transaction of what happened, and only for a premium seller with an
-- active endpoint that asked for it: who has none pays one look at an index. A job makes its body
-- once and a delivery for each endpoint; every attempt, and a replay, sends those very bytes under
-- the same webhook-id.
SET LOCAL lock_timeout = '2s';

CREATE TABLE developer_keys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id bigint NOT NULL REFERENCES sellers,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
  -- SHA-256 of the whole key: the key itself was shown once.
  hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
  last_four text NOT NULL,
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  created_at timestamptz NOT NULL,
  -- A day, so that a busy key is written once a day.
  last_used_on date,
  revoked_at timestamptz
);
CREATE INDEX developer_keys_by_seller ON developer_keys (seller_id) WHERE revoked_at IS NULL;

CREATE TABLE webhook_endpoints (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id bigint NOT NULL REFERENCES sellers,
  url text NOT NULL CHECK (char_length(url) <= 500),
  events text[] NOT NULL CHECK (cardinality(events) > 0),
  active boolean NOT NULL DEFAULT true,
  -- Why it was switched off when not by its seller.
  off_reason text CHECK (off_reason IN ('failing', 'gone')),
  -- Both sealed (AES-256-GCM); the one before signs too until its time is over.
  secret bytea NOT NULL,
  secret_key_id text NOT NULL,
  old_secret bytea,
  old_secret_key_id text,
  old_secret_until timestamptz,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  deleted_at timestamptz,
  -- Since when nothing but failures, and how many in a row.
  failing_since timestamptz,
  failures integer NOT NULL DEFAULT 0,
  -- One delivery at a time: whoever took its turn has it until then.
  busy_until timestamptz,
  -- After failures it rests, whatever waits for it.
  rest_until timestamptz,
  CHECK ((old_secret IS NULL) = (old_secret_until IS NULL)),
  CHECK ((old_secret IS NULL) = (old_secret_key_id IS NULL)),
  CHECK (NOT active OR (deleted_at IS NULL AND off_reason IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX webhook_endpoints_by_seller ON webhook_endpoints (seller_id) WHERE deleted_at IS NULL;
CREATE INDEX webhook_endpoints_active ON webhook_endpoints (seller_id) WHERE active;

CREATE TABLE webhook_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id bigint NOT NULL REFERENCES sellers,
  type text NOT NULL,
  -- The row it is about: an order, an access, a product, a withdrawal.
  subject bigint NOT NULL,
  -- What makes it one event, however often it is noted.
  once_key text NOT NULL,
  -- Part of the webhook-id.
  uid uuid NOT NULL DEFAULT gen_random_uuid(),
  at timestamptz NOT NULL,
  -- Of a test: the one endpoint it is for.
  only_endpoint bigint REFERENCES webhook_endpoints,
  -- Made once, when it is sent out.
  body text,
  UNIQUE (seller_id, type, once_key)
);
CREATE INDEX webhook_events_by_age ON webhook_events (at);

CREATE TABLE webhook_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id bigint NOT NULL REFERENCES webhook_endpoints,
  event_id bigint NOT NULL REFERENCES webhook_events,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  -- Of those that wait; a lease while one is under way.
  due_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  -- Where in the schedule of retries: a replay by hand begins it anew.
  step integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  done_at timestamptz,
  UNIQUE (event_id, endpoint_id),
  CHECK ((status = 'pending') = (due_at IS NOT NULL))
) WITH (fillfactor = 70);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at)
  WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id DESC);

CREATE TABLE webhook_attempts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  delivery_id bigint NOT NULL REFERENCES webhook_deliveries ON DELETE CASCADE,
  at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  -- NULL: nobody answered; then `failure` says why.
  status_code integer,
  failure text CHECK (failure IN ('timeout', 'unreachable', 'name', 'address', 'tls', 'secret')),
  -- The first bytes of what was answered.
  answer text CHECK (char_length(answer) <= 1024),
  CHECK ((status_code IS NULL) <> (failure IS NULL))
);
CREATE INDEX webhook_attempts_by_delivery ON webhook_attempts (delivery_id, id);
