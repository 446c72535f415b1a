import { type PlansRefusal, planFromWire, planOnWire } from "@sesame/contract/plans";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { Db } from "../../postgres/database.ts";
import { lockPlan, setFreePlan } from "./plans.store.ts";

/**
 * The plan a seller names (decisions 4 and 5): free is chosen, premium only bought. Naming the plan
 * one already has changes nothing, so that a client may send a whole user back.
 */
export async function choosePlan(
  tx: Db,
  choice: { sellerId: bigint; named: unknown; now: Date },
): Promise<Result<{ changed: boolean }, PlansRefusal>> {
  const named = planOnWire.safeParse(choice.named);
  if (!named.success) return refuse({ kind: "plans.unknown-plan" });
  const wanted = planFromWire(named.data);
  const current = await lockPlan(tx, choice.sellerId);
  if (wanted === current) return ok({ changed: false });
  if (wanted === "premium") return refuse({ kind: "plans.premium-not-bought" });
  // Leaving premium early would move balances and lose time paid for: it ends by itself.
  if (current === "premium") return refuse({ kind: "plans.premium-running" });
  await setFreePlan(tx, choice.sellerId, choice.now);
  return ok({ changed: true });
}
