import type { DeskDurationOnWire } from "@sesame/contract/settings";
import { sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";

export type DurationRow = {
  readonly id: bigint;
  readonly minutes: number;
  readonly display_name: string;
  readonly description: string;
  readonly discount_percent: number;
  readonly price_tier: DeskDurationOnWire["price_tier"];
  readonly active: boolean;
};

export async function listDurations(db: Db): Promise<(DurationRow & { products: number })[]> {
  return many<DurationRow & { products: number }>(db)`
    SELECT d.*, (
      SELECT count(*)::int FROM products p
      WHERE p.duration_minutes = d.minutes AND p.archived_at IS NULL
    ) AS products
    FROM subscription_durations d ORDER BY d.minutes, d.id
  `;
}

/** All of them, locked until the transaction ends: the last active one must stay. */
export async function lockDurations(tx: Db): Promise<DurationRow[]> {
  return many<DurationRow>(tx)`
    SELECT * FROM subscription_durations ORDER BY id FOR UPDATE
  `;
}

export type DurationFields = Omit<DurationRow, "id" | "minutes">;

/** Null: there is one of these minutes and this tier. */
export async function insertDuration(
  tx: Db,
  duration: DurationFields & { readonly minutes: number },
): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO subscription_durations
      (minutes, display_name, description, discount_percent, price_tier, active)
    VALUES (${duration.minutes}, ${duration.display_name}, ${duration.description},
      ${duration.discount_percent}, ${duration.price_tier}, ${duration.active})
    ON CONFLICT (minutes, price_tier) DO NOTHING
    RETURNING id
  `.execute(tx);
  return rows[0]?.id ?? null;
}

export async function updateDuration(tx: Db, id: bigint, fields: DurationFields): Promise<void> {
  await sql`
    UPDATE subscription_durations SET display_name = ${fields.display_name},
      description = ${fields.description}, discount_percent = ${fields.discount_percent},
      price_tier = ${fields.price_tier}, active = ${fields.active}
    WHERE id = ${id}
  `.execute(tx);
}
