import { sql } from "kysely";
import { type Db, maybe } from "../../postgres/database.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";

/** Whether it was still open, locked until the transaction ends; null: there is none. */
export async function lockAlert(tx: Db, id: bigint): Promise<{ open: boolean } | null> {
  return maybe<{ open: boolean }>(tx)`
    SELECT resolved_at IS NULL AS open FROM desk_alerts WHERE id = ${id} FOR UPDATE
  `;
}

export type Resolution = { readonly id: bigint; readonly by: bigint; readonly note: string };

export async function writeResolution(tx: Db, done: Resolution, now: Date): Promise<void> {
  await sql`
    UPDATE desk_alerts SET resolved_at = ${now}, resolved_by = ${done.by}, resolution = ${done.note}
    WHERE id = ${done.id}
  `.execute(tx);
  await tellDesk(tx, "alert", String(done.id));
}

export type RegistryAlert = {
  readonly kind: "product.reported" | "day.difference";
  readonly subject: string;
  readonly details: Record<string, string | number | null>;
};

/** Puts a matter on the desk, or brings it back with what is known now. */
export async function raiseRegistryAlert(tx: Db, alert: RegistryAlert, now: Date): Promise<void> {
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO desk_alerts (kind, subject, details, created_at)
    VALUES (${alert.kind}, ${alert.subject}, ${JSON.stringify(alert.details)}::jsonb, ${now})
    ON CONFLICT (kind, subject) DO UPDATE
      SET details = excluded.details, created_at = excluded.created_at, resolved_at = NULL
    RETURNING id
  `.execute(tx);
  await tellDesk(tx, "alert", String(rows[0]?.id ?? ""));
}

export function tellDesk(
  tx: Db,
  what: "alert" | "seller" | "day" | "withdrawal",
  id: string,
): Promise<void> {
  return publish(tx, [deskChanged(what, id)]);
}
