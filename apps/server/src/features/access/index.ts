export { accessesOf, accessOfOrder, registerAccessHttp } from "./accesses.ts";
export { accessUpdates } from "./bot.ts";
export { takeBackIn } from "./close.ts";
export { accessJobs } from "./jobs.ts";
export { accessLoops } from "./sweep.ts";
export { eraseEntries } from "./entries.ts";
export { ACCESS_STATUS_NAMES } from "./messages.fr.ts";
