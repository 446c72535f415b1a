-- Double entry. A transfer moves francs between accounts by signed entries (credit > 0) that sum
-- to zero, is written once under an id its caller derives from a business row (`sale:123`), and is
-- never changed. The ledger knows neither sellers nor withdrawals.
--
-- Locks: creates tables only; nothing that exists is touched.
--
-- Why it is built so
-- · Guarded accounts keep `posted` and `held` in their row, and a CHECK keeps them covered. The
--   others (providers, platform, in transit, suspense) touch every sale: their row is never
--   updated, they are entries summed from a snapshot, and they may be negative.
-- · No foreign key from entries: each check would lock the one row of the provider that every sale
--   shares. The functions check the accounts, and `ledger_check()` proves it every hour.
-- · Lock order, in every function: posting (advisory), accounts by id, transfers by id, holds.
-- · Times are parameters: business time is not the machine's.
--
-- Errors, all bugs of the caller (SQLSTATE): SL001 malformed, SL002 no such account, SL003 a
-- change of what is written. Refusals are values, never errors.
set local lock_timeout = '2s';

create table ledger_accounts (
  id bigint generated always as identity primary key,
  key text collate "C" not null unique check (key <> ''),
  guarded boolean not null,
  posted bigint not null default 0,
  held bigint not null default 0,
  created_at timestamptz not null,
  constraint ledger_accounts_covered check (
    case when guarded then held >= 0 and posted - held >= 0 else posted = 0 and held = 0 end
  )
) with (fillfactor = 50);

create index ledger_accounts_unguarded on ledger_accounts (id) where not guarded;

create table ledger_transfers (
  id text collate "C" primary key check (id <> ''),
  -- The exact content, "12:-5000,45:4100,2:900": a repeated id is compared with it.
  legs text collate "C" not null,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null
);

-- No cache: a snapshot relies on numbers being drawn only while the posting lock is held.
create sequence ledger_entry_seq;

create table ledger_entries (
  account_id bigint not null,
  seq bigint not null default nextval('ledger_entry_seq'),
  amount bigint not null check (amount <> 0),
  transfer_id text collate "C" not null,
  primary key (account_id, seq)
);

alter sequence ledger_entry_seq owned by ledger_entries.seq;

create table ledger_holds (
  id text collate "C" primary key check (id <> ''),
  account_id bigint not null references ledger_accounts,
  amount bigint not null check (amount > 0),
  opened_at timestamptz not null,
  ended_at timestamptz,
  ended_as text check (ended_as in ('paid', 'released')),
  transfer_id text collate "C",
  constraint ledger_holds_end check (
    (ended_at is null) = (ended_as is null)
    and (transfer_id is not null) = coalesce(ended_as = 'paid', false)
  )
) with (fillfactor = 70);

-- The balance of an unguarded account over its entries up to `seq`.
create table ledger_snapshots (
  account_id bigint primary key references ledger_accounts,
  seq bigint not null,
  balance bigint not null,
  taken_at timestamptz not null
) with (fillfactor = 50);

create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % refused: what is written stays, correct it by another transfer',
    tg_op, tg_table_name using errcode = 'SL003';
end $$;

create trigger append_only before update or delete or truncate on ledger_transfers
  for each statement execute function ledger_refuse_change();
create trigger append_only before update or delete or truncate on ledger_entries
  for each statement execute function ledger_refuse_change();
create trigger kept before delete or truncate on ledger_holds
  for each statement execute function ledger_refuse_change();
create trigger kept before delete or truncate on ledger_accounts
  for each statement execute function ledger_refuse_change();
create trigger same_account before update of id, key, guarded, created_at on ledger_accounts
  for each statement execute function ledger_refuse_change();
create trigger ends_once before update on ledger_holds for each row
  when (
    old.ended_at is not null or new.ended_at is null
    or (new.id, new.account_id, new.amount, new.opened_at)
      is distinct from (old.id, old.account_id, old.amount, old.opened_at)
  ) execute function ledger_refuse_change();

-- Opens accounts, or finds them. → their ids, in the order of the keys. A key that is open with
-- the other kind of guard is SL001.
create function ledger_open_accounts(p_keys text[], p_guarded boolean, p_now timestamptz)
returns bigint[] language plpgsql as $$
declare
  v_ids bigint[];
begin
  insert into ledger_accounts (key, guarded, created_at)
  select distinct k.key, p_guarded, p_now from unnest(p_keys) as k(key)
  where not exists (select from ledger_accounts a where a.key = k.key)
  order by k.key
  on conflict (key) do nothing;
  select array_agg(a.id order by k.ord) into v_ids
  from unnest(p_keys) with ordinality as k(key, ord)
  join ledger_accounts a on a.key = k.key and a.guarded = p_guarded;
  if coalesce(cardinality(v_ids), 0) <> cardinality(p_keys) then
    raise exception 'an account of % is open with the other kind of guard', p_keys
      using errcode = 'SL001';
  end if;
  return coalesce(v_ids, '{}');
end $$;

create function ledger_open_account(p_key text, p_guarded boolean, p_now timestamptz)
returns bigint language sql as $$
  select (ledger_open_accounts(array[p_key], p_guarded, p_now))[1];
$$;

-- Posting and the barrier of a snapshot meet here: shared by all who post, for their transaction.
create function ledger_enter() returns void language sql as $$
  select pg_advisory_xact_lock_shared(1818584167, 0);
$$;

-- Locks the guarded ones among the accounts, in id order. → their ids. SL002 if one is absent.
create function ledger_lock_accounts(p_accounts bigint[]) returns bigint[] language plpgsql as $$
declare
  v_guarded bigint[];
  v_absent bigint;
begin
  select coalesce(array_agg(locked.id), '{}') into v_guarded from (
    select a.id from ledger_accounts a where a.id = any (p_accounts) and a.guarded
    order by a.id for no key update
  ) as locked;
  select min(rest.id) into v_absent
  from (select unnest(p_accounts) as id except all select unnest(v_guarded)) as rest
  where not exists (select from ledger_accounts a where a.id = rest.id);
  if v_absent is not null then
    raise exception 'no ledger account %', v_absent using errcode = 'SL002';
  end if;
  return v_guarded;
end $$;

-- Checks the shape of transfers. → the content of each, in order. SL001 unless every transfer has
-- two legs or more, none of zero, which sum to zero.
create function ledger_contents(
  p_ids text[], p_leg_transfer int[], p_leg_account bigint[], p_leg_amount bigint[]
) returns text[] language plpgsql stable as $$
declare
  v_contents text[];
  v_sound boolean;
begin
  select array_agg(c.legs order by c.t),
    bool_and(c.total = 0 and c.legs_count >= 2 and c.sound and c.t between 1 and cardinality(p_ids))
  into v_contents, v_sound
  from (
    select l.t, string_agg(l.account || ':' || l.amount, ',' order by l.ord) as legs,
      sum(l.amount) as total, count(*) as legs_count,
      bool_and(l.amount <> 0 and l.account is not null and l.amount is not null) as sound
    from unnest(p_leg_transfer, p_leg_account, p_leg_amount)
      with ordinality as l(t, account, amount, ord)
    group by l.t
  ) as c;
  if v_sound is not true or cardinality(v_contents) <> cardinality(p_ids) then
    raise exception 'transfers % are malformed: legs must sum to zero, none be zero', p_ids
      using errcode = 'SL001';
  end if;
  return v_contents;
end $$;

-- Inserts the transfers that are new. → for each, 'posted', 'duplicate' or 'conflict'.
create function ledger_add_transfers(
  p_ids text[], p_contents text[], p_occurred_at timestamptz[], p_now timestamptz
) returns text[] language plpgsql as $$
declare
  v_added text[];
  v_outcomes text[];
begin
  with added as (
    insert into ledger_transfers (id, legs, occurred_at, recorded_at)
    select i.id, i.legs, i.occurred_at, p_now
    from unnest(p_ids, p_contents, p_occurred_at) with ordinality as i(id, legs, occurred_at, ord)
    order by i.id, i.ord
    on conflict (id) do nothing
    returning id
  )
  select coalesce(array_agg(id), '{}') into v_added from added;
  if cardinality(v_added) = cardinality(p_ids) then
    return array_fill('posted'::text, array[cardinality(p_ids)]);
  end if;
  select array_agg(
    case when t.legs <> i.legs then 'conflict'
      when a.id is not null and i.nth = 1 then 'posted' else 'duplicate' end
    order by i.ord) into v_outcomes
  from (
    select u.*, row_number() over (partition by u.id order by u.ord) as nth
    from unnest(p_ids, p_contents) with ordinality as u(id, legs, ord)
  ) as i
  join ledger_transfers t on t.id = i.id
  left join unnest(v_added) as a(id) on a.id = i.id;
  return v_outcomes;
end $$;

-- Writes checked transfers whose accounts are locked and covered. → as ledger_add_transfers.
create function ledger_write(
  p_ids text[], p_contents text[], p_leg_transfer int[], p_leg_account bigint[],
  p_leg_amount bigint[], p_occurred_at timestamptz[], p_now timestamptz
) returns text[] language plpgsql as $$
declare
  v_outcomes text[] := ledger_add_transfers(p_ids, p_contents, p_occurred_at, p_now);
begin
  with leg as materialized (
    select l.account, i.id, l.amount, l.ord
    from unnest(p_leg_transfer, p_leg_account, p_leg_amount)
      with ordinality as l(t, account, amount, ord)
    join unnest(p_ids, v_outcomes) with ordinality as i(id, outcome, t) on i.t = l.t
    where i.outcome = 'posted'
  ), written as (
    insert into ledger_entries (account_id, transfer_id, amount)
    select leg.account, leg.id, leg.amount from leg order by leg.ord
  )
  update ledger_accounts a set posted = a.posted + d.delta
  from (select account, sum(amount)::bigint as delta from leg group by account) as d
  where a.id = d.account and a.guarded and d.delta <> 0;
  return v_outcomes;
end $$;

-- Posts transfers as if each were posted alone, in the given order, all in one call.
-- p_leg_transfer: which of p_ids each leg belongs to, from 1. → for each id:
--   'posted'        written now
--   'duplicate'     was written before with this very content; nothing written
--   'conflict'      was written before with other content; nothing written
--   'insufficient'  would leave a guarded account uncovered; nothing written
-- A malformed transfer (SL001) or an unknown account (SL002) refuses the whole call.
create function ledger_post(
  p_ids text[], p_leg_transfer int[], p_leg_account bigint[], p_leg_amount bigint[],
  p_occurred_at timestamptz[], p_now timestamptz
) returns text[] language plpgsql as $$
declare
  v_contents text[] := ledger_contents(p_ids, p_leg_transfer, p_leg_account, p_leg_amount);
  v_outcomes text[] := '{}';
begin
  perform ledger_enter();
  perform ledger_lock_accounts(array(select distinct unnest(p_leg_account)));
  -- Where the debits alone are covered, no order of posting leaves an account short.
  if ledger_covers(p_leg_account, p_leg_amount, true) then
    return ledger_write(p_ids, v_contents, p_leg_transfer, p_leg_account, p_leg_amount,
      p_occurred_at, p_now);
  end if;
  for i in 1 .. cardinality(p_ids) loop
    v_outcomes := v_outcomes || ledger_post_next(p_ids[i], v_contents[i],
      array(select l.account from unnest(p_leg_transfer, p_leg_account)
        with ordinality as l(t, account, ord) where l.t = i order by l.ord),
      array(select l.amount from unnest(p_leg_transfer, p_leg_amount)
        with ordinality as l(t, amount, ord) where l.t = i order by l.ord),
      p_occurred_at[i], p_now);
  end loop;
  return v_outcomes;
end $$;

-- Whether the guarded accounts, locked, stay covered after the legs (or after the debits alone).
create function ledger_covers(
  p_accounts bigint[], p_amounts bigint[], p_debits_alone boolean
) returns boolean language sql stable as $$
  select not exists (
    select from (
      select l.account, sum(l.amount) as delta from unnest(p_accounts, p_amounts) as l(account, amount)
      where l.amount < 0 or not p_debits_alone
      group by l.account
    ) as d
    join ledger_accounts a on a.id = d.account
    where a.guarded and d.delta < 0 and a.posted - a.held + d.delta < 0
  );
$$;

-- One transfer of a batch that does not surely fit. → as ledger_post.
create function ledger_post_next(
  p_id text, p_content text, p_accounts bigint[], p_amounts bigint[],
  p_occurred_at timestamptz, p_now timestamptz
) returns text language plpgsql as $$
declare
  v_written text := (select t.legs from ledger_transfers t where t.id = p_id);
begin
  if v_written is not null then
    return case when v_written = p_content then 'duplicate' else 'conflict' end;
  end if;
  if not ledger_covers(p_accounts, p_amounts, false) then
    return 'insufficient';
  end if;
  return (ledger_write(array[p_id], array[p_content], array_fill(1, array[cardinality(p_accounts)]),
    p_accounts, p_amounts, array[p_occurred_at], p_now))[1];
end $$;

-- ledger_post for sales: for each, `from` −(net + fee), `to` +net, p_fee_to +fee; a part of zero
-- has no leg. `from` and p_fee_to are unguarded, so a sale is never insufficient. No joins: half
-- the time of ledger_post on a batch of 500.
create function ledger_post_sales(
  p_ids text[], p_from bigint[], p_to bigint[], p_net bigint[], p_fee_to bigint, p_fee bigint[],
  p_occurred_at timestamptz[], p_now timestamptz
) returns text[] language plpgsql as $$
declare
  v_shared bigint[] := array(select distinct f.id from unnest(p_from || p_fee_to) as f(id));
  v_contents text[];
  v_sound boolean;
  v_outcomes text[];
  v_all_new boolean;
begin
  select bool_and(s.net >= 0 and s.fee >= 0 and s.net + s.fee > 0 and s.id is not null
      and s.source is not null and s.target is not null), array_agg(
    s.source || ':' || -(s.net + s.fee)
    || case when s.net > 0 then ',' || s.target || ':' || s.net else '' end
    || case when s.fee > 0 then ',' || p_fee_to || ':' || s.fee else '' end order by s.ord)
  into v_sound, v_contents
  from unnest(p_ids, p_from, p_to, p_net, p_fee)
    with ordinality as s(id, source, target, net, fee, ord);
  if v_sound is not true or cardinality(v_contents) <> cardinality(p_ids) then
    raise exception 'sales % are malformed', p_ids using errcode = 'SL001';
  end if;
  perform ledger_enter();
  if ledger_lock_accounts(array(select distinct unnest(p_to)) || v_shared) && v_shared then
    raise exception 'a sale comes from an unguarded account, its fee goes to one'
      using errcode = 'SL001';
  end if;
  v_outcomes := ledger_add_transfers(p_ids, v_contents, p_occurred_at, p_now);
  v_all_new := 'posted' = all (v_outcomes);
  insert into ledger_entries (account_id, transfer_id, amount)
  select leg.account, s.id, leg.amount
  from unnest(p_ids, p_from, p_to, p_net, p_fee, v_outcomes)
    as s(id, source, target, net, fee, outcome)
  cross join lateral (
    values (s.source, -(s.net + s.fee)), (s.target, s.net), (p_fee_to, s.fee)
  ) as leg(account, amount)
  where leg.amount <> 0 and s.outcome = 'posted';
  update ledger_accounts a set posted = a.posted + d.net
  from (
    select s.target, sum(s.net)::bigint as net
    from unnest(p_to, p_net, v_outcomes) as s(target, net, outcome)
    where s.outcome = 'posted' group by s.target
  ) as d
  where a.id = d.target and a.guarded and d.net <> 0;
  return v_outcomes;
end $$;

-- Reserves francs of a guarded account. → 'held'; 'duplicate' (this hold was opened before, ended
-- or not) or 'conflict' (with other content); 'insufficient'.
create function ledger_hold(p_id text, p_account bigint, p_amount bigint, p_now timestamptz)
returns text language plpgsql as $$
declare
  v_available bigint;
  v_before ledger_holds;
begin
  if p_amount is null or p_amount <= 0 then
    raise exception 'hold % of % francs', p_id, p_amount using errcode = 'SL001';
  end if;
  select a.posted - a.held into v_available from ledger_accounts a
  where a.id = p_account and a.guarded for no key update;
  if not found then
    raise exception 'no guarded ledger account %', p_account using errcode = 'SL002';
  end if;
  select * into v_before from ledger_holds h where h.id = p_id;
  if found then
    return case when (v_before.account_id, v_before.amount) = (p_account, p_amount)
      then 'duplicate' else 'conflict' end;
  end if;
  if v_available < p_amount then
    return 'insufficient';
  end if;
  insert into ledger_holds (id, account_id, amount, opened_at)
  values (p_id, p_account, p_amount, p_now) on conflict (id) do nothing;
  if not found then
    return 'conflict'; -- opened meanwhile, and on another account, since this one is locked
  end if;
  update ledger_accounts set held = held + p_amount where id = p_account;
  return 'held';
end $$;

-- Ends a hold by the transfer that pays it: one debit, of the held account, of the whole amount.
-- → 'paid'; 'duplicate' (was paid by this very transfer); 'conflict' (was paid by another, or the
-- transfer's id is taken); 'released' (too late); 'unknown' (no such hold).
create function ledger_pay_hold(
  p_hold text, p_transfer text, p_leg_account bigint[], p_leg_amount bigint[],
  p_occurred_at timestamptz, p_now timestamptz
) returns text language plpgsql as $$
declare
  v_transfers int[] := array_fill(1, array[cardinality(p_leg_account)]);
  v_contents text[] :=
    ledger_contents(array[p_transfer], v_transfers, p_leg_account, p_leg_amount);
  v_hold ledger_holds;
  v_taken text;
begin
  select * into v_hold from ledger_holds h where h.id = p_hold;
  if not found then
    return 'unknown';
  end if;
  perform ledger_enter();
  perform ledger_lock_accounts(array(select distinct unnest(p_leg_account || v_hold.account_id)));
  select * into v_hold from ledger_holds h where h.id = p_hold;
  v_taken := (select t.legs from ledger_transfers t where t.id = p_transfer);
  if v_hold.ended_as = 'released' then
    return 'released';
  end if;
  if v_taken is not null or v_hold.ended_as = 'paid' then
    return case when v_hold.transfer_id = p_transfer and v_taken = v_contents[1]
      then 'duplicate' else 'conflict' end;
  end if;
  if array(select l.account || ':' || l.amount
      from unnest(p_leg_account, p_leg_amount) as l(account, amount) where l.amount < 0)
    <> array[v_hold.account_id || ':' || -v_hold.amount] then
    raise exception 'hold % is paid by one debit of its whole amount', p_hold
      using errcode = 'SL001';
  end if;
  update ledger_holds set ended_at = p_now, ended_as = 'paid', transfer_id = p_transfer
  where id = p_hold;
  update ledger_accounts set held = held - v_hold.amount where id = v_hold.account_id;
  if ledger_write(array[p_transfer], v_contents, v_transfers, p_leg_account, p_leg_amount,
    array[p_occurred_at], p_now) <> array['posted'] then
    raise exception 'transfer % was written meanwhile', p_transfer
      using errcode = 'serialization_failure';
  end if;
  return 'paid';
end $$;

-- Ends a hold by giving the francs back. → 'released'; 'duplicate' (was released before); 'paid'
-- (too late); 'unknown' (no such hold).
create function ledger_release_hold(p_hold text, p_now timestamptz)
returns text language plpgsql as $$
declare
  v_hold ledger_holds;
begin
  perform from ledger_accounts a
  where a.id = (select h.account_id from ledger_holds h where h.id = p_hold) for no key update;
  select * into v_hold from ledger_holds h where h.id = p_hold;
  if v_hold.id is null then
    return 'unknown';
  end if;
  if v_hold.ended_as is not null then
    return case v_hold.ended_as when 'released' then 'duplicate' else 'paid' end;
  end if;
  update ledger_holds set ended_at = p_now, ended_as = 'released' where id = p_hold;
  update ledger_accounts set held = held - v_hold.amount where id = v_hold.account_id;
  return 'released';
end $$;

-- Waits until every posting under way has ended, then lets the others go on at once. → the last
-- number drawn: every entry up to it is committed or never will be. Gives up after 2 s (55P03)
-- rather than keep sales waiting behind a stuck transaction.
create function ledger_barrier() returns bigint language plpgsql set lock_timeout = '2s' as $$
declare
  v_seq bigint;
begin
  -- A session's lock, because a transaction's would last until its end.
  perform pg_advisory_lock(1818584167, 0);
  v_seq := coalesce(pg_sequence_last_value('ledger_entry_seq'), 0);
  perform pg_advisory_unlock(1818584167, 0);
  return v_seq;
exception
  when lock_not_available or deadlock_detected then raise;
  when others or query_canceled then
    perform pg_advisory_unlock(1818584167, 0);
    raise;
end $$;

-- Advances the balances of unguarded accounts. → the number of the last entry they hold.
-- To be called alone in its transaction (READ COMMITTED), every minute or so.
create function ledger_snapshot(p_now timestamptz) returns bigint language plpgsql as $$
declare
  v_seq bigint;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'ledger_snapshot must see what was committed while it waited'
      using errcode = 'SL001';
  end if;
  perform pg_advisory_xact_lock(1818584167, 1); -- one snapshot at a time
  v_seq := ledger_barrier();
  insert into ledger_snapshots as s (account_id, seq, balance, taken_at)
  select a.id, v_seq, coalesce(old.balance, 0) + later.amount, p_now
  from ledger_accounts a
  left join ledger_snapshots old on old.account_id = a.id
  cross join lateral (
    select coalesce(sum(e.amount), 0)::bigint as amount from ledger_entries e
    where e.account_id = a.id and e.seq > coalesce(old.seq, 0) and e.seq <= v_seq
  ) as later
  where not a.guarded
  on conflict (account_id) do update
    set seq = excluded.seq, balance = excluded.balance, taken_at = excluded.taken_at;
  return v_seq;
end $$;

-- What an account has, in francs: posted, or its snapshot and what came later.
create function ledger_balance(p_account bigint) returns bigint language sql stable as $$
  select case when a.guarded then a.posted else coalesce(s.balance, 0) + (
    select coalesce(sum(e.amount), 0)::bigint from ledger_entries e
    where e.account_id = a.id and e.seq > coalesce(s.seq, 0)
  ) end
  from ledger_accounts a left join ledger_snapshots s on s.account_id = a.id
  where a.id = p_account;
$$;

-- Every broken invariant, none when the books are true. One statement, so one instant; reads all.
create function ledger_check()
returns table (invariant text, subject text, expected text, found text) language sql stable as $$
  with by_account as (
    select e.account_id, sum(e.amount) as total from ledger_entries e group by e.account_id
  ), by_transfer as (
    select e.transfer_id, array_agg(e.account_id || ':' || e.amount
      order by (e.account_id || ':' || e.amount) collate "C") as legs, sum(e.amount) as total
    from ledger_entries e group by e.transfer_id
  ), open_holds as (
    select h.account_id, sum(h.amount) as total from ledger_holds h
    where h.ended_at is null group by h.account_id
  )
  select 'sum of all accounts', 'all', '0', sum(b.total)::text from by_account b
  having sum(b.total) <> 0
  union all
  select 'account of an entry', b.account_id::text, 'open', 'absent' from by_account b
  where not exists (select from ledger_accounts a where a.id = b.account_id)
  union all
  select 'posted', a.key, coalesce(b.total, 0)::text, a.posted::text
  from ledger_accounts a left join by_account b on b.account_id = a.id
  where a.guarded and a.posted <> coalesce(b.total, 0)
  union all
  select 'held', a.key, coalesce(o.total, 0)::text, a.held::text
  from ledger_accounts a left join open_holds o on o.account_id = a.id
  where a.held <> coalesce(o.total, 0)
  union all
  select 'legs of a transfer', coalesce(t.id, b.transfer_id), t.legs, array_to_string(b.legs, ',')
  from ledger_transfers t full join by_transfer b on b.transfer_id = t.id
  where b.total is distinct from 0 or b.legs is distinct from array(
    select l.leg from unnest(string_to_array(t.legs, ',')) as l(leg) order by l.leg collate "C")
  union all
  select 'transfer of a paid hold', h.id, h.account_id || ':' || -h.amount, t.legs
  from ledger_holds h left join ledger_transfers t on t.id = h.transfer_id
  where h.ended_as = 'paid' and not coalesce(
    h.account_id || ':' || -h.amount = any (string_to_array(t.legs, ',')), false)
  union all
  select 'snapshot', s.account_id::text, coalesce(sum(e.amount), 0)::text, s.balance::text
  from ledger_snapshots s
  left join ledger_entries e on e.account_id = s.account_id and e.seq <= s.seq
  group by s.account_id, s.balance having s.balance <> coalesce(sum(e.amount), 0);
$$;
