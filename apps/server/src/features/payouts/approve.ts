import type { PayoutStatus } from "@sesame/contract/payouts";
import { assert, type Fcfa, ok, type Result, refuse } from "@sesame/kernel";
import { getAccount, payHold } from "@sesame/ledger";
import { LANES, type Lane } from "@sesame/contract/desk";
import type { App } from "../../app.ts";
import type { Db } from "../../postgres/database.ts";
import { insertPayout, type LockedWithdrawal, lockWithdrawal } from "./payout.store.ts";
import { isReferenceUsed } from "../refunds/index.ts";
import { noteNews } from "../withdrawals/index.ts";
import { IN_TRANSIT } from "./settle.store.ts";
import { settlePaid } from "./settle.ts";
import { sql } from "kysely";

/** Why a lane cannot serve, known without any call; `max` is null when it is not known. */
export type LaneRefusal =
  | { readonly kind: "closed" }
  | { readonly kind: "method" }
  | { readonly kind: "amount"; readonly min: Fcfa; readonly max: Fcfa | null };

type Approval = {
  readonly withdrawalId: bigint;
  readonly lane: Lane;
  readonly by: bigint;
  /** The operator's: paid by hand already, settled at once. */
  readonly reference?: string;
};

export type ApproveRefusal =
  | { readonly kind: "not-pending"; readonly status: string | null }
  | { readonly kind: "lane"; readonly refusal: LaneRefusal }
  | { readonly kind: "reference-used" };

type Approved = { readonly payoutId: bigint; readonly status: PayoutStatus };

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

export function lanesOf({ payoutProviders }: App): { lane: Lane; open: boolean }[] {
  const isOpen = (lane: Lane) => lane === "manual" || payoutProviders.some(({ id }) => id === lane);
  return LANES.map((lane) => ({ lane, open: isOpen(lane) }));
}

/** Null when the lane can serve; by hand always can. Asks nobody. */
export function laneRefusal(
  { payoutProviders }: App,
  lane: Lane,
  sent: { method: string; amount: Fcfa },
): LaneRefusal | null {
  if (lane === "manual") return null;
  const provider = payoutProviders.find(({ id }) => id === lane);
  return provider ? provider.cannotServe(sent.method, sent.amount) : { kind: "closed" };
}

/**
 * Approves a pending request and gives it its one lane: the held francs go in transit and the payout
 * is there to be sent, in one transaction. Whoever comes second finds it decided. Who may, the desk
 * says: of all that ends in `In`.
 */
export async function approveIn(
  app: App,
  tx: Db,
  { approval, now }: { approval: Approval; now: Date },
): Promise<Result<Approved, ApproveRefusal>> {
  const { withdrawalId, lane, by } = approval;
  const withdrawal = await lockWithdrawal(tx, withdrawalId);
  if (withdrawal?.status !== "pending") {
    return refuse({ kind: "not-pending", status: withdrawal?.status ?? null });
  }
  const cannot = laneRefusal(app, lane, withdrawal);
  if (cannot) return refuse({ kind: "lane", refusal: cannot });
  const reference = lane === "manual" ? (approval.reference?.trim() ?? "") : "";
  if (reference !== "" && (await isReferenceUsed(tx, reference))) {
    return refuse({ kind: "reference-used" });
  }
  await approveWithdrawal(tx, { id: withdrawalId, by, now });
  await payHeld(tx, withdrawal, now);
  const { amount, method, phone } = withdrawal;
  const payout = await insertPayout(tx, { withdrawalId, lane, amount, method, phone, by }, now);
  await noteNews(tx, withdrawalId, { news: "approved", now });
  if (reference === "") return ok({ payoutId: payout.id, status: payout.status });
  await settlePaid(tx, { payout, paid: { operatorReference: reference }, now });
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
