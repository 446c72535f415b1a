import { lockSeller } from "../../people/people.ts";
import { type RegistryRefusal } from "@sesame/contract/back-office";
import { addMs, DAY_MS } from "@sesame/kernel";
import type { Principal } from "../../http/server.ts";
import { type Db, maybe } from "../../postgres/database.ts";
import { writeOffsSince } from "../refunds/index.ts";

export type Measure = "suspend" | "resume" | "freeze" | "unfreeze" | "reopen" | "write-off";

/** Who asked first to write a debt off confirms it himself after this long. */
const ALONE_AFTER_MS = DAY_MS;

/** What decides whether a measure about a seller may be taken. */
export type SellerStanding = {
  readonly id: bigint;
  readonly closed_at: Date | null;
  readonly suspended_at: Date | null;
  readonly frozen_at: Date | null;
  /** Francs advanced for him. */
  readonly owed: bigint;
  /** Who has asked to write them off. */
  readonly write_off_by: bigint | null;
  readonly write_off_at: Date | null;
};

/** Locked until the transaction ends, as the seller's requests and configuration do. */
export async function lockStanding(tx: Db, id: bigint, now: Date): Promise<SellerStanding | null> {
  await lockSeller(tx, id);
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

/** The first reason why not; null: it may be taken. Nobody decides about himself. */
export function judgeMeasure(
  measure: Measure,
  seller: SellerStanding,
  { caller, now }: { caller: Principal; now: Date },
): RegistryRefusal | null {
  if (!caller.isOperator) return { kind: "desk.operator-only" };
  if (seller.id === caller.personId) return { kind: "desk.own-account" };
  switch (measure) {
    case "suspend":
      if (seller.closed_at !== null) return { kind: "desk.account-closed" };
      return seller.suspended_at === null ? null : { kind: "desk.already-suspended" };
    case "resume":
      return seller.suspended_at === null ? { kind: "desk.not-suspended" } : null;
    case "freeze":
      return seller.frozen_at === null ? null : { kind: "desk.already-frozen" };
    case "unfreeze":
      return seller.frozen_at === null ? { kind: "desk.not-frozen" } : null;
    case "reopen":
      return seller.closed_at === null ? { kind: "desk.account-open" } : null;
    case "write-off": {
      if (seller.owed === 0n) return { kind: "desk.nothing-owed" };
      const { write_off_by: by, write_off_at: at } = seller;
      const waits = by === caller.personId && at !== null && addMs(at, ALONE_AFTER_MS) > now;
      return waits ? { kind: "desk.write-off-waits" } : null;
    }
  }
}

export type ProductStanding = {
  readonly seller_id: bigint;
  readonly suspended_at: Date | null;
};

export function judgeProductMeasure(
  measure: "suspend" | "resume",
  product: ProductStanding,
  caller: Principal,
): RegistryRefusal | null {
  if (!caller.isOperator) return { kind: "desk.operator-only" };
  if (product.seller_id === caller.personId) return { kind: "desk.own-account" };
  const suspended = product.suspended_at !== null;
  if (measure === "suspend") return suspended ? { kind: "desk.already-suspended" } : null;
  return suspended ? null : { kind: "desk.not-suspended" };
}
