import type { Db } from "../postgres/database.ts";
import { SecretUnreadable } from "./vault.ts";

type Table<Row> = {
  /** Some of the rows under another key, locked; without some ids. */
  readonly list: (tx: Db, without: readonly bigint[], limit: number) => Promise<Row[]>;
  /** Opens the secrets of a row, seals them again and writes them. */
  readonly rewrite: (tx: Db, row: Row) => Promise<unknown>;
};

/** Few at a time: a sale that reads one of them waits for so many, no longer. */
const IN_A_BATCH = 50;

/**
 * Puts every secret of a table under the newest key, while everything goes on, also what a process
 * still seals under the old one; to be run again after an end before the end. → how many; and the
 * rows under a key that is not given, or damaged: left as they are.
 */
export async function reseal<Row extends { readonly id: bigint }>(
  db: Db,
  { list, rewrite }: Table<Row>,
): Promise<{ rewritten: number; unreadable: bigint[] }> {
  const unreadable: bigint[] = [];
  for (let rewritten = 0; ; ) {
    const rows = await db.transaction().execute(async (tx) => {
      const batch = await list(tx, unreadable, IN_A_BATCH);
      for (const row of batch) {
        try {
          await rewrite(tx, row);
          rewritten += 1;
        } catch (error) {
          if (!(error instanceof SecretUnreadable)) throw error;
          unreadable.push(row.id);
        }
      }
      return batch;
    });
    if (rows.length === 0) return { rewritten, unreadable };
  }
}
