import { assert, type Fcfa, fcfa, ok, refuse } from "@sesame/kernel";
import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";

/** A Kysely instance or transaction of any schema: the ledger writes its own SQL. */
export type Executor = QueryExecutorProvider;

/** The account's id inside the ledger; callers name it by its key. */
export type AccountId = bigint;

/** The value of a statement with one row and one column. */
const value = <T>(tx: Executor) => {
  return async (...statement: Parameters<typeof sql>): Promise<T> => {
    const { rows } = await sql<{ value: T }>(...statement).execute(tx);
    const row = rows[0];
    assert(row !== undefined && rows.length === 1, "the ledger answers one row");
    return row.value;
  };
};

/**
 * An array as one parameter. Elements are sent as text because drivers encode bigint and Date in
 * arrays differently; PostgreSQL converts them exactly.
 */
function arrayOf(items: readonly (string | bigint | number | Date)[]): RawBuilder<unknown> {
  const texts = items.map((item) => (item instanceof Date ? item.toISOString() : String(item)));
  return sql.val(texts);
}

/**
 * `guarded`: the balance is in the account's row and never below zero (a seller's). Unguarded: the
 * sum of entries, may be negative, in any number of postings at once (providers, platform).
 */
type NewAccount = { readonly key: string; readonly guarded: boolean };

/** Opens an account, or finds an open one. A key open with the other kind of guard is a bug (SL001). */
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

/** openAccount for many accounts of one kind in one call: their ids, in the order of `keys`. */
export async function openAccounts(
  tx: Executor,
  accounts: { readonly keys: readonly string[]; readonly guarded: boolean },
  now: Date,
): Promise<AccountId[]> {
  const ids = await value<string[]>(tx)`
    SELECT ledger_open_accounts(${arrayOf(accounts.keys)}::text[], ${accounts.guarded},
      ${now.toISOString()})::text[] AS value`;
  return ids.map(BigInt);
}

/** The id of an open account, by its key. */
export async function getAccount(tx: Executor, account: AccountId | string): Promise<AccountId> {
  if (typeof account === "bigint") return account;
  const { rows } = await sql<{ id: bigint | string }>`
    SELECT id FROM ledger_accounts WHERE key = ${account}
  `.execute(tx);
  assert(rows[0], `no account ${account}`);
  return BigInt(rows[0].id);
}

/** In francs. `available` may be held or debited; `held` is 0 for an unguarded account. */
type Balance = { readonly posted: Fcfa; readonly held: Fcfa; readonly available: Fcfa };

/** The balance of the account with this key, or null if there is none. */
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
 * Francs that move at once. `id` is the idempotency key, derived from a business row (`sale:123`).
 * Two legs or more, which sum to zero; their order is part of the content.
 */
export type NewTransfer = {
  readonly id: string;
  readonly legs: readonly Leg[];
  readonly occurredAt: Date;
};

/**
 * `posted` now · `duplicate`: before, with the same content · `conflict`: before, with other
 * content · `insufficient`: a guarded account would not be covered. Only `posted` wrote something.
 */
export type PostOutcome = "posted" | "duplicate" | "conflict" | "insufficient";

/**
 * Posts transfers as if one by one in this order, in one call. → an outcome for each. A malformed
 * transfer (SL001) or an unknown account (SL002) is a bug: the call throws, and the transaction
 * must be rolled back.
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
  return value<PostOutcome[]>(tx)`SELECT ledger_post(
      ${arrayOf(transfers.map(({ id }) => id))}::text[],
      ${arrayOf(legs.map((leg) => leg.transfer))}::int[],
      ${arrayOf(legs.map((leg) => leg.account))}::bigint[],
      ${arrayOf(legs.map((leg) => leg.amount))}::bigint[],
      ${arrayOf(transfers.map(({ occurredAt }) => occurredAt))}::timestamptz[],
      ${now.toISOString()}) AS value`;
}

/** Posts transfers that must be new: the caller's locks guarantee it. */
export async function postNew(tx: Executor, transfers: readonly NewTransfer[], now: Date) {
  for (const [index, outcome] of (await post(tx, transfers, now)).entries())
    assert(outcome === "posted", `the transfer ${transfers[index]?.id} was ${outcome}`);
}

/** Moves francs from one account to another, by id or key, in a transfer that must be new. */
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

/** Francs reserved on a guarded account. `id` is the idempotency key (`hold:45`). */
type NewHold = { readonly id: string; readonly from: AccountId; readonly amount: Fcfa };

/** Whether this call did it, or an earlier one with the same content. */
export type Done = "done" | "done-before";

/** The results of the outcomes of a hold or of its end, unless a function has its own. */
const HOLD_OUTCOMES = {
  duplicate: ok<Done>("done-before"),
  /** The id was used before with other content; or the hold was paid by another transfer. */
  conflict: refuse({ kind: "ledger.id-reused" } as const),
  unknown: refuse({ kind: "ledger.hold-unknown" } as const),
} as const;
const NOW_DONE = ok<Done>("done");

/**
 * Reserves francs: they stay posted and are no longer available. A repeat returns `done-before`,
 * also after the end of the hold. Throws SL001 for an amount ≤ 0, SL002 for an account that is
 * unknown or unguarded.
 */
export async function hold(tx: Executor, { id, from, amount }: NewHold, now: Date) {
  const outcome = await value<"held" | "duplicate" | "conflict" | "insufficient">(tx)`
    SELECT ledger_hold(${id}, ${from.toString()}, ${amount.toString()}, ${now.toISOString()})
      AS value`;
  if (outcome !== "insufficient") return { ...HOLD_OUTCOMES, held: NOW_DONE }[outcome];
  // As it is now: a sale may have been posted since the refusal.
  const available = await value<bigint | string>(tx)`
    SELECT posted - held AS value FROM ledger_accounts WHERE id = ${from.toString()}`;
  return refuse({ kind: "ledger.insufficient", available: fcfa(BigInt(available)) } as const);
}

/** Ends a hold by paying it: `transfer` debits its account once, by the whole amount held. */
export async function payHold(
  tx: Executor,
  { holdId, transfer }: { readonly holdId: string; readonly transfer: NewTransfer },
  now: Date,
) {
  const outcome = await value<"paid" | "duplicate" | "conflict" | "released" | "unknown">(tx)`
    SELECT ledger_pay_hold(${holdId}, ${transfer.id},
      ${arrayOf(transfer.legs.map((leg) => leg.account))}::bigint[],
      ${arrayOf(transfer.legs.map((leg) => leg.amount))}::bigint[],
      ${transfer.occurredAt.toISOString()}, ${now.toISOString()}) AS value`;
  const released = refuse({ kind: "ledger.hold-released" } as const);
  return { ...HOLD_OUTCOMES, paid: NOW_DONE, released }[outcome];
}

/** Ends a hold by returning the francs to the available balance. */
export async function releaseHold(tx: Executor, holdId: string, now: Date) {
  const outcome = await value<"released" | "duplicate" | "paid" | "unknown">(tx)`
    SELECT ledger_release_hold(${holdId}, ${now.toISOString()}) AS value`;
  const paid = refuse({ kind: "ledger.hold-paid" } as const);
  return { ...HOLD_OUTCOMES, released: NOW_DONE, paid }[outcome];
}

/**
 * Advances the snapshots of unguarded accounts, so that reading a balance sums few entries. Call it
 * alone, outside a transaction, about every minute. → the id of the last entry they include. Waits
 * at most 2 s for postings in progress (then throws 55P03: retry later).
 */
export async function snapshot(db: Executor, now: Date): Promise<bigint> {
  const seq = await value<bigint | string>(db)`
    SELECT ledger_snapshot(${now.toISOString()}) AS value`;
  return BigInt(seq);
}

/** A broken invariant: its subject, the expected value and the actual value. */
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
