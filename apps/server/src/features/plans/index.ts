export { registerPlansHttp } from "./http.ts";
export { choosePlan, planChanged, plansJobs, plansLoops, refuseCapability } from "./plans.ts";
