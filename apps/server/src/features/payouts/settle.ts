import { lookLateAfterMs, PAYOUT_RETURNED_REASON, RETURN_DOUBT_MS } from "@sesame/contract/payouts";
import { addMs, type Fcfa, ZERO_FCFA } from "@sesame/kernel";
import type { Db } from "../../postgres/database.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";
import { noteNews } from "../withdrawals/index.ts";
import { calmAlerts, raiseAlert } from "./alert.store.ts";
import { hasArrived, type PayoutRow, writeStep } from "./payout.store.ts";
import {
  markDoubted,
  markFailed,
  markLate,
  markReturned,
  markSucceeded,
  postLate,
  postReturn,
  type ReturnProof,
  postReversed,
  postSent,
} from "./settle.store.ts";

/** The ends of a payout. Each takes it locked (`lockPayout`), in the transaction that decides. */

export type Paid = {
  readonly cost?: Fcfa | null;
  readonly operatorReference?: string | null;
  /** An agent paid it: also one that a provider was to send and has not. */
  readonly byHand?: boolean;
  readonly details?: string | null;
  /** Who says so of one a provider was to send. */
  readonly by?: bigint | null;
};

/** The money was received. Of one whose francs had gone back already: they left twice. */
export async function settlePaid(
  tx: Db,
  end: { payout: PayoutRow; paid: Paid; now: Date },
): Promise<void> {
  const { payout, paid, now } = end;
  if (hasArrived(payout)) {
    if (payout.doubted_at) await markDoubted(tx, payout.id, { since: null, checkAt: null });
    return;
  }
  // What a person said came back: its provider never stopped saying yes.
  if (payout.returned_by !== null) return;
  const cost = paid.cost ?? ZERO_FCFA;
  if (payout.settled_at !== null) return settleLate(tx, { payout, cost, now });
  const settled: PayoutRow = paid.byHand ? { ...payout, lane: "manual" } : payout;
  await postSent(tx, settled, { cost, now });
  await markSucceeded(tx, payout, {
    now,
    cost,
    operatorReference: paid.operatorReference ?? null,
    byHand: paid.byHand ?? false,
    by: paid.by ?? null,
  });
  await writeStep(
    tx,
    { payoutId: payout.id, step: "succeeded", details: paid.details ?? null },
    now,
  );
  await calmAlerts(tx, payout.id, now);
  await noteNews(tx, payout.withdrawal_id, { news: "paid", now });
}

async function settleLate(
  tx: Db,
  late: { payout: PayoutRow; cost: Fcfa; now: Date },
): Promise<void> {
  const { payout, now } = late;
  if (payout.late_at !== null) return;
  await postLate(tx, payout, late);
  await markLate(tx, payout.id, late);
  await writeStep(tx, { payoutId: payout.id, step: "late-success" }, now);
  await raiseAlert(tx, {
    kind: "payout.late-success",
    subject: `payout:${payout.id}`,
    details: {
      withdrawal_id: String(payout.withdrawal_id),
      lane: payout.lane,
      amount: String(payout.amount),
      reference: payout.reference,
    },
    now,
  });
  await noteNews(tx, payout.withdrawal_id, { news: "late", now });
  await tellDesk(tx, payout.withdrawal_id);
}

/**
 * The provider says that what had arrived did not. Believed when it says so, asked again ten minutes
 * later: the francs are the seller's at once, and may be sent away. Not of what a person said arrived,
 * nor of what came back before: that is a difference of the reconciliation.
 */
export async function doubtArrival(
  tx: Db,
  end: { payout: PayoutRow; details: string | null; askedAt: Date; now: Date },
): Promise<void> {
  const { payout, details, askedAt, now } = end;
  if (payout.returned_at !== null || payout.settled_by !== null) return;
  const since = payout.doubted_at ?? now;
  const checkAt = addMs(since, RETURN_DOUBT_MS);
  if (checkAt <= askedAt) return settleReturned(tx, { payout, details, proof: null, now });
  await markDoubted(tx, payout.id, { since, checkAt });
  if (since !== now) return;
  await writeStep(tx, { payoutId: payout.id, step: "doubted", details }, now);
}

/** It had arrived and came back, as the provider or an operator says: the request is rejected. */
export async function settleReturned(
  tx: Db,
  end: { payout: PayoutRow; details: string | null; proof: ReturnProof | null; now: Date },
): Promise<void> {
  const { payout, details, proof, now } = end;
  const { id, withdrawal_id: withdrawalId, lane, amount, reference } = payout;
  await postReversed(tx, payout, now);
  await markReturned(tx, payout, { reason: PAYOUT_RETURNED_REASON, proof, now });
  await writeStep(tx, { payoutId: id, step: "returned", details }, now);
  await raiseAlert(tx, {
    kind: "payout.returned",
    subject: `payout:${id}`,
    details: { withdrawal_id: String(withdrawalId), lane, amount: String(amount), reference },
    now,
  });
  await noteNews(tx, withdrawalId, { news: "returned", reason: PAYOUT_RETURNED_REASON, now });
  await tellDesk(tx, withdrawalId);
}

export type Failure = {
  /** The provider's or the agent's words, for the desk. */
  readonly failure: string | null;
  /** The seller's. */
  readonly reason: string;
};

/** It will never be received: the francs go back, and the request is rejected (decision 86). */
export async function settleFailed(
  tx: Db,
  end: { payout: PayoutRow; failure: Failure; now: Date },
): Promise<void> {
  const { payout, failure, now } = end;
  if (payout.status === "succeeded" || payout.status === "failed") return;
  // Only one that was asked of a provider may still surprise us.
  const wasAsked = payout.lane !== "manual" && payout.submitted_at !== null;
  const again = wasAsked ? lookLateAfterMs(0) : null;
  await postReturn(tx, payout, now);
  await markFailed(tx, payout, {
    now,
    failure: failure.failure,
    reason: failure.reason,
    checkAt: again === null ? null : addMs(now, again),
  });
  await writeStep(tx, { payoutId: payout.id, step: "failed", details: failure.failure }, now);
  await calmAlerts(tx, payout.id, now);
  const { reason } = failure;
  await noteNews(tx, payout.withdrawal_id, { news: "returned", reason, now });
}

export async function tellDesk(tx: Db, withdrawalId: bigint): Promise<void> {
  await publish(tx, [deskChanged("withdrawal", withdrawalId)]);
}
