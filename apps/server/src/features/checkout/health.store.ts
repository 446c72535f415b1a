import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

export type CallsOfMinute = {
  readonly provider: string;
  readonly minute: Date;
  readonly answered: number;
  readonly failed: number;
};

/** Adds to what each minute has, and forgets minutes nobody asks about any more. */
export async function addMinutes(
  db: Db,
  minutes: readonly CallsOfMinute[],
  forgetBefore: Date,
): Promise<void> {
  await sql`
    WITH forgotten AS (
      DELETE FROM provider_minutes WHERE minute < ${forgetBefore}
    )
    INSERT INTO provider_minutes AS m (provider, minute, answered, failed)
    SELECT * FROM unnest(
      ${minutes.map(({ provider }) => provider)}::text[],
      ${minutes.map(({ minute }) => minute)}::timestamptz[],
      ${minutes.map(({ answered }) => answered)}::int[],
      ${minutes.map(({ failed }) => failed)}::int[]
    ) AS u(provider, minute, answered, failed)
    ORDER BY provider, minute
    ON CONFLICT (provider, minute) DO UPDATE SET answered = m.answered + excluded.answered,
      failed = m.failed + excluded.failed
  `.execute(db);
}

export async function readCalls(
  db: Db,
  since: Date,
): Promise<{ provider: string; answered: number; failed: number }[]> {
  const { rows } = await sql<{ provider: string; answered: number; failed: number }>`
    SELECT provider, sum(answered)::int AS answered, sum(failed)::int AS failed
    FROM provider_minutes WHERE minute > ${since} GROUP BY provider
  `.execute(db);
  return rows;
}
