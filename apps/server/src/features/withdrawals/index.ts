export { createAutomaticEngine } from "./automatic-loop.ts";
export { withdrawalsUpdates } from "./bot.ts";
export { registerWithdrawalsHttp } from "./http.ts";
export { payoutFieldsAtStart, payoutFieldsOf } from "./payout-settings-on-wire.ts";
export { rejectIn } from "./reject-withdrawal.ts";
export { requestsAtStart } from "./seller-answers.ts";
export { noteNews, withdrawalsJobs } from "./tell-seller.ts";
