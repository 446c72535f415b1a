export {
  lookAfterMs,
  lookLateAfterMs,
  PAYOUT_ALERT_MS,
  PAYOUT_SLOW_MS,
  PAYOUT_STATUSES,
  type PayoutStatus,
  RETURN_DOUBT_MS,
  SUBMIT_AGAIN_MS,
  tryAgainAfterMs,
} from "./policy.ts";
export {
  DIFFERENCE_NAMES,
  type DifferenceKind,
  describePayout,
  PAYOUT_FAILED_REASON,
  PAYOUT_REFUSED_REASON,
  PAYOUT_RETURNED,
  PAYOUT_RETURNED_REASON,
  PAYOUT_STATUS_NAMES,
} from "./words.fr.ts";
