import type { RiskFacts, Stage } from "@sesame/contract/desk";
import { mayComeBack } from "../payouts/index.ts";
import type { DeskFacts } from "./decide-judge.ts";
import type { DeskRow } from "./queue.view.ts";

export function factsOf(row: DeskRow): DeskFacts {
  return {
    id: row.id,
    sellerId: row.seller_id,
    status: row.status,
    claim:
      row.claimed_by === null || row.claimed_until === null
        ? null
        : { by: row.claimed_by, name: row.claimant_name ?? "", until: row.claimed_until },
    firstApproval:
      row.first_approved_by === null || row.first_approved_lane === null
        ? null
        : { by: row.first_approved_by, lane: row.first_approved_lane },
    risk: {
      amount: row.amount,
      paidBefore: row.paid_before,
      frozen: row.frozen_at !== null,
      suspended: row.suspended_at !== null,
      owed: row.owed,
    },
    payout:
      row.payout_lane === null || row.payout_status === null
        ? null
        : {
            lane: row.payout_lane,
            status: row.payout_status,
            mayComeBack: mayComeBack({
              status: row.payout_status,
              late_at: row.payout_late_at,
              returned_at: row.payout_returned_at,
            }),
            createdBy: row.payout_by,
          },
  };
}

export function riskFactsOf(row: DeskRow, now: Date): RiskFacts {
  const changedAt = row.number_changed_at;
  return {
    ...factsOf(row).risk,
    medianBefore: row.median_before,
    numberPaidBefore: row.number_paid_before,
    otherSellers: row.other_sellers,
    numberChangedMsAgo: changedAt === null ? null : now.getTime() - changedAt.getTime(),
    refunds: row.refunds,
    mismatches: row.mismatches,
  };
}

type LastPayout = Pick<NonNullable<DeskFacts["payout"]>, "lane" | "status"> | null;

type Standing = Pick<DeskFacts, "status"> & {
  readonly payout: LastPayout;
  readonly claimed: boolean;
  readonly awaitsSecond: boolean;
};

/** Where a request stands, in the desk's one word. */
export function stageOf({ status, payout, claimed, awaitsSecond }: Standing): Stage {
  switch (status) {
    case "cancelled":
      return "cancelled";
    case "rejected":
      return payout === null ? "rejected" : "failed";
    case "pending":
      if (claimed) return "claimed";
      return awaitsSecond ? "second-agent" : "pending";
    case "approved":
      return stageOfPayout(payout);
  }
}

function stageOfPayout(payout: LastPayout): Stage {
  if (payout?.status === "succeeded") return "paid";
  if (payout?.status === "uncertain") return "uncertain";
  return payout?.lane === "manual" ? "to-pay" : "sending";
}
