export { createAutomaticEngine } from "./automatic.ts";
export { withdrawalsUpdates } from "./bot.ts";
export { registerWithdrawalsHttp } from "./http.ts";
export { payoutFieldsAtStart, payoutFieldsOf, erasePayoutSettings } from "./settings.ts";
export {
  noteNews,
  rejectIn,
  requestsAtStart,
  WITHDRAWALS_DATES,
  withdrawalsJobs,
  eraseNumbersAsked,
} from "./withdrawals.ts";
