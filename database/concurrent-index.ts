import type pg from "pg";

/** A migration that is one index and nothing else, built outside a transaction (decision 0029). */
export type ConcurrentIndex = {
  readonly name: string;
  /** How long it may wait for who was there before. */
  readonly patience: string;
  readonly create: string;
  /** As PostgreSQL says it of an index that stands. */
  readonly definition: string;
};

const FORM =
  /^(?<patience>SET lock_timeout = '\w+');\s*CREATE (?<unique>UNIQUE )?INDEX CONCURRENTLY (?<name>[a-z_]+)\s+(?<rest>ON public\.[^;]+);$/;

/** Null for a migration that runs in a transaction. */
export function readConcurrentIndex(migration: string, sql: string): ConcurrentIndex | null {
  const bare = sql.replace(/--.*$/gm, "").trim();
  if (!/\bCONCURRENTLY\b/i.test(bare)) return null;
  const { patience, unique = "", name, rest } = FORM.exec(bare)?.groups ?? {};
  if (patience === undefined || name === undefined || rest === undefined) {
    throw new Error(
      `database/migrations/${migration}: what is built concurrently stands alone, as ` +
        "SET lock_timeout = '…'; CREATE INDEX CONCURRENTLY name ON public.…;",
    );
  }
  const on = rest.replace(/\s+/g, " ");
  return {
    name,
    patience,
    create: `CREATE ${unique}INDEX CONCURRENTLY ${name} ${on}`,
    definition: `CREATE ${unique}INDEX ${name} ${on}`,
  };
}

/**
 * Builds the index beside those who read and write. One that a start which died left whole is kept,
 * so that a start given too little time still gets there; one it left half built is built anew.
 */
export async function buildConcurrently(client: pg.Client, index: ConcurrentIndex): Promise<void> {
  const { rows } = await client.query<{ valid: boolean; definition: string }>(
    `SELECT indisvalid AS valid, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indexrelid = to_regclass('public.' || $1)`,
    [index.name],
  );
  const [standing] = rows;
  if (standing?.valid && standing.definition === index.definition) return;
  await client.query(index.patience);
  if (standing) await client.query(`DROP INDEX CONCURRENTLY public.${index.name}`);
  await client.query(index.create);
}
