-- Orders, the payments tried for them, and what providers told us. No lock on existing tables.
--
-- An order is written before the provider is called; a payment once the provider has answered with
-- its id and page, so a payment always has them. Few indexes, and none on what a settlement
-- changes: its updates stay on the page (HOT).
SET LOCAL lock_timeout = '2s';

CREATE TABLE orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('product', 'plan')),
  buyer_id bigint NOT NULL REFERENCES people,
  -- NULL for a plan: the platform sells it.
  seller_id bigint REFERENCES sellers,
  product_id bigint REFERENCES products,
  group_id bigint REFERENCES groups,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'paid', 'failed', 'refunded')),
  currency text NOT NULL DEFAULT 'XOF' CHECK (currency = 'XOF'),
  -- Price, fee and duration are frozen when the order is made (decision 7).
  price bigint NOT NULL CHECK (price > 0),
  fee bigint NOT NULL CHECK (fee >= 0 AND fee <= price),
  duration_minutes integer NOT NULL CHECK (duration_minutes > 0),
  title text NOT NULL,
  provider text NOT NULL,
  idempotency_key text,
  -- The same key with another content is refused (WIRE §2).
  idempotency_hash bytea,
  -- A place is kept for a pending order until then (decision 82).
  stock_reserved_until timestamptz,
  created_at timestamptz NOT NULL,
  paid_at timestamptz,
  settled_at timestamptz,
  is_renewal boolean NOT NULL DEFAULT false,
  access_until timestamptz,
  CHECK ((kind = 'product') = (seller_id IS NOT NULL AND product_id IS NOT NULL AND group_id IS NOT NULL)),
  CHECK ((idempotency_key IS NULL) = (idempotency_hash IS NULL))
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX orders_by_key ON orders (buyer_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX orders_by_seller ON orders (seller_id, id DESC);
CREATE INDEX orders_by_buyer ON orders (buyer_id, id DESC);
CREATE INDEX orders_by_product ON orders (product_id, id DESC);

CREATE TABLE payments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id bigint NOT NULL REFERENCES orders,
  provider text NOT NULL,
  -- Theirs.
  provider_payment_id text NOT NULL,
  checkout_url text NOT NULL,
  -- Of the return address: shows the order's status in any browser, never the invite link.
  return_secret_hash bytea NOT NULL UNIQUE,
  -- Only `paid` is final: a late yes after any other word still counts, once.
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'paid', 'refused', 'mismatched', 'expired')),
  amount bigint NOT NULL CHECK (amount > 0),
  created_at timestamptz NOT NULL,
  decided_at timestamptz,
  -- Since when the provider says yes to something else than what was ordered (decision 85).
  mismatched_since timestamptz,
  -- Francs that stand in the suspense account for it.
  suspended_amount bigint CHECK (suspended_amount > 0),
  UNIQUE (provider, provider_payment_id)
) WITH (fillfactor = 50);
CREATE INDEX payments_by_order ON payments (order_id);

-- When to ask the provider next. A row lives while the answer may still change.
CREATE TABLE payment_checks (
  payment_id bigint PRIMARY KEY REFERENCES payments,
  -- Also the end of a worker's lease: who moves it meanwhile has the question asked again.
  due_at timestamptz NOT NULL,
  give_up_at timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX payment_checks_due ON payment_checks (due_at);

-- What a provider said, stored once by the hash of its raw body, before anything is done about it.
CREATE TABLE provider_notices (
  provider text NOT NULL,
  body_hash bytea NOT NULL,
  provider_payment_id text,
  -- The raw bytes: whatever they are, they can be stored.
  body bytea NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (provider, body_hash)
);
