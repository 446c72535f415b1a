import { type Plan, planToWire } from "@sesame/contract/plans";
import type { RealtimeEvent } from "../../realtime/events.store.ts";

/** Realtime, to the seller: his screens read the user anew; product pages too, where it is heard. */
const PLAN_CHANGED = "plan:changed";

export function planChanged(change: {
  sellerId: bigint;
  plan: Plan;
  until: Date | null;
}): RealtimeEvent {
  const { sellerId, plan, until } = change;
  const body = { type_plan: planToWire(plan), premium_until: until?.toISOString() ?? null };
  return { room: `person:${sellerId}`, name: PLAN_CHANGED, body };
}
