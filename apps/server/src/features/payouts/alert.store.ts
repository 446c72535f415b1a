import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";

export type PayoutAlert =
  | "payout.uncertain"
  | "payout.delayed"
  | "payout.slow"
  | "payout.mismatch"
  | "payout.unknown"
  | "payout.late-success"
  | "payout.returned"
  | "payout.float-short"
  | "provider.keys-refused"
  | "reconciliation.difference";

/** Of a lane, not of one payout: raised again when it happens after it was resolved. */
const COMES_BACK: ReadonlySet<PayoutAlert> = new Set([
  "payout.float-short",
  "provider.keys-refused",
  "reconciliation.difference",
]);

/** → whether the desk had not been told yet. */
export async function raiseAlert(
  tx: Db,
  alert: { kind: PayoutAlert; subject: string; details: Record<string, unknown>; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO desk_alerts AS d (kind, subject, details, created_at)
    VALUES (${alert.kind}, ${alert.subject}, ${JSON.stringify(alert.details)}, ${alert.now})
    ON CONFLICT (kind, subject) DO UPDATE
      SET details = excluded.details, created_at = excluded.created_at, resolved_at = NULL
      WHERE d.resolved_at IS NOT NULL AND ${COMES_BACK.has(alert.kind)}
    RETURNING id
  `.execute(tx);
  await publish(
    tx,
    rows.map(({ id }) => deskChanged("alert", id)),
  );
  return rows.length > 0;
}

/** What worried about this payout has ended with it. */
export async function calmAlerts(tx: Db, payoutId: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE desk_alerts SET resolved_at = ${now}
    WHERE subject = 'payout:' || ${payoutId}::bigint AND resolved_at IS NULL
      AND kind IN ('payout.uncertain', 'payout.delayed', 'payout.slow')
  `.execute(tx);
}
