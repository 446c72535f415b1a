export {
  type ApproveRefusal,
  approveIn,
  failByHandIn,
  type HandRefusal,
  inspect,
  type InspectRefusal,
  type LaneRefusal,
  laneRefusal,
  lanesOf,
  markPaidByHandIn,
  type Resolution,
  type ResolveRefusal,
  resolveIn,
} from "./decide.ts";
export { payoutLoops } from "./drive.ts";
export { registerPayoutsHttp, takeNotice, forgetPayoutNotices } from "./notices.ts";
export {
  isBack,
  mayComeBack,
  PAYOUTS_CHANNEL,
  PAYOUTS_DATES,
  eraseNumbersPaid,
} from "./payouts.ts";
export { listReconciliations, reconcilePayouts } from "./reconcile.ts";
