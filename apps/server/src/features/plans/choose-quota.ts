import { FREE_GROUPS_MAX, type PlansRefusal } from "@sesame/contract/plans";
import { ok, type Result, refuse } from "@sesame/kernel";
import { type Actor, audit } from "../../audit/audit.store.ts";
import type { PlansDeps } from "./deps.ts";
import { lockPlan, rankGroups } from "./plans.store.ts";
import { viewQuotaGroups } from "./plans.view.ts";

/**
 * The seller picks the groups that sell under the free plan (decision 88), on any plan: it holds
 * when premium ends. Exactly as many as the plan allows, or all he has.
 */
export async function chooseQuota(
  deps: PlansDeps,
  choice: { sellerId: bigint; groups: readonly bigint[]; actor: Actor },
): Promise<Result<null, PlansRefusal>> {
  const { sellerId, groups, actor } = choice;
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (tx) => {
    await lockPlan(tx, sellerId);
    const own = await viewQuotaGroups(tx, sellerId);
    // A chat the bot has left holds no place, and cannot take one.
    const linked = own.filter((group) => group.bot_present).map(({ id }) => id);
    const isUnknown = groups.some((id) => !own.some((group) => group.id === id));
    if (isUnknown) return refuse({ kind: "plans.quota-group-unknown" });
    const count = Math.min(FREE_GROUPS_MAX, linked.length);
    const isSound = groups.every((id) => linked.includes(id)) && groups.length === count;
    if (!isSound || new Set(groups).size !== count) {
      return refuse({ kind: "plans.quota-count", count });
    }
    const before = own.filter((group) => group.quota_rank !== null).map(({ id }) => id);
    if (before.join() === groups.join()) return ok(null);
    await rankGroups(tx, { sellerId, groups });
    await deps.groups.announceChange(tx, { sellerId, now });
    const deed = { actor, action: "groups.quota", subject: `seller:${sellerId}` };
    const change = {
      before: { groups: before.map(String) },
      after: { groups: groups.map(String) },
    };
    await audit(tx, { ...deed, ...change }, now);
    return ok(null);
  });
}
