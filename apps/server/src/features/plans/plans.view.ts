import { type Capability, mayUse, type Plan, type PlansRefusal } from "@sesame/contract/plans";
import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, many, maybe, PREPARED } from "../../postgres/database.ts";

/**
 * Whether a seller's plan opens a capability: null, or the refusal. The one list is
 * `CAPABILITIES` of the contract; days of grace are premium.
 */
export async function refuseCapability(
  db: Db,
  sellerId: bigint,
  capability: Capability,
): Promise<PlansRefusal | null> {
  const { rows } = await sql<{ plan: Plan | null }>`
    SELECT plan FROM sellers WHERE id = ${sellerId}
  `.execute(db);
  const plan = rows[0]?.plan ?? "free";
  return mayUse(plan, capability) ? null : { kind: "plans.premium-required", capability };
}

/** Premium sellers whose days of grace are over, the longest first. */
export async function viewEnded(
  db: Db,
  of: { endedBefore: Date; limit: number },
): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`${PREPARED}
    SELECT id FROM sellers WHERE plan = 'premium' AND premium_until <= ${of.endedBefore}
    ORDER BY premium_until LIMIT ${of.limit}
  `.execute(db);
  return rows.map(({ id }) => id);
}

export type Fallen = {
  /** What he could spend, and was moved. */
  readonly moved: Fcfa;
  readonly paused: readonly string[];
  readonly ownKeys: readonly string[];
};

/** What the free plan changes for a seller who is on it again. */
export async function viewFallen(tx: Db, sellerId: bigint): Promise<Fallen> {
  const { rows } = await sql<Fallen>`
    SELECT coalesce((
        -- "13:-4000,12:4000"
        SELECT split_part(split_part(t.legs, ',', 2), ':', 2)::bigint FROM ledger_transfers t
        WHERE t.id = 'plan-move:' || s.id || ':' || s.plan_changes
      ), 0) AS moved,
      ARRAY(
        SELECT g.title FROM groups g WHERE g.seller_id = s.id AND g.bot_present
          AND NOT group_in_quota(g) ORDER BY g.linked_at, g.id
      ) AS paused,
      ARRAY(
        SELECT k.provider FROM seller_keys k WHERE k.seller_id = s.id AND k.ended_at IS NULL
        ORDER BY k.provider
      ) AS "ownKeys"
    FROM sellers s WHERE s.id = ${sellerId}
  `.execute(tx);
  return rows[0] ?? { moved: 0n as Fcfa, paused: [], ownKeys: [] };
}

export type QuotaGroupRow = {
  readonly id: bigint;
  readonly bot_present: boolean;
  readonly quota_rank: number | null;
};

export async function viewQuotaGroups(tx: Db, sellerId: bigint): Promise<QuotaGroupRow[]> {
  return many<QuotaGroupRow>(tx)`
    SELECT id, bot_present, quota_rank FROM groups WHERE seller_id = ${sellerId}
    ORDER BY quota_rank NULLS LAST, linked_at, id
  `;
}

export type Premium = {
  readonly plan: Plan | null;
  readonly premium_since: Date | null;
  readonly premium_until: Date | null;
};

export async function viewPremium(db: Db, sellerId: bigint): Promise<Premium | null> {
  return maybe<Premium>(db)`
    SELECT plan, premium_since, premium_until FROM sellers WHERE id = ${sellerId}
  `;
}

export type PurchaseRow = {
  readonly id: bigint;
  readonly price: Fcfa;
  readonly paid_at: Date;
  readonly access_until: Date | null;
  readonly is_renewal: boolean;
  readonly provider: string;
  readonly status: "paid" | "refunded";
};

const MOST_PURCHASES = 120;

/** Plans a seller has paid for, newest first: ten years of months. */
export async function viewPurchases(db: Db, sellerId: bigint): Promise<PurchaseRow[]> {
  return many<PurchaseRow>(db)`
    SELECT id, price, paid_at, access_until, is_renewal, provider, status FROM orders
    WHERE buyer_id = ${sellerId} AND kind = 'plan' AND status IN ('paid', 'refunded')
    ORDER BY id DESC LIMIT ${MOST_PURCHASES}
  `;
}

export type Bought = {
  readonly buyer_id: bigint;
  readonly price: Fcfa;
  readonly access_until: Date;
  readonly is_renewal: boolean;
};

export async function viewBought(db: Db, orderId: bigint): Promise<Bought | null> {
  return maybe<Bought>(db)`
    SELECT buyer_id, price, access_until, is_renewal FROM orders
    WHERE id = ${orderId} AND kind = 'plan' AND status = 'paid'
  `;
}
