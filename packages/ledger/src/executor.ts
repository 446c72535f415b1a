import { assert } from "@sesame/kernel";
import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";

/** A Kysely instance or transaction, whatever tables it knows: the ledger brings its own SQL. */
export type Executor = QueryExecutorProvider;

/** The account's number inside the ledger; its name outside is its key. */
export type AccountId = bigint;

/** The one value of a one-row, one-column answer. */
export async function value<T>(tx: Executor, query: RawBuilder<{ value: T }>): Promise<T> {
  const { rows } = await query.execute(tx);
  const row = rows[0];
  assert(row !== undefined && rows.length === 1, "the ledger answers one row");
  return row.value;
}

/**
 * An array as one parameter. Elements travel as text because a driver's idea of bigint and Date
 * inside arrays differs; PostgreSQL reads them back exactly.
 */
export function arrayOf(items: readonly (string | bigint | number | Date)[]): RawBuilder<unknown> {
  const texts = items.map((item) => (item instanceof Date ? item.toISOString() : String(item)));
  return sql.val(texts);
}
