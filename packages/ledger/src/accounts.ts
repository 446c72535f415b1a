import { assert, type Fcfa, fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { type AccountId, arrayOf, type Executor, value } from "./executor.ts";

/**
 * `guarded`: keeps its balance in its row and never goes below zero (a seller's). Unguarded: only
 * entries, may be negative, touched by any number of postings at once (providers, platform).
 */
export type NewAccount = { readonly key: string; readonly guarded: boolean };

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
export type Balance = { readonly posted: Fcfa; readonly held: Fcfa; readonly available: Fcfa };

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

/** One movement of an account. `occurredAt`: when it happened; `recordedAt`: when we learnt it. */
export type StatementLine = {
  readonly seq: bigint;
  readonly transferId: string;
  /** Francs, credit > 0. */
  readonly amount: Fcfa;
  readonly occurredAt: Date;
  readonly recordedAt: Date;
};

export type Statement = {
  readonly lines: readonly StatementLine[];
  /** To be passed as `before` for the page of older lines; null when there is none. */
  readonly next: bigint | null;
};

/** A page of an account's movements, newest first: at most `limit` lines older than `before`. */
export async function statement(
  tx: Executor,
  account: AccountId,
  page: { readonly before?: bigint | null; readonly limit: number },
): Promise<Statement> {
  type Row = {
    seq: bigint | string;
    amount: bigint | string;
    transfer_id: string;
    occurred_at: Date;
    recorded_at: Date;
  };
  const { rows } = await sql<Row>`
    SELECT e.seq, e.amount, e.transfer_id, t.occurred_at, t.recorded_at
    FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
    WHERE e.account_id = ${account.toString()}
      AND e.seq < coalesce(${page.before?.toString() ?? null}, ${MAX_SEQ})::bigint
    ORDER BY e.seq DESC LIMIT ${page.limit + 1}
  `.execute(tx);
  const lines = rows.slice(0, page.limit).map((row) => ({
    seq: BigInt(row.seq),
    transferId: row.transfer_id,
    amount: fcfa(BigInt(row.amount)),
    occurredAt: row.occurred_at,
    recordedAt: row.recorded_at,
  }));
  return { lines, next: rows.length > page.limit ? (lines.at(-1)?.seq ?? null) : null };
}

const MAX_SEQ = (2n ** 63n - 1n).toString();
