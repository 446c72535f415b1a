export { careOf } from "./answers.ts";
export { askIn } from "./ask.ts";
export { chooseRail, REFUNDS_DATES, refundsJobs, refundsLoops } from "./give-back.ts";
export { registerRefundsHttp } from "./http.ts";
export { AUDIT_ENTRIES as REFUND_AUDIT_ENTRIES } from "./messages.fr.ts";
export {
  askWriteOff,
  eraseNumbersRefunded,
  isReferenceUsed,
  owe,
  writeOffsSince,
} from "./refunds.ts";
