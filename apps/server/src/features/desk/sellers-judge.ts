import { type RegistryRefusal, registryRefusals } from "@sesame/contract/desk";
import type { Principal } from "../../http/principal.ts";

export type Measure = "suspend" | "resume" | "freeze" | "unfreeze" | "reopen";

/** What decides whether a measure about a seller may be taken. */
export type SellerStanding = {
  readonly id: bigint;
  readonly closed_at: Date | null;
  readonly suspended_at: Date | null;
  readonly frozen_at: Date | null;
};

/** The first reason why not; null: it may be taken. Nobody decides about himself. */
export function judgeMeasure(
  measure: Measure,
  seller: SellerStanding,
  caller: Principal,
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

export type May = { readonly allowed: boolean; readonly reason: string | null };

export function mayOf(refusal: RegistryRefusal | null): May {
  if (refusal === null) return { allowed: true, reason: null };
  const { message } = registryRefusals[refusal.kind];
  return { allowed: false, reason: typeof message === "string" ? message : null };
}
