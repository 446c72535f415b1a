export { accessesOf, accessOfOrder } from "./access.view.ts";
export { accessUpdates } from "./bot.ts";
export { takeBackIn } from "./close-access.ts";
export { registerAccessHttp } from "./http.ts";
export { accessJobs } from "./jobs.ts";
export { accessLoops } from "./sweep.ts";
