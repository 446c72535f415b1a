import { assert, type Fcfa, ok, type Result, refuse } from "@sesame/kernel";
import { getAccount, payHold } from "@sesame/ledger";
import type { Lane } from "@sesame/contract/desk";
import type { Db } from "../../postgres/database.ts";
import type { Approval, ApproveRefusal, Approved, LaneRefusal } from "./door.ts";
import type { PayoutsDeps } from "./needs.ts";
import { insertPayout, type LockedWithdrawal, lockWithdrawal } from "./payout.store.ts";
import { isReferenceUsed } from "../refunds/index.ts";
import { IN_TRANSIT } from "./settle.store.ts";
import { settlePaid } from "./settle.ts";
import { sql } from "kysely";

async function approveWithdrawal(
  tx: Db,
  approved: { id: bigint; by: bigint; now: Date },
): Promise<void> {
  await sql`
    UPDATE withdrawals SET status = 'approved', decided_at = ${approved.now},
      decided_by = ${approved.by}
    WHERE id = ${approved.id}
  `.execute(tx);
}

/** Null when the lane can serve; by hand always can. Asks nobody. */
export function laneRefusal(
  { providers }: Pick<PayoutsDeps, "providers">,
  lane: Lane,
  sent: { method: string; amount: Fcfa },
): LaneRefusal | null {
  if (lane === "manual") return null;
  const provider = providers.find(({ id }) => id === lane);
  return provider ? provider.cannotServe(sent.method, sent.amount) : { kind: "closed" };
}

/**
 * Approves a pending request and gives it its one lane: the held francs go in transit and the payout
 * is there to be sent, in one transaction. Whoever comes second finds it decided.
 */
export async function approveIn(
  deps: Pick<PayoutsDeps, "providers" | "withdrawals">,
  tx: Db,
  { approval, now }: { approval: Approval; now: Date },
): Promise<Result<Approved, ApproveRefusal>> {
  const { withdrawalId, lane, by } = approval;
  const withdrawal = await lockWithdrawal(tx, withdrawalId);
  if (withdrawal?.status !== "pending") {
    return refuse({ kind: "not-pending", status: withdrawal?.status ?? null });
  }
  const cannot = laneRefusal(deps, lane, withdrawal);
  if (cannot) return refuse({ kind: "lane", refusal: cannot });
  const reference = lane === "manual" ? (approval.reference?.trim() ?? "") : "";
  if (reference !== "" && (await isReferenceUsed(tx, reference))) {
    return refuse({ kind: "reference-used" });
  }
  await approveWithdrawal(tx, { id: withdrawalId, by, now });
  await payHeld(tx, withdrawal, now);
  const { amount, method, phone } = withdrawal;
  const payout = await insertPayout(tx, { withdrawalId, lane, amount, method, phone, by }, now);
  await deps.withdrawals.noteApproved(tx, withdrawalId, now);
  if (reference === "") return ok({ payoutId: payout.id, status: payout.status });
  await settlePaid(deps, tx, { payout, paid: { operatorReference: reference }, now });
  return ok({ payoutId: payout.id, status: "succeeded" });
}

async function payHeld(tx: Db, withdrawal: LockedWithdrawal, now: Date): Promise<void> {
  const { id, account_id: account, amount } = withdrawal;
  const legs = [
    { account, amount: -amount as Fcfa },
    { account: await getAccount(tx, IN_TRANSIT), amount },
  ];
  const transfer = { id: `payout:${id}`, legs, occurredAt: now };
  const paid = await payHold(tx, { holdId: `hold:${id}`, transfer }, now);
  const why = paid.ok ? paid.value : paid.refusal.kind;
  assert(why === "done", `the hold of the pending withdrawal ${id} was not paid: ${why}`);
}
