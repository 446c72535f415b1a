import type { Plan } from "../plans/policy.ts";

/** A buyer Telegram gave no name for. */
export const NAMELESS_BUYER = "Client";

/** From where to where a balance went when it followed the plan, by the plan it is now. */
export const PLAN_MOVE_WAYS: Readonly<Record<Plan, string>> = {
  premium: "Solde gratuit → Solde Premium",
  free: "Solde Premium → Solde gratuit",
};
