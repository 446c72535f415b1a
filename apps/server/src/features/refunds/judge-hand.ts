import type { RefundLane, RefundsRefusal, RefundStatus } from "@sesame/contract/refunds";

/** All that says whether an agent may send a refund now. */
export type HandFacts = {
  readonly buyer_id: bigint;
  readonly seller_id: bigint | null;
  readonly lane: RefundLane;
  readonly status: RefundStatus;
  readonly taken_by: bigint | null;
  readonly taken_until: Date | null;
  readonly taker_name: string;
};

/** Null when he may. The same answer for the screen's buttons. */
export function forbidHand(facts: HandFacts, personId: bigint, now: Date): RefundsRefusal | null {
  if (facts.buyer_id === personId || facts.seller_id === personId) {
    return { kind: "refunds.own-case" };
  }
  if (facts.lane !== "desk" || facts.status !== "to-pay") return { kind: "refunds.nothing-to-pay" };
  const taken = facts.taken_by !== null && facts.taken_until !== null && facts.taken_until > now;
  if (taken && facts.taken_by !== personId) {
    return { kind: "refunds.taken-by-other", name: facts.taker_name };
  }
  return null;
}
