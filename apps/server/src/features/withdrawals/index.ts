export { createAutomaticEngine } from "./automatic.ts";
export { withdrawalsUpdates } from "./settings.ts";
export { registerWithdrawalsHttp } from "./http.ts";
export {
  erasePayoutSettings,
  freezePayouts,
  payoutFieldsAtStart,
  payoutFieldsOf,
  restsUntil,
  switchOffAutomatic,
  unfreezePayouts,
} from "./settings.ts";
export {
  accountNow,
  markApproved,
  markPaid,
  markReturned,
  noteFirstApproval,
  noteNews,
  rejectIn,
  setAssignment,
  requestsAtStart,
  WITHDRAWALS_DATES,
  withdrawalsJobs,
  eraseNumbersAsked,
} from "./withdrawals.ts";
