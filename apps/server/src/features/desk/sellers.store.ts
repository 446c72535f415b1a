import { addMs, DAY_MS, type Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, maybe } from "../../postgres/database.ts";
import { writeOff } from "../refunds/index.ts";
import type { ProductStanding, SellerStanding } from "./sellers-judge.ts";

/** A request to write off that nobody confirmed since then is forgotten. */
export const writeOffsSince = (now: Date): Date => addMs(now, -7 * DAY_MS);

/** Locked until the transaction ends, as the seller's requests and configuration do. */
export async function lockSeller(tx: Db, id: bigint, now: Date): Promise<SellerStanding | null> {
  await sql`SELECT FROM sellers WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx);
  return maybe<SellerStanding>(tx)`
    SELECT s.id, s.closed_at, s.suspended_at, f.frozen_at, coalesce(d.owed, 0)::bigint AS owed,
      w.asked_by AS write_off_by, w.asked_at AS write_off_at
    FROM sellers s LEFT JOIN payout_profiles f ON f.seller_id = s.id
    LEFT JOIN seller_advances d ON d.seller_id = s.id
    LEFT JOIN write_offs w ON w.seller_id = s.id AND w.decided_at IS NULL
      AND w.asked_at > ${writeOffsSince(now)}
    WHERE s.id = ${id}
  `;
}

export type Restriction = { readonly reason: string; readonly reviewAt: Date };

/** Null: sales are open again. */
export async function setSuspension(
  tx: Db,
  seller: { id: bigint; restriction: Restriction | null },
  now: Date,
): Promise<void> {
  const { id, restriction } = seller;
  await sql`
    UPDATE sellers SET suspended_at = ${restriction && now},
      suspended_reason = ${restriction?.reason ?? null},
      suspended_review_at = ${restriction?.reviewAt ?? null}, updated_at = ${now}
    WHERE id = ${id}
  `.execute(tx);
}

export async function setProductSuspension(
  tx: Db,
  product: { id: bigint; restriction: Restriction | null },
  now: Date,
): Promise<void> {
  const { id, restriction } = product;
  await sql`
    UPDATE products SET suspended_at = ${restriction && now},
      suspended_reason = ${restriction?.reason ?? null},
      suspended_review_at = ${restriction?.reviewAt ?? null}, updated_at = ${now}
    WHERE id = ${id}
  `.execute(tx);
}

/** Frozen, nothing leaves by itself either. */
export async function freeze(
  tx: Db,
  seller: { id: bigint; restriction: Restriction },
  now: Date,
): Promise<void> {
  const { id, restriction } = seller;
  await sql`
    INSERT INTO payout_profiles AS p
      (seller_id, frozen_at, frozen_by, frozen_reason, frozen_review_at, updated_at)
    VALUES (${id}, ${now}, 'operator', ${restriction.reason}, ${restriction.reviewAt}, ${now})
    ON CONFLICT (seller_id) DO UPDATE SET frozen_at = excluded.frozen_at,
      frozen_by = excluded.frozen_by, frozen_reason = excluded.frozen_reason,
      frozen_review_at = excluded.frozen_review_at, automatic = false, next_run_at = NULL,
      updated_at = excluded.updated_at
  `.execute(tx);
}

/** Whoever froze; the alert of a seller's own freeze ends with it. */
export async function unfreeze(
  tx: Db,
  seller: { id: bigint; by: bigint; reason: string },
  now: Date,
): Promise<void> {
  await sql`
    UPDATE payout_profiles SET frozen_at = NULL, frozen_by = NULL, frozen_reason = NULL,
      frozen_review_at = NULL, updated_at = ${now}
    WHERE seller_id = ${seller.id}
  `.execute(tx);
  await sql`
    UPDATE desk_alerts SET resolved_at = ${now}, resolved_by = ${seller.by},
      resolution = ${seller.reason}
    WHERE kind = 'payouts.frozen-by-seller' AND subject = ${`seller:${seller.id}`}
      AND resolved_at IS NULL
  `.execute(tx);
}

export async function reopenSeller(tx: Db, id: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE sellers SET closed_at = NULL, updated_at = ${now} WHERE id = ${id}
  `.execute(tx);
}

/**
 * Writes off what he owes when it was asked before, else asks for it. The seller is locked, and owes.
 * → what was written off, null when it was asked
 */
export async function askWriteOff(
  tx: Db,
  asked: { sellerId: bigint; owed: Fcfa; by: bigint },
  now: Date,
): Promise<{ amount: Fcfa; alone: boolean } | null> {
  const { sellerId, owed, by } = asked;
  await sql`
    DELETE FROM write_offs WHERE seller_id = ${sellerId} AND decided_at IS NULL
      AND asked_at <= ${writeOffsSince(now)}
  `.execute(tx);
  const { rows } = await sql<{ id: bigint; amount: Fcfa; asked_by: bigint }>`
    UPDATE write_offs SET amount = least(amount, ${owed}), decided_by = ${by}, decided_at = ${now}
    WHERE seller_id = ${sellerId} AND decided_at IS NULL
    RETURNING id, amount, asked_by
  `.execute(tx);
  const [decided] = rows;
  if (!decided) {
    await sql`
      INSERT INTO write_offs (seller_id, amount, asked_by, asked_at)
      VALUES (${sellerId}, ${owed}, ${by}, ${now})
    `.execute(tx);
    return null;
  }
  const { id, amount } = decided;
  await writeOff(tx, { id, sellerId, amount, now });
  return { amount, alone: decided.asked_by === by };
}

export type LockedProduct = ProductStanding & { readonly id: bigint; readonly title: string };

export async function lockProduct(tx: Db, id: bigint): Promise<LockedProduct | null> {
  return maybe<LockedProduct>(tx)`
    SELECT id, seller_id, title, suspended_at FROM products WHERE id = ${id} FOR NO KEY UPDATE
  `;
}
