import { type Capability, mayUse, type PlansRefusal } from "@sesame/contract/plans";
import type { Db } from "../../postgres/database.ts";
import { viewPlan } from "./plans.view.ts";

/**
 * Whether a seller's plan opens a capability: null, or the refusal. The one list is
 * `CAPABILITIES` of the contract; days of grace are premium.
 */
export async function refuseCapability(
  db: Db,
  sellerId: bigint,
  capability: Capability,
): Promise<PlansRefusal | null> {
  const plan = (await viewPlan(db, sellerId)) ?? "free";
  return mayUse(plan, capability) ? null : { kind: "plans.premium-required", capability };
}
