export { careOf } from "./answers.ts";
export { askIn } from "./ask.ts";
export { chooseLane, REFUNDS_DATES, refundsJobs, refundsLoops } from "./give-back.ts";
export { registerRefundsHttp } from "./http.ts";
export { DEEDS as REFUND_DEEDS } from "./messages.fr.ts";
export {
  askWriteOff,
  eraseNumbersRefunded,
  isReferenceUsed,
  owe,
  writeOffsSince,
} from "./refunds.ts";
