import { sql } from "kysely";
import { type Db, maybe } from "../postgres/database.ts";
import { DONE, type JobOutcome } from "./job-handler.ts";

type Digest = {
  /** Who is told of what: one of them at a time is told. */
  readonly key: string;
  readonly everyMs: number;
  readonly now: Date;
  /** What each of its jobs does besides, told or not, once its turn has come. */
  first?(): Promise<void>;
};

/**
 * Tells what has gathered, at most every so often: the first of it at once, what follows together, by
 * jobs that wait for it. `tellAll` → whether anything was told.
 */
export async function digest(
  tx: Db,
  { key, everyMs, now, first }: Digest,
  tellAll: () => Promise<boolean>,
): Promise<JobOutcome> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx);
  await first?.();
  const last = await maybe<{ told_at: Date }>(tx)`SELECT told_at FROM digests WHERE key = ${key}`;
  const sinceMs = last ? now.getTime() - last.told_at.getTime() : everyMs;
  // Told in the future: a clock that was set back since said so.
  if (sinceMs >= 0 && sinceMs < everyMs) {
    return { kind: "later", afterMs: everyMs - sinceMs, reason: "told with the next ones" };
  }
  if (!(await tellAll())) return DONE;
  await sql`
    INSERT INTO digests (key, told_at) VALUES (${key}, ${now})
    ON CONFLICT (key) DO UPDATE SET told_at = excluded.told_at
  `.execute(tx);
  return DONE;
}
