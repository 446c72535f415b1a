export { createAutomaticEngine } from "./automatic.ts";
export { withdrawalsUpdates } from "./bot.ts";
export { registerWithdrawalsHttp } from "./http.ts";
export { payoutFieldsAtStart, payoutFieldsOf, erasePayoutSettings } from "./settings.ts";
export {
  noteNews,
  rejectIn,
  requestsAtStart,
  withdrawalsJobs,
  eraseNumbersAsked,
} from "./withdrawals.ts";
