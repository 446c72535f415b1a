export { groupUpdates } from "./bot.ts";
export { entryRulesOf } from "./entry-rules.ts";
export {
  addMembers,
  announceChange,
  channelsOf,
  channelsPart,
  ENTRY_PAUSED,
  groupByChat,
  groupById,
  GROUP_FACTS,
  groupOfSeller,
  type GroupRow,
  isAdminOf,
  rankGroups,
  GROUPS_DATES,
  recordEvent,
  RENEW_LINKS,
  RESUME_ACCESS,
  sellerOfTelegram,
} from "./groups.ts";
export { registerGroupsHttp } from "./http.ts";
export { groupJobs, groupLoops } from "./jobs.ts";
export { followMigration, recheckGroup } from "./linked-chat.ts";
export { buyersBotUpdates, linkWaiting } from "./waiting.ts";
