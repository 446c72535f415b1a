import { type DeskRefusal, LANE_NAMES, type Lane } from "@sesame/contract/desk";
import { unreachable } from "@sesame/kernel";
import type {
  ApproveRefusal,
  HandRefusal,
  InspectRefusal,
  LaneRefusal,
  ResolveRefusal,
} from "../payouts/index.ts";

const amounts = new Intl.NumberFormat("fr-FR");

export function laneRefusalOf(lane: Lane, refusal: LaneRefusal): DeskRefusal {
  const laneName = LANE_NAMES[lane];
  switch (refusal.kind) {
    case "closed":
      return { kind: "desk.lane-closed", laneName };
    case "method":
      return { kind: "desk.lane-method", laneName };
    case "amount": {
      const max = refusal.max === null ? null : amounts.format(refusal.max);
      return { kind: "desk.lane-amount", laneName, min: amounts.format(refusal.min), max };
    }
  }
}

type PayoutNo = ApproveRefusal | HandRefusal | ResolveRefusal | InspectRefusal;

/** What the payouts' engine says no with, in the desk's words. */
export function deskRefusalOf(refusal: PayoutNo, lane: Lane): DeskRefusal {
  switch (refusal.kind) {
    case "not-pending": {
      const { status } = refusal;
      if (status === "approved" || status === "rejected" || status === "cancelled") {
        return { kind: "desk.already-decided", status };
      }
      return { kind: "desk.withdrawal-not-found" };
    }
    case "lane":
      return laneRefusalOf(lane, refusal.refusal);
    case "reference-missing":
      return { kind: "desk.reference-missing" };
    case "reference-used":
      return { kind: "desk.reference-used" };
    case "nothing-to-pay":
      return { kind: "desk.nothing-to-pay" };
    case "not-uncertain":
      return { kind: "desk.not-uncertain" };
    case "payout-id-used":
      return { kind: "desk.payout-id-used" };
    case "payout-unknown":
      return { kind: "desk.payout-unknown" };
    case "payout-differs":
      return { kind: "desk.payout-differs" };
    default:
      return unreachable(refusal);
  }
}
