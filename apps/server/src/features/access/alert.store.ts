import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

export type AccessAlert =
  /** Paid, and no link can be made or no request approved. */
  | "access.cannot-open"
  /** Time is over, and the bot lacks the right to remove. */
  | "access.cannot-close"
  /** Time is over for an owner or an admin: Telegram lets no bot remove him. */
  | "access.is-admin"
  | "access.paid-while-banned";

export type AlertKey = { readonly kind: AccessAlert; readonly subject: string };

/** Puts a matter on the desk. True when it was not there. */
export async function raiseAlert(
  db: Db,
  alert: AlertKey & { details: Record<string, string>; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ kind: string }>`
    INSERT INTO desk_alerts (kind, subject, details, created_at)
    VALUES (${alert.kind}, ${alert.subject}, ${JSON.stringify(alert.details)}::jsonb, ${alert.now})
    ON CONFLICT (kind, subject) DO UPDATE
      SET details = excluded.details, created_at = excluded.created_at, resolved_at = NULL
      WHERE desk_alerts.resolved_at IS NOT NULL
    RETURNING kind
  `.execute(db);
  return rows.length > 0;
}

export async function resolveAlert(db: Db, key: AlertKey, now: Date): Promise<void> {
  await sql`
    UPDATE desk_alerts SET resolved_at = ${now}
    WHERE kind = ${key.kind} AND subject = ${key.subject} AND resolved_at IS NULL
  `.execute(db);
}
