-- A seller's public shop has a start parameter of its own, boutique_{id}; and what he told the
-- assistant « Soni » is kept for him.
-- Locks: products, for the check of its rows (a constraint is added).
SET LOCAL lock_timeout = '2s';

-- A shop's start parameter is read before references are: no product may ever bear such a name.
ALTER TABLE products
  ADD CONSTRAINT products_reference_is_no_shop CHECK (reference !~ '^boutique_');

-- Decision 75: name, goal and motivation, each null until answered. One row a seller: a later
-- answer takes the place of the former.
CREATE TABLE offer_answers (
  seller_id bigint PRIMARY KEY REFERENCES sellers,
  name text CHECK (char_length(name) BETWEEN 1 AND 120),
  goal text CHECK (goal IN ('community', 'training', 'service', 'support')),
  motivation smallint CHECK (motivation BETWEEN 1 AND 5),
  updated_at timestamptz NOT NULL
);
