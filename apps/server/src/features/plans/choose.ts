import {
  FREE_GROUPS_MAX,
  type PlansRefusal,
  planFromWire,
  planOnWire,
} from "@sesame/contract/plans";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { type Actor, audit } from "../../audit/audit.store.ts";
import type { Db } from "../../postgres/database.ts";
import { announceChange } from "../groups/index.ts";
import { lockPlan, rankGroups, setFreePlan } from "./plans.store.ts";
import { viewQuotaGroups } from "./plans.view.ts";

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

/**
 * The seller picks the groups that sell under the free plan (decision 88), on any plan: it holds
 * when premium ends. Exactly as many as the plan allows, or all he has.
 */
export async function chooseQuota(
  app: App,
  choice: { sellerId: bigint; groups: readonly bigint[]; actor: Actor },
): Promise<Result<null, PlansRefusal>> {
  const { sellerId, groups, actor } = choice;
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx) => {
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
    await announceChange(tx, { sellerId, now });
    const deed = { actor, action: "groups.quota", subject: `seller:${sellerId}` };
    const change = {
      before: { groups: before.map(String) },
      after: { groups: groups.map(String) },
    };
    await audit(tx, { ...deed, ...change }, now);
    return ok(null);
  });
}
