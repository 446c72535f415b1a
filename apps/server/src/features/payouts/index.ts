export {
  type ApproveRefusal,
  approveIn,
  type LaneRefusal,
  laneRefusal,
  lanesOf,
} from "./approve.ts";
export { failByHandIn, type HandRefusal, markPaidByHandIn } from "./by-hand.ts";
export { registerPayoutsHttp } from "./http.ts";
export { payoutLoops } from "./loops.ts";
export { isBack, mayComeBack, PAYOUTS_CHANNEL } from "./payout.store.ts";
export { payoutOf, type PayoutState } from "./payout.view.ts";
export { takeNotice } from "./receive-notice.ts";
export { requestReconciliation } from "./reconcile.store.ts";
export { reconcilePayouts } from "./reconcile.ts";
export { reconciliations } from "./reconcile.view.ts";
export {
  inspect,
  type InspectRefusal,
  type Resolution,
  type ResolveRefusal,
  resolveIn,
} from "./resolve.ts";
