export { choosePlan } from "./choose.ts";
export { registerPlansHttp } from "./http.ts";
export { planChanged, plansJobs } from "./jobs.ts";
export { plansLoops } from "./loop.ts";
export { refuseCapability } from "./plans.view.ts";
