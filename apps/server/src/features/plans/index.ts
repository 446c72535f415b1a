import type { PlansRefusal } from "@sesame/contract/plans";
import type { Result } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import type { Actor } from "../../audit/audit.store.ts";
import type { JobHandler } from "../../jobs/outbox.ts";
import type { Loop } from "../../jobs/loop.ts";
import { chooseQuota } from "./choose-quota.ts";
import type { PlansDeps } from "./deps.ts";
import { plansJobs } from "./jobs.ts";
import { createPlansLoop } from "./loop.ts";
import { purchasesOf } from "./purchases.ts";
import type { PlanPurchasesAnswer } from "@sesame/contract/plans";

export { choosePlan } from "./choose-plan.ts";
export type { PlansDeps } from "./deps.ts";
export { refuseCapability } from "./gate.ts";
export { planChanged } from "./plan-changed.ts";

/** The door of plans. */
export type Plans = {
  /** What was bought, and where premium stands; null when there is no such seller. */
  purchasesOf(sellerId: bigint): Promise<PlanPurchasesAnswer | null>;
  chooseQuota(choice: {
    sellerId: bigint;
    groups: readonly bigint[];
    actor: Actor;
  }): Promise<Result<null, PlansRefusal>>;
  readonly jobs: readonly JobHandler[];
  /** Reminders, days of grace, the end. */
  loop(log: Pick<FastifyBaseLogger, "error" | "warn">): Loop;
};

export function createPlans(deps: PlansDeps): Plans {
  return {
    purchasesOf: (sellerId) => purchasesOf(deps, sellerId),
    chooseQuota: (choice) => chooseQuota(deps, choice),
    jobs: plansJobs(deps),
    loop: (log) => createPlansLoop(deps, log),
  };
}
