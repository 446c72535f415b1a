import type { PayoutMethodId } from "@sesame/contract/withdrawals";
import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import type { Frequency } from "./schedule.ts";

/** What a change of the configuration writes. */
export type ProfileWrite = {
  readonly method: PayoutMethodId | null;
  readonly phone: string | null;
  readonly numberChangedAt: Date | null;
  readonly automatic: boolean;
  readonly frequency: Frequency;
  readonly threshold: Fcfa | null;
  readonly nextRunAt: Date | null;
  readonly failuresInRow: number;
};

/** The seller's requests, configuration and plan take turns until the transaction ends. */
export async function lockSeller(tx: Db, sellerId: bigint): Promise<void> {
  await sql`SELECT FROM sellers WHERE id = ${sellerId} FOR NO KEY UPDATE`.execute(tx);
}

export async function writeProfile(
  tx: Db,
  sellerId: bigint,
  { now, ...write }: ProfileWrite & { now: Date },
): Promise<void> {
  await sql`
    INSERT INTO payout_profiles AS p (seller_id, method, phone, number_changed_at, automatic,
      frequency, threshold, next_run_at, failures_in_row, updated_at)
    VALUES (${sellerId}, ${write.method}, ${write.phone}, ${write.numberChangedAt},
      ${write.automatic}, ${write.frequency}, ${write.threshold}, ${write.nextRunAt},
      ${write.failuresInRow}, ${now})
    ON CONFLICT (seller_id) DO UPDATE SET method = excluded.method, phone = excluded.phone,
      number_changed_at = excluded.number_changed_at, automatic = excluded.automatic,
      frequency = excluded.frequency, threshold = excluded.threshold,
      next_run_at = excluded.next_run_at, failures_in_row = excluded.failures_in_row,
      updated_at = excluded.updated_at
  `.execute(tx);
}

export async function writeWhatsapp(
  tx: Db,
  sellerId: bigint,
  written: { whatsapp: string; now: Date },
): Promise<void> {
  await sql`
    UPDATE sellers SET whatsapp_number = ${written.whatsapp}, updated_at = ${written.now}
    WHERE id = ${sellerId} AND whatsapp_number IS DISTINCT FROM ${written.whatsapp}
  `.execute(tx);
}

/** False when payouts were frozen already: the first freeze keeps its reason. */
export async function writeFreeze(
  tx: Db,
  sellerId: bigint,
  freeze: { by: "seller" | "operator"; reason: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO payout_profiles AS p (seller_id, frozen_at, frozen_by, frozen_reason, updated_at)
    VALUES (${sellerId}, ${freeze.now}, ${freeze.by}, ${freeze.reason}, ${freeze.now})
    ON CONFLICT (seller_id) DO UPDATE SET frozen_at = excluded.frozen_at,
      frozen_by = excluded.frozen_by, frozen_reason = excluded.frozen_reason,
      frozen_review_at = NULL, automatic = false, next_run_at = NULL,
      updated_at = excluded.updated_at
    WHERE p.frozen_at IS NULL
    RETURNING 1
  `.execute(tx);
  return rows.length > 0;
}

export async function raiseFreezeAlert(
  tx: Db,
  alert: { sellerId: bigint; now: Date },
): Promise<void> {
  await sql`
    INSERT INTO desk_alerts (kind, subject, details, created_at)
    VALUES ('payouts.frozen-by-seller', ${`seller:${alert.sellerId}`},
      jsonb_build_object('seller_id', ${alert.sellerId}::bigint), ${alert.now})
    ON CONFLICT (kind, subject) DO UPDATE
      SET created_at = excluded.created_at, resolved_at = NULL
      WHERE desk_alerts.resolved_at IS NOT NULL
  `.execute(tx);
}
