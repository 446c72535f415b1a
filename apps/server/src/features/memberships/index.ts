export { accessOfOrder, accessesOf, registerMembershipsHttp } from "./accesses.ts";
export { membershipUpdates } from "./bot.ts";
export { takeBackIn } from "./telegram-access.ts";
export { eraseEntries } from "./entries.ts";
export { membershipJobs, membershipLoops } from "./jobs.ts";
export { ACCESS_STATUS_NAMES } from "./messages.fr.ts";
