-- Products, their images and durations. Takes no lock on existing tables.
SET LOCAL lock_timeout = '2s';

CREATE TABLE subscription_durations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  minutes integer NOT NULL CHECK (minutes > 0),
  display_name text NOT NULL,
  description text NOT NULL DEFAULT '',
  discount_percent smallint NOT NULL DEFAULT 0 CHECK (discount_percent BETWEEN 0 AND 100),
  price_tier text NOT NULL CHECK (price_tier IN ('premium', 'standard', 'basic', 'test')),
  active boolean NOT NULL DEFAULT true,
  UNIQUE (minutes, price_tier)
);

INSERT INTO subscription_durations (minutes, display_name, description, discount_percent, price_tier)
VALUES
  (5, '5 minutes', 'Pour essayer', 0, 'test'),
  (1440, '24 h', 'Accès d''une journée', 0, 'basic'),
  (10080, '7 jours', 'Accès d''une semaine', 0, 'basic'),
  (43200, '30 jours', 'Accès d''un mois', 0, 'standard'),
  (129600, '90 jours', 'Accès de trois mois', 10, 'standard'),
  (525600, '1 an', 'Accès d''une année', 20, 'premium');

CREATE TABLE images (
  id text PRIMARY KEY,
  seller_id bigint NOT NULL REFERENCES sellers,
  width integer NOT NULL,
  height integer NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE products (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id bigint NOT NULL REFERENCES sellers,
  group_id bigint NOT NULL REFERENCES groups,
  reference text NOT NULL UNIQUE CHECK (reference ~ '^[A-Za-z0-9_-]{6,32}$'),
  title text NOT NULL CHECK (btrim(title) <> ''),
  price bigint NOT NULL CHECK (price BETWEEN 100 AND 1000000),
  description text NOT NULL DEFAULT '' CHECK (char_length(description) <= 500),
  duration_minutes integer NOT NULL CHECK (duration_minutes > 0),
  category text NOT NULL DEFAULT 'other'
    CHECK (category IN ('formation', 'service', 'ebook', 'other')),
  stock integer CHECK (stock >= 0),
  image_id text REFERENCES images,
  -- The seller's switch. Whether it can be sold also depends on the group and the providers.
  switched_on boolean NOT NULL DEFAULT true,
  archived_at timestamptz,
  views integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX products_by_seller ON products (seller_id, created_at DESC);
CREATE INDEX products_by_group ON products (group_id);

-- One view per buyer per day (decision 39).
CREATE TABLE product_views (
  product_id bigint NOT NULL REFERENCES products,
  person_id bigint NOT NULL REFERENCES people,
  day date NOT NULL,
  PRIMARY KEY (product_id, person_id, day)
);
