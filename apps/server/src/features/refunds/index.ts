export { careOf } from "./answers.ts";
export { askIn } from "./ask.ts";
export { REFUNDS_DATES, refundsJobs, refundsLoops } from "./give-back.ts";
export { registerRefundsHttp } from "./http.ts";
export { chooseLane } from "./lanes.ts";
export { DEEDS as REFUND_DEEDS } from "./messages.fr.ts";
export { askWriteOff, owe, writeOffsSince } from "./money.ts";
export { isReferenceUsed, eraseNumbersRefunded } from "./refunds.ts";
