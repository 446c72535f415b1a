-- Who may be in which group until when, and the link each order opened. No lock on existing tables.
SET LOCAL lock_timeout = '2s';

CREATE TABLE accesses (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- No foreign keys here: settlement alone writes rows, from an order that has them; checking all
  -- three again for each cost half of a settlement (bench/settle.bench.ts).
  person_id bigint NOT NULL,
  group_id bigint NOT NULL,
  -- waiting: paid, not inside yet. ended: time over, removal under way.
  status text NOT NULL CHECK (status IN ('waiting', 'inside', 'ended', 'removed', 'left', 'banned')),
  ends_at timestamptz NOT NULL,
  started_at timestamptz NOT NULL,
  joined_at timestamptz,
  -- The order that last extended it.
  order_id bigint NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (person_id, group_id)
) WITH (fillfactor = 70);
CREATE INDEX accesses_ending ON accesses (ends_at) WHERE status IN ('waiting', 'inside', 'left', 'banned');
CREATE INDEX accesses_by_group ON accesses (group_id);

CREATE TABLE access_links (
  order_id bigint NOT NULL REFERENCES orders,
  group_id bigint NOT NULL REFERENCES groups,
  invite_link text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz,
  PRIMARY KEY (order_id, group_id)
);

-- When a seller was last told of sales: those of the next seconds are told together.
CREATE TABLE sale_tellings (
  seller_id bigint PRIMARY KEY REFERENCES sellers,
  told_at timestamptz NOT NULL
);
