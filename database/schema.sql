-- The schema after all migrations, written by `npm run schema`. Read it, do not edit it.

CREATE TABLE access_links (
  order_id bigint NOT NULL,
  group_id bigint NOT NULL,
  invite_link text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  CONSTRAINT access_links_pkey PRIMARY KEY (order_id, group_id),
  CONSTRAINT access_links_invite_link_key UNIQUE (invite_link),
  CONSTRAINT access_links_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  CONSTRAINT access_links_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

CREATE TABLE accesses (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  person_id bigint NOT NULL,
  group_id bigint NOT NULL,
  status text NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  started_at timestamp with time zone NOT NULL,
  joined_at timestamp with time zone,
  order_id bigint,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT accesses_pkey PRIMARY KEY (id),
  CONSTRAINT accesses_person_id_group_id_key UNIQUE (person_id, group_id),
  CONSTRAINT accesses_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'inside'::text, 'ended'::text, 'removed'::text, 'left'::text, 'banned'::text])))
) WITH (fillfactor=70);

CREATE TABLE allowed_members (
  group_id bigint NOT NULL,
  person_id bigint NOT NULL,
  allowed_by bigint NOT NULL,
  allowed_at timestamp with time zone NOT NULL,
  CONSTRAINT allowed_members_pkey PRIMARY KEY (group_id, person_id),
  CONSTRAINT allowed_members_allowed_by_fkey FOREIGN KEY (allowed_by) REFERENCES people(id),
  CONSTRAINT allowed_members_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE,
  CONSTRAINT allowed_members_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id)
);

CREATE TABLE audit_anchors (
  seq bigint NOT NULL,
  hash bytea NOT NULL,
  taken_at timestamp with time zone NOT NULL,
  CONSTRAINT audit_anchors_pkey PRIMARY KEY (seq)
);

CREATE TABLE audit_checks (
  one boolean NOT NULL DEFAULT true,
  checked_at timestamp with time zone NOT NULL,
  broken jsonb NOT NULL,
  CONSTRAINT audit_checks_pkey PRIMARY KEY (one),
  CONSTRAINT audit_checks_one_check CHECK (one)
);

CREATE TABLE audit_head (
  one boolean NOT NULL DEFAULT true,
  seq bigint NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT audit_head_pkey PRIMARY KEY (one),
  CONSTRAINT audit_head_one_check CHECK (one)
) WITH (fillfactor=50);

CREATE TABLE audit_log (
  seq bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  actor_id bigint,
  actor_role text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  before jsonb,
  after jsonb,
  reason text,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT audit_log_pkey PRIMARY KEY (seq),
  CONSTRAINT audit_log_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES people(id),
  CONSTRAINT audit_log_action_check CHECK ((action <> ''::text)),
  CONSTRAINT audit_log_actor_role_check CHECK ((actor_role = ANY (ARRAY['buyer'::text, 'seller'::text, 'agent'::text, 'operator'::text, 'system'::text]))),
  CONSTRAINT audit_log_subject_check CHECK ((subject <> ''::text))
);

CREATE TABLE bot_chats (
  bot text NOT NULL,
  person_id bigint NOT NULL,
  reachable boolean NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT bot_chats_pkey PRIMARY KEY (bot, person_id),
  CONSTRAINT bot_chats_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id),
  CONSTRAINT bot_chats_bot_check CHECK ((bot = ANY (ARRAY['seller'::text, 'buyer'::text])))
);

CREATE TABLE bots (
  bot text NOT NULL,
  telegram_id bigint NOT NULL,
  username text NOT NULL,
  CONSTRAINT bots_pkey PRIMARY KEY (bot),
  CONSTRAINT bots_bot_check CHECK ((bot = ANY (ARRAY['seller'::text, 'buyer'::text])))
);

CREATE TABLE claim_entries (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  claim_id bigint NOT NULL,
  author text NOT NULL,
  author_id bigint,
  step text NOT NULL,
  words text,
  at timestamp with time zone NOT NULL,
  CONSTRAINT claim_entries_pkey PRIMARY KEY (id),
  CONSTRAINT claim_entries_author_id_fkey FOREIGN KEY (author_id) REFERENCES people(id),
  CONSTRAINT claim_entries_claim_id_fkey FOREIGN KEY (claim_id) REFERENCES claims(id),
  CONSTRAINT claim_entries_author_check CHECK ((author = ANY (ARRAY['buyer'::text, 'seller'::text, 'operator'::text, 'system'::text])))
);

CREATE TABLE claims (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  order_id bigint NOT NULL,
  buyer_id bigint NOT NULL,
  seller_id bigint,
  kind text NOT NULL,
  status text NOT NULL DEFAULT 'seller'::text,
  opened_at timestamp with time zone NOT NULL,
  seller_due_at timestamp with time zone NOT NULL,
  reminded_at timestamp with time zone,
  closed_at timestamp with time zone,
  operators_notified_at timestamp with time zone,
  CONSTRAINT claims_pkey PRIMARY KEY (id),
  CONSTRAINT claims_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES people(id),
  CONSTRAINT claims_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT claims_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id),
  CONSTRAINT claims_check CHECK (((status = ANY (ARRAY['seller'::text, 'operator'::text])) = (closed_at IS NULL))),
  CONSTRAINT claims_kind_check CHECK ((kind = ANY (ARRAY['paid-not-confirmed'::text, 'no-access'::text, 'other'::text]))),
  CONSTRAINT claims_status_check CHECK ((status = ANY (ARRAY['seller'::text, 'operator'::text, 'refunded'::text, 'rejected'::text, 'solved'::text, 'withdrawn'::text])))
);

CREATE TABLE day_closes (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  account text NOT NULL,
  on_date date NOT NULL,
  corrects bigint,
  opening bigint NOT NULL,
  money_in bigint NOT NULL,
  money_out bigint NOT NULL,
  expected bigint NOT NULL,
  counted bigint NOT NULL,
  difference bigint NOT NULL,
  explanation text,
  after_seq bigint NOT NULL,
  upto_seq bigint NOT NULL,
  closed_by bigint NOT NULL,
  closed_at timestamp with time zone NOT NULL,
  CONSTRAINT day_closes_pkey PRIMARY KEY (id),
  CONSTRAINT day_closes_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES people(id),
  CONSTRAINT day_closes_corrects_fkey FOREIGN KEY (corrects) REFERENCES day_closes(id),
  CONSTRAINT day_closes_check CHECK ((expected = ((opening + money_in) - money_out))),
  CONSTRAINT day_closes_check1 CHECK ((difference = (counted - expected))),
  CONSTRAINT day_closes_check2 CHECK ((upto_seq >= after_seq)),
  CONSTRAINT day_closes_check3 CHECK (((explanation IS NOT NULL) OR ((difference = 0) AND (corrects IS NULL)))),
  CONSTRAINT day_closes_counted_check CHECK ((counted >= 0)),
  CONSTRAINT day_closes_money_in_check CHECK ((money_in >= 0)),
  CONSTRAINT day_closes_money_out_check CHECK ((money_out >= 0))
);

CREATE TABLE desk_alerts (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  subject text NOT NULL,
  details jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  resolved_at timestamp with time zone,
  resolved_by bigint,
  resolution text,
  CONSTRAINT desk_alerts_pkey PRIMARY KEY (id),
  CONSTRAINT desk_alerts_kind_subject_key UNIQUE (kind, subject),
  CONSTRAINT desk_alerts_resolved_by_fkey FOREIGN KEY (resolved_by) REFERENCES people(id)
);

CREATE TABLE desk_tellings (
  withdrawal_id bigint NOT NULL,
  told_at timestamp with time zone NOT NULL,
  CONSTRAINT desk_tellings_pkey PRIMARY KEY (withdrawal_id),
  CONSTRAINT desk_tellings_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawals(id)
);

CREATE TABLE developer_keys (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  seller_id bigint NOT NULL,
  name text NOT NULL,
  hash bytea NOT NULL,
  last_four text NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_used_on date,
  revoked_at timestamp with time zone,
  CONSTRAINT developer_keys_pkey PRIMARY KEY (id),
  CONSTRAINT developer_keys_hash_key UNIQUE (hash),
  CONSTRAINT developer_keys_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id),
  CONSTRAINT developer_keys_hash_check CHECK ((length(hash) = 32)),
  CONSTRAINT developer_keys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60))),
  CONSTRAINT developer_keys_scopes_check CHECK ((cardinality(scopes) > 0))
);

CREATE TABLE float_moves (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  account text NOT NULL,
  other text NOT NULL,
  amount bigint NOT NULL,
  reference text NOT NULL,
  moved_by bigint NOT NULL,
  moved_at timestamp with time zone NOT NULL,
  CONSTRAINT float_moves_pkey PRIMARY KEY (id),
  CONSTRAINT float_moves_moved_by_fkey FOREIGN KEY (moved_by) REFERENCES people(id),
  CONSTRAINT float_moves_amount_check CHECK ((amount <> 0)),
  CONSTRAINT float_moves_check CHECK ((other <> account))
);

CREATE TABLE group_admins (
  group_id bigint NOT NULL,
  telegram_id bigint NOT NULL,
  is_creator boolean NOT NULL DEFAULT false,
  CONSTRAINT group_admins_pkey PRIMARY KEY (group_id, telegram_id),
  CONSTRAINT group_admins_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id)
);

CREATE TABLE group_claims (
  chat_id bigint NOT NULL,
  telegram_id bigint,
  kind text NOT NULL,
  title text NOT NULL,
  public_username text,
  can_manage boolean NOT NULL,
  can_invite boolean NOT NULL,
  can_restrict boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  told_state text,
  CONSTRAINT group_claims_pkey PRIMARY KEY (chat_id),
  CONSTRAINT group_claims_kind_check CHECK ((kind = ANY (ARRAY['group'::text, 'supergroup'::text, 'channel'::text])))
);

CREATE TABLE group_entry_rules (
  group_id bigint NOT NULL,
  members_can_add boolean,
  remove_added boolean NOT NULL DEFAULT false,
  due_at timestamp with time zone NOT NULL,
  fault_notified_at timestamp with time zone,
  CONSTRAINT group_entry_rules_pkey PRIMARY KEY (group_id),
  CONSTRAINT group_entry_rules_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE
) WITH (fillfactor=70);

CREATE TABLE groups (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  chat_id bigint NOT NULL,
  kind text NOT NULL,
  title text NOT NULL,
  public_username text,
  seller_id bigint NOT NULL,
  bot_present boolean NOT NULL,
  can_manage boolean NOT NULL,
  can_invite boolean NOT NULL,
  can_restrict boolean NOT NULL,
  member_count integer,
  quota_rank integer,
  linked_at timestamp with time zone NOT NULL,
  checked_at timestamp with time zone NOT NULL,
  last_event text,
  last_event_at timestamp with time zone,
  told_state text,
  seller_lost_rights_at timestamp with time zone,
  recheck_due_at timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  CONSTRAINT groups_pkey PRIMARY KEY (id),
  CONSTRAINT groups_chat_id_key UNIQUE (chat_id),
  CONSTRAINT groups_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id),
  CONSTRAINT groups_kind_check CHECK ((kind = ANY (ARRAY['supergroup'::text, 'channel'::text])))
);

CREATE TABLE idempotency_keys (
  person_id bigint NOT NULL,
  route text NOT NULL,
  key text NOT NULL,
  body_hash bytea NOT NULL,
  status smallint,
  answer jsonb,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (person_id, route, key),
  CONSTRAINT idempotency_keys_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id)
);

CREATE TABLE images (
  id text NOT NULL,
  seller_id bigint NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  unused_since timestamp with time zone,
  CONSTRAINT images_pkey PRIMARY KEY (id),
  CONSTRAINT images_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id)
);

CREATE TABLE ledger_accounts (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  key text COLLATE C NOT NULL,
  guarded boolean NOT NULL,
  posted bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT ledger_accounts_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_accounts_key_key UNIQUE (key),
  CONSTRAINT ledger_accounts_covered CHECK (
CASE
    WHEN guarded THEN ((held >= 0) AND ((posted - held) >= 0))
    ELSE ((posted = 0) AND (held = 0))
END),
  CONSTRAINT ledger_accounts_key_check CHECK ((key <> ''::text))
) WITH (fillfactor=50);

CREATE TABLE ledger_entries (
  account_id bigint NOT NULL,
  seq bigint NOT NULL DEFAULT nextval('ledger_entry_seq'::regclass),
  amount bigint NOT NULL,
  transfer_id text COLLATE C NOT NULL,
  CONSTRAINT ledger_entries_pkey PRIMARY KEY (account_id, seq),
  CONSTRAINT ledger_entries_amount_check CHECK ((amount <> 0))
);

CREATE TABLE ledger_holds (
  id text COLLATE C NOT NULL,
  account_id bigint NOT NULL,
  amount bigint NOT NULL,
  opened_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  ended_as text,
  transfer_id text COLLATE C,
  CONSTRAINT ledger_holds_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_holds_account_id_fkey FOREIGN KEY (account_id) REFERENCES ledger_accounts(id),
  CONSTRAINT ledger_holds_amount_check CHECK ((amount > 0)),
  CONSTRAINT ledger_holds_end CHECK ((((ended_at IS NULL) = (ended_as IS NULL)) AND ((transfer_id IS NOT NULL) = COALESCE((ended_as = 'paid'::text), false)))),
  CONSTRAINT ledger_holds_ended_as_check CHECK ((ended_as = ANY (ARRAY['paid'::text, 'released'::text]))),
  CONSTRAINT ledger_holds_id_check CHECK ((id <> ''::text))
) WITH (fillfactor=70);

CREATE TABLE ledger_snapshots (
  account_id bigint NOT NULL,
  seq bigint NOT NULL,
  balance bigint NOT NULL,
  taken_at timestamp with time zone NOT NULL,
  CONSTRAINT ledger_snapshots_pkey PRIMARY KEY (account_id),
  CONSTRAINT ledger_snapshots_account_id_fkey FOREIGN KEY (account_id) REFERENCES ledger_accounts(id)
) WITH (fillfactor=50);

CREATE TABLE ledger_transfers (
  id text COLLATE C NOT NULL,
  legs text COLLATE C NOT NULL,
  occurred_at timestamp with time zone NOT NULL,
  recorded_at timestamp with time zone NOT NULL,
  CONSTRAINT ledger_transfers_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_transfers_id_check CHECK ((id <> ''::text))
);

CREATE TABLE membership_grants (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  person_id bigint NOT NULL,
  group_id bigint NOT NULL,
  minutes integer NOT NULL,
  until timestamp with time zone NOT NULL,
  granted_by bigint NOT NULL,
  granted_at timestamp with time zone NOT NULL,
  reason text NOT NULL,
  request_key text NOT NULL,
  CONSTRAINT membership_grants_pkey PRIMARY KEY (id),
  CONSTRAINT membership_grants_request_key_key UNIQUE (request_key),
  CONSTRAINT membership_grants_granted_by_fkey FOREIGN KEY (granted_by) REFERENCES people(id),
  CONSTRAINT membership_grants_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id),
  CONSTRAINT membership_grants_minutes_check CHECK ((minutes > 0)),
  CONSTRAINT membership_grants_reason_check CHECK ((reason = 'let-in'::text))
);

CREATE TABLE membership_sweep_hours (
  hour timestamp with time zone NOT NULL,
  ended integer NOT NULL,
  CONSTRAINT membership_sweep_hours_pkey PRIMARY KEY (hour),
  CONSTRAINT membership_sweep_hours_ended_check CHECK ((ended >= 0))
) WITH (fillfactor=70);

CREATE TABLE offer_answers (
  seller_id bigint NOT NULL,
  name text,
  goal text,
  motivation smallint,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT offer_answers_pkey PRIMARY KEY (seller_id),
  CONSTRAINT offer_answers_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id),
  CONSTRAINT offer_answers_goal_check CHECK ((goal = ANY (ARRAY['community'::text, 'training'::text, 'service'::text, 'support'::text]))),
  CONSTRAINT offer_answers_motivation_check CHECK (((motivation >= 1) AND (motivation <= 5))),
  CONSTRAINT offer_answers_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120)))
);

CREATE TABLE opening_budgets (
  person_id bigint NOT NULL,
  openings_left double precision NOT NULL,
  counted_at timestamp with time zone NOT NULL,
  CONSTRAINT opening_budgets_pkey PRIMARY KEY (person_id),
  CONSTRAINT opening_budgets_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id),
  CONSTRAINT opening_budgets_openings_left_check CHECK ((openings_left >= (0)::double precision))
) WITH (fillfactor=70);

CREATE TABLE order_keys (
  buyer_id bigint NOT NULL,
  idempotency_key text NOT NULL,
  idempotency_hash bytea NOT NULL,
  order_id bigint NOT NULL,
  CONSTRAINT order_keys_pkey PRIMARY KEY (buyer_id, idempotency_key),
  CONSTRAINT order_keys_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES people(id),
  CONSTRAINT order_keys_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

CREATE TABLE orders (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  buyer_id bigint NOT NULL,
  seller_id bigint,
  product_id bigint,
  group_id bigint,
  status text NOT NULL DEFAULT 'pending'::text,
  currency text NOT NULL DEFAULT 'XOF'::text,
  price bigint NOT NULL,
  fee bigint NOT NULL,
  duration_minutes integer NOT NULL,
  title text NOT NULL,
  provider text NOT NULL,
  idempotency_key text,
  idempotency_hash bytea,
  stock_reserved_until timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  paid_at timestamp with time zone,
  settled_at timestamp with time zone,
  is_renewal boolean NOT NULL DEFAULT false,
  access_until timestamp with time zone,
  direct boolean NOT NULL DEFAULT false,
  payments_opened integer NOT NULL DEFAULT 0,
  opening_until timestamp with time zone,
  CONSTRAINT orders_pkey PRIMARY KEY (id),
  CONSTRAINT orders_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES people(id),
  CONSTRAINT orders_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  CONSTRAINT orders_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  CONSTRAINT orders_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id),
  CONSTRAINT orders_check CHECK (((fee >= 0) AND (fee <= price))),
  CONSTRAINT orders_check1 CHECK (((kind = 'product'::text) = ((seller_id IS NOT NULL) AND (product_id IS NOT NULL) AND (group_id IS NOT NULL)))),
  CONSTRAINT orders_check2 CHECK (((idempotency_key IS NULL) = (idempotency_hash IS NULL))),
  CONSTRAINT orders_currency_check CHECK ((currency = 'XOF'::text)),
  CONSTRAINT orders_donation_check CHECK (((kind <> 'donation'::text) OR ((seller_id IS NOT NULL) AND (product_id IS NOT NULL) AND (group_id IS NULL)))),
  CONSTRAINT orders_duration_minutes_check CHECK (((duration_minutes >= 0) AND ((kind = 'donation'::text) = (duration_minutes = 0)))),
  CONSTRAINT orders_kind_check CHECK ((kind = ANY (ARRAY['product'::text, 'plan'::text, 'trial'::text, 'donation'::text]))),
  CONSTRAINT orders_price_check CHECK ((price > 0)),
  CONSTRAINT orders_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'failed'::text, 'refunded'::text])))
) WITH (fillfactor=50);

CREATE TABLE outbox (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  topic text NOT NULL,
  ref bigint NOT NULL,
  payload jsonb NOT NULL DEFAULT '{}'::jsonb,
  priority smallint NOT NULL DEFAULT 1,
  due_at timestamp with time zone NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  failed_at timestamp with time zone,
  lease uuid,
  outages integer NOT NULL DEFAULT 0,
  first_due_at timestamp with time zone,
  expired boolean NOT NULL DEFAULT false,
  CONSTRAINT outbox_pkey PRIMARY KEY (id),
  CONSTRAINT outbox_priority_check CHECK (((priority >= 0) AND (priority <= 3)))
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_analyze_scale_factor=0.05);

CREATE TABLE payment_checks (
  payment_id bigint NOT NULL,
  due_at timestamp with time zone NOT NULL,
  give_up_at timestamp with time zone NOT NULL,
  reported boolean NOT NULL DEFAULT false,
  CONSTRAINT payment_checks_pkey PRIMARY KEY (payment_id),
  CONSTRAINT payment_checks_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id)
) WITH (fillfactor=50);

CREATE TABLE payment_rumours (
  payment_id bigint NOT NULL,
  transaction_id text NOT NULL,
  heard_at timestamp with time zone NOT NULL,
  CONSTRAINT payment_rumours_pkey PRIMARY KEY (payment_id, transaction_id),
  CONSTRAINT payment_rumours_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id)
);

CREATE TABLE payments (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  order_id bigint NOT NULL,
  provider text NOT NULL,
  provider_payment_id text NOT NULL,
  checkout_url text NOT NULL,
  return_secret_hash bytea NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  amount bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  decided_at timestamp with time zone,
  mismatched_since timestamp with time zone,
  suspended_amount bigint,
  key_id bigint,
  reference text,
  quote jsonb,
  widget jsonb,
  hosted_url text,
  transaction_id text,
  received bigint,
  decided_as text,
  counted boolean NOT NULL DEFAULT false,
  cost bigint,
  CONSTRAINT payments_pkey PRIMARY KEY (id),
  CONSTRAINT payments_return_secret_hash_key UNIQUE (return_secret_hash),
  CONSTRAINT payments_key_id_fkey FOREIGN KEY (key_id) REFERENCES seller_keys(id),
  CONSTRAINT payments_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT payments_amount_check CHECK ((amount > 0)),
  CONSTRAINT payments_cost_check CHECK ((cost >= 0)),
  CONSTRAINT payments_decided_as_check CHECK ((decided_as = ANY (ARRAY['honoured'::text, 'given-back'::text]))),
  CONSTRAINT payments_decision_check CHECK ((((received IS NULL) = (decided_as IS NULL)) AND ((received IS NOT NULL) OR (NOT counted)))),
  CONSTRAINT payments_received_check CHECK ((received > 0)),
  CONSTRAINT payments_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'refused'::text, 'mismatched'::text, 'expired'::text]))),
  CONSTRAINT payments_suspended_amount_check CHECK ((suspended_amount > 0))
) WITH (fillfactor=50);

CREATE TABLE payout_notices (
  provider text NOT NULL,
  body_hash bytea NOT NULL,
  body bytea NOT NULL,
  received_at timestamp with time zone NOT NULL,
  CONSTRAINT payout_notices_pkey PRIMARY KEY (provider, body_hash)
);

CREATE TABLE payout_profiles (
  seller_id bigint NOT NULL,
  method text,
  phone text,
  number_changed_at timestamp with time zone,
  frozen_at timestamp with time zone,
  frozen_by text,
  frozen_reason text,
  frozen_review_at timestamp with time zone,
  automatic boolean NOT NULL DEFAULT false,
  frequency text NOT NULL DEFAULT 'weekly'::text,
  threshold bigint,
  next_run_at timestamp with time zone,
  last_run_at timestamp with time zone,
  last_outcome text,
  failures_in_row smallint NOT NULL DEFAULT 0,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT payout_profiles_pkey PRIMARY KEY (seller_id),
  CONSTRAINT payout_profiles_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id),
  CONSTRAINT payout_profiles_check CHECK (((NOT automatic) OR ((method IS NOT NULL) AND (phone IS NOT NULL) AND (next_run_at IS NOT NULL)))),
  CONSTRAINT payout_profiles_check1 CHECK (((frozen_at IS NULL) = (frozen_by IS NULL))),
  CONSTRAINT payout_profiles_frequency_check CHECK ((frequency = ANY (ARRAY['weekly'::text, 'daily'::text, 'threshold'::text]))),
  CONSTRAINT payout_profiles_frozen_by_check CHECK ((frozen_by = ANY (ARRAY['seller'::text, 'operator'::text]))),
  CONSTRAINT payout_profiles_threshold_check CHECK ((threshold > 0))
);

CREATE TABLE payout_rumours (
  provider text NOT NULL,
  name text NOT NULL,
  is_handle boolean NOT NULL,
  heard_at timestamp with time zone NOT NULL,
  check_at timestamp with time zone,
  checks integer NOT NULL DEFAULT 0,
  outcome text,
  CONSTRAINT payout_rumours_pkey PRIMARY KEY (provider, name)
);

CREATE TABLE payout_steps (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  payout_id bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  step text NOT NULL,
  details text,
  CONSTRAINT payout_steps_pkey PRIMARY KEY (id),
  CONSTRAINT payout_steps_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES payouts(id)
);

CREATE TABLE payouts (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  withdrawal_id bigint NOT NULL,
  lane text NOT NULL,
  reference text NOT NULL,
  amount bigint NOT NULL,
  method text NOT NULL,
  phone text NOT NULL,
  status text NOT NULL DEFAULT 'ready'::text,
  handle text,
  provider_payout_id text,
  operator_reference text,
  word text,
  failure text,
  cost bigint NOT NULL DEFAULT 0,
  created_by bigint,
  created_at timestamp with time zone NOT NULL,
  submitted_at timestamp with time zone,
  settled_at timestamp with time zone,
  late_at timestamp with time zone,
  check_at timestamp with time zone,
  checks integer NOT NULL DEFAULT 0,
  doubted_at timestamp with time zone,
  settled_by bigint,
  returned_at timestamp with time zone,
  returned_by bigint,
  return_reference text,
  CONSTRAINT payouts_pkey PRIMARY KEY (id),
  CONSTRAINT payouts_reference_key UNIQUE (reference),
  CONSTRAINT payouts_created_by_fkey FOREIGN KEY (created_by) REFERENCES people(id),
  CONSTRAINT payouts_returned_by_fkey FOREIGN KEY (returned_by) REFERENCES people(id),
  CONSTRAINT payouts_settled_by_fkey FOREIGN KEY (settled_by) REFERENCES people(id),
  CONSTRAINT payouts_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawals(id),
  CONSTRAINT payouts_amount_check CHECK ((amount > 0)),
  CONSTRAINT payouts_check CHECK (((status = ANY (ARRAY['succeeded'::text, 'failed'::text])) = (settled_at IS NOT NULL))),
  CONSTRAINT payouts_check2 CHECK (((status <> 'succeeded'::text) OR (lane <> 'manual'::text) OR (operator_reference IS NOT NULL))),
  CONSTRAINT payouts_cost_check CHECK ((cost >= 0)),
  CONSTRAINT payouts_lane_check CHECK ((lane = ANY (ARRAY['manual'::text, 'paydunya'::text, 'moneroo'::text, 'fedapay'::text]))),
  CONSTRAINT payouts_late_check CHECK (((late_at IS NULL) OR (status = 'failed'::text) OR (returned_at IS NOT NULL))),
  CONSTRAINT payouts_returned_by_check CHECK ((((returned_by IS NULL) = (return_reference IS NULL)) AND ((returned_by IS NULL) OR (returned_at IS NOT NULL)))),
  CONSTRAINT payouts_returned_check CHECK (((returned_at IS NULL) OR (status = 'succeeded'::text) OR (late_at IS NOT NULL))),
  CONSTRAINT payouts_status_check CHECK ((status = ANY (ARRAY['ready'::text, 'prepared'::text, 'sending'::text, 'uncertain'::text, 'sent'::text, 'succeeded'::text, 'failed'::text])))
) WITH (fillfactor=50);

CREATE TABLE people (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  telegram_id bigint NOT NULL,
  first_name text NOT NULL,
  last_name text,
  username text,
  language_code text,
  photo_url text,
  created_at timestamp with time zone NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  logged_out_at timestamp with time zone,
  CONSTRAINT people_pkey PRIMARY KEY (id),
  CONSTRAINT people_telegram_id_key UNIQUE (telegram_id)
);

CREATE TABLE person_calls (
  provider text NOT NULL,
  key_id bigint NOT NULL,
  class text NOT NULL,
  person_id bigint NOT NULL,
  calls double precision NOT NULL,
  counted_at timestamp with time zone NOT NULL,
  CONSTRAINT person_calls_pkey PRIMARY KEY (provider, key_id, class, person_id),
  CONSTRAINT person_calls_class_check CHECK ((class = ANY (ARRAY['opening'::text, 'scheduled'::text, 'reported'::text])))
) WITH (fillfactor=50);

CREATE TABLE plan_reminders (
  seller_id bigint NOT NULL,
  premium_until timestamp with time zone NOT NULL,
  kind text NOT NULL,
  told_at timestamp with time zone NOT NULL,
  CONSTRAINT plan_reminders_pkey PRIMARY KEY (seller_id, premium_until, kind),
  CONSTRAINT plan_reminders_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id),
  CONSTRAINT plan_reminders_kind_check CHECK ((kind = ANY (ARRAY['7-days'::text, '3-days'::text, '1-day'::text, 'grace'::text, 'ended'::text])))
);

CREATE TABLE product_reports (
  product_id bigint NOT NULL,
  person_id bigint NOT NULL,
  reason_code text NOT NULL,
  words text,
  is_buyer boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT product_reports_pkey PRIMARY KEY (product_id, person_id),
  CONSTRAINT product_reports_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id),
  CONSTRAINT product_reports_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id)
);

CREATE TABLE product_views (
  product_id bigint NOT NULL,
  person_id bigint NOT NULL,
  day date NOT NULL,
  CONSTRAINT product_views_pkey PRIMARY KEY (product_id, person_id, day),
  CONSTRAINT product_views_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id),
  CONSTRAINT product_views_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id)
);

CREATE TABLE products (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  seller_id bigint NOT NULL,
  group_id bigint,
  reference text NOT NULL,
  title text NOT NULL,
  price bigint NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  duration_minutes integer NOT NULL,
  category text NOT NULL DEFAULT 'other'::text,
  stock integer,
  image_id text,
  switched_on boolean NOT NULL DEFAULT true,
  archived_at timestamp with time zone,
  views integer NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  suspended_at timestamp with time zone,
  suspended_reason text,
  suspended_review_at timestamp with time zone,
  kind text NOT NULL DEFAULT 'access'::text,
  suggestions bigint[] NOT NULL DEFAULT '{}'::bigint[],
  CONSTRAINT products_pkey PRIMARY KEY (id),
  CONSTRAINT products_reference_key UNIQUE (reference),
  CONSTRAINT products_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id),
  CONSTRAINT products_image_id_fkey FOREIGN KEY (image_id) REFERENCES images(id),
  CONSTRAINT products_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id),
  CONSTRAINT products_category_check CHECK ((category = ANY (ARRAY['formation'::text, 'service'::text, 'ebook'::text, 'other'::text]))),
  CONSTRAINT products_check CHECK (((cardinality(suggestions) <= 4) AND ((kind = 'donation'::text) OR (suggestions = '{}'::bigint[])))),
  CONSTRAINT products_description_check CHECK ((char_length(description) <= 500)),
  CONSTRAINT products_donation_check CHECK (((kind = 'access'::text) OR (stock IS NULL))),
  CONSTRAINT products_duration_minutes_check CHECK (((duration_minutes >= 0) AND ((kind = 'donation'::text) = (duration_minutes = 0)))),
  CONSTRAINT products_group_check CHECK (((kind = 'donation'::text) = (group_id IS NULL))),
  CONSTRAINT products_kind_check CHECK ((kind = ANY (ARRAY['access'::text, 'donation'::text]))),
  CONSTRAINT products_price_check CHECK (((price >= 100) AND (price <= 1000000))),
  CONSTRAINT products_reference_check CHECK ((reference ~ '^[A-Za-z0-9_-]{6,32}$'::text)),
  CONSTRAINT products_reference_is_no_shop CHECK ((reference !~ '^boutique_'::text)),
  CONSTRAINT products_stock_check CHECK ((stock >= 0)),
  CONSTRAINT products_title_check CHECK ((btrim(title) <> ''::text))
);

CREATE TABLE provider_calls (
  provider text NOT NULL,
  key_id bigint NOT NULL,
  class text NOT NULL,
  slot smallint NOT NULL,
  since timestamp with time zone NOT NULL,
  calls integer NOT NULL,
  CONSTRAINT provider_calls_pkey PRIMARY KEY (provider, key_id, class, slot),
  CONSTRAINT provider_calls_class_check CHECK ((class = ANY (ARRAY['opening'::text, 'scheduled'::text, 'reported'::text])))
) WITH (fillfactor=50);

CREATE TABLE provider_minutes (
  provider text NOT NULL,
  minute timestamp with time zone NOT NULL,
  answered integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  CONSTRAINT provider_minutes_pkey PRIMARY KEY (provider, minute)
) WITH (fillfactor=70);

CREATE TABLE provider_notices (
  provider text NOT NULL,
  body_hash bytea NOT NULL,
  provider_payment_id text,
  body bytea NOT NULL,
  received_at timestamp with time zone NOT NULL,
  key_id bigint,
  CONSTRAINT provider_notices_pkey PRIMARY KEY (provider, body_hash)
);

CREATE TABLE reconciliation_differences (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  provider text NOT NULL,
  what text NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  ours jsonb,
  theirs jsonb,
  first_seen_at timestamp with time zone NOT NULL,
  last_seen_at timestamp with time zone NOT NULL,
  reconciliation_id bigint NOT NULL,
  gone_at timestamp with time zone,
  CONSTRAINT reconciliation_differences_pkey PRIMARY KEY (id),
  CONSTRAINT reconciliation_differences_provider_what_kind_subject_key UNIQUE (provider, what, kind, subject),
  CONSTRAINT reconciliation_differences_reconciliation_id_fkey FOREIGN KEY (reconciliation_id) REFERENCES reconciliations(id),
  CONSTRAINT reconciliation_differences_kind_check CHECK ((kind = ANY (ARRAY['missing-there'::text, 'missing-here'::text, 'amount'::text, 'status'::text, 'reference'::text, 'duplicate'::text, 'cost'::text, 'ledger'::text]))),
  CONSTRAINT reconciliation_differences_what_check CHECK ((what = ANY (ARRAY['payouts'::text, 'payments'::text])))
);

CREATE TABLE reconciliations (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  provider text NOT NULL,
  what text NOT NULL,
  since timestamp with time zone NOT NULL,
  started_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  by_list boolean NOT NULL,
  compared integer NOT NULL DEFAULT 0,
  differences integer NOT NULL DEFAULT 0,
  stopped text,
  last_payment_id bigint,
  CONSTRAINT reconciliations_pkey PRIMARY KEY (id),
  CONSTRAINT reconciliations_what_check CHECK ((what = ANY (ARRAY['payouts'::text, 'payments'::text])))
);

CREATE TABLE refunds (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  order_id bigint NOT NULL,
  payment_id bigint NOT NULL,
  buyer_id bigint NOT NULL,
  seller_id bigint,
  amount bigint NOT NULL,
  direct boolean NOT NULL,
  advanced bigint NOT NULL DEFAULT 0,
  asked_by bigint,
  asked_as text NOT NULL,
  reason text NOT NULL,
  claim_id bigint,
  lane text NOT NULL,
  status text NOT NULL,
  method text,
  phone text,
  number_refused text,
  taken_by bigint,
  taken_until timestamp with time zone,
  operator_reference text,
  paid_by bigint,
  created_at timestamp with time zone NOT NULL,
  done_at timestamp with time zone,
  check_at timestamp with time zone,
  checks integer NOT NULL DEFAULT 0,
  provider_fee bigint NOT NULL DEFAULT 0,
  asking_until timestamp with time zone,
  CONSTRAINT refunds_pkey PRIMARY KEY (id),
  CONSTRAINT refunds_payment_id_key UNIQUE (payment_id),
  CONSTRAINT refunds_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES people(id),
  CONSTRAINT refunds_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES people(id),
  CONSTRAINT refunds_claim_id_fkey FOREIGN KEY (claim_id) REFERENCES claims(id),
  CONSTRAINT refunds_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT refunds_paid_by_fkey FOREIGN KEY (paid_by) REFERENCES people(id),
  CONSTRAINT refunds_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id),
  CONSTRAINT refunds_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id),
  CONSTRAINT refunds_taken_by_fkey FOREIGN KEY (taken_by) REFERENCES people(id),
  CONSTRAINT refunds_advanced_check CHECK ((advanced >= 0)),
  CONSTRAINT refunds_amount_check CHECK ((amount > 0)),
  CONSTRAINT refunds_asked_as_check CHECK ((asked_as = ANY (ARRAY['seller'::text, 'operator'::text, 'system'::text]))),
  CONSTRAINT refunds_check CHECK (((status = 'done'::text) = (done_at IS NOT NULL))),
  CONSTRAINT refunds_check1 CHECK (((method IS NULL) = (phone IS NULL))),
  CONSTRAINT refunds_check2 CHECK (((taken_by IS NULL) = (taken_until IS NULL))),
  CONSTRAINT refunds_check3 CHECK (((lane <> 'desk'::text) OR (status <> 'to-pay'::text) OR (phone IS NOT NULL))),
  CONSTRAINT refunds_check4 CHECK (((lane <> 'desk'::text) OR (status <> 'done'::text) OR (operator_reference IS NOT NULL))),
  CONSTRAINT refunds_check5 CHECK ((advanced <= amount)),
  CONSTRAINT refunds_check6 CHECK ((direct OR (lane <> 'seller'::text))),
  CONSTRAINT refunds_kind_check CHECK ((kind = ANY (ARRAY['sale'::text, 'surplus'::text]))),
  CONSTRAINT refunds_lane_check CHECK ((lane = ANY (ARRAY['provider'::text, 'desk'::text, 'seller'::text, 'returned'::text]))),
  CONSTRAINT refunds_provider_fee_check CHECK (((provider_fee = 0) OR ((provider_fee > 0) AND (lane = 'returned'::text) AND (NOT direct)))),
  CONSTRAINT refunds_status_check CHECK ((status = ANY (ARRAY['sending'::text, 'needs-number'::text, 'to-pay'::text, 'done'::text])))
) WITH (fillfactor=70);

CREATE TABLE sale_buyer_months (
  seller_id bigint NOT NULL,
  buyer_id bigint NOT NULL,
  month date NOT NULL,
  sales integer NOT NULL,
  gross bigint NOT NULL,
  subscriptions integer NOT NULL,
  running integer NOT NULL,
  CONSTRAINT sale_buyer_months_pkey PRIMARY KEY (seller_id, buyer_id, month)
) WITH (fillfactor=80);

CREATE TABLE sale_buyer_years (
  seller_id bigint NOT NULL,
  buyer_id bigint NOT NULL,
  sales integer NOT NULL,
  gross bigint NOT NULL,
  CONSTRAINT sale_buyer_years_pkey PRIMARY KEY (seller_id, buyer_id)
) WITH (fillfactor=80);

CREATE TABLE sale_cohorts (
  seller_id bigint NOT NULL,
  cohort date NOT NULL,
  month date NOT NULL,
  buyers integer NOT NULL,
  CONSTRAINT sale_cohorts_pkey PRIMARY KEY (seller_id, cohort, month)
) WITH (fillfactor=80);

CREATE TABLE sale_days (
  seller_id bigint NOT NULL,
  day date NOT NULL,
  order_id bigint NOT NULL,
  buyer_id bigint NOT NULL,
  gross bigint NOT NULL,
  renewal boolean NOT NULL,
  CONSTRAINT sale_days_pkey PRIMARY KEY (seller_id, day, order_id)
);

CREATE TABLE sale_deltas (
  sign smallint NOT NULL,
  minutes integer NOT NULL,
  order_id bigint NOT NULL,
  seller_id bigint NOT NULL,
  product_id bigint NOT NULL,
  buyer_id bigint NOT NULL,
  price bigint NOT NULL,
  fee bigint NOT NULL,
  sold_at timestamp with time zone NOT NULL,
  until timestamp with time zone,
  renewal boolean NOT NULL,
  direct boolean NOT NULL
);

CREATE TABLE sale_rollups (
  seller_id bigint NOT NULL,
  zone text NOT NULL,
  year_from date NOT NULL,
  CONSTRAINT sale_rollups_pkey PRIMARY KEY (seller_id),
  CONSTRAINT sale_rollups_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id)
);

CREATE TABLE sale_runs (
  seller_id bigint NOT NULL,
  grain text NOT NULL,
  starts_on date NOT NULL,
  began integer NOT NULL,
  renewed integer NOT NULL,
  ended integer NOT NULL,
  monthly_began bigint NOT NULL,
  monthly_ended bigint NOT NULL,
  CONSTRAINT sale_runs_pkey PRIMARY KEY (seller_id, grain, starts_on),
  CONSTRAINT sale_runs_grain_check CHECK ((grain = ANY (ARRAY['day'::text, 'month'::text])))
) WITH (fillfactor=80);

CREATE TABLE sale_sums (
  seller_id bigint NOT NULL,
  product_id bigint NOT NULL,
  group_id bigint,
  sales integer NOT NULL,
  renewals integer NOT NULL,
  gross bigint NOT NULL,
  fees bigint NOT NULL,
  CONSTRAINT sale_sums_seller_id_product_id_group_id_key UNIQUE NULLS NOT DISTINCT (seller_id, product_id, group_id)
) WITH (fillfactor=80);

CREATE TABLE sale_tellings (
  seller_id bigint NOT NULL,
  told_at timestamp with time zone NOT NULL,
  CONSTRAINT sale_tellings_pkey PRIMARY KEY (seller_id),
  CONSTRAINT sale_tellings_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id)
);

CREATE TABLE sale_totals (
  seller_id bigint NOT NULL,
  grain text NOT NULL,
  starts_on date NOT NULL,
  product_id bigint NOT NULL,
  sales integer NOT NULL,
  renewals integer NOT NULL,
  gross bigint NOT NULL,
  fees bigint NOT NULL,
  direct bigint NOT NULL,
  CONSTRAINT sale_totals_pkey PRIMARY KEY (seller_id, grain, starts_on, product_id),
  CONSTRAINT sale_totals_grain_check CHECK ((grain = ANY (ARRAY['day'::text, 'month'::text])))
) WITH (fillfactor=80);

CREATE TABLE schema_migrations (
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone NOT NULL,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE seller_advances (
  seller_id bigint NOT NULL,
  owed bigint NOT NULL,
  recoveries integer NOT NULL DEFAULT 0,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT seller_advances_pkey PRIMARY KEY (seller_id),
  CONSTRAINT seller_advances_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id),
  CONSTRAINT seller_advances_owed_check CHECK ((owed >= 0))
) WITH (fillfactor=70);

CREATE TABLE seller_keys (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  seller_id bigint NOT NULL,
  provider text NOT NULL,
  secrets bytea NOT NULL,
  secrets_key_id text NOT NULL,
  masked jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  verified_at timestamp with time zone NOT NULL,
  refused_at timestamp with time zone,
  ended_at timestamp with time zone,
  account_hash bytea,
  CONSTRAINT seller_keys_pkey PRIMARY KEY (id),
  CONSTRAINT seller_keys_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id),
  CONSTRAINT seller_keys_provider_check CHECK ((provider = ANY (ARRAY['moneroo'::text, 'fedapay'::text, 'kkiapay'::text, 'paydunya'::text, 'cryptopay'::text])))
);

CREATE TABLE seller_methods (
  seller_id bigint NOT NULL,
  provider text NOT NULL,
  active boolean NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT seller_methods_pkey PRIMARY KEY (seller_id, provider),
  CONSTRAINT seller_methods_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id)
);

CREATE TABLE sellers (
  id bigint NOT NULL,
  plan text,
  premium_until timestamp with time zone,
  onboarded boolean NOT NULL DEFAULT false,
  free_account_id bigint NOT NULL,
  premium_account_id bigint NOT NULL,
  display_name text,
  country text,
  whatsapp_number text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  suspended_at timestamp with time zone,
  suspended_reason text,
  suspended_review_at timestamp with time zone,
  closed_at timestamp with time zone,
  plan_changes integer NOT NULL DEFAULT 0,
  premium_since timestamp with time zone,
  premium_set_at timestamp with time zone,
  CONSTRAINT sellers_pkey PRIMARY KEY (id),
  CONSTRAINT sellers_free_account_id_key UNIQUE (free_account_id),
  CONSTRAINT sellers_premium_account_id_key UNIQUE (premium_account_id),
  CONSTRAINT sellers_free_account_id_fkey FOREIGN KEY (free_account_id) REFERENCES ledger_accounts(id),
  CONSTRAINT sellers_id_fkey FOREIGN KEY (id) REFERENCES people(id),
  CONSTRAINT sellers_premium_account_id_fkey FOREIGN KEY (premium_account_id) REFERENCES ledger_accounts(id),
  CONSTRAINT sellers_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'premium'::text])))
);

CREATE TABLE sessions (
  token_hash bytea NOT NULL,
  person_id bigint NOT NULL,
  audience text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  CONSTRAINT sessions_pkey PRIMARY KEY (token_hash),
  CONSTRAINT sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id),
  CONSTRAINT sessions_audience_check CHECK ((audience = ANY (ARRAY['seller'::text, 'buyer'::text])))
);

CREATE TABLE settings (
  key text NOT NULL,
  value jsonb NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  changed_by bigint,
  CONSTRAINT settings_pkey PRIMARY KEY (key),
  CONSTRAINT settings_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES people(id)
);

CREATE TABLE settings_changes (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  key text NOT NULL,
  before jsonb,
  after jsonb NOT NULL,
  reason text,
  changed_at timestamp with time zone NOT NULL,
  changed_by bigint NOT NULL,
  CONSTRAINT settings_changes_pkey PRIMARY KEY (id),
  CONSTRAINT settings_changes_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES people(id)
);

CREATE TABLE star_charges (
  charge_id text NOT NULL,
  reference text NOT NULL,
  telegram_id bigint NOT NULL,
  stars bigint NOT NULL,
  charged_at timestamp with time zone NOT NULL,
  refunded_at timestamp with time zone,
  CONSTRAINT star_charges_pkey PRIMARY KEY (charge_id),
  CONSTRAINT star_charges_stars_check CHECK ((stars > 0))
);

CREATE TABLE star_reading (
  one boolean NOT NULL DEFAULT true,
  transactions_read bigint NOT NULL DEFAULT 0,
  CONSTRAINT star_reading_pkey PRIMARY KEY (one),
  CONSTRAINT star_reading_one_check CHECK (one)
);

CREATE TABLE subscription_durations (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  minutes integer NOT NULL,
  display_name text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  discount_percent smallint NOT NULL DEFAULT 0,
  price_tier text NOT NULL,
  active boolean NOT NULL DEFAULT true,
  CONSTRAINT subscription_durations_pkey PRIMARY KEY (id),
  CONSTRAINT subscription_durations_minutes_price_tier_key UNIQUE (minutes, price_tier),
  CONSTRAINT subscription_durations_discount_percent_check CHECK (((discount_percent >= 0) AND (discount_percent <= 100))),
  CONSTRAINT subscription_durations_minutes_check CHECK ((minutes > 0)),
  CONSTRAINT subscription_durations_price_tier_check CHECK ((price_tier = ANY (ARRAY['premium'::text, 'standard'::text, 'basic'::text, 'test'::text])))
);

CREATE TABLE telegram_updates (
  bot text NOT NULL,
  update_id bigint NOT NULL,
  queue_key text NOT NULL,
  body jsonb NOT NULL,
  received_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  handled_at timestamp with time zone,
  lease uuid,
  outages integer NOT NULL DEFAULT 0,
  CONSTRAINT telegram_updates_pkey PRIMARY KEY (bot, update_id),
  CONSTRAINT telegram_updates_bot_check CHECK ((bot = ANY (ARRAY['seller'::text, 'buyer'::text])))
) WITH (fillfactor=70);

CREATE TABLE ticket_messages (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  ticket_id bigint NOT NULL,
  author text NOT NULL,
  author_id bigint NOT NULL,
  words text,
  at timestamp with time zone NOT NULL,
  CONSTRAINT ticket_messages_pkey PRIMARY KEY (id),
  CONSTRAINT ticket_messages_author_id_fkey FOREIGN KEY (author_id) REFERENCES people(id),
  CONSTRAINT ticket_messages_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES tickets(id),
  CONSTRAINT ticket_messages_author_check CHECK ((author = ANY (ARRAY['seller'::text, 'desk'::text])))
);

CREATE TABLE tickets (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  seller_id bigint NOT NULL,
  kind text NOT NULL,
  order_id bigint,
  withdrawal_id bigint,
  status text NOT NULL DEFAULT 'open'::text,
  opened_at timestamp with time zone NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  waiting_since timestamp with time zone,
  closed_at timestamp with time zone,
  told_at timestamp with time zone,
  seen_id bigint NOT NULL DEFAULT 0,
  CONSTRAINT tickets_pkey PRIMARY KEY (id),
  CONSTRAINT tickets_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT tickets_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id),
  CONSTRAINT tickets_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawals(id),
  CONSTRAINT tickets_check CHECK (((status = 'open'::text) = (waiting_since IS NOT NULL))),
  CONSTRAINT tickets_check1 CHECK (((status = 'closed'::text) = (closed_at IS NOT NULL))),
  CONSTRAINT tickets_check2 CHECK (((order_id IS NULL) OR (withdrawal_id IS NULL))),
  CONSTRAINT tickets_kind_check CHECK ((kind = ANY (ARRAY['sale'::text, 'withdrawal'::text, 'group'::text, 'product'::text, 'plan'::text, 'account'::text, 'other'::text]))),
  CONSTRAINT tickets_status_check CHECK ((status = ANY (ARRAY['open'::text, 'answered'::text, 'closed'::text])))
) WITH (fillfactor=80);

CREATE TABLE unpaid_entries (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  group_id bigint NOT NULL,
  person_id bigint NOT NULL,
  entered_at timestamp with time zone NOT NULL,
  door text NOT NULL,
  let_in_by bigint,
  by_administrator boolean,
  status text NOT NULL,
  reported_at timestamp with time zone,
  CONSTRAINT unpaid_entries_pkey PRIMARY KEY (id),
  CONSTRAINT unpaid_entries_group_id_person_id_key UNIQUE (group_id, person_id),
  CONSTRAINT unpaid_entries_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE,
  CONSTRAINT unpaid_entries_let_in_by_fkey FOREIGN KEY (let_in_by) REFERENCES people(id),
  CONSTRAINT unpaid_entries_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id),
  CONSTRAINT unpaid_entries_door_check CHECK ((door = ANY (ARRAY['link'::text, 'hand'::text, 'folder'::text]))),
  CONSTRAINT unpaid_entries_status_check CHECK ((status = ANY (ARRAY['new'::text, 'open'::text, 'removing'::text, 'removed'::text, 'closed'::text, 'granted'::text, 'allowed'::text, 'left'::text])))
) WITH (fillfactor=70);

CREATE TABLE upkeep_tasks (
  name text NOT NULL,
  due_at timestamp with time zone NOT NULL,
  CONSTRAINT upkeep_tasks_pkey PRIMARY KEY (name)
);

CREATE TABLE webhook_attempts (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  delivery_id bigint NOT NULL,
  at timestamp with time zone NOT NULL,
  duration_ms integer NOT NULL,
  status_code integer,
  failure text,
  answer text,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON DELETE CASCADE,
  CONSTRAINT webhook_attempts_answer_check CHECK ((char_length(answer) <= 1024)),
  CONSTRAINT webhook_attempts_check CHECK (((status_code IS NULL) <> (failure IS NULL))),
  CONSTRAINT webhook_attempts_failure_check CHECK ((failure = ANY (ARRAY['timeout'::text, 'unreachable'::text, 'name'::text, 'address'::text, 'tls'::text, 'secret'::text])))
);

CREATE TABLE webhook_deliveries (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  endpoint_id bigint NOT NULL,
  event_id bigint NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  due_at timestamp with time zone,
  attempts integer NOT NULL DEFAULT 0,
  step integer NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL,
  done_at timestamp with time zone,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_event_id_endpoint_id_key UNIQUE (event_id, endpoint_id),
  CONSTRAINT webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id),
  CONSTRAINT webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES webhook_events(id),
  CONSTRAINT webhook_deliveries_check CHECK (((status = 'pending'::text) = (due_at IS NOT NULL))),
  CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
) WITH (fillfactor=70);

CREATE TABLE webhook_endpoints (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  seller_id bigint NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  active boolean NOT NULL DEFAULT true,
  off_reason text,
  secret bytea NOT NULL,
  secret_key_id text NOT NULL,
  old_secret bytea,
  old_secret_key_id text,
  old_secret_until timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  deleted_at timestamp with time zone,
  failing_since timestamp with time zone,
  failures integer NOT NULL DEFAULT 0,
  busy_until timestamp with time zone,
  rest_until timestamp with time zone,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_endpoints_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id),
  CONSTRAINT webhook_endpoints_check CHECK (((old_secret IS NULL) = (old_secret_until IS NULL))),
  CONSTRAINT webhook_endpoints_check1 CHECK (((old_secret IS NULL) = (old_secret_key_id IS NULL))),
  CONSTRAINT webhook_endpoints_check2 CHECK (((NOT active) OR ((deleted_at IS NULL) AND (off_reason IS NULL)))),
  CONSTRAINT webhook_endpoints_events_check CHECK ((cardinality(events) > 0)),
  CONSTRAINT webhook_endpoints_off_reason_check CHECK ((off_reason = ANY (ARRAY['failing'::text, 'gone'::text]))),
  CONSTRAINT webhook_endpoints_url_check CHECK ((char_length(url) <= 500))
) WITH (fillfactor=70);

CREATE TABLE webhook_events (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  seller_id bigint NOT NULL,
  type text NOT NULL,
  subject bigint NOT NULL,
  once_key text NOT NULL,
  uid uuid NOT NULL DEFAULT gen_random_uuid(),
  at timestamp with time zone NOT NULL,
  only_endpoint bigint,
  body text,
  CONSTRAINT webhook_events_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_events_seller_id_type_once_key_key UNIQUE (seller_id, type, once_key),
  CONSTRAINT webhook_events_only_endpoint_fkey FOREIGN KEY (only_endpoint) REFERENCES webhook_endpoints(id),
  CONSTRAINT webhook_events_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id)
);

CREATE TABLE withdrawals (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  seller_id bigint NOT NULL,
  account_id bigint NOT NULL,
  plan text NOT NULL,
  amount bigint NOT NULL,
  method text NOT NULL,
  operator text NOT NULL,
  country text NOT NULL,
  phone text NOT NULL,
  whatsapp text NOT NULL,
  reference text NOT NULL,
  idempotency_key text,
  idempotency_hash bytea,
  origin text NOT NULL,
  automatic_on date,
  status text NOT NULL DEFAULT 'pending'::text,
  created_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone NOT NULL,
  claimed_by bigint,
  claimed_until timestamp with time zone,
  first_approved_by bigint,
  first_approved_at timestamp with time zone,
  first_approved_lane text,
  decided_at timestamp with time zone,
  decided_by bigint,
  reject_code text,
  reject_reason text,
  paid_at timestamp with time zone,
  CONSTRAINT withdrawals_pkey PRIMARY KEY (id),
  CONSTRAINT withdrawals_reference_key UNIQUE (reference),
  CONSTRAINT withdrawals_account_id_fkey FOREIGN KEY (account_id) REFERENCES ledger_accounts(id),
  CONSTRAINT withdrawals_claimed_by_fkey FOREIGN KEY (claimed_by) REFERENCES people(id),
  CONSTRAINT withdrawals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES people(id),
  CONSTRAINT withdrawals_first_approved_by_fkey FOREIGN KEY (first_approved_by) REFERENCES people(id),
  CONSTRAINT withdrawals_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id),
  CONSTRAINT withdrawals_amount_check CHECK ((amount > 0)),
  CONSTRAINT withdrawals_check CHECK (((idempotency_key IS NULL) = (idempotency_hash IS NULL))),
  CONSTRAINT withdrawals_check1 CHECK (((origin = 'automatic'::text) = (automatic_on IS NOT NULL))),
  CONSTRAINT withdrawals_check2 CHECK (((claimed_by IS NULL) = (claimed_until IS NULL))),
  CONSTRAINT withdrawals_check3 CHECK (((status = 'pending'::text) = (decided_at IS NULL))),
  CONSTRAINT withdrawals_check4 CHECK (((status <> 'rejected'::text) OR (reject_reason IS NOT NULL))),
  CONSTRAINT withdrawals_check5 CHECK (((paid_at IS NULL) OR (status = 'approved'::text))),
  CONSTRAINT withdrawals_origin_check CHECK ((origin = ANY (ARRAY['manual'::text, 'automatic'::text]))),
  CONSTRAINT withdrawals_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'premium'::text]))),
  CONSTRAINT withdrawals_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'cancelled'::text])))
) WITH (fillfactor=70);

CREATE TABLE write_offs (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  seller_id bigint NOT NULL,
  amount bigint NOT NULL,
  asked_by bigint NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  decided_by bigint,
  decided_at timestamp with time zone,
  CONSTRAINT write_offs_pkey PRIMARY KEY (id),
  CONSTRAINT write_offs_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES people(id),
  CONSTRAINT write_offs_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES people(id),
  CONSTRAINT write_offs_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES sellers(id),
  CONSTRAINT write_offs_amount_check CHECK ((amount > 0)),
  CONSTRAINT write_offs_check CHECK (((decided_by IS NULL) = (decided_at IS NULL)))
);

CREATE INDEX accesses_by_group_end ON public.accesses USING btree (group_id, ends_at) INCLUDE (status);

CREATE INDEX accesses_ending ON public.accesses USING btree (ends_at) WHERE (status = ANY (ARRAY['waiting'::text, 'inside'::text, 'left'::text, 'banned'::text]));

CREATE INDEX allowed_members_by_person ON public.allowed_members USING btree (person_id);

CREATE INDEX audit_log_by_actor ON public.audit_log USING btree (actor_id, seq DESC);

CREATE INDEX audit_log_by_subject ON public.audit_log USING btree (subject, seq DESC);

CREATE INDEX audit_log_by_time ON public.audit_log USING btree (at);

CREATE INDEX claim_entries_by_claim ON public.claim_entries USING btree (claim_id, id);

CREATE INDEX claims_by_buyer ON public.claims USING btree (buyer_id, id DESC);

CREATE INDEX claims_by_seller ON public.claims USING btree (seller_id, id DESC);

CREATE INDEX claims_not_announced ON public.claims USING btree (opened_at) WHERE ((kind = 'paid-not-confirmed'::text) AND (operators_notified_at IS NULL));

CREATE UNIQUE INDEX claims_one_open ON public.claims USING btree (order_id) WHERE (closed_at IS NULL);

CREATE INDEX claims_open ON public.claims USING btree (seller_due_at) WHERE (closed_at IS NULL);

CREATE INDEX day_closes_by_correction ON public.day_closes USING btree (corrects, id) WHERE (corrects IS NOT NULL);

CREATE UNIQUE INDEX day_closes_once ON public.day_closes USING btree (account, on_date) WHERE (corrects IS NULL);

CREATE INDEX desk_alerts_newest ON public.desk_alerts USING btree (created_at DESC, id DESC);

CREATE INDEX desk_tellings_newest ON public.desk_tellings USING btree (told_at DESC);

CREATE INDEX developer_keys_by_seller ON public.developer_keys USING btree (seller_id) WHERE (revoked_at IS NULL);

CREATE INDEX group_claims_by_person ON public.group_claims USING btree (telegram_id);

CREATE INDEX group_creators ON public.group_admins USING btree (telegram_id) WHERE is_creator;

CREATE INDEX group_entry_rules_due ON public.group_entry_rules USING btree (due_at);

CREATE INDEX groups_by_recheck ON public.groups USING btree (recheck_due_at) WHERE bot_present;

CREATE INDEX groups_by_seller ON public.groups USING btree (seller_id, linked_at);

CREATE INDEX images_by_seller ON public.images USING btree (seller_id, created_at);

CREATE INDEX images_unused ON public.images USING btree (unused_since) WHERE (unused_since IS NOT NULL);

CREATE INDEX ledger_accounts_unguarded ON public.ledger_accounts USING btree (id) WHERE (NOT guarded);

CREATE INDEX membership_grants_by_person ON public.membership_grants USING btree (person_id, group_id);

CREATE INDEX order_keys_by_order ON public.order_keys USING btree (order_id);

CREATE INDEX orders_by_buyer ON public.orders USING btree (buyer_id, id DESC);

CREATE UNIQUE INDEX orders_by_key ON public.orders USING btree (buyer_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX orders_by_product ON public.orders USING btree (product_id, id DESC);

CREATE INDEX orders_by_seller ON public.orders USING btree (seller_id, id DESC);

CREATE INDEX orders_reserving ON public.orders USING btree (stock_reserved_until) WHERE ((stock_reserved_until IS NOT NULL) AND (status = ANY (ARRAY['pending'::text, 'failed'::text])));

CREATE INDEX outbox_due ON public.outbox USING btree (topic, priority, due_at) WHERE (failed_at IS NULL);

CREATE INDEX outbox_failed ON public.outbox USING btree (topic, failed_at) WHERE (failed_at IS NOT NULL);

CREATE INDEX outbox_tried ON public.outbox USING btree (topic, ref) WHERE (first_due_at IS NOT NULL);

CREATE INDEX payment_checks_due ON public.payment_checks USING btree (reported, due_at);

CREATE INDEX payments_by_order ON public.payments USING btree (order_id);

CREATE UNIQUE INDEX payments_by_provider_id ON public.payments USING btree (provider, provider_payment_id, COALESCE(key_id, (0)::bigint));

CREATE INDEX payout_notices_by_age ON public.payout_notices USING btree (received_at);

CREATE INDEX payout_profiles_by_phone ON public.payout_profiles USING btree (desk_phone_key(phone)) WHERE (phone IS NOT NULL);

CREATE INDEX payout_profiles_due ON public.payout_profiles USING btree (next_run_at) WHERE automatic;

CREATE INDEX payout_profiles_failed ON public.payout_profiles USING btree (seller_id) WHERE (automatic AND (failures_in_row >= 2));

CREATE INDEX payout_profiles_not_weekly ON public.payout_profiles USING btree (seller_id) WHERE (frequency <> 'weekly'::text);

CREATE INDEX payout_rumours_due ON public.payout_rumours USING btree (check_at) WHERE (check_at IS NOT NULL);

CREATE INDEX payout_steps_by_payout ON public.payout_steps USING btree (payout_id, id);

CREATE UNIQUE INDEX payouts_by_handle ON public.payouts USING btree (lane, handle) WHERE (handle IS NOT NULL);

CREATE UNIQUE INDEX payouts_by_operator_reference ON public.payouts USING btree (upper(operator_reference)) WHERE ((lane = 'manual'::text) AND (operator_reference IS NOT NULL));

CREATE UNIQUE INDEX payouts_by_provider_id ON public.payouts USING btree (lane, provider_payout_id) WHERE (provider_payout_id IS NOT NULL);

CREATE INDEX payouts_by_reference_told ON public.payouts USING btree (upper(operator_reference)) WHERE ((settled_by IS NOT NULL) AND (operator_reference IS NOT NULL));

CREATE UNIQUE INDEX payouts_by_return_reference ON public.payouts USING btree (upper(return_reference)) WHERE (return_reference IS NOT NULL);

CREATE INDEX payouts_by_withdrawal ON public.payouts USING btree (withdrawal_id, id);

CREATE INDEX payouts_due ON public.payouts USING btree (check_at) WHERE (check_at IS NOT NULL);

CREATE UNIQUE INDEX payouts_one_alive ON public.payouts USING btree (withdrawal_id) WHERE (status <> 'failed'::text);

CREATE INDEX payouts_open ON public.payouts USING btree (lane, status) WHERE (status <> ALL (ARRAY['succeeded'::text, 'failed'::text]));

CREATE INDEX payouts_returned_by ON public.payouts USING btree (returned_by) WHERE (returned_by IS NOT NULL);

CREATE INDEX payouts_settled_by ON public.payouts USING btree (settled_by) WHERE (settled_by IS NOT NULL);

CREATE INDEX product_reports_by_person ON public.product_reports USING btree (person_id, created_at);

CREATE INDEX products_by_group ON public.products USING btree (group_id);

CREATE INDEX products_by_image ON public.products USING btree (image_id) WHERE (image_id IS NOT NULL);

CREATE INDEX products_by_seller ON public.products USING btree (seller_id, created_at DESC);

CREATE INDEX provider_notices_by_age ON public.provider_notices USING btree (received_at);

CREATE INDEX provider_notices_unmatched ON public.provider_notices USING btree (received_at) WHERE ((key_id IS NOT NULL) AND (body = '\x'::bytea));

CREATE INDEX reconciliation_differences_open ON public.reconciliation_differences USING btree (provider, what) WHERE (gone_at IS NULL);

CREATE INDEX reconciliations_by_provider ON public.reconciliations USING btree (provider, what, id DESC);

CREATE UNIQUE INDEX refunds_by_operator_reference ON public.refunds USING btree (upper(operator_reference)) WHERE (operator_reference IS NOT NULL);

CREATE INDEX refunds_by_order ON public.refunds USING btree (order_id);

CREATE INDEX refunds_by_seller ON public.refunds USING btree (seller_id, id DESC);

CREATE INDEX refunds_due ON public.refunds USING btree (check_at) WHERE (check_at IS NOT NULL);

CREATE UNIQUE INDEX refunds_one_sale ON public.refunds USING btree (order_id) WHERE (kind = 'sale'::text);

CREATE INDEX refunds_open ON public.refunds USING btree (lane, id) WHERE (status <> 'done'::text);

CREATE INDEX sale_buyer_years_best ON public.sale_buyer_years USING btree (seller_id, gross DESC, buyer_id);

CREATE INDEX sale_deltas_by_seller ON public.sale_deltas USING btree (seller_id);

CREATE INDEX seller_advances_owed ON public.seller_advances USING btree (seller_id) WHERE (owed > 0);

CREATE INDEX seller_keys_by_account ON public.seller_keys USING btree (account_hash);

CREATE INDEX seller_keys_by_secrets_key ON public.seller_keys USING btree (secrets_key_id, id);

CREATE UNIQUE INDEX seller_keys_in_use ON public.seller_keys USING btree (seller_id, provider) WHERE (ended_at IS NULL);

CREATE INDEX sellers_by_whatsapp ON public.sellers USING btree (desk_phone_key(whatsapp_number)) WHERE (whatsapp_number IS NOT NULL);

CREATE INDEX sellers_premium_ending ON public.sellers USING btree (premium_until) WHERE (plan = 'premium'::text);

CREATE INDEX sessions_by_person ON public.sessions USING btree (person_id);

CREATE INDEX settings_changes_by_key ON public.settings_changes USING btree (key, id DESC);

CREATE INDEX star_charges_by_reference ON public.star_charges USING btree (reference);

CREATE INDEX telegram_updates_given_up ON public.telegram_updates USING btree (handled_at) WHERE ((handled_at IS NOT NULL) AND (last_error IS NOT NULL));

CREATE INDEX telegram_updates_handled ON public.telegram_updates USING btree (handled_at) WHERE (handled_at IS NOT NULL);

CREATE INDEX telegram_updates_waiting ON public.telegram_updates USING btree (bot, queue_key, update_id) WHERE (handled_at IS NULL);

CREATE INDEX ticket_messages_by_author ON public.ticket_messages USING btree (author_id, at DESC);

CREATE INDEX ticket_messages_by_ticket ON public.ticket_messages USING btree (ticket_id, id);

CREATE INDEX tickets_by_seller ON public.tickets USING btree (seller_id, changed_at DESC, id DESC);

CREATE INDEX tickets_by_status ON public.tickets USING btree (status, changed_at DESC, id DESC);

CREATE INDEX tickets_told ON public.tickets USING btree (told_at DESC) WHERE (told_at IS NOT NULL);

CREATE INDEX tickets_untold ON public.tickets USING btree (waiting_since) WHERE ((status = 'open'::text) AND (told_at IS NULL));

CREATE INDEX tickets_waiting ON public.tickets USING btree (waiting_since, id) WHERE (status = 'open'::text);

CREATE INDEX unpaid_entries_by_host ON public.unpaid_entries USING btree (let_in_by) WHERE (let_in_by IS NOT NULL);

CREATE INDEX unpaid_entries_by_person ON public.unpaid_entries USING btree (person_id);

CREATE INDEX webhook_attempts_by_delivery ON public.webhook_attempts USING btree (delivery_id, id);

CREATE INDEX webhook_deliveries_by_endpoint ON public.webhook_deliveries USING btree (endpoint_id, id DESC);

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (endpoint_id, due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX webhook_endpoints_active ON public.webhook_endpoints USING btree (seller_id) WHERE active;

CREATE INDEX webhook_endpoints_by_seller ON public.webhook_endpoints USING btree (seller_id) WHERE (deleted_at IS NULL);

CREATE INDEX webhook_events_by_age ON public.webhook_events USING btree (at);

CREATE UNIQUE INDEX withdrawals_by_key ON public.withdrawals USING btree (seller_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX withdrawals_by_phone_key ON public.withdrawals USING btree (desk_phone_key(phone), id DESC);

CREATE UNIQUE INDEX withdrawals_by_run ON public.withdrawals USING btree (seller_id, automatic_on) WHERE (automatic_on IS NOT NULL);

CREATE INDEX withdrawals_by_seller ON public.withdrawals USING btree (seller_id, id DESC);

CREATE INDEX withdrawals_unsettled ON public.withdrawals USING btree (due_at, id) WHERE ((status = 'approved'::text) AND (paid_at IS NULL));

CREATE INDEX withdrawals_waiting ON public.withdrawals USING btree (due_at, id) WHERE (status = 'pending'::text);

CREATE INDEX write_offs_asked_by ON public.write_offs USING btree (asked_by);

CREATE INDEX write_offs_decided_by ON public.write_offs USING btree (decided_by);

CREATE UNIQUE INDEX write_offs_open ON public.write_offs USING btree (seller_id) WHERE (decided_at IS NULL);

CREATE INDEX write_offs_seller ON public.write_offs USING btree (seller_id);

CREATE OR REPLACE FUNCTION public.add_person_calls(p_provider text, p_key_id bigint, p_class text, p_person_id bigint, p_calls integer, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO person_calls AS c (provider, key_id, class, person_id, calls, counted_at)
  VALUES (p_provider, p_key_id, p_class, p_person_id, p_calls, p_now)
  ON CONFLICT (provider, key_id, class, person_id) DO UPDATE SET counted_at = excluded.counted_at,
    calls = excluded.calls + recent_calls(c.calls, c.counted_at, excluded.counted_at)
$function$
;

CREATE OR REPLACE FUNCTION public.add_provider_calls(p_provider text, p_key_id bigint, p_class text, p_calls integer, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO provider_calls AS c (provider, key_id, class, slot, since, calls)
  SELECT p_provider, p_key_id, p_class, (extract(epoch FROM at.start) / 5)::bigint % 13, at.start,
    p_calls
  FROM (SELECT provider_slot_start(p_now) AS start) AS at
  ON CONFLICT (provider, key_id, class, slot) DO UPDATE SET since = excluded.since,
    calls = excluded.calls + CASE WHEN c.since = excluded.since THEN c.calls ELSE 0 END
$function$
;

CREATE OR REPLACE FUNCTION public.audit_anchor(p_now timestamp with time zone)
 RETURNS TABLE(seq bigint, hash text)
 LANGUAGE sql
AS $function$
  INSERT INTO audit_anchors (seq, hash, taken_at)
  SELECT h.seq, h.hash, p_now FROM audit_head h WHERE h.seq > 0
  ON CONFLICT (seq) DO NOTHING;
  SELECT h.seq, encode(h.hash, 'hex') FROM audit_head h WHERE h.seq > 0
$function$
;

CREATE OR REPLACE FUNCTION public.audit_append(p_at timestamp with time zone, p_actor_id bigint, p_actor_role text, p_action text, p_subject text, p_before jsonb, p_after jsonb, p_reason text)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_row audit_log;
BEGIN
  SELECT h.seq + 1, h.hash INTO STRICT v_row.seq, v_row.previous_hash
  FROM audit_head h FOR UPDATE;
  v_row.at := p_at;
  v_row.actor_id := p_actor_id;
  v_row.actor_role := p_actor_role;
  v_row.action := p_action;
  v_row.subject := p_subject;
  v_row.before := p_before;
  v_row.after := p_after;
  v_row.reason := p_reason;
  v_row.hash := sha256(convert_to(audit_text(v_row), 'UTF8'));
  INSERT INTO audit_log VALUES (v_row.*);
  UPDATE audit_head SET seq = v_row.seq, hash = v_row.hash;
  RETURN v_row.seq;
END $function$
;

CREATE OR REPLACE FUNCTION public.audit_check()
 RETURNS TABLE(invariant text, subject text, expected text, found text)
 LANGUAGE sql
 STABLE
AS $function$
  WITH link AS (
    SELECT a.seq, a.hash, a.previous_hash, sha256(convert_to(audit_text(a), 'UTF8')) AS true_hash,
      coalesce(lag(a.seq) OVER chain, 0) + 1 AS true_seq,
      coalesce(lag(a.hash) OVER chain, sha256('')) AS true_previous
    FROM audit_log a WINDOW chain AS (ORDER BY a.seq)
  ), first_break AS (
    SELECT l.* FROM link l
    WHERE l.seq <> l.true_seq OR l.previous_hash <> l.true_previous OR l.hash <> l.true_hash
    ORDER BY l.seq LIMIT 1
  ), last AS (
    SELECT coalesce(max(a.seq), 0) AS seq FROM audit_log a
  )
  SELECT CASE WHEN b.seq <> b.true_seq THEN 'gap in the log'
      WHEN b.previous_hash <> b.true_previous THEN 'link of the log' ELSE 'row of the log' END,
    'audit:' || b.seq,
    CASE WHEN b.seq <> b.true_seq THEN b.true_seq::text
      WHEN b.previous_hash <> b.true_previous THEN encode(b.true_previous, 'hex')
      ELSE encode(b.true_hash, 'hex') END,
    CASE WHEN b.seq <> b.true_seq THEN b.seq::text
      WHEN b.previous_hash <> b.true_previous THEN encode(b.previous_hash, 'hex')
      ELSE encode(b.hash, 'hex') END
  FROM first_break b
  UNION ALL
  SELECT 'end of the log', 'audit:' || last.seq,
    coalesce(h.seq || ' ' || encode(h.hash, 'hex'), 'a head'),
    last.seq || ' ' || encode(coalesce(a.hash, sha256('')), 'hex')
  FROM last
  LEFT JOIN audit_log a ON a.seq = last.seq
  LEFT JOIN audit_head h ON true
  WHERE (h.seq = last.seq AND h.hash = coalesce(a.hash, sha256(''))) IS NOT true
  UNION ALL
  (SELECT 'anchor of the log', 'audit:' || n.seq, encode(n.hash, 'hex'),
    coalesce(encode(a.hash, 'hex'), 'absent')
  FROM audit_anchors n LEFT JOIN audit_log a ON a.seq = n.seq
  WHERE a.hash IS DISTINCT FROM n.hash
  ORDER BY n.seq LIMIT 1)
$function$
;

CREATE OR REPLACE FUNCTION public.audit_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% on % refused: what was done stays written', tg_op, tg_table_name
    USING errcode = 'SA001';
END $function$
;

CREATE OR REPLACE FUNCTION public.audit_text(a audit_log)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT jsonb_build_array(a.seq, (extract(epoch FROM a.at) * 1000000)::bigint, a.actor_id,
    a.actor_role, a.action, a.subject, a.before::text, a.after::text, a.reason,
    encode(a.previous_hash, 'hex'))::text
$function$
;

CREATE OR REPLACE FUNCTION public.calls_for_others(p_paced_max integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT least(p_paced_max / 2, greatest(8, p_paced_max / 13))
$function$
;

CREATE OR REPLACE FUNCTION public.cancel_withdrawal(p_id bigint, p_seller bigint, p_now timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_free boolean;
BEGIN
  SELECT w.status = 'pending' AND coalesce(w.claimed_until <= p_now, true) INTO v_free
  FROM withdrawals w WHERE w.id = p_id AND w.seller_id = p_seller FOR UPDATE;
  IF v_free IS NULL THEN
    RETURN 'unknown';
  END IF;
  IF NOT v_free THEN
    RETURN 'taken';
  END IF;
  UPDATE withdrawals SET status = 'cancelled', decided_at = p_now, decided_by = p_seller,
    claimed_by = NULL, claimed_until = NULL
  WHERE id = p_id;
  PERFORM release_withdrawal(p_id, p_now);
  RETURN 'cancelled';
END $function$
;

CREATE OR REPLACE FUNCTION public.claim_entries_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF tg_op = 'UPDATE' THEN
    IF new.words IS NULL
      AND (new.id, new.claim_id, new.author, new.step, new.at)
        = (old.id, old.claim_id, old.author, old.step, old.at)
      AND new.author_id IS NOT DISTINCT FROM old.author_id THEN
      RETURN new;
    END IF;
  END IF;
  RAISE EXCEPTION '% on % refused: only the words of an entry may be taken away',
    tg_op, tg_table_name USING errcode = 'SL003';
END $function$
;

CREATE OR REPLACE FUNCTION public.claim_payment_checks(p_now timestamp with time zone, p_lease_end timestamp with time zone, p_limit integer, p_except text[], p_providers text[], p_paced_max integer[])
 RETURNS TABLE(payment_id bigint, order_id bigint, kind text, provider text, key_id bigint, provider_payment_id text, status text, transaction_id text, reference text, quote jsonb, amount bigint, created_at timestamp with time zone, give_up_at timestamp with time zone, reported boolean, heard text[])
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
DECLARE
  v_reported int;
  v_ids bigint[] := '{}';
  v_some bigint[];
  v_room int;
  v_max int;
  v_kept int;
  v_take int;
  v_account record;
BEGIN
  RETURN QUERY
  WITH due AS MATERIALIZED (
    SELECT c.payment_id FROM payment_checks c
    WHERE c.reported AND c.due_at <= p_now
      AND (cardinality(p_except) = 0 OR NOT EXISTS (SELECT FROM payments busy
        WHERE busy.id = c.payment_id AND busy.provider = ANY (p_except)))
    ORDER BY c.due_at LIMIT p_limit
    FOR UPDATE SKIP LOCKED
  ), called AS (
    SELECT p.id, p.provider, o.buyer_id,
      counted_account(p.key_id) AS key_id,
      CASE p.provider WHEN 'kkiapay' THEN (SELECT count(*)::int FROM payment_rumours r
        WHERE r.payment_id = p.id) ELSE 1 END AS calls
    FROM due JOIN payments p ON p.id = due.payment_id JOIN orders o ON o.id = p.order_id
  ), accounts AS (
    -- What is asked of a person for nothing: less where there is little room, and never less than one purchase needs.
    SELECT a.*, CASE WHEN a.paced IS NULL THEN 2147483647 ELSE greatest(3, least(
        calls_for_others(a.paced),
        a.paced - calls_for_others(a.paced) - provider_calls_of(a.provider, a.key_id, p_now)
      )) END AS most
    FROM (SELECT DISTINCT k.provider, k.key_id,
      p_paced_max[array_position(p_providers, k.provider)] AS paced FROM called k) AS a
  ), shared AS MATERIALIZED (
    SELECT k.*, had.alone <= a.most AS fits, had.alone - k.calls
      + sum(k.calls) OVER (PARTITION BY k.provider, k.key_id, k.buyer_id ORDER BY k.id) <= a.most
      AS taken
    FROM called k JOIN accounts a ON a.provider = k.provider AND a.key_id = k.key_id
    LEFT JOIN person_calls c ON c.provider = k.provider
      AND c.key_id = k.key_id AND c.class = 'reported' AND c.person_id = k.buyer_id
    CROSS JOIN LATERAL (
      SELECT k.calls + coalesce(recent_calls(c.calls, c.counted_at, p_now), 0) AS alone
    ) AS had
  ), taken AS (
    -- What does not fit waits with the others; what fits by itself, for the next look.
    UPDATE payment_checks c SET reported = s.fits,
      due_at = CASE WHEN s.fits THEN p_lease_end ELSE c.due_at END
    FROM shared s JOIN payments p ON p.id = s.id JOIN orders o ON o.id = p.order_id
    WHERE c.payment_id = s.id AND (s.taken OR NOT s.fits)
    RETURNING p.id, p.order_id, o.kind, p.provider, p.key_id, p.provider_payment_id, p.status,
      p.transaction_id, coalesce(p.reference, p.order_id::text), p.quote, p.amount, p.created_at,
      c.give_up_at, c.reported,
      ARRAY(SELECT r.transaction_id FROM payment_rumours r WHERE r.payment_id = p.id
        ORDER BY r.heard_at, r.transaction_id)
  ), counted AS (
    INSERT INTO provider_calls AS k (provider, key_id, class, slot, since, calls)
    SELECT s.provider, s.key_id, 'reported',
      (extract(epoch FROM provider_slot_start(p_now)) / 5)::bigint % 13,
      provider_slot_start(p_now), sum(s.calls)
    FROM shared s WHERE s.taken GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (provider, key_id, class, slot) DO UPDATE SET since = excluded.since,
      calls = excluded.calls + CASE WHEN k.since = excluded.since THEN k.calls ELSE 0 END
  )
  SELECT * FROM taken t WHERE t.reported;
  GET DIAGNOSTICS v_reported = ROW_COUNT;

  FOR v_account IN
    SELECT k.provider, k.key_id, array_agg(due.id) AS due FROM (
      SELECT p.provider, counted_account(p.key_id) AS key_id, array_agg(c.payment_id) AS due
      FROM (
        SELECT c.payment_id FROM payment_checks c
        WHERE NOT c.reported AND c.due_at <= p_now
        AND (cardinality(p_except) = 0 OR NOT EXISTS (SELECT FROM payments busy
          WHERE busy.id = c.payment_id AND busy.provider = ANY (p_except)))
        ORDER BY c.due_at LIMIT 5000
      ) AS c JOIN payments p ON p.id = c.payment_id
      GROUP BY p.provider, p.key_id
    ) AS k CROSS JOIN LATERAL unnest(k.due) AS due(id)
    GROUP BY 1, 2 ORDER BY 1, 2
  LOOP
    v_room := p_limit - v_reported - cardinality(v_ids);
    EXIT WHEN v_room <= 0;
    PERFORM lock_provider_account(v_account.provider, v_account.key_id);
    v_max := p_paced_max[array_position(p_providers, v_account.provider)];
    v_kept := calls_for_others(v_max);
    v_take := v_max - provider_calls_of(v_account.provider, v_account.key_id, p_now);
    -- There a question may be no call.
    CONTINUE WHEN v_take <= 0 AND v_account.provider <> 'kkiapay';
    WITH turns AS MATERIALIZED (
      SELECT c.payment_id, o.id AS order_id, o.buyer_id, k.calls,
        p.status = 'refused' AS refused,
        round(coalesce(recent_calls(had.calls, had.counted_at, p_now), 0))
          + sum(k.calls) OVER (PARTITION BY o.buyer_id
            ORDER BY p.status = 'refused', o.id, c.payment_id) - k.calls AS had
      FROM unnest(v_account.due) AS due
      JOIN payment_checks c ON c.payment_id = due AND c.due_at <= p_now
      JOIN payments p ON p.id = due JOIN orders o ON o.id = p.order_id
      CROSS JOIN LATERAL (SELECT CASE p.provider WHEN 'kkiapay' THEN (
          SELECT least(count(*), v_max)::int FROM payment_rumours r WHERE r.payment_id = p.id)
        ELSE 1 END AS calls) AS k
      LEFT JOIN person_calls had ON had.provider = v_account.provider
        AND had.key_id = v_account.key_id AND had.class = 'scheduled' AND had.person_id = o.buyer_id
    ), fitting AS (
      -- What does not fit by itself stands before nobody. NULL: no call, nothing to leave.
      SELECT t.*, k.kept FROM turns t CROSS JOIN LATERAL (SELECT CASE WHEN t.calls > 0 THEN
        least(v_max - t.calls, CASE WHEN NOT t.refused THEN least(t.had + t.calls - 1, v_kept)
          WHEN t.had > 0 THEN 2 * v_kept ELSE v_kept / 2 END) END AS kept) AS k
      WHERE (t.calls + k.kept <= v_take) IS NOT FALSE
    ), chosen AS (
      SELECT t.payment_id, t.buyer_id, t.calls, t.nth FROM (
        SELECT *, sum(t.calls) OVER turn AS all_calls, row_number() OVER turn AS nth FROM fitting t
        WINDOW turn AS (ORDER BY t.refused, t.had + t.calls, t.order_id, t.payment_id)
      ) AS t
      WHERE (t.all_calls + t.kept <= v_take) IS NOT FALSE
      ORDER BY t.nth LIMIT v_room
    ), due AS MATERIALIZED (
      SELECT chosen.* FROM chosen JOIN payment_checks c ON c.payment_id = chosen.payment_id
      WHERE c.due_at <= p_now
      FOR UPDATE OF c SKIP LOCKED
    ), taken AS (
      UPDATE payment_checks c SET due_at = p_lease_end FROM due
      WHERE c.payment_id = due.payment_id RETURNING due.*
    ), counted AS (
      INSERT INTO person_calls AS k (provider, key_id, class, person_id, calls, counted_at)
      SELECT v_account.provider, v_account.key_id, 'scheduled', t.buyer_id, sum(t.calls), p_now
      FROM taken t WHERE t.calls > 0 GROUP BY 4 ORDER BY 4
      ON CONFLICT (provider, key_id, class, person_id) DO UPDATE SET counted_at = excluded.counted_at,
        calls = excluded.calls + recent_calls(k.calls, k.counted_at, excluded.counted_at)
    )
    SELECT array_agg(t.payment_id ORDER BY t.nth), sum(t.calls) INTO v_some, v_take FROM taken t;
    CONTINUE WHEN v_some IS NULL;
    IF v_take > 0 THEN
      PERFORM add_provider_calls(v_account.provider, v_account.key_id, 'scheduled', v_take, p_now);
    END IF;
    v_ids := v_ids || v_some;
  END LOOP;
  IF cardinality(v_ids) = 0 THEN RETURN; END IF;

  RETURN QUERY
  SELECT p.id, p.order_id, o.kind, p.provider, p.key_id, p.provider_payment_id, p.status,
    p.transaction_id, coalesce(p.reference, p.order_id::text), p.quote, p.amount, p.created_at,
    c.give_up_at, c.reported,
    ARRAY(SELECT r.transaction_id FROM payment_rumours r WHERE r.payment_id = p.id
      ORDER BY r.heard_at, r.transaction_id)
  FROM unnest(v_ids) WITH ORDINALITY AS taken(id, nth)
  JOIN payments p ON p.id = taken.id JOIN orders o ON o.id = p.order_id
  JOIN payment_checks c ON c.payment_id = p.id
  ORDER BY taken.nth;
END $function$
;

CREATE OR REPLACE FUNCTION public.counted_account(p_key_id bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce((SELECT min(same.id) FROM seller_keys own
    JOIN seller_keys same ON same.account_hash = own.account_hash WHERE own.id = p_key_id), p_key_id, 0)
$function$
;

CREATE OR REPLACE FUNCTION public.desk_phone_key(p_phone text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT right(regexp_replace(p_phone, '[^0-9]', '', 'g'), 8)
$function$
;

CREATE OR REPLACE FUNCTION public.desk_purse(p_account bigint, p_after bigint, p_upto bigint)
 RETURNS TABLE(had bigint, money_in bigint, money_out bigint, entries bigint)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT -(ledger_balance(p_account) - (
      SELECT coalesce(sum(e.amount), 0)::bigint FROM ledger_entries e
      WHERE e.account_id = p_account AND e.seq > p_after)),
    coalesce(sum(-e.amount) FILTER (WHERE e.amount < 0), 0)::bigint,
    coalesce(sum(e.amount) FILTER (WHERE e.amount > 0), 0)::bigint,
    count(e.seq)
  FROM ledger_entries e
  WHERE e.account_id = p_account AND e.seq > p_after AND e.seq <= p_upto
    AND e.transfer_id NOT LIKE 'day:%'
$function$
;

CREATE OR REPLACE FUNCTION public.desk_reopen_alert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  new.resolved_by := NULL;
  new.resolution := NULL;
  RETURN new;
END $function$
;

CREATE OR REPLACE FUNCTION public.desk_seq_before(p_account bigint, p_instant timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  v_low bigint := 0;
  v_high bigint := coalesce(
    (SELECT max(e.seq) FROM ledger_entries e WHERE e.account_id = p_account), 0);
  v_middle bigint;
  v_seq bigint;
  v_at timestamptz;
BEGIN
  WHILE v_low < v_high LOOP
    v_middle := v_low + (v_high - v_low + 1) / 2;
    SELECT e.seq, t.recorded_at INTO v_seq, v_at
    FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
    WHERE e.account_id = p_account AND e.seq >= v_middle AND e.seq <= v_high
    ORDER BY e.seq LIMIT 1;
    IF v_at < p_instant THEN
      v_low := v_seq;
    ELSE
      v_high := v_middle - 1;
    END IF;
  END LOOP;
  RETURN coalesce(
    (SELECT max(e.seq) FROM ledger_entries e WHERE e.account_id = p_account AND e.seq <= v_low), 0);
END $function$
;

CREATE OR REPLACE FUNCTION public.group_in_quota(g groups)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT (SELECT s.plan FROM sellers s WHERE s.id = g.seller_id) IS NOT DISTINCT FROM 'premium'
    OR (
      SELECT count(*) FROM groups o
      WHERE o.seller_id = g.seller_id AND o.bot_present
        AND (coalesce(o.quota_rank, 2147483647), o.linked_at, o.id)
          < (coalesce(g.quota_rank, 2147483647), g.linked_at, g.id)
    ) < 3
$function$
;

CREATE OR REPLACE FUNCTION public.group_is_healthy(g groups)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT g.bot_present AND g.public_username IS NULL AND g.seller_lost_rights_at IS NULL
    AND g.can_manage AND g.can_invite AND g.can_restrict AND group_in_quota(g)
$function$
;

CREATE OR REPLACE FUNCTION public.identity_create_seller(p_person_id bigint, p_now timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_accounts bigint[];
BEGIN
  -- Two first sign-ins at once wait for each other here.
  PERFORM FROM people p WHERE p.id = p_person_id FOR NO KEY UPDATE;
  v_accounts := ledger_open_accounts(
    ARRAY['seller:' || p_person_id || ':free', 'seller:' || p_person_id || ':premium'], true, p_now);
  INSERT INTO sellers (id, free_account_id, premium_account_id, created_at, updated_at)
  VALUES (p_person_id, v_accounts[1], v_accounts[2], p_now, p_now)
  ON CONFLICT (id) DO NOTHING;
  RETURN FOUND;
END $function$
;

CREATE OR REPLACE FUNCTION public.identity_sign_in(p_telegram_id bigint, p_first_name text, p_last_name text, p_username text, p_language_code text, p_photo_url text, p_proved_at timestamp with time zone, p_writable_bots text[], p_audience text, p_token_hash bytea, p_now timestamp with time zone, p_expires_at timestamp with time zone)
 RETURNS TABLE(person_id bigint, outcome text)
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.ledger_add_transfers(p_ids text[], p_contents text[], p_occurred_at timestamp with time zone[], p_now timestamp with time zone)
 RETURNS text[]
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_added text[];
  v_outcomes text[];
BEGIN
  WITH added AS (
    INSERT INTO ledger_transfers (id, legs, occurred_at, recorded_at)
    SELECT i.id, i.legs, i.occurred_at, p_now
    FROM unnest(p_ids, p_contents, p_occurred_at) WITH ORDINALITY AS i(id, legs, occurred_at, ord)
    ORDER BY i.id, i.ord
    ON CONFLICT (id) DO NOTHING
    RETURNING id
  )
  SELECT coalesce(array_agg(id), '{}') INTO v_added FROM added;
  IF cardinality(v_added) = cardinality(p_ids) THEN
    RETURN array_fill('posted'::text, ARRAY[cardinality(p_ids)]);
  END IF;
  SELECT array_agg(
    CASE WHEN t.legs <> i.legs THEN 'conflict'
      WHEN a.id IS NOT NULL AND i.nth = 1 THEN 'posted' ELSE 'duplicate' END
    ORDER BY i.ord) INTO v_outcomes
  FROM (
    SELECT u.*, row_number() OVER (PARTITION BY u.id ORDER BY u.ord) AS nth
    FROM unnest(p_ids, p_contents) WITH ORDINALITY AS u(id, legs, ord)
  ) AS i
  JOIN ledger_transfers t ON t.id = i.id
  LEFT JOIN unnest(v_added) AS a(id) ON a.id = i.id;
  RETURN v_outcomes;
END $function$
;

CREATE OR REPLACE FUNCTION public.ledger_balance(p_account bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE WHEN a.guarded THEN a.posted ELSE coalesce(s.balance, 0) + (
    SELECT coalesce(sum(e.amount), 0)::bigint FROM ledger_entries e
    WHERE e.account_id = a.id AND e.seq > coalesce(s.seq, 0)
  ) END
  FROM ledger_accounts a LEFT JOIN ledger_snapshots s ON s.account_id = a.id
  WHERE a.id = p_account;
$function$
;

CREATE OR REPLACE FUNCTION public.ledger_barrier()
 RETURNS bigint
 LANGUAGE plpgsql
 SET lock_timeout TO '2s'
AS $function$
DECLARE
  v_seq bigint;
BEGIN
  -- A session's lock, because a transaction's would last until its end.
  PERFORM pg_advisory_lock(1818584167, 0);
  v_seq := coalesce(pg_sequence_last_value('ledger_entry_seq'), 0);
  PERFORM pg_advisory_unlock(1818584167, 0);
  RETURN v_seq;
EXCEPTION
  WHEN lock_not_available OR deadlock_detected THEN RAISE;
  WHEN others OR query_canceled THEN
    PERFORM pg_advisory_unlock(1818584167, 0);
    RAISE;
END $function$
;

CREATE OR REPLACE FUNCTION public.ledger_check()
 RETURNS TABLE(invariant text, subject text, expected text, found text)
 LANGUAGE sql
 STABLE
AS $function$
  WITH by_account AS (
    SELECT e.account_id, sum(e.amount) AS total FROM ledger_entries e GROUP BY e.account_id
  ), by_transfer AS (
    SELECT e.transfer_id, array_agg(e.account_id || ':' || e.amount
      ORDER BY (e.account_id || ':' || e.amount) COLLATE "C") AS legs, sum(e.amount) AS total
    FROM ledger_entries e GROUP BY e.transfer_id
  ), open_holds AS (
    SELECT h.account_id, sum(h.amount) AS total FROM ledger_holds h
    WHERE h.ended_at IS NULL GROUP BY h.account_id
  )
  SELECT 'sum of all accounts', 'all', '0', sum(b.total)::text FROM by_account b
  HAVING sum(b.total) <> 0
  UNION ALL
  SELECT 'account of an entry', b.account_id::text, 'open', 'absent' FROM by_account b
  WHERE NOT EXISTS (SELECT FROM ledger_accounts a WHERE a.id = b.account_id)
  UNION ALL
  SELECT 'posted', a.key, coalesce(b.total, 0)::text, a.posted::text
  FROM ledger_accounts a LEFT JOIN by_account b ON b.account_id = a.id
  WHERE a.guarded AND a.posted <> coalesce(b.total, 0)
  UNION ALL
  SELECT 'held', a.key, coalesce(o.total, 0)::text, a.held::text
  FROM ledger_accounts a LEFT JOIN open_holds o ON o.account_id = a.id
  WHERE a.held <> coalesce(o.total, 0)
  UNION ALL
  SELECT 'legs of a transfer', coalesce(t.id, b.transfer_id), t.legs, array_to_string(b.legs, ',')
  FROM ledger_transfers t FULL JOIN by_transfer b ON b.transfer_id = t.id
  WHERE b.total IS DISTINCT FROM 0 OR b.legs IS DISTINCT FROM ARRAY(
    SELECT l.leg FROM unnest(string_to_array(t.legs, ',')) AS l(leg) ORDER BY l.leg COLLATE "C")
  UNION ALL
  SELECT 'transfer of a paid hold', h.id, h.account_id || ':' || -h.amount, t.legs
  FROM ledger_holds h LEFT JOIN ledger_transfers t ON t.id = h.transfer_id
  WHERE h.ended_as = 'paid' AND NOT coalesce(
    h.account_id || ':' || -h.amount = ANY (string_to_array(t.legs, ',')), false)
  UNION ALL
  SELECT 'snapshot', s.account_id::text, coalesce(sum(e.amount), 0)::text, s.balance::text
  FROM ledger_snapshots s
  LEFT JOIN ledger_entries e ON e.account_id = s.account_id AND e.seq <= s.seq
  GROUP BY s.account_id, s.balance HAVING s.balance <> coalesce(sum(e.amount), 0);
$function$
;

CREATE OR REPLACE FUNCTION public.ledger_contents(p_ids text[], p_leg_transfer integer[], p_leg_account bigint[], p_leg_amount bigint[])
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  v_contents text[];
  v_sound boolean;
BEGIN
  SELECT array_agg(c.legs ORDER BY c.t),
    bool_and(c.total = 0 AND c.sound AND c.t BETWEEN 1 AND cardinality(p_ids))
  INTO v_contents, v_sound
  FROM (
    SELECT l.t, string_agg(l.account || ':' || l.amount, ',' ORDER BY l.ord) AS legs,
      sum(l.amount) AS total,
      bool_and(l.amount <> 0 AND l.account IS NOT NULL AND l.amount IS NOT NULL) AS sound
    FROM unnest(p_leg_transfer, p_leg_account, p_leg_amount)
      WITH ORDINALITY AS l(t, account, amount, ord)
    GROUP BY l.t
  ) AS c;
  IF v_sound IS NOT true OR cardinality(v_contents) <> cardinality(p_ids) THEN
    RAISE EXCEPTION 'transfers % are malformed: legs must sum to zero, none be zero', p_ids
      USING errcode = 'SL001';
  END IF;
  RETURN v_contents;
END $function$
;

CREATE OR REPLACE FUNCTION public.ledger_covers(p_accounts bigint[], p_amounts bigint[], p_debits_alone boolean)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT NOT EXISTS (
    SELECT FROM (
      SELECT l.account, sum(l.amount) AS delta
      FROM unnest(p_accounts, p_amounts) AS l(account, amount)
      WHERE l.amount < 0 OR NOT p_debits_alone
      GROUP BY l.account
    ) AS d
    JOIN ledger_accounts a ON a.id = d.account
    WHERE a.guarded AND d.delta < 0 AND a.posted - a.held + d.delta < 0
  );
$function$
;

CREATE OR REPLACE FUNCTION public.ledger_enter()
 RETURNS void
 LANGUAGE sql
AS $function$
  SELECT pg_advisory_xact_lock_shared(1818584167, 0);
$function$
;

CREATE OR REPLACE FUNCTION public.ledger_hold(p_id text, p_account bigint, p_amount bigint, p_now timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_verdict text;
BEGIN
  IF p_amount IS NULL OR p_amount <= 0 THEN
    RAISE EXCEPTION 'hold % of % francs', p_id, p_amount USING errcode = 'SL001';
  END IF;
  -- Without the lock first: a refusal or a repeat then waits for nobody and writes nothing.
  v_verdict := ledger_hold_verdict(p_id, p_account, p_amount);
  IF v_verdict = 'held' THEN
    PERFORM FROM ledger_accounts a WHERE a.id = p_account FOR NO KEY UPDATE;
    v_verdict := ledger_hold_verdict(p_id, p_account, p_amount);
  END IF;
  IF v_verdict IS NULL THEN
    RAISE EXCEPTION 'no guarded ledger account %', p_account USING errcode = 'SL002';
  END IF;
  IF v_verdict <> 'held' THEN
    RETURN v_verdict;
  END IF;
  INSERT INTO ledger_holds (id, account_id, amount, opened_at)
  VALUES (p_id, p_account, p_amount, p_now) ON CONFLICT (id) DO NOTHING;
  IF NOT found THEN
    RETURN 'conflict'; -- opened meanwhile, and on another account, since this one is locked
  END IF;
  UPDATE ledger_accounts SET held = held + p_amount WHERE id = p_account;
  RETURN 'held';
END $function$
;

CREATE OR REPLACE FUNCTION public.ledger_hold_all(p_ids text[], p_accounts bigint[], p_amounts bigint[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
BEGIN
  INSERT INTO ledger_holds (id, account_id, amount, opened_at)
  SELECT h.id, h.account, h.amount, p_now FROM unnest(p_ids, p_accounts, p_amounts)
    AS h(id, account, amount);
  UPDATE ledger_accounts a SET held = a.held + h.total
  FROM (
    SELECT u.account, sum(u.amount)::bigint AS total
    FROM unnest(p_accounts, p_amounts) AS u(account, amount) GROUP BY u.account
  ) AS h
  WHERE a.id = h.account;
END $function$
;

CREATE OR REPLACE FUNCTION public.ledger_hold_verdict(p_id text, p_account bigint, p_amount bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE
    WHEN (h.account_id, h.amount) = (p_account, p_amount) THEN 'duplicate'
    WHEN h.id IS NOT NULL THEN 'conflict'
    WHEN a.posted - a.held < p_amount THEN 'insufficient'
    ELSE 'held' END
  FROM ledger_accounts a LEFT JOIN ledger_holds h ON h.id = p_id
  WHERE a.id = p_account AND a.guarded;
$function$
;

CREATE OR REPLACE FUNCTION public.ledger_lock_accounts(p_accounts bigint[])
 RETURNS bigint[]
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_guarded bigint[];
  v_absent bigint;
BEGIN
  SELECT coalesce(array_agg(locked.id), '{}') INTO v_guarded FROM (
    SELECT a.id FROM ledger_accounts a WHERE a.id = ANY (p_accounts) AND a.guarded
    ORDER BY a.id FOR NO KEY UPDATE
  ) AS locked;
  SELECT min(rest.id) INTO v_absent
  FROM (SELECT unnest(p_accounts) AS id EXCEPT ALL SELECT unnest(v_guarded)) AS rest
  WHERE NOT EXISTS (SELECT FROM ledger_accounts a WHERE a.id = rest.id);
  IF v_absent IS NOT NULL THEN
    RAISE EXCEPTION 'no ledger account %', v_absent USING errcode = 'SL002';
  END IF;
  RETURN v_guarded;
END $function$
;

CREATE OR REPLACE FUNCTION public.ledger_open_account(p_key text, p_guarded boolean, p_now timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
AS $function$
  SELECT (ledger_open_accounts(ARRAY[p_key], p_guarded, p_now))[1];
$function$
;

CREATE OR REPLACE FUNCTION public.ledger_open_accounts(p_keys text[], p_guarded boolean, p_now timestamp with time zone)
 RETURNS bigint[]
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_ids bigint[];
BEGIN
  INSERT INTO ledger_accounts (key, guarded, created_at)
  SELECT DISTINCT k.key, p_guarded, p_now FROM unnest(p_keys) AS k(key)
  WHERE NOT EXISTS (SELECT FROM ledger_accounts a WHERE a.key = k.key)
  ORDER BY k.key
  ON CONFLICT (key) DO NOTHING;
  SELECT array_agg(a.id ORDER BY k.ord) INTO v_ids
  FROM unnest(p_keys) WITH ORDINALITY AS k(key, ord)
  JOIN ledger_accounts a ON a.key = k.key AND a.guarded = p_guarded;
  IF coalesce(cardinality(v_ids), 0) <> cardinality(p_keys) THEN
    RAISE EXCEPTION 'an account of % is open with the other kind of guard', p_keys
      USING errcode = 'SL001';
  END IF;
  RETURN coalesce(v_ids, '{}');
END $function$
;

CREATE OR REPLACE FUNCTION public.ledger_pay_hold(p_hold text, p_transfer text, p_leg_account bigint[], p_leg_amount bigint[], p_occurred_at timestamp with time zone, p_now timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_transfers int[] := array_fill(1, ARRAY[cardinality(p_leg_account)]);
  v_contents text[] :=
    ledger_contents(ARRAY[p_transfer], v_transfers, p_leg_account, p_leg_amount);
  v_hold ledger_holds;
  v_taken text;
BEGIN
  SELECT * INTO v_hold FROM ledger_holds h WHERE h.id = p_hold;
  IF NOT found THEN
    RETURN 'unknown';
  END IF;
  PERFORM ledger_enter();
  PERFORM ledger_lock_accounts(ARRAY(SELECT DISTINCT unnest(p_leg_account || v_hold.account_id)));
  SELECT * INTO v_hold FROM ledger_holds h WHERE h.id = p_hold;
  v_taken := (SELECT t.legs FROM ledger_transfers t WHERE t.id = p_transfer);
  IF v_hold.ended_as = 'released' THEN
    RETURN 'released';
  END IF;
  IF v_taken IS NOT NULL OR v_hold.ended_as = 'paid' THEN
    RETURN CASE WHEN v_hold.transfer_id = p_transfer AND v_taken = v_contents[1]
      THEN 'duplicate' ELSE 'conflict' END;
  END IF;
  IF ARRAY(SELECT l.account || ':' || l.amount
      FROM unnest(p_leg_account, p_leg_amount) AS l(account, amount) WHERE l.amount < 0)
    <> ARRAY[v_hold.account_id || ':' || -v_hold.amount] THEN
    RAISE EXCEPTION 'hold % is paid by one debit of its whole amount', p_hold
      USING errcode = 'SL001';
  END IF;
  UPDATE ledger_holds SET ended_at = p_now, ended_as = 'paid', transfer_id = p_transfer
  WHERE id = p_hold;
  UPDATE ledger_accounts SET held = held - v_hold.amount WHERE id = v_hold.account_id;
  IF ledger_write(ARRAY[p_transfer], v_contents, v_transfers, p_leg_account, p_leg_amount,
    ARRAY[p_occurred_at], p_now) <> ARRAY['posted'] THEN
    RAISE EXCEPTION 'transfer % was written meanwhile', p_transfer
      USING errcode = 'serialization_failure';
  END IF;
  RETURN 'paid';
END $function$
;

CREATE OR REPLACE FUNCTION public.ledger_post(p_ids text[], p_leg_transfer integer[], p_leg_account bigint[], p_leg_amount bigint[], p_occurred_at timestamp with time zone[], p_now timestamp with time zone)
 RETURNS text[]
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE
  v_contents text[];
  v_outcomes text[] := '{}';
BEGIN
  IF cardinality(p_ids) = 0 THEN
    RETURN '{}';
  END IF;
  v_contents := ledger_contents(p_ids, p_leg_transfer, p_leg_account, p_leg_amount);
  PERFORM ledger_enter();
  PERFORM ledger_lock_accounts(ARRAY(SELECT DISTINCT unnest(p_leg_account)));
  -- Where the debits alone are covered, no order of posting leaves an account short.
  IF ledger_covers(p_leg_account, p_leg_amount, true) THEN
    RETURN ledger_write(p_ids, v_contents, p_leg_transfer, p_leg_account, p_leg_amount,
      p_occurred_at, p_now);
  END IF;
  FOR i IN 1 .. cardinality(p_ids) LOOP
    v_outcomes := v_outcomes || ledger_post_next(p_ids[i], v_contents[i],
      ARRAY(SELECT l.account FROM unnest(p_leg_transfer, p_leg_account)
        WITH ORDINALITY AS l(t, account, ord) WHERE l.t = i ORDER BY l.ord),
      ARRAY(SELECT l.amount FROM unnest(p_leg_transfer, p_leg_amount)
        WITH ORDINALITY AS l(t, amount, ord) WHERE l.t = i ORDER BY l.ord),
      p_occurred_at[i], p_now);
  END LOOP;
  RETURN v_outcomes;
END $function$
;

CREATE OR REPLACE FUNCTION public.ledger_post_next(p_id text, p_content text, p_accounts bigint[], p_amounts bigint[], p_occurred_at timestamp with time zone, p_now timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_written text := (SELECT t.legs FROM ledger_transfers t WHERE t.id = p_id);
BEGIN
  IF v_written IS NOT NULL THEN
    RETURN CASE WHEN v_written = p_content THEN 'duplicate' ELSE 'conflict' END;
  END IF;
  IF NOT ledger_covers(p_accounts, p_amounts, false) THEN
    RETURN 'insufficient';
  END IF;
  RETURN (ledger_write(ARRAY[p_id], ARRAY[p_content], array_fill(1, ARRAY[cardinality(p_accounts)]),
    p_accounts, p_amounts, ARRAY[p_occurred_at], p_now))[1];
END $function$
;

CREATE OR REPLACE FUNCTION public.ledger_post_sales(p_ids text[], p_from bigint[], p_to bigint[], p_net bigint[], p_fee_to bigint, p_fee bigint[], p_occurred_at timestamp with time zone[], p_now timestamp with time zone)
 RETURNS text[]
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE
  v_shared bigint[] := ARRAY(SELECT DISTINCT f.id FROM unnest(p_from || p_fee_to) AS f(id));
  v_contents text[];
  v_sound boolean;
  v_outcomes text[];
  v_absent bigint;
BEGIN
  IF cardinality(p_ids) = 0 THEN
    RETURN '{}';
  END IF;
  SELECT array_agg(
    s.source || ':' || -(s.net + s.fee)
    || CASE WHEN s.net > 0 THEN ',' || s.target || ':' || s.net ELSE '' END
    || CASE WHEN s.fee > 0 THEN ',' || p_fee_to || ':' || s.fee ELSE '' END ORDER BY s.ord),
    bool_and(coalesce(s.net >= 0 AND s.fee >= 0 AND s.net + s.fee > 0, false))
  INTO v_contents, v_sound
  FROM unnest(p_ids, p_from, p_to, p_net, p_fee)
    WITH ORDINALITY AS s(id, source, target, net, fee, ord);
  IF v_sound IS NOT true OR cardinality(v_contents) <> cardinality(p_ids) THEN
    RAISE EXCEPTION 'sales % are malformed', p_ids USING errcode = 'SL001';
  END IF;
  PERFORM ledger_enter();
  SELECT min(f.id) INTO v_absent FROM unnest(v_shared) AS f(id)
  WHERE NOT EXISTS (SELECT FROM ledger_accounts a WHERE a.id = f.id AND NOT a.guarded);
  IF v_absent IS NOT NULL THEN
    RAISE EXCEPTION 'no unguarded ledger account %', v_absent USING errcode = 'SL002';
  END IF;
  v_outcomes := ledger_add_transfers(p_ids, v_contents, p_occurred_at, p_now);
  INSERT INTO ledger_entries (account_id, transfer_id, amount)
  SELECT leg.account, s.id, leg.amount
  FROM unnest(p_ids, p_from, p_to, p_net, p_fee, v_outcomes)
    AS s(id, source, target, net, fee, outcome)
  CROSS JOIN LATERAL (
    VALUES (s.source, -(s.net + s.fee)), (s.target, s.net), (p_fee_to, s.fee)
  ) AS leg(account, amount)
  WHERE leg.amount <> 0 AND s.outcome = 'posted';
  WITH net AS MATERIALIZED (
    SELECT s.target, sum(s.net)::bigint AS net
    FROM unnest(p_to, p_net, v_outcomes) AS s(target, net, outcome)
    WHERE s.outcome = 'posted' AND s.net > 0 GROUP BY s.target
  ), locked AS MATERIALIZED (
    SELECT a.id FROM ledger_accounts a
    WHERE a.id = ANY (ARRAY(SELECT net.target FROM net)) AND a.guarded
    ORDER BY a.id FOR NO KEY UPDATE
  ), credited AS (
    UPDATE ledger_accounts a SET posted = a.posted + net.net
    FROM locked JOIN net ON net.target = locked.id WHERE a.id = locked.id
    RETURNING a.id
  )
  SELECT (SELECT count(*) FROM net) = (SELECT count(*) FROM credited) INTO v_sound;
  IF NOT v_sound THEN
    RAISE EXCEPTION 'no guarded ledger account among %', p_to USING errcode = 'SL002';
  END IF;
  RETURN v_outcomes;
END $function$
;

CREATE OR REPLACE FUNCTION public.ledger_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% on % refused: what is written stays, correct it by another transfer',
    tg_op, tg_table_name USING errcode = 'SL003';
END $function$
;

CREATE OR REPLACE FUNCTION public.ledger_release_hold(p_hold text, p_now timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_hold ledger_holds;
BEGIN
  PERFORM FROM ledger_accounts a
  WHERE a.id = (SELECT h.account_id FROM ledger_holds h WHERE h.id = p_hold) FOR NO KEY UPDATE;
  SELECT * INTO v_hold FROM ledger_holds h WHERE h.id = p_hold;
  IF v_hold.id IS NULL THEN
    RETURN 'unknown';
  END IF;
  IF v_hold.ended_as IS NOT NULL THEN
    RETURN CASE v_hold.ended_as WHEN 'released' THEN 'duplicate' ELSE 'paid' END;
  END IF;
  UPDATE ledger_holds SET ended_at = p_now, ended_as = 'released' WHERE id = p_hold;
  UPDATE ledger_accounts SET held = held - v_hold.amount WHERE id = v_hold.account_id;
  RETURN 'released';
END $function$
;

CREATE OR REPLACE FUNCTION public.ledger_snapshot(p_now timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_seq bigint;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'ledger_snapshot must see what was committed while it waited'
      USING errcode = 'SL001';
  END IF;
  PERFORM pg_advisory_xact_lock(1818584167, 1); -- one snapshot at a time
  v_seq := ledger_barrier();
  INSERT INTO ledger_snapshots AS s (account_id, seq, balance, taken_at)
  SELECT a.id, v_seq, coalesce(old.balance, 0) + later.amount, p_now
  FROM ledger_accounts a
  LEFT JOIN ledger_snapshots old ON old.account_id = a.id
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(e.amount), 0)::bigint AS amount FROM ledger_entries e
    WHERE e.account_id = a.id AND e.seq > coalesce(old.seq, 0) AND e.seq <= v_seq
  ) AS later
  WHERE NOT a.guarded
  ON CONFLICT (account_id) DO UPDATE
    SET seq = excluded.seq, balance = excluded.balance, taken_at = excluded.taken_at;
  RETURN v_seq;
END $function$
;

CREATE OR REPLACE FUNCTION public.ledger_write(p_ids text[], p_contents text[], p_leg_transfer integer[], p_leg_account bigint[], p_leg_amount bigint[], p_occurred_at timestamp with time zone[], p_now timestamp with time zone)
 RETURNS text[]
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_outcomes text[] := ledger_add_transfers(p_ids, p_contents, p_occurred_at, p_now);
BEGIN
  WITH leg AS MATERIALIZED (
    SELECT l.account, i.id, l.amount, l.ord
    FROM unnest(p_leg_transfer, p_leg_account, p_leg_amount)
      WITH ORDINALITY AS l(t, account, amount, ord)
    JOIN unnest(p_ids, v_outcomes) WITH ORDINALITY AS i(id, outcome, t) ON i.t = l.t
    WHERE i.outcome = 'posted'
  ), written AS (
    INSERT INTO ledger_entries (account_id, transfer_id, amount)
    SELECT leg.account, leg.id, leg.amount FROM leg ORDER BY leg.ord
  )
  UPDATE ledger_accounts a SET posted = a.posted + d.delta
  FROM (SELECT account, sum(amount)::bigint AS delta FROM leg GROUP BY account) AS d
  WHERE a.id = d.account AND a.guarded AND d.delta <> 0;
  RETURN v_outcomes;
END $function$
;

CREATE OR REPLACE FUNCTION public.lock_provider_account(p_provider text, p_key_id bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  SELECT pg_advisory_xact_lock(hashtextextended('calls:' || p_provider || ':' || p_key_id, 0))
$function$
;

CREATE OR REPLACE FUNCTION public.lock_unpaid_orders(p_buyer_id bigint, p_kind text, p_product_id bigint, p_provider text, p_since timestamp with time zone, p_same_max integer, p_all_max integer)
 RETURNS TABLE(same_since timestamp with time zone, all_since timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('order:' || p_buyer_id, 0));
  -- A query of its own: it sees what those before in the turn have written.
  RETURN QUERY
  SELECT (array_agg(o.created_at ORDER BY o.created_at DESC) FILTER (WHERE o.kind = p_kind
      AND o.product_id IS NOT DISTINCT FROM p_product_id
      AND (o.kind <> 'trial' OR o.provider = p_provider)))[p_same_max],
    (array_agg(o.created_at ORDER BY o.created_at DESC))[p_all_max]
  FROM orders o
  WHERE o.buyer_id = p_buyer_id AND o.status IN ('pending', 'failed') AND o.created_at > p_since;
END $function$
;

CREATE OR REPLACE FUNCTION public.order_holds_place(o orders, p_now timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE o.status
    WHEN 'paid' THEN o.access_until > p_now
    WHEN 'pending' THEN o.stock_reserved_until > p_now
    -- Somebody is at a provider for it: it waits again, or he gives the place back.
    WHEN 'failed' THEN o.stock_reserved_until > p_now AND o.opening_until > p_now
  END
$function$
;

CREATE OR REPLACE FUNCTION public.outbox_notify()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_notify('sesame_outbox', topic) FROM (SELECT DISTINCT topic FROM written) AS t;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.payments_forget_customer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  new.widget := new.widget - 'customer';
  RETURN new;
END $function$
;

CREATE OR REPLACE FUNCTION public.plan_change(p_seller bigint, p_plan text, p_until timestamp with time zone, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_seller sellers;
  v_from bigint;
  v_to bigint;
  v_amount bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(1818584167, 0);
  SELECT s.* INTO STRICT v_seller FROM sellers s WHERE s.id = p_seller;
  v_from := CASE v_seller.plan WHEN 'premium' THEN v_seller.premium_account_id
    ELSE v_seller.free_account_id END;
  v_to := CASE p_plan WHEN 'premium' THEN v_seller.premium_account_id
    ELSE v_seller.free_account_id END;
  UPDATE sellers SET plan = p_plan, premium_until = p_until, updated_at = p_now,
    premium_since = CASE WHEN p_plan = 'premium' THEN coalesce(
      CASE WHEN v_seller.plan = 'premium' THEN premium_since END, p_now) END,
    premium_set_at = CASE WHEN p_plan = 'premium' THEN p_now END,
    plan_changes = plan_changes + (v_from <> v_to)::int
  WHERE id = p_seller;
  IF v_from = v_to THEN
    RETURN;
  END IF;
  PERFORM ledger_lock_accounts(array[v_from, v_to]);
  SELECT a.posted - a.held INTO v_amount FROM ledger_accounts a WHERE a.id = v_from;
  IF v_amount > 0 AND ledger_post(
    array['plan-move:' || p_seller || ':' || v_seller.plan_changes + 1], array[1, 1],
    array[v_from, v_to], array[-v_amount, v_amount], array[p_now], p_now) <> array['posted'] THEN
    RAISE EXCEPTION 'the balance of the seller % was moved before', p_seller;
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.plan_instant(p_at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$function$
;

CREATE OR REPLACE FUNCTION public.product_places_taken(p_product_id bigint, p_now timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT count(DISTINCT o.buyer_id) FROM orders o
  WHERE o.product_id = p_product_id AND order_holds_place(o, p_now)
$function$
;

CREATE OR REPLACE FUNCTION public.provider_calls_of(p_provider text, p_key_id bigint, p_now timestamp with time zone, p_class text DEFAULT NULL::text)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce(sum(calls), 0)::int FROM provider_calls
  WHERE provider = p_provider AND key_id = p_key_id AND (p_class IS NULL OR class = p_class)
    AND since > p_now - interval '65 seconds' AND since <= p_now
$function$
;

CREATE OR REPLACE FUNCTION public.provider_slot_start(p_now timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT to_timestamp(floor(extract(epoch FROM p_now) / 5) * 5)
$function$
;

CREATE OR REPLACE FUNCTION public.recent_calls(p_calls double precision, p_counted_at timestamp with time zone, p_now timestamp with time zone)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE
AS $function$
  -- Counted by a clock that was set back since: nothing is left of it.
  SELECT CASE WHEN p_counted_at > p_now + interval '1 minute' THEN 0 ELSE p_calls
    * least(1, greatest(0, 1 - extract(epoch FROM p_now - p_counted_at)::double precision / 60)) END
$function$
;

CREATE OR REPLACE FUNCTION public.release_withdrawal(p_id bigint, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_seller bigint;
  v_from bigint;
  v_amount bigint;
  v_to bigint;
BEGIN
  SELECT w.seller_id, w.account_id, w.amount INTO STRICT v_seller, v_from, v_amount
  FROM withdrawals w WHERE w.id = p_id;
  -- His plan cannot change from here to the commit.
  SELECT CASE s.plan WHEN 'premium' THEN s.premium_account_id ELSE s.free_account_id END
  INTO STRICT v_to FROM sellers s WHERE s.id = v_seller FOR SHARE;
  PERFORM ledger_enter();
  PERFORM ledger_lock_accounts(ARRAY(SELECT DISTINCT unnest(ARRAY[v_from, v_to])));
  IF ledger_release_hold('hold:' || p_id, p_now) <> 'released' THEN
    RAISE EXCEPTION 'the hold of the withdrawal % had ended', p_id;
  END IF;
  IF v_from <> v_to AND ledger_post(ARRAY['move:' || p_id], ARRAY[1, 1], ARRAY[v_from, v_to],
    ARRAY[-v_amount, v_amount], ARRAY[p_now], p_now) <> ARRAY['posted'] THEN
    RAISE EXCEPTION 'the move of the withdrawal % was posted before', p_id;
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.request_withdrawals(p_sellers bigint[], p_keys text[], p_hashes bytea[], p_amounts bigint[], p_methods text[], p_operators text[], p_countries text[], p_phones text[], p_whatsapps text[], p_automatic_on date[], p_max_free bigint, p_max_premium bigint, p_max_first bigint, p_week_from timestamp with time zone, p_due_at timestamp with time zone, p_now timestamp with time zone)
 RETURNS TABLE(ord integer, outcome text, plan text, withdrawal_id bigint, reference text, created_at timestamp with time zone, due_at timestamp with time zone, reopens_at timestamp with time zone, reason text, review_at timestamp with time zone, frozen_by text, first_left bigint)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
DECLARE
  v_item record;
  v_outcome text;
  v_id bigint;
  v_before int;
  v_count int[] := ARRAY[cardinality(p_sellers)];
  -- What the requests before left, by seller (numbered in the order of their ids).
  v_available bigint[] := array_fill(NULL::bigint, v_count);
  v_last timestamptz[] := array_fill(NULL::timestamptz, v_count);
  -- The request accepted under a key, for an automatic date.
  v_of_key int[] := array_fill(NULL::int, v_count);
  v_of_run int[] := array_fill(NULL::int, v_count);
  -- What became of each.
  v_outcomes text[] := array_fill(NULL::text, v_count);
  v_ids bigint[] := array_fill(NULL::bigint, v_count);
  v_plans text[] := array_fill(NULL::text, v_count);
  v_reopens timestamptz[] := array_fill(NULL::timestamptz, v_count);
  -- By seller: what he may still ask for before anything was paid to him.
  v_first bigint[] := array_fill(NULL::bigint, v_count);
  v_lefts bigint[] := array_fill(NULL::bigint, v_count);
  -- Those accepted.
  v_taken int[] := '{}';
  v_accounts bigint[] := '{}';
  v_new_ids bigint[];
BEGIN
  PERFORM FROM sellers s WHERE s.id = ANY (p_sellers) ORDER BY s.id FOR NO KEY UPDATE;
  PERFORM ledger_lock_accounts(ARRAY(
    SELECT CASE s.plan WHEN 'premium' THEN s.premium_account_id ELSE s.free_account_id END
    FROM sellers s WHERE s.id = ANY (p_sellers)));

  -- Read after the locks: what another batch has written meanwhile is seen here.
  FOR v_item IN
    WITH facts AS MATERIALIZED (
      SELECT s.id, coalesce(s.plan, 'free') AS plan, a.id AS account, a.posted - a.held - coalesce(advance.owed, 0) AS available,
        CASE WHEN s.closed_at IS NOT NULL THEN 'closed'
          WHEN s.suspended_at IS NOT NULL THEN 'suspended'
          WHEN p.frozen_at IS NOT NULL THEN 'frozen' END AS standing,
        -- The week of the free plan runs from the newest that is pending or approved.
        CASE WHEN s.plan IS DISTINCT FROM 'premium' THEN (
          SELECT w.created_at FROM withdrawals w
          WHERE w.seller_id = s.id AND w.status IN ('pending', 'approved')
          ORDER BY w.id DESC LIMIT 1
        ) END AS last_at,
        -- Nothing was ever paid to him: what is open counts together.
        CASE WHEN NOT EXISTS (
          SELECT FROM withdrawals w WHERE w.seller_id = s.id AND w.paid_at IS NOT NULL
        ) THEN greatest(0, p_max_first - coalesce((
          SELECT sum(w.amount) FROM withdrawals w
          WHERE w.seller_id = s.id AND w.status IN ('pending', 'approved')), 0))::bigint
        END AS first_left
      FROM sellers s
      JOIN ledger_accounts a
        ON a.id = CASE s.plan WHEN 'premium' THEN s.premium_account_id ELSE s.free_account_id END
      LEFT JOIN payout_profiles p ON p.seller_id = s.id
      LEFT JOIN seller_advances advance ON advance.seller_id = s.id
      WHERE s.id = ANY (p_sellers)
    )
    SELECT i.ord::int, i.amount, i.hash, i.key IS NOT NULL AS keyed, i.run IS NOT NULL AS is_run,
      (dense_rank() OVER (ORDER BY i.seller))::int AS seller_no,
      (dense_rank() OVER (ORDER BY i.seller, i.key))::int AS key_no,
      (dense_rank() OVER (ORDER BY i.seller, i.run))::int AS run_no,
      f.plan, f.account, f.available, f.standing, f.last_at, f.first_left,
      CASE WHEN i.key IS NOT NULL THEN (
        SELECT w.id FROM withdrawals w WHERE w.seller_id = i.seller AND w.idempotency_key = i.key
      ) END AS known_id,
      CASE WHEN i.run IS NOT NULL THEN (
        SELECT w.id FROM withdrawals w WHERE w.seller_id = i.seller AND w.automatic_on = i.run
      ) END AS run_id
    FROM unnest(p_sellers, p_keys, p_hashes, p_amounts, p_automatic_on)
      WITH ORDINALITY AS i(seller, key, hash, amount, run, ord)
    JOIN facts f ON f.id = i.seller
    ORDER BY i.ord
  LOOP
    v_id := v_item.known_id;
    v_before := CASE WHEN v_item.keyed THEN v_of_key[v_item.key_no] END;
    IF v_item.run_id IS NOT NULL OR (v_item.is_run AND v_of_run[v_item.run_no] IS NOT NULL) THEN
      v_outcome := 'run-before';
      v_id := v_item.run_id;
      v_before := v_of_run[v_item.run_no];
    ELSIF v_before IS NOT NULL THEN
      v_outcome := CASE WHEN p_hashes[v_before] = v_item.hash THEN 'repeated' ELSE 'key-reused' END;
    ELSIF v_id IS NOT NULL THEN
      v_outcome := CASE WHEN EXISTS (
        SELECT FROM withdrawals w WHERE w.id = v_id AND w.idempotency_hash = v_item.hash
      ) THEN 'repeated' ELSE 'key-reused' END;
    ELSIF v_item.amount
      > (CASE v_item.plan WHEN 'premium' THEN p_max_premium ELSE p_max_free END) THEN
      v_outcome := 'too-large';
    ELSIF v_item.amount > coalesce(v_available[v_item.seller_no], v_item.available) THEN
      v_outcome := 'too-low';
    ELSIF v_item.standing IS NOT NULL THEN
      v_outcome := v_item.standing;
    ELSIF v_item.plan = 'free'
      AND coalesce(v_last[v_item.seller_no], v_item.last_at) > p_week_from THEN
      v_outcome := 'weekly';
      -- In seconds: an interval in days would follow the session's summer time.
      v_reopens[v_item.ord] := coalesce(v_last[v_item.seller_no], v_item.last_at)
        + make_interval(secs => extract(epoch FROM p_now - p_week_from)::float8);
    ELSIF v_item.amount > coalesce(v_first[v_item.seller_no], v_item.first_left) THEN
      v_outcome := 'first-too-large';
      v_lefts[v_item.ord] := coalesce(v_first[v_item.seller_no], v_item.first_left);
    ELSE
      v_outcome := 'accepted';
      v_available[v_item.seller_no] :=
        coalesce(v_available[v_item.seller_no], v_item.available) - v_item.amount;
      v_first[v_item.seller_no] :=
        coalesce(v_first[v_item.seller_no], v_item.first_left) - v_item.amount;
      v_last[v_item.seller_no] := p_now;
      v_taken := v_taken || v_item.ord;
      v_accounts := v_accounts || v_item.account;
      IF v_item.keyed THEN
        v_of_key[v_item.key_no] := v_item.ord;
      END IF;
      IF v_item.is_run THEN
        v_of_run[v_item.run_no] := v_item.ord;
      END IF;
    END IF;
    v_outcomes[v_item.ord] := v_outcome;
    v_plans[v_item.ord] := v_item.plan;
    -- Of the same batch: its id is not drawn yet, its place is kept below zero.
    v_ids[v_item.ord] :=
      CASE WHEN v_outcome IN ('repeated', 'run-before') THEN coalesce(v_id, -v_before) END;
  END LOOP;

  IF cardinality(v_taken) > 0 THEN
    v_new_ids := ARRAY(
      SELECT nextval('withdrawals_id_seq') FROM generate_series(1, cardinality(v_taken)));
    PERFORM ledger_hold_all(
      ARRAY(SELECT 'hold:' || n.id FROM unnest(v_new_ids) WITH ORDINALITY AS n(id, o) ORDER BY n.o),
      v_accounts, ARRAY(
        SELECT p_amounts[t.ord] FROM unnest(v_taken) WITH ORDINALITY AS t(ord, o) ORDER BY t.o),
      p_now);
    INSERT INTO withdrawals (id, seller_id, account_id, plan, amount, method, operator, country,
      phone, whatsapp, reference, idempotency_key, idempotency_hash, origin, automatic_on,
      created_at, due_at)
    OVERRIDING SYSTEM VALUE
    SELECT t.id, p_sellers[t.ord], t.account, v_plans[t.ord], p_amounts[t.ord], p_methods[t.ord],
      p_operators[t.ord], p_countries[t.ord], p_phones[t.ord], p_whatsapps[t.ord],
      'RT-' || lpad(t.id::text, greatest(6, length(t.id::text)), '0'), p_keys[t.ord],
      CASE WHEN p_keys[t.ord] IS NOT NULL THEN p_hashes[t.ord] END,
      CASE WHEN p_automatic_on[t.ord] IS NULL THEN 'manual' ELSE 'automatic' END,
      p_automatic_on[t.ord], p_now, p_due_at
    FROM unnest(v_taken, v_new_ids, v_accounts) AS t(ord, id, account);
    INSERT INTO outbox (topic, ref, priority, due_at)
    SELECT 'desk.tell-agents', n.id, 1, p_now FROM unnest(v_new_ids) AS n(id);
    PERFORM pg_notify('sesame_outbox', '');
    FOR i IN 1 .. cardinality(v_taken) LOOP
      v_ids[v_taken[i]] := v_new_ids[i];
    END LOOP;
  END IF;

  RETURN QUERY
  SELECT r.ord::int, r.outcome, r.plan, w.id, w.reference, w.created_at, w.due_at, r.reopens_at,
    CASE r.outcome WHEN 'suspended' THEN s.suspended_reason WHEN 'frozen' THEN p.frozen_reason END,
    CASE r.outcome WHEN 'suspended' THEN s.suspended_review_at
      WHEN 'frozen' THEN p.frozen_review_at END,
    p.frozen_by, r.first_left
  FROM unnest(p_sellers, v_outcomes, v_plans, v_ids, v_reopens, v_lefts)
    WITH ORDINALITY AS r(seller, outcome, plan, id, reopens_at, first_left, ord)
  LEFT JOIN withdrawals w ON w.id = CASE WHEN r.id < 0 THEN v_ids[-r.id] ELSE r.id END
  LEFT JOIN sellers s ON s.id = r.seller AND r.outcome = 'suspended'
  LEFT JOIN payout_profiles p ON p.seller_id = r.seller AND r.outcome = 'frozen'
  ORDER BY r.ord;
END $function$
;

CREATE OR REPLACE FUNCTION public.sales_begin_again(p_seller bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM sale_totals x WHERE x.seller_id = p_seller;
  DELETE FROM sale_sums x WHERE x.seller_id = p_seller;
  DELETE FROM sale_runs x WHERE x.seller_id = p_seller;
  DELETE FROM sale_days x WHERE x.seller_id = p_seller;
  DELETE FROM sale_buyer_months x WHERE x.seller_id = p_seller;
  DELETE FROM sale_buyer_years x WHERE x.seller_id = p_seller;
  DELETE FROM sale_cohorts x WHERE x.seller_id = p_seller;
  WITH known AS (DELETE FROM sale_deltas d WHERE d.seller_id = p_seller)
  INSERT INTO sale_deltas
  SELECT 1, o.duration_minutes, o.id, o.seller_id, o.product_id, o.buyer_id, o.price, o.fee,
    o.paid_at, CASE WHEN o.kind = 'product' THEN o.access_until END, o.is_renewal, o.direct
  FROM orders o WHERE o.seller_id = p_seller AND o.status = 'paid';
END $function$
;

CREATE OR REPLACE FUNCTION public.sales_fold(p_seller bigint, p_zone text, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_year date := sales_year_from(p_zone, p_now);
  v_made sale_rollups;
BEGIN
  IF EXISTS (SELECT FROM sale_rollups r
    WHERE r.seller_id = p_seller AND r.zone = p_zone AND r.year_from = v_year)
    AND NOT EXISTS (SELECT FROM sale_deltas d WHERE d.seller_id = p_seller) THEN
    RETURN;
  END IF;
  INSERT INTO sale_rollups (seller_id, zone, year_from) VALUES (p_seller, '', v_year)
  ON CONFLICT DO NOTHING;
  -- One fold of a seller at a time; sales go on.
  SELECT * INTO STRICT v_made FROM sale_rollups r WHERE r.seller_id = p_seller FOR NO KEY UPDATE;
  IF v_made.zone <> p_zone THEN
    PERFORM sales_begin_again(p_seller);
  ELSIF v_made.year_from <> v_year THEN
    DELETE FROM sale_buyer_years y WHERE y.seller_id = p_seller;
    INSERT INTO sale_buyer_years (seller_id, buyer_id, sales, gross)
    SELECT p_seller, m.buyer_id, sum(m.sales), sum(m.gross) FROM sale_buyer_months m
    WHERE m.seller_id = p_seller AND m.month >= v_year GROUP BY m.buyer_id;
  END IF;
  IF (v_made.zone, v_made.year_from) <> (p_zone, v_year) THEN
    UPDATE sale_rollups r SET zone = p_zone, year_from = v_year WHERE r.seller_id = p_seller;
  END IF;
  PERFORM sales_move(p_seller, p_zone, v_year);
END $function$
;

CREATE OR REPLACE FUNCTION public.sales_move(p_seller bigint, p_zone text, p_year date)
 RETURNS void
 LANGUAGE sql
AS $function$
  WITH taken AS MATERIALIZED (
    DELETE FROM sale_deltas d WHERE d.seller_id = p_seller RETURNING d.*
  ), sale AS MATERIALIZED (
    SELECT t.sign, t.order_id, t.product_id, t.buyer_id, t.price, t.fee, t.renewal, t.direct,
      (t.sold_at AT TIME ZONE p_zone)::date AS day,
      date_trunc('month', t.sold_at AT TIME ZONE p_zone)::date AS month,
      -- In seconds: an interval in days would follow the zone's summer time.
      ((t.until - make_interval(secs => t.minutes * 60.0)) AT TIME ZONE p_zone)::date AS begins_on,
      (t.until AT TIME ZONE p_zone)::date AS ends_on,
      -- What gives no time has no price for 30 days.
      t.price * 43200 / nullif(t.minutes, 0) AS monthly
    FROM taken t
  ), totals AS (
    INSERT INTO sale_totals AS x
    SELECT p_seller, g.grain, g.starts_on, s.product_id, sum(s.sign),
      sum(s.sign * s.renewal::int), sum(s.sign * s.price), sum(s.sign * s.fee),
      sum(s.sign * s.price * s.direct::int)
    FROM sale s CROSS JOIN LATERAL (VALUES ('day', s.day), ('month', s.month)) AS g(grain, starts_on)
    GROUP BY g.grain, g.starts_on, s.product_id
    ON CONFLICT (seller_id, grain, starts_on, product_id) DO UPDATE SET
      sales = x.sales + excluded.sales, renewals = x.renewals + excluded.renewals,
      gross = x.gross + excluded.gross, fees = x.fees + excluded.fees,
      direct = x.direct + excluded.direct
  ), sums AS (
    INSERT INTO sale_sums AS x
    SELECT p_seller, s.product_id, o.group_id, sum(s.sign), sum(s.sign * s.renewal::int),
      sum(s.sign * s.price), sum(s.sign * s.fee)
    FROM sale s JOIN orders o ON o.id = s.order_id
    GROUP BY s.product_id, o.group_id
    ON CONFLICT (seller_id, product_id, group_id) DO UPDATE SET
      sales = x.sales + excluded.sales, renewals = x.renewals + excluded.renewals,
      gross = x.gross + excluded.gross, fees = x.fees + excluded.fees
  ), runs AS (
    INSERT INTO sale_runs AS x
    SELECT p_seller, g.grain, g.starts_on, sum(s.sign * g.begins),
      sum(s.sign * g.begins * s.renewal::int), sum(s.sign * (1 - g.begins)),
      sum(s.sign * g.begins * s.monthly), sum(s.sign * (1 - g.begins) * s.monthly)
    FROM sale s CROSS JOIN LATERAL (VALUES
      ('day', s.begins_on, 1), ('month', date_trunc('month', s.begins_on)::date, 1),
      ('day', s.ends_on, 0), ('month', date_trunc('month', s.ends_on)::date, 0)
    ) AS g(grain, starts_on, begins)
    WHERE s.ends_on IS NOT NULL
    GROUP BY g.grain, g.starts_on
    ON CONFLICT (seller_id, grain, starts_on) DO UPDATE SET
      began = x.began + excluded.began, renewed = x.renewed + excluded.renewed,
      ended = x.ended + excluded.ended, monthly_began = x.monthly_began + excluded.monthly_began,
      monthly_ended = x.monthly_ended + excluded.monthly_ended
  ), undone AS (
    DELETE FROM sale_days x USING (
      SELECT s.day, s.order_id FROM sale s GROUP BY s.day, s.order_id HAVING sum(s.sign) < 0
    ) AS s
    WHERE x.seller_id = p_seller AND x.day = s.day AND x.order_id = s.order_id
  ), done AS (
    INSERT INTO sale_days
    SELECT p_seller, s.day, s.order_id, min(s.buyer_id), min(s.price), bool_or(s.renewal)
    FROM sale s GROUP BY s.day, s.order_id HAVING sum(s.sign) > 0
  ), months AS MATERIALIZED (
    SELECT m.buyer_id, m.month, sum(m.sales)::int AS sales, sum(m.gross)::bigint AS gross,
      sum(m.subscriptions)::int AS subscriptions, sum(m.running)::int AS running
    FROM (
      SELECT s.buyer_id, s.month, s.sign AS sales, s.sign * s.price AS gross,
        CASE WHEN s.ends_on IS NULL THEN 0 ELSE s.sign END AS subscriptions, 0 AS running
      FROM sale s
      UNION ALL
      SELECT s.buyer_id, r.month::date, 0, 0, 0, s.sign
      FROM sale s CROSS JOIN LATERAL generate_series(date_trunc('month', s.begins_on::timestamp),
        date_trunc('month', s.ends_on::timestamp) - interval '1 month', interval '1 month')
        AS r(month)
      WHERE s.ends_on IS NOT NULL
    ) AS m GROUP BY m.buyer_id, m.month
  ), before AS MATERIALIZED (
    SELECT x.buyer_id, x.month, x.subscriptions, x.running FROM sale_buyer_months x
    WHERE x.seller_id = p_seller AND x.buyer_id IN (SELECT m.buyer_id FROM months m)
  ), buyer_months AS (
    INSERT INTO sale_buyer_months AS x
    SELECT p_seller, m.buyer_id, m.month, m.sales, m.gross, m.subscriptions, m.running FROM months m
    ON CONFLICT (seller_id, buyer_id, month) DO UPDATE SET
      sales = x.sales + excluded.sales, gross = x.gross + excluded.gross,
      subscriptions = x.subscriptions + excluded.subscriptions,
      running = x.running + excluded.running
  ), buyer_years AS (
    INSERT INTO sale_buyer_years AS x
    SELECT p_seller, m.buyer_id, sum(m.sales), sum(m.gross) FROM months m
    WHERE m.month >= p_year GROUP BY m.buyer_id
    ON CONFLICT (seller_id, buyer_id) DO UPDATE SET
      sales = x.sales + excluded.sales, gross = x.gross + excluded.gross
  ), there AS (
    -- Of each buyer touched, his months before (-1) and after (+1).
    SELECT -1 AS sign, b.buyer_id, b.month, b.subscriptions, b.running FROM before b
    UNION ALL
    SELECT 1, a.buyer_id, a.month, sum(a.subscriptions), sum(a.running)
    FROM (SELECT * FROM before UNION ALL
      SELECT m.buyer_id, m.month, m.subscriptions, m.running FROM months m) AS a
    GROUP BY a.buyer_id, a.month
  ), placed AS (
    SELECT t.sign, t.month, t.running,
      min(t.month) FILTER (WHERE t.subscriptions > 0) OVER (PARTITION BY t.sign, t.buyer_id)
        AS cohort
    FROM there t
  )
  INSERT INTO sale_cohorts AS x
  SELECT p_seller, p.cohort, p.month, sum(p.sign) FROM placed p
  WHERE p.month = p.cohort OR (p.month > p.cohort AND p.running > 0)
  GROUP BY p.cohort, p.month HAVING sum(p.sign) <> 0
  ON CONFLICT (seller_id, cohort, month) DO UPDATE SET buyers = x.buyers + excluded.buyers
$function$
;

CREATE OR REPLACE FUNCTION public.sales_note_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM old_rows o WHERE o.status = 'paid') THEN
    INSERT INTO sale_deltas
    SELECT 1, n.duration_minutes, n.id, n.seller_id, n.product_id, n.buyer_id, n.price, n.fee,
      n.paid_at, CASE WHEN n.kind = 'product' THEN n.access_until END, n.is_renewal, n.direct
    FROM new_rows n WHERE n.status = 'paid' AND n.seller_id IS NOT NULL;
    RETURN NULL;
  END IF;
  INSERT INTO sale_deltas
  SELECT e.sign, e.duration_minutes, e.id, e.seller_id, e.product_id, e.buyer_id, e.price, e.fee,
    e.paid_at, CASE WHEN e.kind = 'product' THEN e.access_until END, e.is_renewal, e.direct
  FROM (
    SELECT -1 AS sign, o.*, n.status AS other, n.price - n.fee AS other_net,
      n.access_until AS other_until FROM old_rows o JOIN new_rows n ON n.id = o.id
    UNION ALL
    SELECT 1, n.*, o.status, o.price - o.fee, o.access_until
    FROM old_rows o JOIN new_rows n ON n.id = o.id
  ) AS e
  WHERE e.status = 'paid' AND e.seller_id IS NOT NULL
    AND (e.status, e.price - e.fee, e.access_until)
      IS DISTINCT FROM (e.other, e.other_net, e.other_until);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.sales_note_written()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO sale_deltas
  VALUES (1, NEW.duration_minutes, NEW.id, NEW.seller_id, NEW.product_id, NEW.buyer_id, NEW.price,
    NEW.fee, NEW.paid_at, CASE WHEN NEW.kind = 'product' THEN NEW.access_until END, NEW.is_renewal,
    NEW.direct);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.sales_year_from(p_zone text, p_now timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 STABLE
AS $function$
  SELECT (date_trunc('month', p_now AT TIME ZONE p_zone) - interval '11 months')::date
$function$
;

CREATE OR REPLACE FUNCTION public.seller_sparkline(p_seller bigint, p_zone text, p_now timestamp with time zone, p_days integer)
 RETURNS bigint[]
 LANGUAGE sql
 STABLE
AS $function$
  WITH made AS (
    SELECT EXISTS (SELECT FROM sale_rollups r WHERE r.seller_id = p_seller AND r.zone = p_zone) AS it
  ), today AS (SELECT (p_now AT TIME ZONE p_zone)::date AS day), sold AS (
    SELECT t.starts_on AS day, t.gross - t.fees AS net FROM sale_totals t, made, today
    WHERE made.it AND t.seller_id = p_seller AND t.grain = 'day' AND t.starts_on > today.day - p_days
    UNION ALL
    SELECT (d.sold_at AT TIME ZONE p_zone)::date, d.sign * (d.price - d.fee)
    FROM sale_deltas d, made WHERE made.it AND d.seller_id = p_seller
    UNION ALL
    SELECT (o.paid_at AT TIME ZONE p_zone)::date, o.price - o.fee
    FROM orders o, made WHERE NOT made.it AND o.seller_id = p_seller AND o.status = 'paid'
  )
  SELECT array_agg(coalesce(s.net, 0) ORDER BY n.back DESC)
  FROM today CROSS JOIN generate_series(0, p_days - 1) AS n(back)
  LEFT JOIN (SELECT sold.day, sum(sold.net)::bigint AS net FROM sold GROUP BY sold.day) AS s
    ON s.day = today.day - n.back
$function$
;

CREATE OR REPLACE FUNCTION public.seller_sums(p_seller bigint)
 RETURNS TABLE(product_id bigint, group_id bigint, sales bigint, renewals bigint, gross bigint, fees bigint)
 LANGUAGE sql
 STABLE
AS $function$
  WITH made AS MATERIALIZED (
    SELECT EXISTS (SELECT FROM sale_rollups r WHERE r.seller_id = p_seller AND r.zone <> '') AS it
  ), sold AS (
    SELECT s.product_id, s.group_id, s.sales, s.renewals, s.gross, s.fees
    FROM sale_sums s WHERE (SELECT made.it FROM made) AND s.seller_id = p_seller
    UNION ALL
    SELECT d.product_id, o.group_id, d.sign, d.sign * d.renewal::int, d.sign * d.price,
      d.sign * d.fee
    FROM sale_deltas d JOIN orders o ON o.id = d.order_id
    WHERE (SELECT made.it FROM made) AND d.seller_id = p_seller
    UNION ALL
    SELECT o.product_id, o.group_id, 1, o.is_renewal::int, o.price, o.fee
    FROM orders o
    WHERE NOT (SELECT made.it FROM made) AND o.seller_id = p_seller AND o.status = 'paid'
  )
  SELECT sold.product_id, sold.group_id, sum(sold.sales)::bigint, sum(sold.renewals)::bigint,
    sum(sold.gross)::bigint, sum(sold.fees)::bigint
  FROM sold GROUP BY sold.product_id, sold.group_id
$function$
;

CREATE OR REPLACE FUNCTION public.settle_donations(p_payment_ids bigint[], p_occurred_at timestamp with time zone[], p_now timestamp with time zone)
 RETURNS TABLE(payment_id bigint, order_id bigint, outcome text, buyer_id bigint, seller_id bigint, title text, price bigint, net bigint)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
DECLARE
  v_payments bigint[];
  v_occurred timestamptz[];
  v_sold bigint[];
  v_paying bigint[];
  v_surplus bigint[];
  v_restored boolean;
BEGIN
  PERFORM FROM orders o
  WHERE o.id IN (SELECT p.order_id FROM payments p WHERE p.id = ANY (p_payment_ids))
  ORDER BY o.id FOR NO KEY UPDATE;

  -- Read after the locks: what another settlement has paid meanwhile is seen here.
  WITH asked AS MATERIALIZED (
    SELECT p.id, p.order_id, i.occurred_at, p.suspended_amount IS NOT NULL AS suspended,
      p.provider, p.key_id IS NOT NULL AS direct,
      row_number() OVER (PARTITION BY p.order_id ORDER BY p.id) AS nth
    FROM (
      SELECT u.id, min(u.occurred_at) AS occurred_at
      FROM unnest(p_payment_ids, p_occurred_at) AS u(id, occurred_at) GROUP BY u.id
    ) AS i
    JOIN payments p ON p.id = i.id
    JOIN orders o ON o.id = p.order_id
    WHERE p.status <> 'paid' AND o.kind = 'donation'
  ), gift AS MATERIALIZED (
    SELECT a.id AS payment_id, a.occurred_at, a.provider, a.direct, o.id AS order_id
    FROM asked a JOIN orders o ON o.id = a.order_id
    WHERE a.nth = 1 AND o.status IN ('pending', 'failed')
  ), paid AS (
    UPDATE orders o SET status = 'paid', paid_at = g.occurred_at, settled_at = p_now,
      provider = g.provider, direct = g.direct, fee = CASE WHEN g.direct THEN 0 ELSE o.fee END
    FROM gift g WHERE o.id = g.order_id
  ), decided AS (
    UPDATE payments p SET status = 'paid', decided_at = p_now
    FROM asked a WHERE p.id = a.id
  ), answered AS (
    DELETE FROM payment_checks c USING asked a WHERE c.payment_id = a.id
  ), told AS (
    INSERT INTO outbox (topic, ref, priority, due_at)
    SELECT job.topic, g.order_id, 1, p_now
    FROM gift g CROSS JOIN (VALUES ('donations.thank', 1), ('sales.tell-seller', 2)) AS job(topic, nth)
    ORDER BY g.order_id, job.nth
  )
  SELECT array_agg(a.id ORDER BY a.id), array_agg(a.occurred_at ORDER BY a.id),
    array_agg(g.order_id ORDER BY a.id) FILTER (WHERE g.order_id IS NOT NULL AND NOT a.direct),
    array_agg(a.id ORDER BY a.id) FILTER (WHERE g.order_id IS NOT NULL),
    array_agg(a.id ORDER BY a.id) FILTER (WHERE g.order_id IS NULL),
    bool_or(a.suspended)
  INTO v_payments, v_occurred, v_sold, v_paying, v_surplus, v_restored
  FROM asked a LEFT JOIN gift g ON g.payment_id = a.id;

  IF v_surplus IS NOT NULL OR v_restored THEN
    PERFORM settle_suspense(v_paying, v_surplus, v_payments, v_occurred, p_now);
  END IF;
  IF v_sold IS NOT NULL THEN
    PERFORM settle_sales(v_sold, p_now);
  END IF;
  IF v_payments IS NOT NULL THEN
    PERFORM pg_notify('sesame_outbox', '');
  END IF;

  RETURN QUERY
  SELECT p.id, o.id, CASE WHEN p.id = ANY (v_surplus) THEN 'surplus' ELSE 'settled' END,
    o.buyer_id, o.seller_id, o.title, o.price, o.price - o.fee
  FROM payments p JOIN orders o ON o.id = p.order_id
  WHERE p.id = ANY (v_payments);
END $function$
;

CREATE OR REPLACE FUNCTION public.settle_payments(p_payment_ids bigint[], p_occurred_at timestamp with time zone[], p_now timestamp with time zone)
 RETURNS TABLE(payment_id bigint, order_id bigint, outcome text, buyer_id bigint, seller_id bigint, title text, price bigint, net bigint)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
DECLARE
  v_payments bigint[];
  v_occurred timestamptz[];
  v_sold bigint[];
  v_paying bigint[];
  v_surplus bigint[];
  v_banned bigint[];
  v_late bigint[];
  v_restored boolean;
BEGIN
  PERFORM FROM orders o
  WHERE o.id IN (SELECT p.order_id FROM payments p WHERE p.id = ANY (p_payment_ids))
  ORDER BY o.id FOR NO KEY UPDATE;

  -- Read after the locks: what another settlement has paid meanwhile is seen here.
  WITH asked AS MATERIALIZED (
    SELECT p.id, p.order_id, i.occurred_at, p.suspended_amount IS NOT NULL AS suspended,
      p.provider, p.key_id IS NOT NULL AS direct,
      row_number() OVER (PARTITION BY p.order_id ORDER BY p.id) AS nth
    FROM (
      SELECT u.id, min(u.occurred_at) AS occurred_at
      FROM unnest(p_payment_ids, p_occurred_at) AS u(id, occurred_at) GROUP BY u.id
    ) AS i
    JOIN payments p ON p.id = i.id
    WHERE p.status <> 'paid'
  ), sale AS MATERIALIZED (
    SELECT a.id AS payment_id, a.occurred_at, a.provider, a.direct, o.id AS order_id, o.buyer_id,
      o.group_id, o.duration_minutes,
      o.stock_reserved_until <= p_now OR o.status = 'failed' AS late,
      row_number() OVER (same_access ORDER BY o.id) AS nth,
      (sum(o.duration_minutes) OVER (same_access ORDER BY o.id DESC))::int
        - o.duration_minutes AS minutes_after
    FROM asked a JOIN orders o ON o.id = a.order_id
    WHERE a.nth = 1 AND o.status IN ('pending', 'failed') AND o.kind = 'product'
    WINDOW same_access AS (PARTITION BY o.buyer_id, o.group_id)
  ), granted AS (
    -- An access its admins ended (banned) is theirs: time is added, the door stays shut.
    INSERT INTO accesses AS x
      (person_id, group_id, status, ends_at, started_at, order_id, updated_at)
    SELECT s.buyer_id, s.group_id, 'waiting',
      p_now + make_interval(mins => sum(s.duration_minutes)::int), p_now, max(s.order_id), p_now
    FROM sale s GROUP BY s.buyer_id, s.group_id ORDER BY s.buyer_id, s.group_id
    ON CONFLICT (person_id, group_id) DO UPDATE SET
      status = CASE WHEN x.status IN ('inside', 'banned') THEN x.status ELSE 'waiting' END,
      -- In seconds: an interval in days would follow the session's summer time.
      ends_at = greatest(x.ends_at, p_now)
        + make_interval(secs => extract(epoch FROM excluded.ends_at - p_now)::float8),
      started_at = CASE WHEN x.ends_at > p_now THEN x.started_at ELSE p_now END,
      joined_at = CASE WHEN x.status = 'inside' THEN x.joined_at END,
      order_id = excluded.order_id, updated_at = p_now
    RETURNING x.person_id, x.group_id, x.ends_at, x.status
  ), paid AS (
    UPDATE orders o SET status = 'paid', paid_at = s.occurred_at, settled_at = p_now,
      provider = s.provider, direct = s.direct, fee = CASE WHEN s.direct THEN 0 ELSE o.fee END,
      access_until = g.ends_at - make_interval(mins => s.minutes_after),
      -- Time was left when this order's was added to it.
      is_renewal = s.nth > 1
        OR g.ends_at - make_interval(mins => s.minutes_after + s.duration_minutes) > p_now
    FROM sale s
    JOIN granted g ON g.person_id = s.buyer_id AND g.group_id = s.group_id
    WHERE o.id = s.order_id
    RETURNING o.id
  ), decided AS (
    UPDATE payments p SET status = 'paid', decided_at = p_now
    FROM asked a WHERE p.id = a.id
  ), answered AS (
    DELETE FROM payment_checks c USING asked a WHERE c.payment_id = a.id
  ), told AS (
    INSERT INTO outbox (topic, ref, priority, due_at)
    SELECT job.topic, s.order_id, job.priority, p_now
    FROM sale s CROSS JOIN (VALUES ('access.open', 0), ('sales.tell-seller', 1)) AS job(topic, priority)
  )
  SELECT array_agg(a.id ORDER BY a.id), array_agg(a.occurred_at ORDER BY a.id),
    array_agg(s.order_id ORDER BY a.id) FILTER (WHERE s.order_id IS NOT NULL AND NOT a.direct),
    array_agg(a.id ORDER BY a.id) FILTER (WHERE s.order_id IS NOT NULL),
    array_agg(a.id ORDER BY a.id) FILTER (WHERE s.order_id IS NULL),
    array_agg(s.order_id) FILTER (WHERE g.status = 'banned'),
    array_agg(s.order_id) FILTER (WHERE s.late), bool_or(a.suspended)
  INTO v_payments, v_occurred, v_sold, v_paying, v_surplus, v_banned, v_late, v_restored
  FROM asked a
  LEFT JOIN sale s ON s.payment_id = a.id
  LEFT JOIN granted g ON g.person_id = s.buyer_id AND g.group_id = s.group_id;

  IF v_banned IS NOT NULL THEN
    INSERT INTO desk_alerts (kind, subject, details, created_at)
    SELECT 'access.paid-while-banned', 'order:' || b.id, jsonb_build_object('order_id', b.id), p_now
    FROM unnest(v_banned) AS b(id)
    ON CONFLICT (kind, subject) DO NOTHING;
  END IF;
  IF v_late IS NOT NULL THEN
    -- Granted all the same, and flagged when there was no place left (decision 82).
    INSERT INTO desk_alerts (kind, subject, details, created_at)
    SELECT 'places.exceeded', 'order:' || o.id,
      jsonb_build_object('order_id', o.id, 'product_id', o.product_id, 'stock', p.stock), p_now
    FROM orders o JOIN products p ON p.id = o.product_id
    WHERE o.id = ANY (v_late)
      -- Judged by the places it found: those of this batch that came after it have taken theirs since.
      AND product_places_taken(p.id, p_now) - (
        SELECT count(DISTINCT l.buyer_id) FROM orders l
        WHERE l.id = ANY (v_late) AND l.product_id = p.id AND l.id > o.id AND NOT EXISTS (
          SELECT FROM orders h WHERE h.buyer_id = l.buyer_id AND h.product_id = p.id
            AND order_holds_place(h, p_now) AND NOT (h.id = ANY (v_late) AND h.id > o.id))
      ) > p.stock
    ON CONFLICT (kind, subject) DO NOTHING;
  END IF;
  IF v_surplus IS NOT NULL OR v_restored THEN
    PERFORM settle_suspense(v_paying, v_surplus, v_payments, v_occurred, p_now);
  END IF;
  IF v_sold IS NOT NULL THEN
    PERFORM settle_sales(v_sold, p_now);
  END IF;
  IF v_paying IS NOT NULL OR v_surplus IS NOT NULL THEN
    PERFORM pg_notify('sesame_outbox', '');
  END IF;

  RETURN QUERY
  SELECT p.id, o.id, CASE WHEN p.id = ANY (v_surplus) THEN 'surplus' ELSE 'settled' END,
    o.buyer_id, o.seller_id, o.title, o.price, o.price - o.fee
  FROM payments p JOIN orders o ON o.id = p.order_id
  WHERE p.id = ANY (v_payments);
END $function$
;

CREATE OR REPLACE FUNCTION public.settle_plan_payments(p_payment_ids bigint[], p_occurred_at timestamp with time zone[], p_now timestamp with time zone)
 RETURNS TABLE(payment_id bigint, order_id bigint, outcome text, buyer_id bigint, title text, price bigint, kind text)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
DECLARE
  v_item record;
  v_surplus bigint[] := '{}';
  v_paying bigint[] := '{}';
  v_payments bigint[] := '{}';
  v_occurred timestamptz[] := '{}';
  v_until timestamptz;
  v_plan text;
  v_deeds jsonb[] := '{}';
  v_deed jsonb;
BEGIN
  PERFORM FROM orders o
  WHERE o.id IN (SELECT p.order_id FROM payments p WHERE p.id = ANY (p_payment_ids))
  ORDER BY o.id FOR NO KEY UPDATE;
  PERFORM FROM sellers s
  WHERE s.id IN (SELECT o.buyer_id FROM orders o JOIN payments p ON p.order_id = o.id
    WHERE p.id = ANY (p_payment_ids) AND o.kind = 'plan')
  ORDER BY s.id FOR NO KEY UPDATE;
  PERFORM pg_advisory_xact_lock(1818584167, 0);

  -- Read after the locks, one by one: plans are few.
  FOR v_item IN
    SELECT p.id, p.order_id, p.provider, p.key_id, p.amount, p.suspended_amount, u.occurred_at,
      o.kind, o.status, o.buyer_id, o.price, o.duration_minutes,
      row_number() OVER (PARTITION BY p.order_id ORDER BY p.id) AS nth
    FROM (
      SELECT i.id, min(i.occurred_at) AS occurred_at
      FROM unnest(p_payment_ids, p_occurred_at) AS i(id, occurred_at) GROUP BY i.id
    ) AS u
    JOIN payments p ON p.id = u.id
    JOIN orders o ON o.id = p.order_id
    WHERE p.status <> 'paid' AND o.kind IN ('plan', 'trial')
    ORDER BY p.id
  LOOP
    UPDATE payments SET status = 'paid', decided_at = p_now WHERE id = v_item.id;
    DELETE FROM payment_checks c WHERE c.payment_id = v_item.id;
    v_payments := v_payments || v_item.id;
    v_occurred := v_occurred || v_item.occurred_at;
    IF v_item.nth > 1 OR v_item.status NOT IN ('pending', 'failed') THEN
      v_surplus := v_surplus || v_item.id;
      CONTINUE;
    END IF;
    v_paying := v_paying || v_item.id;
    UPDATE orders SET status = 'paid', paid_at = v_item.occurred_at, settled_at = p_now,
      provider = v_item.provider, direct = v_item.key_id IS NOT NULL,
      is_renewal = v_item.kind = 'plan' AND EXISTS (
        SELECT FROM sellers s WHERE s.id = v_item.buyer_id AND s.plan = 'premium')
    WHERE id = v_item.order_id;
    IF v_item.kind = 'plan' THEN
      SELECT s.plan, s.premium_until INTO v_plan, v_until FROM sellers s WHERE s.id = v_item.buyer_id;
      v_deed := jsonb_build_object('plan', v_plan, 'until', plan_instant(v_until));
      -- Days of grace are given: time bought in them counts from today.
      v_until := greatest(CASE WHEN v_plan = 'premium' THEN v_until END, p_now)
        + make_interval(secs => v_item.duration_minutes * 60.0);
      PERFORM plan_change(v_item.buyer_id, 'premium', v_until, p_now);
      v_deeds := v_deeds || jsonb_build_object('seller', v_item.buyer_id, 'before', v_deed,
        'after', jsonb_build_object('plan', 'premium', 'until', plan_instant(v_until),
          'order', v_item.order_id::text));
      UPDATE orders SET access_until = v_until WHERE id = v_item.order_id;
      INSERT INTO outbox (topic, ref, priority, due_at)
      VALUES ('plans.tell-bought', v_item.order_id, 1, p_now);
    END IF;
  END LOOP;

  PERFORM settle_suspense(v_paying, v_surplus, v_payments, v_occurred, p_now)
  WHERE cardinality(v_payments) > 0;
  FOR v_item IN
    SELECT o.id, o.price, o.paid_at, provider.id AS provider, ours.id AS ours
    FROM orders o
    JOIN payments p ON p.order_id = o.id AND p.id = ANY (v_paying)
    JOIN ledger_accounts provider ON provider.key = 'provider:' || o.provider
    JOIN ledger_accounts ours ON ours.key = 'platform:subscriptions'
    WHERE o.kind = 'plan' ORDER BY o.id
  LOOP
    IF ledger_post(array['sale:' || v_item.id], array[1, 1], array[v_item.provider, v_item.ours],
      array[-v_item.price, v_item.price], array[v_item.paid_at], p_now) <> array['posted'] THEN
      RAISE EXCEPTION 'the sale of the plan % was posted before', v_item.id;
    END IF;
  END LOOP;
  IF cardinality(v_payments) > 0 THEN
    PERFORM pg_notify('sesame_outbox', '');
  END IF;
  -- Last of all: whoever writes to the log waits from here to the commit.
  FOREACH v_deed IN ARRAY v_deeds LOOP
    PERFORM audit_append(p_now, (v_deed ->> 'seller')::bigint, 'seller', 'plan.change',
      'seller:' || (v_deed ->> 'seller'), v_deed -> 'before', v_deed -> 'after', NULL);
  END LOOP;

  RETURN QUERY
  SELECT p.id, o.id, CASE WHEN p.id = ANY (v_surplus) THEN 'surplus' ELSE 'settled' END,
    o.buyer_id, o.title, o.price, o.kind
  FROM payments p JOIN orders o ON o.id = p.order_id
  WHERE p.id = ANY (v_payments);
END $function$
;

CREATE OR REPLACE FUNCTION public.settle_sales(p_orders bigint[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE
  v_fees bigint := (SELECT a.id FROM ledger_accounts a WHERE a.key = 'platform:fees');
  v_outcomes text[];
BEGIN
  PERFORM ledger_enter();
  SELECT ledger_post_sales(
    array_agg('sale:' || o.id ORDER BY o.id), array_agg(a.id ORDER BY o.id),
    array_agg(CASE WHEN s.plan = 'premium' THEN s.premium_account_id ELSE s.free_account_id END
      ORDER BY o.id),
    array_agg(o.price - o.fee ORDER BY o.id), v_fees, array_agg(o.fee ORDER BY o.id),
    array_agg(o.paid_at ORDER BY o.id), p_now)
  INTO v_outcomes
  FROM orders o
  JOIN sellers s ON s.id = o.seller_id
  JOIN ledger_accounts a ON a.key = 'provider:' || o.provider
  WHERE o.id = ANY (p_orders);
  IF 'posted' <> ANY (v_outcomes) OR cardinality(v_outcomes) <> cardinality(p_orders) THEN
    RAISE EXCEPTION 'sales of the orders % were not all new: %', p_orders, v_outcomes;
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.settle_suspense(p_paying bigint[], p_surplus bigint[], p_payments bigint[], p_occurred timestamp with time zone[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_suspense bigint := (SELECT a.id FROM ledger_accounts a WHERE a.key = 'suspense');
  v_move record;
BEGIN
  FOR v_move IN
    SELECT CASE WHEN p.suspended_amount IS NULL THEN 'suspense:' ELSE 'suspense-rest:' END || p.id
        AS id,
      a.id AS account, p.amount - coalesce(p.suspended_amount, 0) AS amount, u.occurred_at
    FROM payments p
    JOIN ledger_accounts a ON a.key = 'provider:' || p.provider
    JOIN unnest(p_payments, p_occurred) AS u(id, occurred_at) ON u.id = p.id
    WHERE p.id = ANY (p_surplus) AND p.suspended_amount IS DISTINCT FROM p.amount
      AND p.key_id IS NULL
    UNION ALL
    SELECT 'unsuspense:' || p.id, a.id, -p.suspended_amount, p_now
    FROM payments p
    JOIN ledger_accounts a ON a.key = 'provider:' || p.provider
    WHERE p.id = ANY (p_paying) AND p.suspended_amount IS NOT NULL
    ORDER BY 1
  LOOP
    IF ledger_post(array[v_move.id], array[1, 1], array[v_move.account, v_suspense],
      array[-v_move.amount, v_move.amount], array[v_move.occurred_at], p_now) <> array['posted'] THEN
      RAISE EXCEPTION 'the transfer % was posted before', v_move.id;
    END IF;
  END LOOP;
  IF p_surplus IS NOT NULL THEN
    UPDATE payments p SET suspended_amount = p.amount
    WHERE p.id = ANY (p_surplus) AND p.key_id IS NULL;
    INSERT INTO desk_alerts (kind, subject, details, created_at)
    SELECT 'payment.surplus', 'payment:' || p.id, jsonb_build_object('order_id', p.order_id,
      'provider', p.provider, 'provider_payment_id', p.provider_payment_id, 'amount', p.amount), p_now
    FROM payments p WHERE p.id = ANY (p_surplus)
    ON CONFLICT (kind, subject) DO NOTHING;
    INSERT INTO outbox (topic, ref, priority, due_at)
    SELECT 'refunds.surplus', s.id, 1, p_now FROM unnest(p_surplus) AS s(id);
  END IF;
  UPDATE payments p SET suspended_amount = NULL
  WHERE p.id = ANY (p_paying) AND p.suspended_amount IS NOT NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.take_opening(p_provider text, p_key_id bigint, p_person_id bigint, p_calls integer, p_now timestamp with time zone, p_openings_max integer, p_paced_max integer, p_person_max integer, p_refill_seconds integer)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_key_id bigint := counted_account(nullif(p_key_id, 0));
  v_openings int;
  v_all int;
  v_had double precision;
  v_left double precision;
BEGIN
  IF p_calls > 0 THEN
    PERFORM lock_provider_account(p_provider, v_key_id);
    v_openings := p_openings_max - p_calls
      - provider_calls_of(p_provider, v_key_id, p_now, 'opening');
    v_all := p_paced_max - p_calls - provider_calls_of(p_provider, v_key_id, p_now);
    v_had := coalesce((SELECT recent_calls(c.calls, c.counted_at, p_now) FROM person_calls c
      WHERE c.provider = p_provider AND c.key_id = v_key_id AND c.class = 'opening'
        AND c.person_id = p_person_id), 0);
    IF v_openings < 0 OR v_all < least(v_had, calls_for_others(p_paced_max))
      OR (v_had > 0 AND v_openings < v_had + p_calls + p_openings_max / 4.0)
    THEN RETURN 'account';
    END IF;
  END IF;
  INSERT INTO opening_budgets (person_id, openings_left, counted_at)
  VALUES (p_person_id, p_person_max, p_now) ON CONFLICT DO NOTHING;
  SELECT least(p_person_max, b.openings_left
      + greatest(0, extract(epoch FROM p_now - b.counted_at)) / p_refill_seconds)
  INTO v_left FROM opening_budgets b WHERE b.person_id = p_person_id FOR NO KEY UPDATE;
  IF v_left < 1 THEN RETURN 'person'; END IF;
  UPDATE opening_budgets SET openings_left = v_left - 1, counted_at = p_now
  WHERE person_id = p_person_id;
  IF p_calls > 0 THEN
    PERFORM add_provider_calls(p_provider, v_key_id, 'opening', p_calls, p_now);
    PERFORM add_person_calls(p_provider, v_key_id, 'opening', p_person_id, p_calls, p_now);
  END IF;
  RETURN NULL;
END $function$
;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_anchors FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();

CREATE TRIGGER goes_forward BEFORE UPDATE ON public.audit_head FOR EACH ROW WHEN ((new.seq <> (old.seq + 1))) EXECUTE FUNCTION audit_refuse_change();

CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON public.audit_head FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.claim_entries FOR EACH ROW EXECUTE FUNCTION claim_entries_refuse_change();

CREATE TRIGGER never_truncated BEFORE TRUNCATE ON public.claim_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.day_closes FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();

CREATE TRIGGER reopened BEFORE UPDATE ON public.desk_alerts FOR EACH ROW WHEN (((old.resolved_at IS NOT NULL) AND (new.resolved_at IS NULL))) EXECUTE FUNCTION desk_reopen_alert();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.float_moves FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();

CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON public.ledger_accounts FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER same_account BEFORE UPDATE OF id, key, guarded, created_at ON public.ledger_accounts FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER ends_once BEFORE UPDATE ON public.ledger_holds FOR EACH ROW WHEN (((old.ended_at IS NOT NULL) OR (new.ended_at IS NULL) OR ((((new.id IS DISTINCT FROM old.id) OR (new.account_id IS DISTINCT FROM old.account_id)) OR (new.amount IS DISTINCT FROM old.amount)) OR (new.opened_at IS DISTINCT FROM old.opened_at)))) EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON public.ledger_holds FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_transfers FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.membership_grants FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER note_sales AFTER UPDATE ON public.orders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sales_note_changes();

CREATE TRIGGER note_sales_written AFTER INSERT ON public.orders FOR EACH ROW WHEN (((new.status = 'paid'::text) AND (new.seller_id IS NOT NULL))) EXECUTE FUNCTION sales_note_written();

CREATE TRIGGER outbox_written AFTER INSERT ON public.outbox REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION outbox_notify();

CREATE TRIGGER forget_customer BEFORE UPDATE OF status ON public.payments FOR EACH ROW WHEN (((new.widget IS NOT NULL) AND (new.status <> ALL (ARRAY['pending'::text, 'refused'::text])))) EXECUTE FUNCTION payments_forget_customer();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_steps FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.settings_changes FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();

CREATE SEQUENCE ledger_entry_seq;
