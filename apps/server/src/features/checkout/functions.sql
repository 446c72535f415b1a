-- Settles payments of orders of one kind that the provider confirmed, with amount, currency and reference
-- compared, in one transaction: ledger, orders, jobs. The feature that owns what was bought grants it:
-- grant_accesses, extend_plans; a donation and a trial grant nothing. p_costs: each provider's fee,
-- NULL where unknown. A payment whose amount is not the price of its order is refused, with the whole
-- batch. A repeated call with the same payment, at once or later, changes nothing.
-- → what changed, a row for each:
--   'settled'  its order is paid by it: seller or platform credited, what was bought is granted
--   'overpayment'  its order was paid already: the money goes to suspense, an alert is raised
-- The order's provider becomes the one that paid; payments with a seller's own keys are marked `direct`
-- and never enter the ledger. An order paid late is flagged if it found no place, whatever was settled
-- with it. Kinds are not settled together: a plan locks posting alone.
--
-- Lock order: orders by id, accesses by person and group or sellers by id, payments, then the ledger's own.
CREATE OR REPLACE FUNCTION settle_payments(
  p_kind text, p_payment_ids bigint[], p_occurred_at timestamptz[], p_now timestamptz,
  p_costs bigint[] DEFAULT NULL
) RETURNS TABLE (
  payment_id bigint, order_id bigint, outcome text, buyer_id bigint, seller_id bigint,
  title text, price bigint, net bigint
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_payments bigint[];
  v_occurred timestamptz[];
  v_sold bigint[];
  v_paying bigint[];
  v_overpayment bigint[];
  v_banned bigint[];
  v_late bigint[];
  v_restored boolean;
  v_direct bigint[];
  v_costs bigint[];
  v_mismatched boolean;
  v_audit_entries jsonb[];
  v_odd text;
  v_move record;
  v_outcomes text[];
  v_closed bigint[];
BEGIN
  PERFORM FROM orders o
  WHERE o.id IN (SELECT p.order_id FROM payments p WHERE p.id = ANY (p_payment_ids))
  ORDER BY o.id FOR NO KEY UPDATE;

  -- Read after the locks, so that payments settled meanwhile are visible.
  WITH asked AS MATERIALIZED (
    SELECT p.id, p.order_id, i.occurred_at, p.suspended_amount IS NOT NULL AS suspended,
      p.provider, p.key_id IS NOT NULL AS direct, p.amount, o.price, i.cost,
      p.mismatched_since IS NOT NULL AS mismatched,
      o.status IN ('pending', 'failed')
        AND row_number() OVER (PARTITION BY p.order_id ORDER BY p.id) = 1 AS pays,
      o.stock_reserved_until <= p_now OR o.status = 'failed' AS late
    FROM (
      SELECT u.id, min(u.occurred_at) AS occurred_at, min(u.cost) AS cost
      FROM unnest(p_payment_ids, p_occurred_at, p_costs) AS u(id, occurred_at, cost) GROUP BY u.id
    ) AS i
    JOIN payments p ON p.id = i.id
    JOIN orders o ON o.id = p.order_id
    WHERE p.status <> 'paid' AND o.kind = p_kind
  ), bought AS MATERIALIZED (
    -- NULL, which grants nothing, if one is refused.
    SELECT array_agg(a.order_id ORDER BY a.id) AS orders FROM asked a
    WHERE a.pays HAVING bool_and(a.amount = a.price)
  ), given AS MATERIALIZED (
    SELECT g.order_id, g.access_until, g.is_renewal, g.banned, NULL::jsonb AS audit_entry
    FROM bought b, grant_accesses(CASE p_kind WHEN 'product' THEN b.orders END, p_now) AS g
    UNION ALL
    SELECT e.order_id, e.premium_until, e.is_renewal, false, e.audit_entry
    FROM bought b, extend_plans(CASE p_kind WHEN 'plan' THEN b.orders END, p_now) AS e
  ), paid AS (
    UPDATE orders o SET status = 'paid', paid_at = a.occurred_at, settled_at = p_now,
      provider = a.provider, direct = a.direct, fee = CASE WHEN a.direct THEN 0 ELSE o.fee END,
      access_until = g.access_until, is_renewal = coalesce(g.is_renewal, false)
    FROM asked a LEFT JOIN given g ON g.order_id = a.order_id
    WHERE o.id = a.order_id AND a.pays
  ), decided AS (
    -- A decided payment opens no widget any more: its payer's name, e-mail and phone are deleted at once.
    UPDATE payments p SET status = 'paid', decided_at = p_now, widget = p.widget - 'customer'
    FROM asked a WHERE p.id = a.id
  ), answered AS (
    DELETE FROM payment_checks c USING asked a WHERE c.payment_id = a.id
  )
  SELECT array_agg(a.id), array_agg(a.occurred_at),
    array_agg(a.order_id) FILTER (WHERE a.pays AND NOT a.direct),
    array_agg(a.id) FILTER (WHERE a.pays),
    array_agg(a.id) FILTER (WHERE NOT a.pays),
    array_agg(a.order_id) FILTER (WHERE g.banned),
    array_agg(a.order_id) FILTER (WHERE a.pays AND a.late), bool_or(a.suspended),
    array_agg(a.order_id) FILTER (WHERE a.pays AND a.direct),
    array_agg(a.cost), bool_or(a.mismatched),
    array_agg(g.audit_entry ORDER BY a.id) FILTER (WHERE g.audit_entry IS NOT NULL),
    min(format('payment %s: %s F would pay for %s F', a.id, a.amount, a.price))
      FILTER (WHERE a.pays AND a.amount <> a.price)
  INTO v_payments, v_occurred, v_sold, v_paying, v_overpayment, v_banned, v_late, v_restored,
    v_direct, v_costs, v_mismatched, v_audit_entries, v_odd
  FROM asked a
  LEFT JOIN given g ON g.order_id = a.order_id AND a.pays;

  IF v_odd IS NOT NULL THEN
    RAISE EXCEPTION '%', v_odd;
  END IF;
  IF v_payments IS NULL THEN
    RETURN;
  END IF;
  IF v_paying IS NOT NULL THEN
    PERFORM enqueue_jobs(follows.topics, follows.priorities, v_sold || v_direct, p_now)
    FROM (VALUES ('product', array['access.open', 'sales.notify-seller'], array[0, 1]),
      ('donation', array['donations.thank', 'sales.notify-seller'], array[1, 1]),
      ('plan', array['plans.notify-bought'], array[1])) AS follows(kind, topics, priorities)
    WHERE follows.kind = p_kind;
  END IF;
  IF v_banned IS NOT NULL THEN
    PERFORM raise_alerts('access.paid-while-banned', array_agg('order:' || b.id),
      array_agg(jsonb_build_object('order_id', b.id)), p_now)
    FROM unnest(v_banned) AS b(id);
  END IF;
  IF v_late IS NOT NULL THEN
    -- Granted all the same, and flagged if there was no place left (decision 82).
    PERFORM raise_alerts('places.exceeded', array_agg('order:' || o.id), array_agg(
      jsonb_build_object('order_id', o.id, 'product_id', o.product_id, 'stock', p.stock)), p_now)
    FROM orders o JOIN products p ON p.id = o.product_id
    WHERE o.id = ANY (v_late)
      -- Without the orders of this batch that come after it, and have taken places since.
      AND (SELECT count(DISTINCT h.buyer_id) FROM orders_holding_places(p.id, p_now) AS h) - (
        SELECT count(DISTINCT l.buyer_id) FROM orders l
        WHERE l.id = ANY (v_late) AND l.product_id = p.id AND l.id > o.id AND NOT EXISTS (
          SELECT FROM orders_holding_places(p.id, p_now) AS h
          WHERE h.buyer_id = l.buyer_id AND NOT (h.id = ANY (v_late) AND h.id > o.id))
      ) > p.stock;
  END IF;
  IF v_overpayment IS NOT NULL OR v_restored THEN
    -- An overpayment goes to suspense; money in suspense for a corrected mismatch returns before its sale. An
    -- overpayment on a seller's own account is not in the ledger, so nothing is suspended; the job
    -- `refunds.return-overpayment` refunds the second payment. If less was suspended as a mismatch, the rest
    -- follows: the whole amount was paid, and the whole amount is requested from the provider as a refund.
    FOR v_move IN
      SELECT CASE WHEN p.suspended_amount IS NULL THEN 'suspense:' ELSE 'suspense-rest:' END || p.id
          AS id,
        a.id AS account, p.amount - coalesce(p.suspended_amount, 0) AS amount, u.occurred_at
      FROM payments p
      JOIN ledger_accounts a ON a.key = 'provider:' || p.provider
      JOIN unnest(v_payments, v_occurred) AS u(id, occurred_at) ON u.id = p.id
      WHERE p.id = ANY (v_overpayment) AND p.suspended_amount IS DISTINCT FROM p.amount
        AND p.key_id IS NULL
      UNION ALL
      SELECT 'unsuspense:' || p.id, a.id, -p.suspended_amount, p_now
      FROM payments p
      JOIN ledger_accounts a ON a.key = 'provider:' || p.provider
      WHERE p.id = ANY (v_paying) AND p.suspended_amount IS NOT NULL
      ORDER BY 1
    LOOP
      IF ledger_post(array[v_move.id], array[1, 1], array[v_move.account,
          (SELECT a.id FROM ledger_accounts a WHERE a.key = 'suspense')],
        array[-v_move.amount, v_move.amount], array[v_move.occurred_at], p_now) <> array['posted'] THEN
        RAISE EXCEPTION 'the transfer % was posted before', v_move.id;
      END IF;
    END LOOP;
    UPDATE payments p SET suspended_amount = CASE WHEN p.id = ANY (v_overpayment) THEN p.amount END
    WHERE p.id = ANY (v_overpayment) AND p.key_id IS NULL
      OR p.id = ANY (v_paying) AND p.suspended_amount IS NOT NULL;
  END IF;
  IF v_overpayment IS NOT NULL THEN
    PERFORM raise_alerts('payment.overpayment', array_agg('payment:' || p.id),
      array_agg(jsonb_build_object('order_id', p.order_id, 'provider', p.provider,
        'provider_payment_id', p.provider_payment_id, 'amount', p.amount)), p_now)
    FROM payments p WHERE p.id = ANY (v_overpayment);
    PERFORM enqueue_jobs(array['refunds.return-overpayment'], array[1], v_overpayment, p_now);
  END IF;
  -- Closing an account locks posting alone; so this enters posting before it checks for a closed account,
  -- and one of the two transactions sees the other.
  IF v_paying IS NOT NULL THEN
    PERFORM ledger_enter();
  END IF;
  IF v_sold IS NOT NULL THEN
    -- Ledger: provider → seller (net) and → platform (fee); a plan's whole price is the platform's
    -- (platform:subscriptions). The seller's account is that of the current plan, read after posting is
    -- entered: a change of plan locks posting alone (plan_change), so no sale is credited to an account
    -- that was just emptied. The fee is the order's own (decision 7).
    SELECT ledger_post_sales(
      array_agg('sale:' || o.id ORDER BY o.id), array_agg(a.id ORDER BY o.id),
      array_agg(s.account_id ORDER BY o.id),
      array_agg(CASE p_kind WHEN 'plan' THEN 0 ELSE o.price - o.fee END ORDER BY o.id),
      (SELECT ours.id FROM ledger_accounts ours WHERE ours.key =
        CASE p_kind WHEN 'plan' THEN 'platform:subscriptions' ELSE 'platform:fees' END),
      array_agg(CASE p_kind WHEN 'plan' THEN o.price ELSE o.fee END ORDER BY o.id),
      array_agg(o.paid_at ORDER BY o.id), p_now),
      array_agg(o.id) FILTER (WHERE s.closed_at IS NOT NULL)
    INTO v_outcomes, v_closed
    FROM orders o
    JOIN sellers s ON s.id = coalesce(o.seller_id, o.buyer_id)
    JOIN ledger_accounts a ON a.key = 'provider:' || o.provider
    WHERE o.id = ANY (v_sold);
    IF 'posted' <> ANY (v_outcomes) OR cardinality(v_outcomes) <> cardinality(v_sold) THEN
      RAISE EXCEPTION 'sales of the orders % were not all new: %', v_sold, v_outcomes;
    END IF;
  END IF;
  IF v_closed IS NOT NULL OR v_direct IS NOT NULL THEN
    -- Money for a seller whose account is closed: the back office refunds it, or reopens the account. Payments
    -- with sellers' own keys were not posted.
    PERFORM raise_alerts('sale.on-closed-account', array_agg('order:' || o.id),
      array_agg(jsonb_build_object('order_id', o.id, 'amount', o.price)), p_now)
    FROM orders o
    JOIN sellers s ON s.id = CASE WHEN o.kind = 'plan' THEN o.buyer_id ELSE o.seller_id END
    WHERE o.id = ANY (v_closed || v_direct) AND s.closed_at IS NOT NULL HAVING count(*) > 0;
  END IF;
  IF v_mismatched THEN
    PERFORM resolve_alerts(array['payment.mismatch'], array_agg('payment:' || u.id), p_now)
    FROM unnest(v_payments) AS u(id);
  END IF;
  -- Most providers keep nothing of what they collect.
  IF EXISTS (SELECT FROM settings s WHERE s.key = 'collection_costs')
    OR EXISTS (SELECT FROM unnest(v_costs) AS u(cost) WHERE u.cost IS NOT NULL) THEN
    PERFORM book_costs(v_payments, v_costs, p_now);
  END IF;
  -- The outbox is notified at the commit.
  PERFORM pg_notify('sesame_outbox', '');
  IF v_audit_entries IS NOT NULL THEN
    -- Last: every other writer of the log waits from here to the commit.
    PERFORM audit_append(p_now, (d.audit_entry ->> 'by')::bigint, d.audit_entry ->> 'role', d.audit_entry ->> 'action',
      d.audit_entry ->> 'subject', d.audit_entry -> 'before', d.audit_entry -> 'after', NULL)
    FROM unnest(v_audit_entries) AS d(audit_entry);
  END IF;

  RETURN QUERY
  SELECT p.id, o.id, CASE WHEN p.id = ANY (v_overpayment) THEN 'overpayment' ELSE 'settled' END,
    o.buyer_id, o.seller_id, o.title, o.price, o.price - o.fee
  FROM payments p JOIN orders o ON o.id = p.order_id
  WHERE p.id = ANY (v_payments);
END $$;

-- Books providers' fees for payments that they collected for the instance, in the transaction that makes
-- them paid, which happens once: as reported (p_costs), or by the operator's rate where not reported. No
-- fee on a seller's own account.
CREATE OR REPLACE FUNCTION book_costs(p_payments bigint[], p_costs bigint[], p_now timestamptz)
RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_ids text[];
  v_transfers int[];
  v_accounts bigint[];
  v_amounts bigint[];
BEGIN
  WITH due AS (
    SELECT p.id, coalesce(u.cost, coalesce(p.received, p.amount) * ((SELECT s.value FROM settings s
      WHERE s.key = 'collection_costs') ->> p.provider)::int / 10000) AS cost
    FROM unnest(p_payments, p_costs) AS u(id, cost)
    JOIN payments p ON p.id = u.id AND p.key_id IS NULL
  ), booked AS (
    UPDATE payments p SET cost = due.cost
    FROM due, ledger_accounts provider, ledger_accounts ours
    WHERE p.id = due.id AND due.cost > 0 AND provider.key = 'provider:' || p.provider
      AND ours.key = 'platform:provider-costs'
    RETURNING p.id, p.cost, provider.id AS provider, ours.id AS ours
  ), numbered AS (
    SELECT b.*, row_number() OVER (ORDER BY b.id)::int AS n FROM booked b
  ), legs AS (
    SELECT n.n, leg.account, leg.amount
    FROM numbered n CROSS JOIN LATERAL (VALUES (n.ours, -n.cost), (n.provider, n.cost)) AS leg(account, amount)
  )
  SELECT (SELECT array_agg('collected:' || n.id ORDER BY n.n) FROM numbered n),
    array_agg(l.n ORDER BY l.n, l.amount), array_agg(l.account ORDER BY l.n, l.amount),
    array_agg(l.amount ORDER BY l.n, l.amount)
  INTO v_ids, v_transfers, v_accounts, v_amounts FROM legs l;
  IF v_ids IS NOT NULL AND 'posted' <> ANY (ledger_post(v_ids, v_transfers, v_accounts, v_amounts,
    array_fill(p_now, array[cardinality(v_ids)]), p_now)) THEN
    RAISE EXCEPTION 'what is kept of payments was booked before: %', v_ids;
  END IF;
END $$;

-- The orders that hold a place of a product: of buyers with paid time left, and of those paying now.
-- A person counts once. Without an end time an order holds no place.
CREATE OR REPLACE FUNCTION orders_holding_places(p_product_id bigint, p_now timestamptz)
RETURNS SETOF orders LANGUAGE sql STABLE AS $$
  SELECT o.* FROM orders o
  WHERE o.product_id = p_product_id AND CASE o.status
    WHEN 'paid' THEN o.access_until > p_now
    WHEN 'pending' THEN o.stock_reserved_until > p_now
    -- An opening is in progress: the order becomes pending again, or releases its place.
    WHEN 'failed' THEN o.stock_reserved_until > p_now AND o.opening_until > p_now
  END
$$;

-- For all classes, or for one; a slot that is half over still counts whole.
CREATE OR REPLACE FUNCTION provider_calls_of(
  p_provider text, p_key_id bigint, p_now timestamptz, p_class text DEFAULT NULL
) RETURNS int LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(calls), 0)::int FROM provider_calls
  WHERE provider = p_provider AND key_id = p_key_id AND (p_class IS NULL OR class = p_class)
    AND since > p_now - interval '65 seconds' AND since <= p_now
$$;

CREATE OR REPLACE FUNCTION add_provider_calls(
  p_provider text, p_key_id bigint, p_class text, p_calls int, p_now timestamptz
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO provider_calls AS c (provider, key_id, class, slot, since, calls)
  SELECT p_provider, p_key_id, p_class, (extract(epoch FROM at.start) / 5)::bigint % 13, at.start,
    p_calls
  FROM date_bin('5 seconds', p_now, 'epoch') AS at(start)
  ON CONFLICT (provider, key_id, class, slot) DO UPDATE SET since = excluded.since,
    calls = excluded.calls + CASE WHEN c.since = excluded.since THEN c.calls ELSE 0 END
$$;

-- Takes one payment's calls out of the account's share for openings, and one opening out of the person's
-- budget. A person who opened some in the last minute leaves as many to others, and a quarter to persons who
-- opened none. → NULL, or the reason: 'account' or 'person'; then nothing is taken. Locks: the account, then
-- the person's rows.
CREATE OR REPLACE FUNCTION take_opening(
  p_provider text, p_key_id bigint, p_person_id bigint, p_calls int, p_now timestamptz,
  p_openings_max int, p_paced_max int, p_kept int, p_person_max int, p_refill_seconds int
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_key_id bigint := counted_account(nullif(p_key_id, 0));
  v_openings int;
  v_all int;
  v_had double precision;
  v_left double precision;
BEGIN
  IF p_calls > 0 THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('calls:' || p_provider || ':' || v_key_id, 0));
    v_openings := p_openings_max - p_calls
      - provider_calls_of(p_provider, v_key_id, p_now, 'opening');
    v_all := p_paced_max - p_calls - provider_calls_of(p_provider, v_key_id, p_now);
    v_had := coalesce((SELECT recent_calls(c.calls, c.counted_at, p_now) FROM person_calls c
      WHERE c.provider = p_provider AND c.key_id = v_key_id AND c.class = 'opening'
        AND c.person_id = p_person_id), 0);
    IF v_openings < 0 OR v_all < least(v_had, p_kept)
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
    INSERT INTO person_calls AS c (provider, key_id, class, person_id, calls, counted_at)
    VALUES (p_provider, v_key_id, 'opening', p_person_id, p_calls, p_now)
    ON CONFLICT (provider, key_id, class, person_id) DO UPDATE SET counted_at = excluded.counted_at,
      calls = excluded.calls + recent_calls(c.calls, c.counted_at, excluded.counted_at);
  END IF;
  RETURN NULL;
END $$;

-- Leases payments to look up until p_lease_end: first those reported by a signed webhook, at any rate, but of
-- a person only a few a minute without a payment; then the others, within the rate of each account: of the
-- persons with the fewest lookups, the oldest order first. A person with many lookups leaves some calls to
-- others, and so do payments the provider refused. KkiaPay is called once for each reported transaction id.
-- p_paced_max: calls a minute by p_providers; a provider without a rate is not paced. p_kept: the part
-- of them that a person with many lookups leaves to others.
-- Locks: payment_checks (skipping locked rows) and reported calls, then accounts in order.
CREATE OR REPLACE FUNCTION lease_payment_checks(
  p_now timestamptz, p_lease_end timestamptz, p_limit int, p_except text[], p_providers text[],
  p_paced_max int[], p_kept int[]
) RETURNS TABLE (
  payment_id bigint, order_id bigint, kind text, provider text, key_id bigint,
  provider_payment_id text, status text, transaction_id text, reference text, quote jsonb,
  amount bigint, created_at timestamptz, give_up_at timestamptz, reported boolean, reported_transactions text[]
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_ids bigint[];
  v_some bigint[];
  v_room int;
  v_max int;
  v_kept int;
  v_take int;
  v_account record;
BEGIN
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
      CASE p.provider WHEN 'kkiapay' THEN (SELECT count(*)::int FROM reported_transactions r
        WHERE r.payment_id = p.id) ELSE 1 END AS calls
    FROM due JOIN payments p ON p.id = due.payment_id JOIN orders o ON o.id = p.order_id
  ), accounts AS (
    -- Lookups of a person that found nothing paid: fewer where there is little room, never fewer than one purchase
    -- needs.
    SELECT a.*, CASE WHEN r.paced IS NULL THEN 2147483647 ELSE greatest(3, least(r.kept,
        r.paced - r.kept - provider_calls_of(a.provider, a.key_id, p_now))) END AS most
    FROM (SELECT DISTINCT k.provider, k.key_id FROM called k) AS a
    LEFT JOIN unnest(p_providers, p_paced_max, p_kept) AS r(provider, paced, kept) USING (provider)
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
    -- One that does not fit waits with the others; one that would fit alone, for the next turn.
    UPDATE payment_checks c SET reported = s.fits,
      due_at = CASE WHEN s.fits THEN p_lease_end ELSE c.due_at END
    FROM shared s WHERE c.payment_id = s.id AND (s.taken OR NOT s.fits)
    RETURNING c.payment_id, c.reported
  ), counted AS (
    INSERT INTO provider_calls AS k (provider, key_id, class, slot, since, calls)
    SELECT s.provider, s.key_id, 'reported',
      (extract(epoch FROM at.start) / 5)::bigint % 13, at.start, sum(s.calls)
    FROM shared s, date_bin('5 seconds', p_now, 'epoch') AS at(start)
    WHERE s.taken GROUP BY 1, 2, at.start ORDER BY 1, 2
    ON CONFLICT (provider, key_id, class, slot) DO UPDATE SET since = excluded.since,
      calls = excluded.calls + CASE WHEN k.since = excluded.since THEN k.calls ELSE 0 END
  )
  SELECT coalesce(array_agg(t.payment_id) FILTER (WHERE t.reported), '{}') INTO v_ids FROM taken t;

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
    v_room := p_limit - cardinality(v_ids);
    EXIT WHEN v_room <= 0;
    -- The same lock as in take_opening.
    PERFORM pg_advisory_xact_lock(
      hashtextextended('calls:' || v_account.provider || ':' || v_account.key_id, 0));
    v_max := p_paced_max[array_position(p_providers, v_account.provider)];
    v_kept := p_kept[array_position(p_providers, v_account.provider)];
    v_take := v_max - provider_calls_of(v_account.provider, v_account.key_id, p_now);
    -- For KkiaPay a lookup may need no call.
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
          SELECT least(count(*), v_max)::int FROM reported_transactions r WHERE r.payment_id = p.id)
        ELSE 1 END AS calls) AS k
      LEFT JOIN person_calls had ON had.provider = v_account.provider
        AND had.key_id = v_account.key_id AND had.class = 'scheduled' AND had.person_id = o.buyer_id
    ), fitting AS (
      -- One that does not fit alone must not block others. NULL: no call, so nothing to leave.
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

  -- Read after the locks: an id reported before them is part of this very lookup.
  RETURN QUERY
  SELECT p.id, p.order_id, o.kind, p.provider, p.key_id, p.provider_payment_id, p.status,
    p.transaction_id, coalesce(p.reference, p.order_id::text), p.quote, p.amount, p.created_at,
    c.give_up_at, c.reported,
    ARRAY(SELECT r.transaction_id FROM reported_transactions r WHERE r.payment_id = p.id
      ORDER BY r.reported_at, r.transaction_id)
  FROM unnest(v_ids) WITH ORDINALITY AS taken(id, nth)
  JOIN payments p ON p.id = taken.id JOIN orders o ON o.id = p.order_id
  JOIN payment_checks c ON c.payment_id = p.id
  ORDER BY taken.nth;
END $$;

-- The account to which a call counts: sellers with the same account share its rate. 0: the instance's.
CREATE OR REPLACE FUNCTION counted_account(p_key_id bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT min(same.id) FROM seller_keys own
    JOIN seller_keys same ON same.account_hash = own.account_hash WHERE own.id = p_key_id), p_key_id, 0)
$$;

CREATE OR REPLACE FUNCTION recent_calls(
  p_calls double precision, p_counted_at timestamptz, p_now timestamptz
) RETURNS double precision LANGUAGE sql IMMUTABLE AS $$
  -- Counted by a clock that was set back since: it no longer counts.
  SELECT CASE WHEN p_counted_at > p_now + interval '1 minute' THEN 0 ELSE p_calls
    * least(1, greatest(0, 1 - extract(epoch FROM p_now - p_counted_at)::double precision / 60)) END
$$;
