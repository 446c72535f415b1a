export { forgetPayoutWebhooks, payoutLoops, takeWebhook } from "./webhooks.ts";
export { PAYOUTS_CHANNEL, PAYOUTS_DATES, eraseNumbersPaid } from "./payouts.ts";
export { reconcilePayouts } from "./reconcile.ts";
export { createSayTime } from "./staff/day.ts";
export {
  COMPARED_NAMES,
  nameDifference,
  nameLink,
  nameCashFloat,
  sayAction,
  sayDifference,
} from "./staff/messages.fr.ts";
export { treasuryJobs, replyToStaff, staffBoard } from "./staff/queue.ts";
export { registerTreasuryStaff } from "./staff/http.ts";
