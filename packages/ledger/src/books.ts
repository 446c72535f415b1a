import { sql } from "kysely";
import { type Executor, value } from "./executor.ts";

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

/** What should hold, of what, the value it should have and the value it has. */
export type BrokenInvariant = {
  readonly invariant: string;
  readonly subject: string;
  readonly expected: string | null;
  readonly found: string | null;
};

/** Reads all the books, as of one instant. → every broken invariant: none when they are true. */
export async function check(db: Executor): Promise<BrokenInvariant[]> {
  const { rows } = await sql<BrokenInvariant>`
    SELECT invariant, subject, expected, found FROM ledger_check()`.execute(db);
  return rows;
}
