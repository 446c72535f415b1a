import type { Plan } from "./policy.ts";

export const PLAN_NAMES: Readonly<Record<Plan, string>> = { free: "Gratuit", premium: "Premium" };
