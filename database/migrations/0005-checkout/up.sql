-- Orders, the payments tried for them, and what providers told us. No lock on existing tables.
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
  -- Shows the status in any browser, never the invite link.
  return_secret_hash bytea NOT NULL UNIQUE,
  idempotency_key text,
  stock_reserved_until timestamptz,
  created_at timestamptz NOT NULL,
  paid_at timestamptz,
  settled_at timestamptz,
  is_renewal boolean NOT NULL DEFAULT false,
  access_until timestamptz,
  CHECK ((kind = 'product') = (seller_id IS NOT NULL AND product_id IS NOT NULL AND group_id IS NOT NULL))
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX orders_by_key ON orders (buyer_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX orders_by_seller ON orders (seller_id, id DESC);
CREATE INDEX orders_by_buyer ON orders (buyer_id, id DESC);
CREATE INDEX orders_by_product ON orders (product_id, id DESC);

CREATE TABLE payments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id bigint NOT NULL REFERENCES orders,
  provider text NOT NULL,
  -- Theirs; NULL until they answered our call.
  provider_payment_id text,
  checkout_url text,
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'paid', 'refused', 'mismatched', 'expired')),
  amount bigint NOT NULL CHECK (amount > 0),
  created_at timestamptz NOT NULL,
  decided_at timestamptz,
  UNIQUE (provider, provider_payment_id)
) WITH (fillfactor = 70);
CREATE INDEX payments_by_order ON payments (order_id);

-- When to ask the provider next. A row lives only while the answer is not final.
CREATE TABLE payment_checks (
  payment_id bigint PRIMARY KEY REFERENCES payments,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  give_up_at timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX payment_checks_due ON payment_checks (due_at);

-- What a provider said, stored once by the hash of its raw body, before anything is done about it.
CREATE TABLE provider_notices (
  provider text NOT NULL,
  body_hash bytea NOT NULL,
  provider_payment_id text,
  body text NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (provider, body_hash)
);
