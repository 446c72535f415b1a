-- Every table, index and first row, created once for an empty database. Functions are in the
-- `functions.sql` of the feature that owns them, triggers in `triggers.sql`.

-- ── Ledger: double entry; the reasons are with its functions ──

CREATE SEQUENCE ledger_entry_seq;

CREATE TABLE ledger_accounts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text COLLATE "C" NOT NULL UNIQUE CHECK (key <> ''),
  guarded boolean NOT NULL,
  posted bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  CONSTRAINT ledger_accounts_covered CHECK (
    CASE WHEN guarded THEN held >= 0 AND posted - held >= 0 ELSE posted = 0 AND held = 0 END
  )
) WITH (fillfactor = 50);
CREATE INDEX ledger_accounts_unguarded ON ledger_accounts (id) WHERE NOT guarded;

CREATE TABLE ledger_transfers (
  id text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
  -- The exact content, "12:-5000,45:4100,2:900": a repeated id is compared with it.
  legs text COLLATE "C" NOT NULL,
  occurred_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL
);

CREATE TABLE ledger_entries (
  account_id bigint NOT NULL,
  seq bigint NOT NULL DEFAULT nextval('ledger_entry_seq'),
  amount bigint NOT NULL CHECK (amount <> 0),
  transfer_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, seq)
);

CREATE TABLE ledger_holds (
  id text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
  account_id bigint NOT NULL REFERENCES ledger_accounts,
  amount bigint NOT NULL CHECK (amount > 0),
  opened_at timestamptz NOT NULL,
  ended_at timestamptz,
  ended_as text CHECK (ended_as IN ('paid', 'released')),
  transfer_id text COLLATE "C",
  CONSTRAINT ledger_holds_end CHECK (
    (ended_at IS NULL) = (ended_as IS NULL)
    AND (transfer_id IS NOT NULL) = coalesce(ended_as = 'paid', false)
  )
) WITH (fillfactor = 70);

-- The balance of an unguarded account over its entries up to `seq`.
CREATE TABLE ledger_snapshots (
  account_id bigint PRIMARY KEY REFERENCES ledger_accounts,
  seq bigint NOT NULL,
  balance bigint NOT NULL,
  taken_at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- ── People, the sellers among them, and their sessions ──

-- Indexes use it, so it is defined with the tables. Numbers are written in many forms; their last
-- eight digits are always the same.
CREATE FUNCTION phone_search_key(p_phone text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT right(regexp_replace(p_phone, '[^0-9]', '', 'g'), 8)
$$;

-- The words of a name, in lower case, without accents. Cut, since a lexeme has at most 2 kB.
CREATE FUNCTION search_words(p_name text) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
  SELECT array_to_tsvector(array_remove(regexp_split_to_array(
    left(lower(regexp_replace(normalize(p_name, NFD), '[\u0300-\u036f]', '', 'g')), 500),
    '[^[:alnum:]_]+'), ''))
$$;

CREATE TABLE people (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  telegram_id bigint NOT NULL UNIQUE,
  first_name text NOT NULL,
  last_name text,
  -- The displayed name. '' where neither part is known: the caller then chooses a word.
  name text NOT NULL GENERATED ALWAYS AS (first_name || coalesce(' ' || last_name, '')) STORED,
  username text,
  language_code text,
  photo_url text,
  created_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  -- Init data signed before this instant is refused (WIRE §2).
  logged_out_at timestamptz
);

CREATE INDEX people_by_words ON people USING gin (search_words(name || ' ' || coalesce(username, '')));

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
  -- The account of the plan: it holds what the seller can spend.
  account_id bigint NOT NULL GENERATED ALWAYS AS
    (CASE plan WHEN 'premium' THEN premium_account_id ELSE free_account_id END) STORED,
  display_name text,
  country text,
  whatsapp_number text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Suspended by the operator, with a reason the seller reads and a date of review (decision 99).
  suspended_at timestamptz,
  suspended_reason text,
  suspended_review_at timestamptz,
  closed_at timestamptz,
  -- Numbers the moves of the balance between plans: plan-move:{seller}:{n}.
  plan_changes integer NOT NULL DEFAULT 0,
  premium_since timestamptz,
  -- When the end of Premium was last set: a reminder that was due before is not sent.
  premium_set_at timestamptz
);
CREATE INDEX sellers_by_whatsapp ON sellers (phone_search_key(whatsapp_number))
  WHERE whatsapp_number IS NOT NULL;
CREATE INDEX sellers_premium_ending ON sellers (premium_until) WHERE plan = 'premium';

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  person_id bigint NOT NULL REFERENCES people,
  audience text NOT NULL CHECK (audience IN ('seller', 'buyer')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX sessions_by_person ON sessions (person_id);

-- Answers of accepted calls, given again when the call is repeated (WIRE §2).
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

-- ── Groups and channels linked to a seller ──

CREATE TABLE groups (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chat_id bigint NOT NULL UNIQUE,
  kind text NOT NULL CHECK (kind IN ('supergroup', 'channel')),
  title text NOT NULL,
  -- A chat with a public address can be joined without paying: it cannot be sold (decision 81).
  public_username text,
  seller_id bigint NOT NULL REFERENCES sellers,
  bot_present boolean NOT NULL,
  can_manage boolean NOT NULL,
  can_invite boolean NOT NULL,
  can_restrict boolean NOT NULL,
  member_count integer,
  -- The seller's choice of the groups inside the free plan's quota; by default oldest first.
  quota_rank integer,
  linked_at timestamptz NOT NULL,
  checked_at timestamptz NOT NULL,
  -- A word of the contract: linked, rights_changed, member_joined …
  last_event text,
  last_event_at timestamptz,
  -- The state the seller was last notified of: he is notified again only when it changes.
  notified_state text,
  -- Since when the seller is neither the creator nor an administrator with the right to invite and
  -- restrict; NULL otherwise. Only Telegram's own answers change it.
  seller_lost_rights_at timestamptz,
  -- When the chat is read from Telegram the next time.
  recheck_due_at timestamptz NOT NULL DEFAULT '-infinity'
);
CREATE INDEX groups_by_recheck ON groups (recheck_due_at) WHERE bot_present;
CREATE INDEX groups_by_seller ON groups (seller_id, linked_at);

-- The owner and the admins cannot buy access to their own group (decision 80).
CREATE TABLE group_admins (
  group_id bigint NOT NULL REFERENCES groups,
  telegram_id bigint NOT NULL,
  -- A hint of who may take the group over: it is confirmed by Telegram when that happens.
  is_creator boolean NOT NULL DEFAULT false,
  PRIMARY KEY (group_id, telegram_id)
);
CREATE INDEX group_creators ON group_admins (telegram_id) WHERE is_creator;

-- Chats to which the bot was added and that no seller has linked yet: the person has not signed in
-- as a seller, acts anonymously (telegram_id NULL), or must first turn a basic group into a
-- supergroup.
CREATE TABLE pending_groups (
  chat_id bigint PRIMARY KEY,
  telegram_id bigint,
  kind text NOT NULL CHECK (kind IN ('group', 'supergroup', 'channel')),
  title text NOT NULL,
  public_username text,
  can_manage boolean NOT NULL,
  can_invite boolean NOT NULL,
  can_restrict boolean NOT NULL,
  created_at timestamptz NOT NULL,
  -- The last notification about this pending chat, so that none is sent twice.
  notified_state text
);
CREATE INDEX pending_groups_by_person ON pending_groups (telegram_id);

-- ── Products, their images and durations ──

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

CREATE TABLE images (
  id text PRIMARY KEY,
  seller_id bigint NOT NULL REFERENCES sellers,
  width integer NOT NULL,
  height integer NOT NULL,
  created_at timestamptz NOT NULL,
  -- Since when no product uses it: a day later its files and its row are deleted.
  unused_since timestamptz
);
CREATE INDEX images_by_seller ON images (seller_id, created_at);
CREATE INDEX images_unused ON images (unused_since) WHERE unused_since IS NOT NULL;

CREATE TABLE products (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id bigint NOT NULL REFERENCES sellers,
  group_id bigint REFERENCES groups,
  reference text NOT NULL UNIQUE CHECK (reference ~ '^[A-Za-z0-9_-]{6,32}$'),
  title text NOT NULL CHECK (btrim(title) <> ''),
  price bigint NOT NULL CHECK (price BETWEEN 100 AND 1000000),
  description text NOT NULL DEFAULT '' CHECK (char_length(description) <= 500),
  duration_minutes integer NOT NULL CONSTRAINT products_duration_minutes_check
    CHECK (duration_minutes >= 0 AND (kind = 'donation') = (duration_minutes = 0)),
  category text NOT NULL DEFAULT 'other' CHECK (category IN ('formation', 'service', 'ebook', 'other')),
  stock integer CHECK (stock >= 0),
  image_id text REFERENCES images,
  -- The seller's switch. Whether it can be sold also depends on the group and the providers.
  switched_on boolean NOT NULL DEFAULT true,
  archived_at timestamptz,
  views integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  suspended_at timestamptz,
  suspended_reason text,
  suspended_review_at timestamptz,
  -- A donation opens no group and gives no time: its price is the minimum.
  kind text NOT NULL DEFAULT 'access' CHECK (kind IN ('access', 'donation')),
  suggestions bigint[] NOT NULL DEFAULT '{}',
  CHECK (cardinality(suggestions) <= 4 AND (kind = 'donation' OR suggestions = '{}')),
  CONSTRAINT products_donation_check CHECK (kind = 'access' OR stock IS NULL),
  CONSTRAINT products_group_check CHECK ((kind = 'donation') = (group_id IS NULL)),
  -- A shop's start parameter is read before references: no product may have such a reference.
  CONSTRAINT products_reference_is_no_shop CHECK (reference !~ '^boutique_')
);
CREATE INDEX products_by_group ON products (group_id);
CREATE INDEX products_by_image ON products (image_id) WHERE image_id IS NOT NULL;
CREATE INDEX products_by_seller ON products (seller_id, created_at DESC);

-- One view per buyer per day (decision 39).
CREATE TABLE product_views (
  product_id bigint NOT NULL REFERENCES products,
  person_id bigint NOT NULL REFERENCES people,
  day date NOT NULL,
  PRIMARY KEY (product_id, person_id, day)
);

-- ── Orders, the payments opened for them, and what providers reported ──
--
-- An order is written before the provider is called; a payment once the provider has answered with its id
-- and page, so a payment always has them. Few indexes, and none on what a settlement changes: its updates
-- stay on the page (HOT).

CREATE TABLE orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- trial: 100 francs from a seller to himself, with his own keys (decision 95).
  kind text NOT NULL CHECK (kind IN ('product', 'plan', 'trial', 'donation')),
  buyer_id bigint NOT NULL REFERENCES people,
  -- NULL for a plan: the platform is its seller.
  seller_id bigint REFERENCES sellers,
  product_id bigint REFERENCES products,
  group_id bigint REFERENCES groups,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'paid', 'failed', 'refunded')),
  currency text NOT NULL DEFAULT 'XOF' CHECK (currency = 'XOF'),
  -- Price, fee and duration are frozen when the order is made (decision 7).
  price bigint NOT NULL CHECK (price > 0),
  fee bigint NOT NULL,
  duration_minutes integer NOT NULL CONSTRAINT orders_duration_minutes_check
    CHECK (duration_minutes >= 0 AND (kind = 'donation') = (duration_minutes = 0)),
  title text NOT NULL,
  provider text NOT NULL,
  idempotency_key text,
  -- The same key with other content is refused (WIRE §2).
  idempotency_hash bytea,
  -- A pending order reserves a place until then (decision 82).
  stock_reserved_until timestamptz,
  created_at timestamptz NOT NULL,
  paid_at timestamptz,
  settled_at timestamptz,
  is_renewal boolean NOT NULL DEFAULT false,
  access_until timestamptz,
  -- Paid with the seller's own keys: the francs are the seller's, never in our ledger, never
  -- withdrawable.
  direct boolean NOT NULL DEFAULT false,
  -- Numbers the references of its payments.
  payments_opened integer NOT NULL DEFAULT 0,
  -- End of the lease of the request that opens a payment at a provider: two requests, in two
  -- processes, do not open two payments. No connection is held while the provider answers.
  opening_until timestamptz,
  CHECK (fee >= 0 AND fee <= price),
  CHECK ((kind = 'product') = (seller_id IS NOT NULL AND product_id IS NOT NULL AND group_id IS NOT NULL)),
  CHECK ((idempotency_key IS NULL) = (idempotency_hash IS NULL)),
  CONSTRAINT orders_donation_check CHECK (
    kind <> 'donation' OR (seller_id IS NOT NULL AND product_id IS NOT NULL AND group_id IS NULL)
  )
) WITH (fillfactor = 50);
CREATE INDEX orders_by_buyer ON orders (buyer_id, id DESC);
CREATE UNIQUE INDEX orders_by_key ON orders (buyer_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX orders_by_product ON orders (product_id, id DESC);
CREATE INDEX orders_by_seller ON orders (seller_id, id DESC);
-- Without the status: every settlement would write an index that contains it, even in its condition.
CREATE INDEX orders_reserving ON orders (stock_reserved_until) WHERE stock_reserved_until IS NOT NULL;

-- Webhooks of payments, stored once by the hash of the raw body, before they are processed.
CREATE TABLE provider_webhooks (
  provider text NOT NULL,
  body_hash bytea NOT NULL,
  provider_payment_id text,
  -- The raw bytes: any content can be stored.
  body bytea NOT NULL,
  received_at timestamptz NOT NULL,
  key_id bigint,
  PRIMARY KEY (provider, body_hash)
);
CREATE INDEX provider_webhooks_by_age ON provider_webhooks (received_at);
-- Webhooks that name no payment of the seller's account they came to: kept for a day.
CREATE INDEX provider_webhooks_unmatched ON provider_webhooks (received_at)
  WHERE key_id IS NOT NULL AND body = '';

-- ── Who may be in which group until when, and the link of each order ──

CREATE TABLE accesses (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- No foreign keys here: settlement alone inserts rows, from an order that has them; checking all
  -- three again for each cost half of a settlement (bench/settle.bench.ts).
  person_id bigint NOT NULL,
  group_id bigint NOT NULL,
  -- waiting: paid, not inside yet. ended: time over, removal begun.
  status text NOT NULL CHECK (status IN ('waiting', 'inside', 'ended', 'removed', 'left', 'banned')),
  ends_at timestamptz NOT NULL,
  started_at timestamptz NOT NULL,
  joined_at timestamptz,
  -- The order that last extended it.
  order_id bigint,
  updated_at timestamptz NOT NULL,
  UNIQUE (person_id, group_id)
) WITH (fillfactor = 70);
CREATE INDEX accesses_by_group_end
  ON accesses (group_id, ends_at) INCLUDE (status);
CREATE INDEX accesses_ending ON accesses (ends_at) WHERE status IN ('waiting', 'inside', 'left', 'banned');

CREATE TABLE access_links (
  order_id bigint NOT NULL REFERENCES orders,
  group_id bigint NOT NULL REFERENCES groups,
  invite_link text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz,
  PRIMARY KEY (order_id, group_id)
);

-- ── Jobs ──
--
-- Work to do as soon as possible, written in the transaction that decided it, and updates from Telegram.

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- A job's name: capability.verb.
  topic text NOT NULL,
  -- The row it is about.
  ref bigint NOT NULL,
  payload jsonb NOT NULL DEFAULT '{}',
  -- 0 access, 1 messages about money and access, 2 reminders, 3 the rest.
  priority smallint NOT NULL DEFAULT 1 CHECK (priority BETWEEN 0 AND 3),
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  failed_at timestamptz,
  -- The worker's lease until due_at. NULL: no lease, and due_at is when it may run.
  lease uuid,
  -- Runs that ended in an outage. `attempts` counts answers and bugs only.
  outages integer NOT NULL DEFAULT 0,
  -- When it was due the first time, from which its age is counted. NULL until the first lease.
  first_due_at timestamptz,
  -- Why failed_at is set: an outage lasted longer than the topic's age limit.
  expired boolean NOT NULL DEFAULT false
) WITH (
  fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05
);
-- A worker finds the due jobs of one topic without reading those of the others.
CREATE INDEX outbox_due ON outbox (topic, priority, due_at) WHERE failed_at IS NULL;
CREATE INDEX outbox_failed ON outbox (topic, failed_at) WHERE failed_at IS NOT NULL;
-- Finds jobs that wait for a person or for a bot's rights by their row. Jobs that were never leased
-- are not looked up this way, so inserting them does not pay for this index.
CREATE INDEX outbox_tried ON outbox (topic, ref) WHERE first_due_at IS NOT NULL;

CREATE TABLE telegram_updates (
  bot text NOT NULL CHECK (bot IN ('seller', 'buyer')),
  update_id bigint NOT NULL,
  -- Updates of one chat or one person are handled in order.
  queue_key text NOT NULL,
  body jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  -- Not before this time: the end of a lease, or of a back-off.
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  handled_at timestamptz,
  lease uuid,
  outages integer NOT NULL DEFAULT 0,
  PRIMARY KEY (bot, update_id)
) WITH (fillfactor = 70);
-- Failed updates are listed and retried from the back office.
CREATE INDEX telegram_updates_given_up ON telegram_updates (handled_at)
  WHERE handled_at IS NOT NULL AND last_error IS NOT NULL;
CREATE INDEX telegram_updates_handled ON telegram_updates (handled_at) WHERE handled_at IS NOT NULL;
CREATE INDEX telegram_updates_waiting ON telegram_updates (bot, queue_key, update_id)
  WHERE handled_at IS NULL;

-- Telegram's last answers about our bots: share links need the names during an outage of Telegram.
CREATE TABLE bots (
  bot text PRIMARY KEY CHECK (bot IN ('seller', 'buyer')),
  telegram_id bigint NOT NULL,
  username text NOT NULL
);

-- When a person was last notified of something that accumulates (sales, entries, requests): what
-- follows is notified together.
CREATE TABLE digests (
  key text PRIMARY KEY,
  notified_at timestamptz NOT NULL
);

CREATE TABLE alerts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  subject text NOT NULL,
  details jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  resolved_at timestamptz,
  -- Who resolved an alert, and how. NULL: the system.
  resolved_by bigint REFERENCES people,
  resolution text,
  UNIQUE (kind, subject)
);
CREATE INDEX alerts_newest ON alerts (created_at DESC, id DESC);

-- ── Periodic work, done by one process at a time ──

CREATE TABLE maintenance_tasks (
  name text PRIMARY KEY,
  -- Also the end of a worker's lease.
  due_at timestamptz NOT NULL
);

-- ── Who did what, when, before and after; and what an operator may change without a new release ──

CREATE TABLE audit_log (
  -- 1, 2, 3 … without a gap.
  seq bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  -- NULL: the system.
  actor_id bigint REFERENCES people,
  actor_role text NOT NULL CHECK (actor_role IN ('buyer', 'seller', 'agent', 'operator', 'system')),
  -- capability.verb: withdrawal.approve
  action text NOT NULL CHECK (action <> ''),
  -- The subject: withdrawal:45
  subject text NOT NULL CHECK (subject <> ''),
  before jsonb,
  after jsonb,
  reason text,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL
);
CREATE INDEX audit_log_by_actor ON audit_log (actor_id, seq DESC);
CREATE INDEX audit_log_by_subject ON audit_log (subject, seq DESC);
CREATE INDEX audit_log_by_time ON audit_log (at);

-- The last row's number and hash: one row, and the lock of the chain.
CREATE TABLE audit_head (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  seq bigint NOT NULL,
  hash bytea NOT NULL
) WITH (fillfactor = 50);

-- The head at each time when the chain was verified.
CREATE TABLE audit_anchors (
  seq bigint PRIMARY KEY,
  hash bytea NOT NULL,
  taken_at timestamptz NOT NULL
);

-- The result of the last check of the whole chain.
CREATE TABLE audit_checks (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  checked_at timestamptz NOT NULL,
  broken jsonb NOT NULL
);

-- Changed settings; the others have the defaults of @sesame/contract/back-office.
CREATE TABLE settings (
  key text PRIMARY KEY,
  value jsonb NOT NULL,
  changed_at timestamptz NOT NULL,
  changed_by bigint REFERENCES people
);

CREATE TABLE settings_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL,
  before jsonb,
  after jsonb NOT NULL,
  reason text,
  changed_at timestamptz NOT NULL,
  changed_by bigint NOT NULL REFERENCES people
);
CREATE INDEX settings_changes_by_key ON settings_changes (key, id DESC);

-- ── Withdrawals: sellers' requests for their money, and its destination ──

-- The destination of a seller's money, and the automatic schedule (decisions 70, 71).
CREATE TABLE payout_profiles (
  seller_id bigint PRIMARY KEY REFERENCES sellers,
  -- The last used, the next default: one of the fifteen methods, and a number in E.164.
  method text,
  phone text,
  -- When the number of the automatic payout was set, the first or another: automatic payouts wait 24 h from here.
  -- And when it replaced another: so do requests to it (decision 116).
  number_given_at timestamptz,
  number_changed_at timestamptz,
  -- While frozen no payout is requested, approved or sent: by the seller ("Ce n'est pas moi") or by
  -- an operator, with a reason the seller reads and a date of review.
  frozen_at timestamptz,
  frozen_by text CHECK (frozen_by IN ('seller', 'operator')),
  frozen_reason text,
  frozen_review_at timestamptz,
  automatic boolean NOT NULL DEFAULT false,
  frequency text NOT NULL DEFAULT 'weekly' CHECK (frequency IN ('weekly', 'daily', 'threshold')),
  -- Francs of the available balance; for the frequency `threshold` only.
  threshold bigint CHECK (threshold > 0),
  next_run_at timestamptz,
  last_run_at timestamptz,
  last_outcome text,
  failures_in_row smallint NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL,
  CHECK (NOT automatic OR (method IS NOT NULL AND phone IS NOT NULL AND next_run_at IS NOT NULL)),
  CHECK ((frozen_at IS NULL) = (frozen_by IS NULL))
);
CREATE INDEX payout_profiles_by_phone ON payout_profiles (phone_search_key(phone))
  WHERE phone IS NOT NULL;
CREATE INDEX payout_profiles_due ON payout_profiles (next_run_at) WHERE automatic;
-- Read every few seconds: two failures in a row, or a frequency whose plan may have ended.
CREATE INDEX payout_profiles_failed ON payout_profiles (seller_id)
  WHERE automatic AND failures_in_row >= 2;
CREATE INDEX payout_profiles_not_weekly ON payout_profiles (seller_id)
  WHERE frequency <> 'weekly';

CREATE TABLE withdrawals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id bigint NOT NULL REFERENCES sellers,
  -- The seller's account whose francs are held: `hold:{id}`.
  account_id bigint NOT NULL REFERENCES ledger_accounts,
  plan text NOT NULL CHECK (plan IN ('free', 'premium')),
  amount bigint NOT NULL CHECK (amount > 0),
  method text NOT NULL,
  -- ORANGE … and CI … of B §3 (decision 68).
  operator text NOT NULL,
  country text NOT NULL,
  -- E.164.
  phone text NOT NULL,
  -- As the seller wrote it: agents write to this number.
  whatsapp text NOT NULL,
  -- Short, unique, displayed: reference_transaction.
  reference text NOT NULL UNIQUE,
  -- The idempotency key of the request, and the hash of its content: a repeated call gets the same answer.
  idempotency_key text,
  idempotency_hash bytea,
  origin text NOT NULL CHECK (origin IN ('manual', 'automatic')),
  -- The date of an automatic payout: one for each date.
  automatic_on date,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected', 'cancelled')),
  created_at timestamptz NOT NULL,
  -- The promised deadline, in working hours.
  due_at timestamptz NOT NULL,
  -- The agent it is assigned to: until then nobody else decides, and the seller cannot cancel
  -- (decision 63).
  assigned_to bigint REFERENCES people,
  assigned_until timestamptz,
  -- Above the threshold two agents approve: this is the first one, with the chosen rail.
  first_approved_by bigint REFERENCES people,
  first_approved_at timestamptz,
  first_approved_rail text,
  decided_at timestamptz,
  decided_by bigint REFERENCES people,
  -- Of a rejection: a code, and the sentence that the seller reads.
  reject_code text,
  reject_reason text,
  -- The operator or the provider confirmed that the money was received.
  paid_at timestamptz,
  CHECK ((idempotency_key IS NULL) = (idempotency_hash IS NULL)),
  CHECK ((origin = 'automatic') = (automatic_on IS NOT NULL)),
  CHECK ((assigned_to IS NULL) = (assigned_until IS NULL)),
  CHECK ((status = 'pending') = (decided_at IS NULL)),
  CHECK (status <> 'rejected' OR reject_reason IS NOT NULL),
  CHECK (paid_at IS NULL OR status = 'approved')
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX withdrawals_by_key ON withdrawals (seller_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX withdrawals_by_phone_key ON withdrawals (phone_search_key(phone), id DESC);
CREATE UNIQUE INDEX withdrawals_by_run ON withdrawals (seller_id, automatic_on)
  WHERE automatic_on IS NOT NULL;
CREATE INDEX withdrawals_by_seller ON withdrawals (seller_id, id DESC);
-- The back office's second list: approved, and the money not received yet.
CREATE INDEX withdrawals_unsettled ON withdrawals (due_at, id)
  WHERE status = 'approved' AND paid_at IS NULL;
CREATE INDEX withdrawals_waiting ON withdrawals (due_at, id) WHERE status = 'pending';

-- ── The money sent for an approved withdrawal ──
--
-- Francs: the approval pays the hold, seller → `payouts:in-transit` (`payout:{withdrawal}`); success, in
-- transit → `provider:{rail}`, or `float:{method}` when an agent paid by hand (`sent:{payout}`); failure, in
-- transit → the account of the seller's plan (`return:{withdrawal}`). A success after the francs were
-- returned: `payouts:suspense` → `provider:{rail}` (`late:{payout}`), so the provider's account stays as the
-- provider reports it; the suspense account shows what left twice.
--
-- Money that arrived may come back: its payout stays `succeeded` (or late), and its francs go from the payer's
-- account back to the seller (`reversed:{payout}`). A provider's report is believed when it is repeated, and
-- where no person entered the end (`settled_by`). A payout that came back by a provider's report may still
-- arrive, like one that failed; one that came back by a person's statement (`returned_by`) stays so.
--
-- Lock order: the withdrawal, its payout, then the ledger's own.

CREATE TABLE payouts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  withdrawal_id bigint NOT NULL REFERENCES withdrawals,
  rail text NOT NULL CHECK (rail IN ('manual', 'paydunya', 'moneroo', 'fedapay')),
  -- Our reference at the provider, never changed: a lookup and a repeat name one payout.
  reference text NOT NULL UNIQUE,
  amount bigint NOT NULL CHECK (amount > 0),
  method text NOT NULL,
  phone text NOT NULL,
  -- ready      approved; not submitted (by hand: the agent must pay)
  -- prepared   the provider gave a handle; no money moves by it
  -- sending    written before the call that moves money: a crash here leaves it uncertain
  -- uncertain  no answer to that call: only looked up
  -- sent       the provider accepted it and has not reported an end
  status text NOT NULL DEFAULT 'ready'
    CHECK (status IN ('ready', 'prepared', 'sending', 'uncertain', 'sent', 'succeeded', 'failed')),
  -- The provider's token, saved before money moves.
  handle text,
  provider_payout_id text,
  -- The mobile operator's reference, typed by the agent or given by the provider.
  operator_reference text,
  -- The provider's last status, for the record; and why it failed.
  word text,
  failure text,
  -- The provider's fee, in francs: the platform's cost (decision 84).
  cost bigint NOT NULL DEFAULT 0 CHECK (cost >= 0),
  created_by bigint REFERENCES people,
  created_at timestamptz NOT NULL,
  -- When it was last submitted to the provider.
  submitted_at timestamptz,
  settled_at timestamptz,
  -- It succeeded after the francs had returned: they left twice, and a person must decide.
  late_at timestamptz,
  -- The next lookup; also the end of a worker's lease. A failed payout is looked up for three more
  -- days: a late success must not be lost.
  check_at timestamptz,
  checks integer NOT NULL DEFAULT 0,
  doubted_at timestamptz,
  settled_by bigint REFERENCES people,
  returned_at timestamptz,
  returned_by bigint REFERENCES people CONSTRAINT payouts_returned_by_check CHECK (
    (returned_by IS NULL) = (return_reference IS NULL)
    AND (returned_by IS NULL OR returned_at IS NOT NULL)
  ),
  return_reference text,
  CHECK (status IN ('succeeded', 'failed') = (settled_at IS NOT NULL)),
  CHECK (status <> 'succeeded' OR rail <> 'manual' OR operator_reference IS NOT NULL),
  CONSTRAINT payouts_late_check CHECK (late_at IS NULL OR status = 'failed' OR returned_at IS NOT NULL),
  CONSTRAINT payouts_returned_check CHECK (returned_at IS NULL OR status = 'succeeded' OR late_at IS NOT NULL)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX payouts_by_handle ON payouts (rail, handle) WHERE handle IS NOT NULL;
-- One reference of an operator proves one payment only.
CREATE UNIQUE INDEX payouts_by_operator_reference ON payouts (upper(operator_reference))
  WHERE rail = 'manual' AND operator_reference IS NOT NULL;
CREATE UNIQUE INDEX payouts_by_provider_id ON payouts (rail, provider_payout_id)
  WHERE provider_payout_id IS NOT NULL;
CREATE INDEX payouts_by_reference ON payouts (upper(operator_reference))
  WHERE settled_by IS NOT NULL AND operator_reference IS NOT NULL;
CREATE UNIQUE INDEX payouts_by_return_reference ON payouts (upper(return_reference))
  WHERE return_reference IS NOT NULL;
CREATE INDEX payouts_by_withdrawal ON payouts (withdrawal_id, id);
CREATE INDEX payouts_due ON payouts (check_at) WHERE check_at IS NOT NULL;
-- One rail per request: a request has one payout that has not failed.
CREATE UNIQUE INDEX payouts_one_alive ON payouts (withdrawal_id) WHERE status <> 'failed';
CREATE INDEX payouts_open ON payouts (rail, status) WHERE status NOT IN ('succeeded', 'failed');

-- The steps of each payout, for the agent who must decide about an uncertain one. Append-only.
CREATE TABLE payout_steps (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payout_id bigint NOT NULL REFERENCES payouts,
  at timestamptz NOT NULL,
  -- A status, or: asked-again, refused-again, mismatch, late-success, linked, taken-over.
  step text NOT NULL,
  details text
);
CREATE INDEX payout_steps_by_payout ON payout_steps (payout_id, id);

-- Webhooks of payouts, stored once by the hash of the raw body.
CREATE TABLE payout_webhooks (
  provider text NOT NULL,
  body_hash bytea NOT NULL,
  body bytea NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (provider, body_hash)
);
CREATE INDEX payout_webhooks_by_age ON payout_webhooks (received_at);

-- Ids of payouts in webhooks that no payout of ours has yet: they are looked up at the provider.
-- When Moneroo's answer was lost, it gives our reference in no other way.
CREATE TABLE reported_payouts (
  provider text NOT NULL,
  -- The provider's opaque name: an id, or the handle.
  name text NOT NULL,
  is_handle boolean NOT NULL,
  reported_at timestamptz NOT NULL,
  -- NULL once its payout is known, or known not to be ours.
  check_at timestamptz,
  checks integer NOT NULL DEFAULT 0,
  PRIMARY KEY (provider, name)
);
CREATE INDEX reported_payouts_due ON reported_payouts (check_at) WHERE check_at IS NOT NULL;

-- Comparisons with the provider's records, in both directions.
CREATE TABLE reconciliations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider text NOT NULL,
  what text NOT NULL CHECK (what IN ('payouts', 'payments')),
  -- The start of the compared period.
  since timestamptz NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  -- By the provider's list, or one by one where it has none.
  by_list boolean NOT NULL,
  compared integer NOT NULL DEFAULT 0,
  differences integer NOT NULL DEFAULT 0,
  -- Why it stopped early; the next run starts again.
  stopped text,
  -- Reconciliation goes through all payments in turn: the last payment of this run.
  last_payment_id bigint
);
CREATE INDEX reconciliations_by_provider ON reconciliations (provider, what, id DESC);

CREATE TABLE reconciliation_differences (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider text NOT NULL,
  what text NOT NULL CHECK (what IN ('payouts', 'payments')),
  kind text NOT NULL CHECK (kind IN (
    'missing-there', 'missing-here', 'amount', 'status', 'reference', 'duplicate', 'cost', 'ledger'
  )),
  -- payout:12, payment:7, or the provider's: fedapay:55
  subject text NOT NULL,
  ours jsonb,
  theirs jsonb,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  -- The last run that found it, and the time when a later one did not.
  reconciliation_id bigint NOT NULL REFERENCES reconciliations,
  gone_at timestamptz,
  UNIQUE (provider, what, kind, subject)
);
CREATE INDEX reconciliation_differences_open ON reconciliation_differences (provider, what)
  WHERE gone_at IS NULL;

-- ── The back office: reports of products, cash floats, their count at the end of a day ──

-- A buyer's report of a product: one for each buyer, one alert for all of them.
CREATE TABLE product_reports (
  product_id bigint NOT NULL REFERENCES products,
  person_id bigint NOT NULL REFERENCES people,
  reason_code text NOT NULL,
  words text,
  -- The reporter had bought it.
  is_buyer boolean NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (product_id, person_id)
);
CREATE INDEX product_reports_by_person ON product_reports (person_id, created_at);

-- Money put into a cash float (amount > 0) or taken out of it (< 0) by hand: `move:float:{id}`.
CREATE TABLE float_moves (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account text NOT NULL,
  -- The other side of the move.
  other text NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  reference text NOT NULL,
  moved_by bigint NOT NULL REFERENCES people,
  moved_at timestamptz NOT NULL,
  CHECK (other <> account)
);

-- The count of a cash float at the end of a day, compared with the ledger. Written once; another
-- line corrects a mistake. The difference is posted (`day:{id}`), so that the next day opens with
-- the count.
CREATE TABLE day_closes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account text NOT NULL,
  on_date date NOT NULL,
  -- The first count of that day, if this corrects it.
  corrects bigint REFERENCES day_closes,
  opening bigint NOT NULL,
  money_in bigint NOT NULL CHECK (money_in >= 0),
  money_out bigint NOT NULL CHECK (money_out >= 0),
  expected bigint NOT NULL,
  counted bigint NOT NULL CHECK (counted >= 0),
  difference bigint NOT NULL,
  explanation text,
  -- The ledger entries it covers: after the first number, up to the second.
  after_seq bigint NOT NULL,
  upto_seq bigint NOT NULL,
  closed_by bigint NOT NULL REFERENCES people,
  closed_at timestamptz NOT NULL,
  CHECK (expected = opening + money_in - money_out),
  CHECK (difference = counted - expected),
  CHECK (upto_seq >= after_seq),
  CHECK (explanation IS NOT NULL OR (difference = 0 AND corrects IS NULL))
);
CREATE INDEX day_closes_by_correction ON day_closes (corrects, id) WHERE corrects IS NOT NULL;
CREATE UNIQUE INDEX day_closes_once ON day_closes (account, on_date) WHERE corrects IS NULL;

-- ── Ways to pay: sellers' own keys, payments, and reported ids, which prove nothing ──

-- A seller's account at a provider. Keys of another account are another row, and the old row stays,
-- for lookups of the payments opened with it. Keys that do not identify the account (its webhook
-- secret, a browser's public key) change in the same row, so that the webhook address stays.
CREATE TABLE seller_keys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id bigint NOT NULL REFERENCES sellers,
  provider text NOT NULL CHECK (provider IN ('moneroo', 'fedapay', 'kkiapay', 'paydunya', 'cryptopay')),
  -- JSON of all keys, encrypted with AES-256-GCM, bound to seller, provider, row and field; in no answer.
  secrets bytea NOT NULL,
  -- The SECRETS_KEY that encrypts it: rotation rewrites rows with another one.
  secrets_key_id text NOT NULL,
  -- The displayed form: {"secretKey": "sk_…1234"}.
  masked jsonb NOT NULL,
  -- Counts its changes, except rotations: a change is refused if another was made meanwhile.
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  -- When a call proved that the provider accepts them.
  verified_at timestamptz NOT NULL,
  -- Since when the provider refuses them: the seller was notified, and sales with these keys stop.
  refused_at timestamptz,
  -- When other keys replaced it, or the seller removed it.
  ended_at timestamptz,
  -- Hash of the keys that identify the account at the provider; NULL: stored by an older version,
  -- and counted as an account of its own.
  account_hash bytea
);
CREATE INDEX seller_keys_by_account ON seller_keys (account_hash);
-- Rows that rotation must still rewrite.
CREATE INDEX seller_keys_by_secrets_key ON seller_keys (secrets_key_id, id);
CREATE UNIQUE INDEX seller_keys_in_use ON seller_keys (seller_id, provider) WHERE ended_at IS NULL;

CREATE TABLE payments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id bigint NOT NULL REFERENCES orders,
  provider text NOT NULL,
  -- The provider's id.
  provider_payment_id text NOT NULL,
  checkout_url text NOT NULL,
  -- The secret of the return address: it shows the order's status in any browser, never the invite link.
  return_secret_hash bytea NOT NULL UNIQUE,
  -- Only `paid` is final: a late success after any other status still counts, once.
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'paid', 'refused', 'mismatched', 'expired')),
  amount bigint NOT NULL CHECK (amount > 0),
  created_at timestamptz NOT NULL,
  decided_at timestamptz,
  -- Since when the provider reports another payment than was ordered (decision 85).
  mismatched_since timestamptz,
  -- Francs of it on the suspense account.
  suspended_amount bigint CHECK (suspended_amount > 0),
  -- NULL: the instance's account.
  key_id bigint REFERENCES seller_keys,
  -- Our reference at the provider; NULL in old rows: the order's id.
  reference text,
  quote jsonb,
  -- The data of the page with the widget; nothing secret.
  widget jsonb,
  -- The provider's hosted page, when `checkout_url` is ours.
  hosted_url text,
  -- The id for a refund, known when it was paid.
  transaction_id text,
  -- A mismatched payment has three outcomes, each an operator's decision: honoured (the difference is
  -- the platform's, `mismatch:{payment}`: provider → platform:mismatches), given back like an
  -- overpayment, or returned by its provider already. `received`: the received amount, once decided;
  -- `counted`: by the operator's statement.
  received bigint CHECK (received > 0),
  decided_as text CHECK (decided_as IN ('honoured', 'given-back')),
  counted boolean NOT NULL DEFAULT false,
  -- The provider's fee, booked with the sale (`collected:{payment}`: platform:provider-costs →
  -- provider). NULL: unknown.
  cost bigint CHECK (cost >= 0),
  CONSTRAINT payments_decision_check
    CHECK ((received IS NULL) = (decided_as IS NULL) AND (received IS NOT NULL OR NOT counted)),
  -- A payment that has ended contains no name of a person; a refused one may be tried again on its
  -- page.
  CONSTRAINT payments_customer_check
    CHECK (status IN ('pending', 'refused') OR NOT coalesce(widget ? 'customer', false))
) WITH (fillfactor = 50);
CREATE INDEX payments_by_order ON payments (order_id);
-- Two accounts of one provider may have payments with the same id.
CREATE UNIQUE INDEX payments_by_provider_id
  ON payments (provider, provider_payment_id, coalesce(key_id, 0));

-- When to look a payment up next. A row exists while the answer may still change.
CREATE TABLE payment_checks (
  payment_id bigint PRIMARY KEY REFERENCES payments,
  -- Also the end of a worker's lease: a change of it meanwhile causes another lookup.
  due_at timestamptz NOT NULL,
  give_up_at timestamptz NOT NULL,
  -- A signed webhook named this payment: it is looked up before all others.
  reported boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50);
CREATE INDEX payment_checks_due ON payment_checks (reported, due_at);

-- A seller's own switches; without a row the provider is on, except KkiaPay (decision 3): the rule
-- is `isOnByDefault` of @sesame/contract/payment-accounts.
CREATE TABLE seller_methods (
  seller_id bigint NOT NULL REFERENCES sellers,
  provider text NOT NULL,
  active boolean NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, provider)
);

-- Transaction ids that a widget's callback or a webhook reported for a payment: only for lookups.
CREATE TABLE reported_transactions (
  payment_id bigint NOT NULL REFERENCES payments,
  transaction_id text NOT NULL,
  reported_at timestamptz NOT NULL,
  PRIMARY KEY (payment_id, transaction_id)
);

-- Payments in Stars, as Telegram reported them in an update or in its list: one for each charge.
CREATE TABLE star_charges (
  charge_id text PRIMARY KEY,
  -- Our reference: the invoice's payload.
  reference text NOT NULL,
  telegram_id bigint NOT NULL,
  stars bigint NOT NULL CHECK (stars > 0),
  charged_at timestamptz NOT NULL,
  refunded_at timestamptz
);
CREATE INDEX star_charges_by_reference ON star_charges (reference);

-- How many of Telegram's transactions were read: its list only grows.
CREATE TABLE star_reading (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  transactions_read bigint NOT NULL DEFAULT 0
);

-- Each provider's answers on the instance's account, by the minute.
CREATE TABLE provider_minutes (
  provider text NOT NULL,
  minute timestamptz NOT NULL,
  answered integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  PRIMARY KEY (provider, minute)
) WITH (fillfactor = 70);

-- ── The premium plan ──

-- Notifications to a seller about the end of Premium: each once.
CREATE TABLE plan_reminders (
  seller_id bigint NOT NULL REFERENCES sellers,
  premium_until timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('7-days', '3-days', '1-day', 'grace', 'ended')),
  notified_at timestamptz NOT NULL,
  PRIMARY KEY (seller_id, premium_until, kind)
);

-- ── Complaints of buyers, and refunds ──

-- A complaint of a buyer who paid and got nothing (one open for an order). The seller has 72 h,
-- then the operator decides.
CREATE TABLE complaints (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id bigint NOT NULL REFERENCES orders,
  buyer_id bigint NOT NULL REFERENCES people,
  -- NULL for a plan, or money that never reached us: the operator's from the start.
  seller_id bigint REFERENCES sellers,
  kind text NOT NULL CHECK (kind IN ('paid-not-confirmed', 'no-access', 'other')),
  -- seller: the seller must answer; operator: the deadline passed, or the seller contests.
  status text NOT NULL DEFAULT 'seller'
    CHECK (status IN ('seller', 'operator', 'refunded', 'rejected', 'solved', 'withdrawn')),
  opened_at timestamptz NOT NULL,
  seller_due_at timestamptz NOT NULL,
  -- When the seller was reminded, a day before.
  reminded_at timestamptz,
  closed_at timestamptz,
  -- Complaints about unconfirmed payments are announced to operators together, not one by one.
  operators_notified_at timestamptz,
  CHECK (status IN ('seller', 'operator') = (closed_at IS NULL))
);
CREATE INDEX complaints_by_buyer ON complaints (buyer_id, id DESC);
CREATE INDEX complaints_by_seller ON complaints (seller_id, id DESC);
CREATE INDEX complaints_not_announced ON complaints (opened_at)
  WHERE kind = 'paid-not-confirmed' AND operators_notified_at IS NULL;
CREATE UNIQUE INDEX complaints_one_open ON complaints (order_id) WHERE closed_at IS NULL;
CREATE INDEX complaints_open ON complaints (seller_due_at) WHERE closed_at IS NULL;

-- The record for both parties. Append-only.
CREATE TABLE complaint_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  complaint_id bigint NOT NULL REFERENCES complaints,
  author text NOT NULL CHECK (author IN ('buyer', 'seller', 'operator', 'system')),
  author_id bigint REFERENCES people,
  -- opened, said, contested, timed-out, refund-begun, refunded, rejected, solved, withdrawn
  step text NOT NULL,
  words text,
  at timestamptz NOT NULL
);
CREATE INDEX complaint_entries_by_complaint ON complaint_entries (complaint_id, id);

-- Francs of a refund (decision 83): the whole price leaves the seller (the net) and the platform (the fee) for
-- `refunds:in-transit` (`refund:{id}`); when the operator refunds and the seller is short, the missing part is
-- advanced from `platform:advances` and recovered from later sales (`recover:{seller}:{n}`). An overpayment
-- leaves `suspense`. Refunded by the provider: in transit → `provider:{provider}`; by hand: in transit →
-- `float:{method}` (`given-back:{id}`). A chargeback's fee is the platform's loss. Sales with own keys
-- (`direct`) are not in the ledger: no transfer.
--
-- Lock order: the complaint, the order, the refund, the access, the seller, then the ledger's own.
CREATE TABLE refunds (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- sale: the order's own payment; overpayment: a second payment of a paid order.
  kind text NOT NULL CHECK (kind IN ('sale', 'overpayment')),
  order_id bigint NOT NULL REFERENCES orders,
  payment_id bigint NOT NULL UNIQUE REFERENCES payments,
  buyer_id bigint NOT NULL REFERENCES people,
  seller_id bigint REFERENCES sellers,
  amount bigint NOT NULL CHECK (amount > 0),
  -- Paid with the seller's own keys.
  direct boolean NOT NULL,
  -- The part of the amount that the platform advanced for the seller.
  advanced bigint NOT NULL DEFAULT 0 CHECK (advanced >= 0),
  asked_by bigint REFERENCES people,
  asked_as text NOT NULL CHECK (asked_as IN ('seller', 'operator', 'system')),
  reason text NOT NULL,
  complaint_id bigint REFERENCES complaints,
  -- provider: by its call; staff: an agent sends it to the buyer's number; seller: the own account has
  -- no such call, so the seller sends it and reports it; returned: the provider had returned it already.
  rail text NOT NULL CHECK (rail IN ('provider', 'staff', 'seller', 'returned')),
  -- sending    to be requested from the provider, or not answered: a repeated request is harmless
  -- needs-number  the buyer must enter a number
  -- to-pay     an agent (or the seller) must pay
  status text NOT NULL CHECK (status IN ('sending', 'needs-number', 'to-pay', 'done')),
  -- Where the back office pays: one of the fifteen methods, a number in E.164.
  method text,
  phone text,
  -- The end of an agent's assignment, so that no two agents send the money.
  taken_by bigint REFERENCES people,
  taken_until timestamptz,
  operator_reference text,
  paid_by bigint REFERENCES people,
  created_at timestamptz NOT NULL,
  done_at timestamptz,
  check_at timestamptz,
  checks integer NOT NULL DEFAULT 0,
  provider_fee bigint NOT NULL DEFAULT 0 CONSTRAINT refunds_provider_fee_check
    CHECK (provider_fee = 0 OR (provider_fee > 0 AND rail = 'returned' AND NOT direct)),
  -- One process at a time requests it from the provider, until this instant at most.
  asking_until timestamptz,
  CHECK ((status = 'done') = (done_at IS NOT NULL)),
  CHECK ((method IS NULL) = (phone IS NULL)),
  CHECK ((taken_by IS NULL) = (taken_until IS NULL)),
  CHECK (rail <> 'staff' OR status <> 'to-pay' OR phone IS NOT NULL),
  CHECK (rail <> 'staff' OR status <> 'done' OR operator_reference IS NOT NULL),
  CHECK (advanced <= amount),
  CHECK (direct OR rail <> 'seller')
) WITH (fillfactor = 70);
-- One reference of an operator proves one payment only.
CREATE UNIQUE INDEX refunds_by_operator_reference ON refunds (upper(operator_reference))
  WHERE operator_reference IS NOT NULL;
CREATE INDEX refunds_by_order ON refunds (order_id);
CREATE INDEX refunds_by_phone ON refunds (phone_search_key(phone)) WHERE phone IS NOT NULL;
CREATE INDEX refunds_by_seller ON refunds (seller_id, id DESC);
CREATE UNIQUE INDEX refunds_one_sale ON refunds (order_id) WHERE kind = 'sale';
CREATE INDEX refunds_open ON refunds (rail, id) WHERE status <> 'done';

-- What the platform advanced for a seller and has not recovered from sales.
CREATE TABLE seller_advances (
  seller_id bigint PRIMARY KEY REFERENCES sellers,
  owed bigint NOT NULL CHECK (owed >= 0),
  recoveries integer NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX seller_advances_owed ON seller_advances (seller_id) WHERE owed > 0;

-- ── The totals behind a seller's statistics (decision 0020) ──
--
-- Totals stored beside the sales, exact, without delaying a sale. Every payment, refund or change of an order
-- appends its difference to `sale_deltas`, and touches no row that another sale touches. `sales_fold` applies
-- a seller's changes to the totals: once a minute, and before each query. A seller without totals, or with
-- totals of another time zone, gets them from all orders in the same way.
--
-- A sale counts on the day of its payment while its order is `paid`; a refunded one counts nowhere. Paid time
-- counts where an order opens a group (kind product): a gift or a donation is no subscriber.

-- Changes not yet in the totals: +1 for an order's new state, -1 for its former state.
CREATE TABLE sale_deltas (
  sign smallint NOT NULL,
  minutes integer NOT NULL,
  order_id bigint NOT NULL,
  seller_id bigint NOT NULL,
  product_id bigint NOT NULL,
  buyer_id bigint NOT NULL,
  price bigint NOT NULL,
  fee bigint NOT NULL,
  sold_at timestamptz NOT NULL,
  -- The end of its paid time; NULL when it opens no group.
  until timestamptz,
  renewal boolean NOT NULL,
  direct boolean NOT NULL
);
CREATE INDEX sale_deltas_by_seller ON sale_deltas (seller_id);

-- Sellers with totals, and for which days: the time zone, and the first month of the running year.
CREATE TABLE sale_rollups (
  seller_id bigint PRIMARY KEY REFERENCES sellers,
  zone text NOT NULL,
  year_from date NOT NULL
);

-- Sales, by day and also by month.
CREATE TABLE sale_totals (
  seller_id bigint NOT NULL,
  grain text NOT NULL CHECK (grain IN ('day', 'month')),
  starts_on date NOT NULL,
  product_id bigint NOT NULL,
  sales integer NOT NULL,
  renewals integer NOT NULL,
  gross bigint NOT NULL,
  fees bigint NOT NULL,
  -- Of the gross, what the seller's own keys collected: never in the balance.
  direct bigint NOT NULL,
  PRIMARY KEY (seller_id, grain, starts_on, product_id)
) WITH (fillfactor = 80);

-- Paid periods, by their first day (or month) and the day of their end.
CREATE TABLE sale_runs (
  seller_id bigint NOT NULL,
  grain text NOT NULL CHECK (grain IN ('day', 'month')),
  starts_on date NOT NULL,
  began integer NOT NULL,
  -- Of those begun, the ones that extend a membership.
  renewed integer NOT NULL,
  ended integer NOT NULL,
  -- Their prices, each for 30 days.
  monthly_began bigint NOT NULL,
  monthly_ended bigint NOT NULL,
  PRIMARY KEY (seller_id, grain, starts_on)
) WITH (fillfactor = 80);

-- Each sale not refunded, by its day: for a day's list, and the best customers of some days.
CREATE TABLE sale_days (
  seller_id bigint NOT NULL,
  day date NOT NULL,
  order_id bigint NOT NULL,
  buyer_id bigint NOT NULL,
  gross bigint NOT NULL,
  renewal boolean NOT NULL,
  PRIMARY KEY (seller_id, day, order_id)
);

-- What a buyer paid in a month, and how many paid periods run beyond its end.
CREATE TABLE sale_buyer_months (
  seller_id bigint NOT NULL,
  buyer_id bigint NOT NULL,
  month date NOT NULL,
  sales integer NOT NULL,
  gross bigint NOT NULL,
  subscriptions integer NOT NULL,
  running integer NOT NULL,
  PRIMARY KEY (seller_id, buyer_id, month)
) WITH (fillfactor = 80);

-- What a buyer paid in the twelve months from `sale_rollups.year_from`.
CREATE TABLE sale_buyer_years (
  seller_id bigint NOT NULL,
  buyer_id bigint NOT NULL,
  sales integer NOT NULL,
  gross bigint NOT NULL,
  PRIMARY KEY (seller_id, buyer_id)
) WITH (fillfactor = 80);
CREATE INDEX sale_buyer_years_best ON sale_buyer_years (seller_id, gross DESC, buyer_id);

-- Of the buyers whose first subscription was bought in `cohort`, how many were there still at the end of `month`; in
-- their own month, all of them.
CREATE TABLE sale_cohorts (
  seller_id bigint NOT NULL,
  cohort date NOT NULL,
  month date NOT NULL,
  buyers integer NOT NULL,
  PRIMARY KEY (seller_id, cohort, month)
) WITH (fillfactor = 80);

-- ── The developer API: keys that read a shop, and its events, sent as signed webhooks ──
--
-- An event is recorded in the transaction of its cause, and only for a premium seller with an active subscribed
-- endpoint: for all others it costs one index lookup. A job creates its body once and a delivery for each
-- endpoint; every attempt, and a replay, sends exactly these bytes with the same webhook-id.

CREATE TABLE developer_keys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id bigint NOT NULL REFERENCES sellers,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
  -- SHA-256 of the whole key, which was displayed once.
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
  -- Why it was disabled, if not by its seller.
  off_reason text CHECK (off_reason IN ('failing', 'gone')),
  -- Both encrypted (AES-256-GCM); the former one also signs until its time is over.
  secret bytea NOT NULL,
  secret_key_id text NOT NULL,
  old_secret bytea,
  old_secret_key_id text,
  old_secret_until timestamptz,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  deleted_at timestamptz,
  -- Since when there are only failures, and how many in a row.
  failing_since timestamptz,
  failures integer NOT NULL DEFAULT 0,
  -- One delivery at a time: the end of the current one's lease.
  busy_until timestamptz,
  -- After failures it pauses, whatever waits for it.
  rest_until timestamptz,
  CHECK ((old_secret IS NULL) = (old_secret_until IS NULL)),
  CHECK ((old_secret IS NULL) = (old_secret_key_id IS NULL)),
  CHECK (NOT active OR (deleted_at IS NULL AND off_reason IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX webhook_endpoints_active ON webhook_endpoints (seller_id) WHERE active;
CREATE INDEX webhook_endpoints_by_seller ON webhook_endpoints (seller_id) WHERE deleted_at IS NULL;

CREATE TABLE webhook_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id bigint NOT NULL REFERENCES sellers,
  type text NOT NULL,
  -- The row it is about: an order, an access, a product, a withdrawal.
  subject bigint NOT NULL,
  -- Identifies the event, however often it is recorded.
  once_key text NOT NULL,
  -- Part of the webhook-id.
  uid uuid NOT NULL DEFAULT gen_random_uuid(),
  at timestamptz NOT NULL,
  -- The one endpoint of a test event.
  only_endpoint bigint REFERENCES webhook_endpoints,
  -- Created once, when it is sent.
  body text,
  UNIQUE (seller_id, type, once_key)
);
CREATE INDEX webhook_events_by_age ON webhook_events (at);

CREATE TABLE webhook_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id bigint NOT NULL REFERENCES webhook_endpoints,
  event_id bigint NOT NULL REFERENCES webhook_events,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  -- For waiting deliveries; the end of the lease while one is in progress.
  due_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  -- The place in the schedule of retries: a replay by hand restarts it.
  step integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  done_at timestamptz,
  UNIQUE (event_id, endpoint_id),
  CHECK ((status = 'pending') = (due_at IS NOT NULL))
) WITH (fillfactor = 70);
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id DESC);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at)
  WHERE due_at IS NOT NULL;

CREATE TABLE webhook_attempts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  delivery_id bigint NOT NULL REFERENCES webhook_deliveries ON DELETE CASCADE,
  at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  -- NULL: no answer; `failure` is the reason.
  status_code integer,
  failure text CHECK (failure IN ('timeout', 'unreachable', 'name', 'address', 'tls', 'secret')),
  -- The first bytes of the answer.
  answer text CHECK (char_length(answer) <= 1024),
  CHECK ((status_code IS NULL) <> (failure IS NULL))
);
CREATE INDEX webhook_attempts_by_delivery ON webhook_attempts (delivery_id, id);

-- ── Sellers' support tickets (decisions 76 and 77) ──

CREATE TABLE tickets (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id bigint NOT NULL REFERENCES sellers,
  kind text NOT NULL CHECK (kind IN ('sale', 'withdrawal', 'group', 'product', 'plan', 'account', 'other')),
  order_id bigint REFERENCES orders,
  withdrawal_id bigint REFERENCES withdrawals,
  -- open: waits for the back office; answered: waits for the seller; closed: a new message opens it
  -- again.
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'answered', 'closed')),
  opened_at timestamptz NOT NULL,
  -- The time of the last message.
  changed_at timestamptz NOT NULL,
  -- The time of the oldest message that waits for the back office.
  waiting_since timestamptz,
  closed_at timestamptz,
  -- When agents were notified that it waits.
  notified_at timestamptz,
  -- The last message of the back office that the seller has seen.
  seen_id bigint NOT NULL DEFAULT 0,
  CHECK ((status = 'open') = (waiting_since IS NOT NULL)),
  CHECK ((status = 'closed') = (closed_at IS NOT NULL)),
  CHECK (order_id IS NULL OR withdrawal_id IS NULL)
) WITH (fillfactor = 80);
CREATE INDEX tickets_by_seller ON tickets (seller_id, changed_at DESC, id DESC);
CREATE INDEX tickets_by_status ON tickets (status, changed_at DESC, id DESC);
CREATE INDEX tickets_not_notified ON tickets (waiting_since) WHERE status = 'open' AND notified_at IS NULL;
CREATE INDEX tickets_waiting ON tickets (waiting_since, id) WHERE status = 'open';

CREATE TABLE ticket_messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ticket_id bigint NOT NULL REFERENCES tickets,
  author text NOT NULL CHECK (author IN ('seller', 'staff')),
  author_id bigint NOT NULL REFERENCES people,
  -- NULL: erased at the seller's request.
  words text,
  at timestamptz NOT NULL
);
CREATE INDEX ticket_messages_by_author ON ticket_messages (author_id, at DESC);
CREATE INDEX ticket_messages_by_ticket ON ticket_messages (ticket_id, id);

-- Decision 75: name, goal and motivation, each null until answered. One row a seller: a later
-- answer replaces the former.
CREATE TABLE offer_answers (
  seller_id bigint PRIMARY KEY REFERENCES sellers,
  name text CHECK (char_length(name) BETWEEN 1 AND 120),
  goal text CHECK (goal IN ('community', 'training', 'service', 'support')),
  motivation smallint CHECK (motivation BETWEEN 1 AND 5),
  updated_at timestamptz NOT NULL
);

-- All sales, by product and by the group it opened at that time: a product may move to another
-- group.
CREATE TABLE sale_sums (
  seller_id bigint NOT NULL,
  product_id bigint NOT NULL,
  -- NULL for donations.
  group_id bigint,
  sales integer NOT NULL,
  renewals integer NOT NULL,
  gross bigint NOT NULL,
  fees bigint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (seller_id, product_id, group_id)
) WITH (fillfactor = 80);

-- ── Only the buyer, only for the time paid (decision 0036) ──
--
-- A person without paid time who comes in is recorded, and removed again or reported.

-- How people can enter a group without our links, and the seller's choice about it.
CREATE TABLE group_entry_rules (
  group_id bigint PRIMARY KEY REFERENCES groups ON DELETE CASCADE,
  -- Telegram's default permission `can_invite_users`. NULL: a channel, or not read yet.
  members_can_add boolean,
  -- The seller's switch: a person added by a member without paid time is removed.
  remove_added boolean NOT NULL DEFAULT false,
  -- When it is read from Telegram again.
  due_at timestamptz NOT NULL,
  -- When the seller was notified of the fault; NULL while there is none.
  fault_notified_at timestamptz
) WITH (fillfactor = 70);
CREATE INDEX group_entry_rules_due ON group_entry_rules (due_at);

-- The last time a person came into a group without paid time.
CREATE TABLE unpaid_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  group_id bigint NOT NULL REFERENCES groups ON DELETE CASCADE,
  person_id bigint NOT NULL REFERENCES people,
  entered_at timestamptz NOT NULL,
  came_by text NOT NULL CHECK (came_by IN ('link', 'hand', 'folder')),
  -- Who let the person in; NULL: nobody, a bot, or an anonymous administrator.
  let_in_by bigint REFERENCES people,
  by_administrator boolean,
  -- `new` Telegram has not answered yet who let the person in; `open` inside, the seller may
  -- decide; `closed` paid time is over and the membership is closed again.
  status text NOT NULL
    CHECK (status IN ('new', 'open', 'removing', 'removed', 'closed', 'granted', 'allowed', 'left')),
  reported_at timestamptz,
  UNIQUE (group_id, person_id)
) WITH (fillfactor = 70);
CREATE INDEX unpaid_entries_by_host ON unpaid_entries (let_in_by) WHERE let_in_by IS NOT NULL;
CREATE INDEX unpaid_entries_by_person ON unpaid_entries (person_id);

-- The white list of a group: the people on it are neither removed nor reported.
CREATE TABLE allowed_members (
  group_id bigint NOT NULL REFERENCES groups ON DELETE CASCADE,
  person_id bigint NOT NULL REFERENCES people,
  allowed_by bigint NOT NULL REFERENCES people,
  allowed_at timestamptz NOT NULL,
  PRIMARY KEY (group_id, person_id)
);
CREATE INDEX allowed_members_by_person ON allowed_members (person_id);

-- Time that a seller gave: never revenue. `until` is the resulting end, like an order's access_until.
CREATE TABLE membership_grants (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  person_id bigint NOT NULL REFERENCES people,
  group_id bigint NOT NULL,
  minutes integer NOT NULL CHECK (minutes > 0),
  until timestamptz NOT NULL,
  granted_by bigint NOT NULL REFERENCES people,
  granted_at timestamptz NOT NULL,
  reason text NOT NULL CHECK (reason = 'let-in'),
  -- The request that gave it: a repeat gives nothing twice.
  request_key text NOT NULL UNIQUE
);
CREATE INDEX membership_grants_by_person ON membership_grants (person_id, group_id);

-- ── An account that never pays cannot stop sales (decisions 0037 and 0055) ──
--
-- Unpaid orders are limited per person, calls that open payments have a budget, and lookups follow the provider's
-- documented rate, which is shared between people.

-- Further idempotency keys of an order: of calls that were answered with it because of the limit.
CREATE TABLE order_keys (
  buyer_id bigint NOT NULL REFERENCES people,
  idempotency_key text NOT NULL,
  idempotency_hash bytea NOT NULL,
  order_id bigint NOT NULL REFERENCES orders,
  PRIMARY KEY (buyer_id, idempotency_key)
);
CREATE INDEX order_keys_by_order ON order_keys (order_id);

-- How many payments a person may still open now; it refills with time.
CREATE TABLE opening_budgets (
  person_id bigint PRIMARY KEY REFERENCES people,
  openings_left double precision NOT NULL CHECK (openings_left >= 0),
  counted_at timestamptz NOT NULL
) WITH (fillfactor = 70);

-- Calls to an account at a provider in the last minute, in slots of five seconds, which are reused.
-- key_id 0: the instance's account.
CREATE TABLE provider_calls (
  provider text NOT NULL,
  key_id bigint NOT NULL,
  class text NOT NULL CHECK (class IN ('opening', 'scheduled', 'reported')),
  slot smallint NOT NULL,
  since timestamptz NOT NULL,
  calls integer NOT NULL,
  PRIMARY KEY (provider, key_id, class, slot)
) WITH (fillfactor = 50);

-- The memberships that ended in each hour: a sweep that would end far more than usual stops and asks an operator.
CREATE TABLE membership_sweep_hours (
  hour timestamptz PRIMARY KEY,
  ended integer NOT NULL CHECK (ended >= 0)
) WITH (fillfactor = 70);

CREATE TABLE write_offs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id bigint NOT NULL REFERENCES sellers,
  amount bigint NOT NULL CHECK (amount > 0),
  asked_by bigint NOT NULL REFERENCES people,
  asked_at timestamptz NOT NULL,
  decided_by bigint REFERENCES people,
  decided_at timestamptz,
  CHECK ((decided_by IS NULL) = (decided_at IS NULL))
);
CREATE UNIQUE INDEX write_offs_open ON write_offs (seller_id) WHERE decided_at IS NULL;
CREATE INDEX write_offs_seller ON write_offs (seller_id);

-- Calls to an account for one person: the count decays within a minute after `counted_at` (recent_calls).
-- key_id: counted_account.
CREATE TABLE person_calls (
  provider text NOT NULL,
  key_id bigint NOT NULL,
  class text NOT NULL CHECK (class IN ('opening', 'scheduled', 'reported')),
  person_id bigint NOT NULL,
  calls double precision NOT NULL,
  counted_at timestamptz NOT NULL,
  PRIMARY KEY (provider, key_id, class, person_id)
) WITH (fillfactor = 50);

-- ── First rows ──

ALTER SEQUENCE ledger_entry_seq OWNED BY ledger_entries.seq;

INSERT INTO ledger_accounts (key, guarded, created_at)
SELECT key, false, '2026-01-01T00:00:00Z' FROM unnest(array[
  'platform:fees', 'provider:moneroo', 'suspense',
  'payouts:in-transit', 'payouts:suspense', 'platform:provider-costs', 'provider:paydunya',
  'provider:fedapay',
  'float:orange-money-ci', 'float:mtn-ci', 'float:moov-ci', 'float:wave-ci',
  'float:orange-money-senegal', 'float:free-money-senegal', 'float:expresso-senegal',
  'float:wave-senegal', 'float:mtn-benin', 'float:moov-benin', 'float:t-money-togo',
  'float:moov-togo', 'float:orange-money-mali', 'float:orange-money-burkina',
  'float:moov-burkina-faso', 'treasury', 'platform:cash-differences',
  'provider:kkiapay', 'provider:cryptopay', 'provider:stars', 'platform:subscriptions',
  'refunds:in-transit', 'platform:advances', 'platform:chargebacks', 'platform:losses',
  'platform:mismatches'
]) AS key;

INSERT INTO subscription_durations (minutes, display_name, description, discount_percent, price_tier)
VALUES
  (5, '5 minutes', 'Pour essayer', 0, 'test'),
  (1440, '24 h', 'Accès d''une journée', 0, 'basic'),
  (10080, '7 jours', 'Accès d''une semaine', 0, 'basic'),
  (43200, '30 jours', 'Accès d''un mois', 0, 'standard'),
  (129600, '90 jours', 'Accès de trois mois', 10, 'standard'),
  (525600, '1 an', 'Accès d''une année', 20, 'premium');

INSERT INTO audit_head (seq, hash) VALUES (0, sha256(''));
INSERT INTO star_reading DEFAULT VALUES;
INSERT INTO maintenance_tasks (name, due_at)
SELECT name, '-infinity' FROM unnest(array[
  'ledger.snapshot', 'books.audit', 'audit.check', 'payouts.reconcile', 'catalogue.sweep-images'
]) AS name;
