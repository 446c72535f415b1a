export { announceChange, linkWaiting, RENEW_LINKS, RESUME_ACCESS } from "./announce.ts";
export { groupUpdates } from "./bot.ts";
export { entryRulesOf } from "./entry-rules/entry-rules.store.ts";
export {
  type GroupForSale,
  groupForSale,
  groupOfChat,
  groupOfSeller,
} from "./group-for-sale.ts";
export { addMembers, RECHECK_EVERY_MS, recordEvent } from "./group.store.ts";
export { channelsOf, channelsPart, isAdminOf, sellerOfTelegram } from "./group.view.ts";
export { registerGroupsHttp } from "./http.ts";
export { groupJobs } from "./jobs.ts";
export { followMigration } from "./link-group.ts";
export { groupLoops } from "./loops.ts";
export { recheckGroup } from "./recheck-group.ts";
