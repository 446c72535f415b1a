import { sql } from "kysely";
import type { Db } from "../postgres/database.ts";

export async function readDatabaseClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(db);
  if (!rows[0]) throw new Error("a clock answers one row");
  return rows[0].now;
}

export type ClockSkew = {
  /** The process: one alert each. */
  readonly host: string;
  readonly skewMs: number;
  readonly suspended: boolean;
};

/** Puts a wrong clock on the back office, or brings the alert back. */
export async function raiseClockSkew(db: Db, skew: ClockSkew): Promise<void> {
  const details = {
    what: skew.host,
    difference_seconds: Math.round(skew.skewMs / 1_000),
    status: skew.suspended ? "suspended" : "running",
  };
  await sql`
    INSERT INTO desk_alerts AS a (kind, subject, details, created_at)
    SELECT 'clock.skew', ${`process:${skew.host}`}, ${JSON.stringify(details)}::jsonb, clock_timestamp()
    ON CONFLICT (kind, subject) DO UPDATE
      SET details = excluded.details, created_at = excluded.created_at, resolved_at = NULL
      WHERE a.resolved_at IS NOT NULL OR a.details ->> 'status' <> excluded.details ->> 'status'
  `.execute(db);
}

/** The clocks agree again. */
export async function resolveClockSkew(db: Db, host: string): Promise<void> {
  await sql`
    UPDATE desk_alerts SET resolved_at = clock_timestamp()
    WHERE kind = 'clock.skew' AND subject = ${`process:${host}`} AND resolved_at IS NULL
  `.execute(db);
}
