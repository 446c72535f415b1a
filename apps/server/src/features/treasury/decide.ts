import { type PayoutRail, type ResolveOutcome, type PayoutStatus } from "@sesame/contract/treasury";
import { assert, type Fcfa, ok, type Result, refuse } from "@sesame/kernel";
import { getAccount, payHold } from "@sesame/ledger";
import type { PayoutProvider } from "@sesame/providers";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type Db, maybe, one } from "../../postgres/database.ts";
import { isReferenceUsed } from "../refunds/index.ts";
import { markApproved, noteNews } from "../withdrawals/index.ts";
import { findMismatch } from "./drive.ts";
import * as payouts from "./payouts.ts";

/** Decisions of people about a payout. The back office checks the permission for functions named `…In`. */

/** Why a rail cannot serve, decided without a call. */
export type RailRefusal =
  | { readonly kind: "closed" }
  | NonNullable<ReturnType<PayoutProvider["cannotServe"]>>;

export type ApproveRefusal =
  | { readonly kind: "not-pending"; readonly status: string | null }
  | { readonly kind: "rail"; readonly refusal: RailRefusal }
  | { readonly kind: "reference-used" };

export const isRailOpen = ({ payoutProviders }: App, rail: PayoutRail): boolean =>
  rail === "manual" || payoutProviders.some(({ id }) => id === rail);

/** Null when the rail can serve; payment by hand always can. Makes no call. */
export function railRefusal(
  { payoutProviders }: App,
  rail: PayoutRail,
  sent: { method: string; amount: Fcfa },
): RailRefusal | null {
  if (rail === "manual") return null;
  const provider = payoutProviders.find(({ id }) => id === rail);
  return provider ? provider.cannotServe(sent.method, sent.amount) : { kind: "closed" };
}

/**
 * Approves a pending request and gives it its one rail: in one transaction the held francs move to
 * transit and the payout is created. A second approval finds it decided.
 */
export async function approveIn(
  app: App,
  tx: Db,
  {
    approval,
    now,
  }: {
    approval: {
      readonly withdrawalId: bigint;
      readonly rail: PayoutRail;
      readonly by: bigint;
      /** The operator's reference: paid by hand already, settled at once. */
      readonly reference?: string;
    };
    now: Date;
  },
): Promise<Result<{ status: PayoutStatus }, ApproveRefusal>> {
  const { withdrawalId, rail, by } = approval;
  const withdrawal = await payouts.lockWithdrawal(tx, withdrawalId);
  if (withdrawal?.status !== "pending") {
    return refuse({ kind: "not-pending", status: withdrawal?.status ?? null });
  }
  const cannot = railRefusal(app, rail, withdrawal);
  if (cannot) return refuse({ kind: "rail", refusal: cannot });
  const reference = rail === "manual" ? (approval.reference?.trim() ?? "") : "";
  if (reference !== "" && (await isReferenceUsed(tx, reference))) {
    return refuse({ kind: "reference-used" });
  }
  await markApproved(tx, withdrawalId, by, now);
  const { account_id: account, amount, method, phone } = withdrawal;
  const legs = [
    { account, amount: -amount as Fcfa },
    { account: await getAccount(tx, payouts.IN_TRANSIT), amount },
  ];
  const transfer = { id: `payout:${withdrawalId}`, legs, occurredAt: now };
  const paid = await payHold(tx, { holdId: `hold:${withdrawalId}`, transfer }, now);
  const why = paid.ok ? paid.value : paid.refusal.kind;
  assert(why === "done", `the hold of the pending withdrawal ${withdrawalId} was not paid: ${why}`);
  // One payout for each withdrawal that has not failed: the database refuses a second.
  const checkAt = rail === "manual" ? null : now;
  const payout = await one<payouts.PayoutRow>(tx)`
    WITH p AS (
      INSERT INTO payouts (withdrawal_id, rail, reference, amount, method, phone, created_by,
        created_at, check_at)
      SELECT ${withdrawalId}, ${rail}, 'wd-' || ${withdrawalId}::bigint || '-' || count(*) + 1,
        ${amount}, ${method}, ${phone}, ${by}, ${now}, ${checkAt}
      FROM payouts WHERE withdrawal_id = ${withdrawalId}
      RETURNING *
    ), step AS (
      INSERT INTO payout_steps (payout_id, at, step, details) SELECT id, ${now}, status, rail FROM p
    )
    SELECT ${payouts.PAYOUT_COLUMNS} FROM p
  `;
  if (checkAt) await payouts.wakePayouts(tx);
  await noteNews(tx, withdrawalId, { news: "approved", now });
  if (reference === "") return ok({ status: payout.status });
  await payouts.settlePaid(tx, { payout, paid: { operatorReference: reference }, now });
  return ok({ status: "succeeded" });
}

export type HandRefusal =
  | { readonly kind: "nothing-to-pay" }
  | { readonly kind: "reference-missing" }
  | { readonly kind: "reference-used" };

/** Not submitted to a provider: an agent may pay it, or return the francs. */
function isInOurHands(payout: payouts.PayoutRow | null): payout is payouts.PayoutRow {
  return payout?.status === "ready" || payout?.status === "prepared";
}

/**
 * An agent paid it, with the operator's reference as proof. A provider's payout that was not
 * submitted becomes the agent's: its rail changes, and no worker can submit it any more.
 */
export async function markPaidByHandIn(
  tx: Db,
  { payment, now }: { payment: { withdrawalId: bigint; reference: string }; now: Date },
): Promise<Result<null, HandRefusal>> {
  const payout = await payouts.lockPayoutOf(tx, payment.withdrawalId);
  if (!isInOurHands(payout)) return refuse({ kind: "nothing-to-pay" });
  const operatorReference = payment.reference.trim();
  if (operatorReference === "") return refuse({ kind: "reference-missing" });
  if (await isReferenceUsed(tx, operatorReference)) return refuse({ kind: "reference-used" });
  if (payout.rail !== "manual") {
    await payouts.writeStep(
      tx,
      { payoutId: payout.id, step: "taken-over", details: payout.rail },
      now,
    );
  }
  await payouts.settlePaid(tx, { payout, paid: { operatorReference, byHand: true }, now });
  return ok(null);
}

/** It cannot be paid: the francs return to the seller, who reads the reason. */
export async function failByHandIn(
  tx: Db,
  { failed, now }: { failed: { withdrawalId: bigint; reason: string }; now: Date },
): Promise<Result<null, HandRefusal>> {
  const payout = await payouts.lockPayoutOf(tx, failed.withdrawalId);
  if (!isInOurHands(payout)) return refuse({ kind: "nothing-to-pay" });
  const { reason } = failed;
  await payouts.settleFailed(tx, { payout, failure: { failure: reason, reason }, now });
  return ok(null);
}

export type Resolution = {
  readonly withdrawalId: bigint;
  readonly outcome: ResolveOutcome;
  readonly providerPayoutId?: string;
  /** The operator's reference, for `sent` or `returned`. */
  readonly reference?: string;
  readonly reason: string;
  readonly by: bigint;
};

export type ResolveRefusal =
  | { readonly kind: "not-uncertain" }
  | { readonly kind: "reference-used" }
  | { readonly kind: "payout-id-used" }
  | { readonly kind: "payout-differs" };

/**
 * An agent who read the provider's own pages decides an uncertain payout. `sent` and `not-sent` are
 * the agent's word; `link` gives the provider's id, which is looked up and compared as usual.
 * `returned`, by an operator: a received payout came back.
 */
export async function resolveIn(
  tx: Db,
  { resolution, now }: { resolution: Resolution; now: Date },
): Promise<Result<null, ResolveRefusal>> {
  const { outcome, reason, by } = resolution;
  const payout = await payouts.lockPayoutOf(tx, resolution.withdrawalId);
  if (!payout || !mayResolve(payout, outcome)) return refuse({ kind: "not-uncertain" });
  const named = resolution.providerPayoutId?.trim() || null;
  if (named !== null) {
    await sql`SELECT pg_advisory_xact_lock(1885434473, hashtext(${named}::text))`.execute(tx);
    const used = await maybe(tx)`
      SELECT FROM payouts WHERE rail = ${payout.rail} AND id <> ${payout.id}
        AND provider_payout_id = ${named}
    `;
    if (used) return refuse({ kind: "payout-id-used" });
    // Replaces an earlier link too: a lookup may have shown that it was wrong.
    await sql`
      UPDATE payouts SET provider_payout_id = ${named}, check_at = ${now} WHERE id = ${payout.id}
    `.execute(tx);
    await payouts.writeStep(tx, { payoutId: payout.id, step: "linked", details: named }, now);
    await payouts.wakePayouts(tx);
  }
  const operatorReference = resolution.reference?.trim() || null;
  if (operatorReference && (await isReferenceUsed(tx, operatorReference)))
    return refuse({ kind: "reference-used" });
  if (outcome === "sent") {
    const paid = { operatorReference, details: reason, by };
    await payouts.settlePaid(tx, { payout, paid, now });
  }
  if (outcome === "not-sent") {
    await payouts.settleFailed(tx, { payout, failure: { failure: reason, reason }, now });
  }
  if (outcome === "returned") {
    assert(operatorReference, "what came back has its reference");
    const proof = { by, reference: operatorReference };
    const details = `${operatorReference} : ${reason}`;
    await payouts.settleReturned(tx, { payout, details, proof, now });
  }
  return ok(null);
}

/** One that the provider accepted can still end there: only a success may be entered. */
function mayResolve(payout: payouts.PayoutRow, outcome: Resolution["outcome"]): boolean {
  if (outcome === "returned") return payouts.mayComeBack(payout);
  if (payout.rail === "manual") return false;
  return payout.status === "uncertain" || (payout.status === "sent" && outcome === "sent");
}

export type InspectRefusal =
  | { readonly kind: "not-uncertain" }
  | { readonly kind: "payout-unknown" }
  | { readonly kind: "payout-differs" };

/**
 * Looks up the payout that an agent wants to link, before the link: never inside a transaction.
 * Throws an `Outage`.
 */
export async function inspect(
  app: App,
  withdrawalId: bigint,
  providerPayoutId: string,
): Promise<Result<null, InspectRefusal>> {
  const payout = await maybe<payouts.PayoutRow>(app.db)`
    SELECT ${payouts.PAYOUT_COLUMNS} FROM payouts p WHERE p.withdrawal_id = ${withdrawalId}
    ORDER BY p.id DESC LIMIT 1
  `;
  if (!payout || !mayResolve(payout, "link")) return refuse({ kind: "not-uncertain" });
  const provider = app.payoutProviders.find(({ id }) => id === payout.rail);
  const name = { reference: payout.reference, handle: null, providerPayoutId };
  const found = (await provider?.lookup(name)) ?? null;
  if (found === null) return refuse({ kind: "payout-unknown" });
  const expected = { ...payout, provider_payout_id: providerPayoutId };
  const mismatch = findMismatch(expected, found, app.config);
  // Without our reference nothing proves that it is this payout.
  const isOurs = mismatch === null && found.reference === payout.reference;
  return isOurs ? ok(null) : refuse({ kind: "payout-differs" });
}
