export { askIn } from "./ask-refund.ts";
export { chooseLane } from "./choose-lane.ts";
export { ASKING_MS } from "./give-back.ts";
export { registerRefundsHttp } from "./http.ts";
export { refundsJobs, refundsLoops } from "./jobs.ts";
export { DEEDS as REFUND_DEEDS } from "./messages.fr.ts";
export { careOf } from "./refund-on-wire.ts";
export { isReferenceUsed } from "./refund.store.ts";
export { owe, writeOff } from "./refund-money.store.ts";
