import { ok, type Result, refuse } from "@sesame/kernel";
import type { Db } from "../../postgres/database.ts";
import { lockPayoutOf, type PayoutRow, writeStep } from "./payout.store.ts";
import { isReferenceUsed } from "../refunds/index.ts";
import { settleFailed, settlePaid } from "./settle.ts";

type HandPayment = {
  readonly withdrawalId: bigint;
  readonly reference: string;
  readonly by: bigint;
};

export type HandRefusal =
  | { readonly kind: "nothing-to-pay" }
  | { readonly kind: "reference-missing" }
  | { readonly kind: "reference-used" };

type HandFailure = {
  readonly withdrawalId: bigint;
  /** The seller reads it. */
  readonly reason: string;
  readonly by: bigint;
};

/** Nobody was told to send it: an agent may pay it, or give the francs back. */
function isInOurHands(payout: PayoutRow | null): payout is PayoutRow {
  return payout?.status === "ready" || payout?.status === "prepared";
}

/**
 * An agent paid it and types the operator's reference. One that a provider was to send and was not
 * asked yet becomes the agent's: its lane changes, and no worker can begin it any more.
 */
export async function markPaidByHandIn(
  tx: Db,
  { payment, now }: { payment: HandPayment; now: Date },
): Promise<Result<null, HandRefusal>> {
  const payout = await lockPayoutOf(tx, payment.withdrawalId);
  if (!isInOurHands(payout)) return refuse({ kind: "nothing-to-pay" });
  const operatorReference = payment.reference.trim();
  if (operatorReference === "") return refuse({ kind: "reference-missing" });
  if (await isReferenceUsed(tx, operatorReference)) return refuse({ kind: "reference-used" });
  if (payout.lane !== "manual") {
    await writeStep(tx, { payoutId: payout.id, step: "taken-over", details: payout.lane }, now);
  }
  await settlePaid(tx, { payout, paid: { operatorReference, byHand: true }, now });
  return ok(null);
}

/** It cannot be paid: the francs go back to the seller, who reads the reason. */
export async function failByHandIn(
  tx: Db,
  { failed, now }: { failed: HandFailure; now: Date },
): Promise<Result<null, HandRefusal>> {
  const payout = await lockPayoutOf(tx, failed.withdrawalId);
  if (!isInOurHands(payout)) return refuse({ kind: "nothing-to-pay" });
  const { reason } = failed;
  await settleFailed(tx, { payout, failure: { failure: reason, reason }, now });
  return ok(null);
}
