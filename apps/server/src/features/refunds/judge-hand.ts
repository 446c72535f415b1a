import type { RefundLane, RefundsRefusal, RefundStatus } from "@sesame/contract/refunds";
import type { Fcfa } from "@sesame/kernel";
import type { Principal } from "../../http/principal.ts";

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
  if (isParty(facts, personId)) return { kind: "refunds.own-case" };
  if (facts.lane !== "desk" || facts.status !== "to-pay") return { kind: "refunds.nothing-to-pay" };
  return forbidTaken(facts, personId, now);
}

function isParty(facts: Pick<HandFacts, "buyer_id" | "seller_id">, personId: bigint): boolean {
  return facts.buyer_id === personId || facts.seller_id === personId;
}

function forbidTaken(facts: HandFacts, personId: bigint, now: Date): RefundsRefusal | null {
  const taken = facts.taken_by !== null && facts.taken_until !== null && facts.taken_until > now;
  if (taken && facts.taken_by !== personId) {
    return { kind: "refunds.taken-by-other", name: facts.taker_name };
  }
  return null;
}

type OperatorCaller = Pick<Principal, "personId" | "isOperator">;

/** Whether the operator may end one that waits for a hand, once its provider confirms it. */
export function forbidReturned(
  facts: HandFacts,
  { personId, isOperator }: OperatorCaller,
  now: Date,
): RefundsRefusal | null {
  if (!isOperator) return { kind: "refunds.operator-only" };
  if (isParty(facts, personId)) return { kind: "refunds.own-case" };
  const byHand = facts.lane === "desk" || facts.lane === "seller";
  if (!byHand || facts.status === "done") return { kind: "refunds.nothing-to-pay" };
  return forbidTaken(facts, personId, now);
}

type FeeFacts = Pick<HandFacts, "buyer_id" | "seller_id" | "lane"> & {
  readonly direct: boolean;
  readonly provider_fee: Fcfa;
};

/** Whether the operator may note what the provider kept for it. */
export function forbidFee(
  facts: FeeFacts,
  { personId, isOperator }: OperatorCaller,
): RefundsRefusal | null {
  if (!isOperator) return { kind: "refunds.operator-only" };
  if (isParty(facts, personId)) return { kind: "refunds.own-case" };
  if (facts.lane !== "returned" || facts.direct) return { kind: "refunds.not-returned" };
  return facts.provider_fee > 0n ? { kind: "refunds.fee-noted" } : null;
}
