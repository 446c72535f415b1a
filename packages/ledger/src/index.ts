import { assert, type Fcfa, fcfa, ok, refuse } from "@sesame/kernel";
import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";

/** A Kysely instance or transaction, whatever tables it knows: the ledger brings its own SQL. */
export type Executor = QueryExecutorProvider;

/** The account's number inside the ledger; its name outside is its key. */
export type AccountId = bigint;

/** The value of an answer with one row and one column. */
async function value<T>(tx: Executor, query: RawBuilder<{ value: T }>): Promise<T> {
  const { rows } = await query.execute(tx);
  const row = rows[0];
  assert(row !== undefined && rows.length === 1, "the ledger answers one row");
  return row.value;
}

/**
 * An array as one parameter. Elements travel as text because a driver's idea of bigint and Date
 * inside arrays differs; PostgreSQL reads them back exactly.
 */
function arrayOf(items: readonly (string | bigint | number | Date)[]): RawBuilder<unknown> {
  const texts = items.map((item) => (item instanceof Date ? item.toISOString() : String(item)));
  return sql.val(texts);
}

/**
 * `guarded`: keeps its balance in its row and never goes below zero (a seller's). Unguarded: only
 * entries, may be negative, touched by any number of postings at once (providers, platform).
 */
type NewAccount = { readonly key: string; readonly guarded: boolean };

/** Opens an account, or finds it. A key open with the other kind of guard is a bug (SL001). */
export async function openAccount(
  tx: Executor,
  account: NewAccount,
  now: Date,
): Promise<AccountId> {
  const { key, guarded } = account;
  const [id] = await openAccounts(tx, { keys: [key], guarded }, now);
  assert(id !== undefined, "an account that is opened has a number");
  return id;
}

/** As openAccount, for many of one kind in one call: their ids, in the order of `keys`. */
export async function openAccounts(
  tx: Executor,
  accounts: { readonly keys: readonly string[]; readonly guarded: boolean },
  now: Date,
): Promise<AccountId[]> {
  const ids = await value(
    tx,
    sql<{ value: string[] }>`
      SELECT ledger_open_accounts(${arrayOf(accounts.keys)}::text[], ${accounts.guarded},
        ${now.toISOString()})::text[] AS value`,
  );
  return ids.map(BigInt);
}

/** The number of an account that is open, by its key. */
export async function getAccount(tx: Executor, account: AccountId | string): Promise<AccountId> {
  if (typeof account === "bigint") return account;
  const { rows } = await sql<{ id: bigint | string }>`
    SELECT id FROM ledger_accounts WHERE key = ${account}
  `.execute(tx);
  assert(rows[0], `no account ${account}`);
  return BigInt(rows[0].id);
}

/** In francs. `available` is what may be held or debited; `held` is 0 for an unguarded account. */
type Balance = { readonly posted: Fcfa; readonly held: Fcfa; readonly available: Fcfa };

/** The balance of the account with this key, or null if none was opened. */
export async function balanceOf(tx: Executor, key: string): Promise<Balance | null> {
  const { rows } = await sql<{ posted: bigint | string; held: bigint | string }>`
    SELECT ledger_balance(a.id) AS posted, a.held FROM ledger_accounts a WHERE a.key = ${key}
  `.execute(tx);
  const row = rows[0];
  if (row === undefined) return null;
  const posted = BigInt(row.posted);
  const held = BigInt(row.held);
  return { posted: fcfa(posted), held: fcfa(held), available: fcfa(posted - held) };
}

/** One entry of a transfer, in francs: credit > 0, debit < 0, never 0. */
export type Leg = { readonly account: AccountId; readonly amount: Fcfa };

/**
 * Francs that move at once. `id` is the idempotency key and comes from a business row
 * (`sale:123`). Two legs or more, which sum to zero; their order is part of the content.
 */
export type NewTransfer = {
  readonly id: string;
  readonly legs: readonly Leg[];
  readonly occurredAt: Date;
};

/**
 * `posted` now · `duplicate`: before, with this very content · `conflict`: before, with other
 * content · `insufficient`: a guarded account would not be covered. Only `posted` wrote something.
 */
export type PostOutcome = "posted" | "duplicate" | "conflict" | "insufficient";

/**
 * Posts transfers as if one by one in this order, in one call. → an outcome for each.
 * A malformed transfer (SL001) or an unknown account (SL002) is a bug: the call throws, and the
 * transaction is lost.
 */
export async function post(
  tx: Executor,
  transfers: readonly NewTransfer[],
  now: Date,
): Promise<PostOutcome[]> {
  if (transfers.length === 0) return [];
  const legs = transfers.flatMap((transfer, index) =>
    transfer.legs.map((leg) => ({ ...leg, transfer: index + 1 })),
  );
  return value(
    tx,
    sql<{ value: PostOutcome[] }>`SELECT ledger_post(
      ${arrayOf(transfers.map(({ id }) => id))}::text[],
      ${arrayOf(legs.map((leg) => leg.transfer))}::int[],
      ${arrayOf(legs.map((leg) => leg.account))}::bigint[],
      ${arrayOf(legs.map((leg) => leg.amount))}::bigint[],
      ${arrayOf(transfers.map(({ occurredAt }) => occurredAt))}::timestamptz[],
      ${now.toISOString()}) AS value`,
  );
}

/** Posts transfers that must be new: the caller's locks guarantee it. */
export async function postNew(
  tx: Executor,
  transfers: readonly NewTransfer[],
  now: Date,
): Promise<void> {
  for (const [index, outcome] of (await post(tx, transfers, now)).entries())
    assert(outcome === "posted", `the transfer ${transfers[index]?.id} was ${outcome}`);
}

/** Francs from one account to another, by number or by key, in a transfer that must be new. */
export async function postBetween(
  tx: Executor,
  id: string,
  move: {
    readonly from: AccountId | string;
    readonly to: AccountId | string;
    readonly amount: Fcfa;
    readonly now: Date;
    readonly occurredAt?: Date;
  },
): Promise<void> {
  const { from, to, amount, now, occurredAt = now } = move;
  const legs = [
    { account: await getAccount(tx, from), amount: fcfa(-amount) },
    { account: await getAccount(tx, to), amount },
  ];
  await postNew(tx, [{ id, legs, occurredAt }], now);
}

/** Francs set aside on a guarded account. `id` is the idempotency key (`hold:45`). */
type NewHold = { readonly id: string; readonly from: AccountId; readonly amount: Fcfa };

/** Whether this call did it, or an earlier one with the same content. */
export type Done = "done" | "done-before";

/** What is said of a hold or of its end, where nothing else is meant. */
const HOLD_OUTCOMES = {
  duplicate: ok<Done>("done-before"),
  /** The id was used before with other content; or the hold was paid by another transfer. */
  conflict: refuse({ kind: "ledger.id-reused" } as const),
  unknown: refuse({ kind: "ledger.hold-unknown" } as const),
} as const;
const NOW_DONE = ok<Done>("done");

/**
 * Sets francs aside: they stay posted and are no longer available. Repeated, it answers
 * `done-before`, also when the hold has ended. Throws SL001 for an amount ≤ 0, SL002 for an
 * account that is unknown or unguarded.
 */
export async function hold(tx: Executor, newHold: NewHold, now: Date) {
  const { id, from, amount } = newHold;
  const outcome = await value(
    tx,
    sql<{ value: "held" | "duplicate" | "conflict" | "insufficient" }>`
      SELECT ledger_hold(${id}, ${from.toString()}, ${amount.toString()}, ${now.toISOString()})
        AS value`,
  );
  if (outcome !== "insufficient") return { ...HOLD_OUTCOMES, held: NOW_DONE }[outcome];
  const available = await availableOf(tx, from);
  return refuse({ kind: "ledger.insufficient", available } as const);
}

/** Ends a hold by paying it: `transfer` debits its account, once, by the whole amount held. */
export async function payHold(
  tx: Executor,
  payment: { readonly holdId: string; readonly transfer: NewTransfer },
  now: Date,
) {
  const { holdId, transfer } = payment;
  const outcome = await value(
    tx,
    sql<{ value: "paid" | "duplicate" | "conflict" | "released" | "unknown" }>`
      SELECT ledger_pay_hold(${holdId}, ${transfer.id},
        ${arrayOf(transfer.legs.map((leg) => leg.account))}::bigint[],
        ${arrayOf(transfer.legs.map((leg) => leg.amount))}::bigint[],
        ${transfer.occurredAt.toISOString()}, ${now.toISOString()}) AS value`,
  );
  const released = refuse({ kind: "ledger.hold-released" } as const);
  return { ...HOLD_OUTCOMES, paid: NOW_DONE, released }[outcome];
}

/** Ends a hold by giving the francs back to what is available. */
export async function releaseHold(tx: Executor, holdId: string, now: Date) {
  const outcome = await value(
    tx,
    sql<{ value: "released" | "duplicate" | "paid" | "unknown" }>`
      SELECT ledger_release_hold(${holdId}, ${now.toISOString()}) AS value`,
  );
  const paid = refuse({ kind: "ledger.hold-paid" } as const);
  return { ...HOLD_OUTCOMES, released: NOW_DONE, paid }[outcome];
}

/** As it is now: a sale may have come in since the refusal. */
async function availableOf(tx: Executor, account: AccountId): Promise<Fcfa> {
  const available = await value(
    tx,
    sql<{ value: bigint | string }>`
      SELECT posted - held AS value FROM ledger_accounts WHERE id = ${account.toString()}`,
  );
  return fcfa(BigInt(available));
}

/**
 * Advances the kept balances of unguarded accounts, so that reading one sums few entries. To be
 * called alone, outside any transaction, every minute or so. → the last entry's number they hold.
 * Waits at most 2 s for the postings under way (then throws 55P03: try again later).
 */
export async function snapshot(db: Executor, now: Date): Promise<bigint> {
  const query = sql<{ value: bigint | string }>`
    SELECT ledger_snapshot(${now.toISOString()}) AS value`;
  return BigInt(await value(db, query));
}

/** A broken invariant: its subject, the value that it should have and the value that it has. */
export type BrokenInvariant = {
  readonly invariant: string;
  readonly subject: string;
  readonly expected: string | null;
  readonly found: string | null;
};

/**
 * Checks the whole ledger as of one instant (one statement). → every broken invariant; none in a
 * valid ledger.
 */
export async function check(db: Executor): Promise<BrokenInvariant[]> {
  const { rows } = await sql<BrokenInvariant>`
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
    SELECT 'sum of all accounts' AS invariant, 'all' AS subject, '0' AS expected,
      sum(b.total)::text AS found
    FROM by_account b
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
    GROUP BY s.account_id, s.balance HAVING s.balance <> coalesce(sum(e.amount), 0)
  `.execute(db);
  return rows;
}
