import {
  type PayoutRail,
  type PayoutStatus,
  lookLateAfterMs,
  PAYOUT_RETURNED_REASON,
  RETURN_DOUBT_MS,
} from "@sesame/contract/treasury";
import {
  addMs,
  assert,
  DAY_MS,
  type Fcfa,
  ok,
  refuse,
  type Result,
  ZERO_FCFA,
} from "@sesame/kernel";
import { getAccount, openAccount, payHold, postBetween } from "@sesame/ledger";
import type { PayoutAnswer, PayoutProvider } from "@sesame/providers";
import { sql } from "kysely";
import { raiseAlert, resolveAlerts } from "../../alerts/alerts.ts";
import type { AlertKind } from "../../alerts/kinds.fr.ts";
import type { App } from "../../app.ts";
import { type Db, maybe, one } from "../../postgres/database.ts";
import { staffChanged, publish } from "../../realtime/events.store.ts";
import { datesAhead, LONGEST_PAUSE_MS } from "../../jobs/leases.ts";
import { isReferenceUsed, owe } from "../refunds/index.ts";
import {
  accountNow,
  markApproved,
  markPaid,
  markReturned,
  noteNews,
} from "../withdrawals/index.ts";

export type PayoutRow = {
  readonly id: bigint;
  readonly withdrawal_id: bigint;
  readonly rail: PayoutRail;
  readonly reference: string;
  readonly amount: Fcfa;
  readonly method: string;
  readonly phone: string;
  readonly status: PayoutStatus;
  readonly handle: string | null;
  readonly provider_payout_id: string | null;
  readonly operator_reference: string | null;
  readonly failure: string | null;
  readonly created_at: Date;
  readonly submitted_at: Date | null;
  readonly settled_at: Date | null;
  readonly late_at: Date | null;
  /** Since when the provider reports that an arrived payout did not arrive. */
  readonly doubted_at: Date | null;
  /** Who entered its end, if no provider reported it. */
  readonly settled_by: bigint | null;
  readonly returned_at: Date | null;
  readonly returned_by: bigint | null;
};

/** Columns of `payouts p`. */
export const PAYOUT_COLUMNS = sql`p.id, p.withdrawal_id, p.rail, p.reference, p.amount, p.method,
  p.phone, p.status, p.handle, p.provider_payout_id, p.operator_reference, p.failure, p.created_at,
  p.submitted_at, p.settled_at, p.late_at, p.doubted_at,
  p.settled_by, p.returned_at, p.returned_by`;

type Ends = Pick<PayoutRow, "status" | "late_at" | "returned_at">;

/** The seller has its money, as far as is known. */
export function hasArrived({ status, late_at: late, returned_at: returned }: Ends): boolean {
  if (returned !== null) return late !== null && late > returned;
  return status === "succeeded" || late !== null;
}

/** Its money arrived and has not come back: an operator may enter that it has. */
export function mayComeBack(payout: Ends): boolean {
  return hasArrived(payout) && payout.returned_at === null;
}

/** Its money came back, and has not arrived again. */
export function isBack({ late_at: late, returned_at: returned }: Omit<Ends, "status">): boolean {
  return returned !== null && (late === null || returned > late);
}

/** Notifies that a payout is due at once. */
export const PAYOUTS_CHANNEL = "sesame_payouts";

export const wakePayouts = (tx: Db) => sql`SELECT pg_notify(${PAYOUTS_CHANNEL}, '')`.execute(tx);

/** Every decision about a withdrawal or its payout locks the withdrawal first. */
const lockWithdrawal = (tx: Db, id: bigint) => maybe<
  Pick<PayoutRow, "amount" | "method" | "phone"> & { account_id: bigint; status: string }
>(tx)`
  SELECT account_id, amount, method, phone, status
  FROM withdrawals WHERE id = ${id} FOR UPDATE
`;

/** The withdrawal's last payout, both locked; null when it has none. */
export async function lockPayoutOf(tx: Db, withdrawalId: bigint): Promise<PayoutRow | null> {
  await lockWithdrawal(tx, withdrawalId);
  return maybe<PayoutRow>(tx)`
    SELECT ${PAYOUT_COLUMNS} FROM payouts p WHERE p.withdrawal_id = ${withdrawalId}
    ORDER BY p.id DESC LIMIT 1 FOR UPDATE
  `;
}

/** The payout, after its withdrawal is locked. */
export async function lockPayout(tx: Db, payoutId: bigint): Promise<PayoutRow> {
  await sql`
    SELECT FROM withdrawals
    WHERE id = (SELECT withdrawal_id FROM payouts WHERE id = ${payoutId}) FOR UPDATE
  `.execute(tx);
  return one<PayoutRow>(tx)`
    SELECT ${PAYOUT_COLUMNS} FROM payouts p WHERE p.id = ${payoutId} FOR UPDATE
  `;
}

/**
 * `step`: a status, or asked-again, refused-again, mismatch, late-success, doubted, returned, linked,
 * taken-over.
 */
export const writeStep = (tx: Db, id: bigint, step: string, details: string | null, now: Date) =>
  sql`
    INSERT INTO payout_steps (payout_id, at, step, details)
    VALUES (${id}, ${now}, ${step}, ${details})
  `.execute(tx);

/** Stores the provider's answer, whatever the status: its id is never lost. */
export const noteAnswer = (tx: Db, payoutId: bigint, answer: PayoutAnswer) =>
  sql`
    UPDATE payouts SET word = ${answer.word},
      provider_payout_id = coalesce(provider_payout_id, ${answer.providerPayoutId}),
      operator_reference = coalesce(operator_reference, ${answer.operatorReference})
    WHERE id = ${payoutId}
  `.execute(tx);

/** Deletes the numbers to which money was sent. */
export const eraseNumbersPaid = (tx: Db, id: bigint) =>
  sql`
    UPDATE payouts p SET phone = '' FROM withdrawals w
    WHERE w.id = p.withdrawal_id AND w.seller_id = ${id} AND p.phone <> ''
  `.execute(tx);

/** Columns of future instants, and the furthest that a correct clock can write. */
export const PAYOUTS_DATES = [
  ...datesAhead("payouts", [
    // A failed one has late lookups: the longest pause is from the first day to the third.
    ["check_at", 2 * DAY_MS, "check_at IS NOT NULL AND status = 'failed'"],
    ["check_at", LONGEST_PAUSE_MS, "check_at IS NOT NULL AND status <> 'failed'"],
  ]),
  ...datesAhead("reported_payouts", [["check_at", LONGEST_PAUSE_MS, "check_at IS NOT NULL"]]),
];

/** Why a decision about a payout is refused. */
export type DecisionRefusal =
  | { readonly kind: "not-pending"; readonly status: string | null }
  | { readonly kind: "rail"; readonly refusal: RailRefusal }
  | {
      readonly kind:
        | "nothing-to-pay"
        | "not-uncertain"
        | "payout-differs"
        | "payout-id-used"
        | "payout-unknown"
        | "reference-missing"
        | "reference-used";
    };

/** Why a rail cannot serve, decided without a call. */
export type RailRefusal =
  | { readonly kind: "closed" }
  | NonNullable<ReturnType<PayoutProvider["cannotServe"]>>;

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

type Approval = {
  readonly withdrawalId: bigint;
  readonly rail: PayoutRail;
  readonly by: bigint;
  /** The operator's reference: paid by hand already, settled at once. */
  readonly reference?: string;
};

/**
 * Approves a pending request and gives it its one rail: in one transaction the held francs move to
 * transit and the payout is created. A second approval finds it decided.
 */
export async function approveIn(
  app: App,
  tx: Db,
  { approval, now }: { approval: Approval; now: Date },
): Promise<Result<{ status: PayoutStatus }, DecisionRefusal>> {
  const { withdrawalId, rail, by } = approval;
  const withdrawal = await lockWithdrawal(tx, withdrawalId);
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
    { account: await getAccount(tx, IN_TRANSIT), amount },
  ];
  const transfer = { id: `payout:${withdrawalId}`, legs, occurredAt: now };
  const paid = await payHold(tx, { holdId: `hold:${withdrawalId}`, transfer }, now);
  const why = paid.ok ? paid.value : paid.refusal.kind;
  assert(why === "done", `the hold of the pending withdrawal ${withdrawalId} was not paid: ${why}`);
  // One payout for each withdrawal that has not failed: the database refuses a second.
  const checkAt = rail === "manual" ? null : now;
  const payout = await one<PayoutRow>(tx)`
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
    SELECT ${PAYOUT_COLUMNS} FROM p
  `;
  if (checkAt) await wakePayouts(tx);
  await noteNews(tx, withdrawalId, { news: "approved", now });
  if (reference === "") return ok({ status: payout.status });
  await settlePaid(tx, payout, { operatorReference: reference }, now);
  return ok({ status: "succeeded" });
}

/** The ends of a payout. Each gets it locked (`lockPayout`), in the transaction of the decision. */

type Paid = {
  readonly cost?: Fcfa | null;
  readonly operatorReference?: string | null;
  /** An agent paid it: also one of a provider that was not submitted. */
  readonly byHand?: boolean;
  readonly details?: string | null;
  /** Who entered it for a provider's payout. */
  readonly by?: bigint | null;
};

export const IN_TRANSIT = "payouts:in-transit";

/** The money was received. If the francs had returned already, they left twice. */
export async function settlePaid(tx: Db, payout: PayoutRow, paid: Paid, now: Date): Promise<void> {
  const { id, withdrawal_id: withdrawalId, amount } = payout;
  if (hasArrived(payout)) {
    if (payout.doubted_at) await markDoubted(tx, id, null, null);
    return;
  }
  // A person entered that it came back, although the provider still reports a success.
  if (payout.returned_by !== null) return;
  const { byHand = false, operatorReference = null } = paid;
  const cost = paid.cost ?? ZERO_FCFA;
  if (payout.settled_at !== null) return settleLate(tx, payout, cost, now);
  // The money has left for good: transit → the payer's account, and the provider's fee.
  const source = await sourceOf(tx, byHand ? { ...payout, rail: "manual" } : payout, now);
  await postBetween(tx, `sent:${id}`, { from: IN_TRANSIT, to: source, amount, now });
  await postCost(tx, id, source, cost, now);
  await sql`
    UPDATE payouts SET status = 'succeeded', settled_at = ${now}, check_at = NULL,
      cost = ${cost}, failure = NULL, settled_by = ${paid.by ?? null},
      rail = CASE WHEN ${byHand} THEN 'manual' ELSE rail END,
      operator_reference = coalesce(${operatorReference}, operator_reference)
    WHERE id = ${id}
  `.execute(tx);
  await markPaid(tx, withdrawalId, now);
  await writeStep(tx, id, "succeeded", paid.details ?? null, now);
  await resolvePayoutAlerts(tx, id, now);
  await noteNews(tx, withdrawalId, { news: "paid", now });
}

/**
 * It left although the francs had returned to the seller: they left twice, from suspense, and are an
 * advance to the seller.
 */
async function settleLate(tx: Db, payout: PayoutRow, cost: Fcfa, now: Date): Promise<void> {
  const { id, withdrawal_id: withdrawalId, amount } = payout;
  if (payout.late_at !== null) return;
  // Locks the seller as a withdrawal or a recovery does.
  const seller = await one<{ id: bigint }>(tx)`
    SELECT s.id FROM withdrawals w JOIN sellers s ON s.id = w.seller_id WHERE w.id = ${withdrawalId}
    FOR NO KEY UPDATE OF s
  `;
  const source = await sourceOf(tx, payout, now);
  const suspense = "payouts:suspense";
  await postBetween(tx, `late:${id}`, { from: suspense, to: source, amount, now });
  // For one that had arrived before, the fee was posted then.
  if (payout.status !== "succeeded") await postCost(tx, id, source, cost, now);
  await postBetween(tx, `recover:${id}`, { from: "platform:advances", to: suspense, amount, now });
  await owe(tx, seller.id, amount, now);
  await sql`
    UPDATE payouts SET late_at = ${now}, check_at = NULL,
      cost = CASE WHEN status = 'succeeded' THEN cost ELSE ${cost}::bigint END
    WHERE id = ${id}
  `.execute(tx);
  await writeStep(tx, id, "late-success", null, now);
  await raisePayoutAlert(tx, "payout.late-success", payout, now);
  await noteNews(tx, withdrawalId, { news: "late", now });
  await notifyStaff(tx, withdrawalId);
}

/** Alerts the back office to a payout without an end, or with an unexpected one. */
export async function raisePayoutAlert(tx: Db, kind: AlertKind, payout: PayoutRow, now: Date) {
  const { id, withdrawal_id: withdrawalId, rail, amount, reference } = payout;
  const details = { withdrawal_id: String(withdrawalId), rail, amount: String(amount), reference };
  await raiseAlert(tx, { kind, subject: `payout:${id}`, details, now });
}

/**
 * The provider reports that an arrived payout did not arrive. Believed if the report is the same ten
 * minutes later, because the francs then return to the seller, who may withdraw them. Ignored for one
 * whose arrival a person entered, or that came back before: a difference for the reconciliation.
 */
export async function doubtArrival(
  tx: Db,
  payout: PayoutRow,
  { details, askedAt, now }: { details: string | null; askedAt: Date; now: Date },
): Promise<void> {
  if (payout.returned_at !== null || payout.settled_by !== null) return;
  const since = payout.doubted_at ?? now;
  const checkAt = addMs(since, RETURN_DOUBT_MS);
  if (checkAt <= askedAt) return settleReturned(tx, payout, { details, proof: null, now });
  await markDoubted(tx, payout.id, since, checkAt);
  if (since === now) await writeStep(tx, payout.id, "doubted", details, now);
}

/** Since when it is reported as not arrived; null: it is reported as arrived again. */
const markDoubted = (tx: Db, id: bigint, since: Date | null, checkAt: Date | null) =>
  sql`
    UPDATE payouts SET doubted_at = ${since}, check_at = ${checkAt} WHERE id = ${id}
  `.execute(tx);

type Return = {
  readonly details: string | null;
  /** An operator's statement that it came back, with the reference of the returned money. */
  readonly proof: { readonly by: bigint; readonly reference: string } | null;
  readonly now: Date;
};

/** It arrived and came back, by the provider's report or an operator's statement: the request is rejected. */
export async function settleReturned(tx: Db, payout: PayoutRow, { details, proof, now }: Return) {
  const { id, withdrawal_id: withdrawalId, amount } = payout;
  // From the paying account → the account of the seller's current plan.
  const to = await accountNow(tx, withdrawalId);
  const from = await sourceOf(tx, payout, now);
  await postBetween(tx, `reversed:${id}`, { from, to, amount, now });
  await sql`
    UPDATE payouts SET returned_at = ${now}, doubted_at = NULL, check_at = NULL,
      returned_by = ${proof?.by ?? null}, return_reference = ${proof?.reference ?? null}
    WHERE id = ${id}
  `.execute(tx);
  await markReturned(tx, withdrawalId, PAYOUT_RETURNED_REASON);
  await writeStep(tx, id, "returned", details, now);
  await raisePayoutAlert(tx, "payout.returned", payout, now);
  await noteNews(tx, withdrawalId, { news: "returned", reason: PAYOUT_RETURNED_REASON, now });
  await notifyStaff(tx, withdrawalId);
}

type Failure = {
  /** The provider's or the agent's words, for the back office. */
  readonly failure: string | null;
  /** The reason for the seller. */
  readonly reason: string;
};

/** It will never be received: the francs return, and the request is rejected (decision 86). */
export async function settleFailed(
  tx: Db,
  payout: PayoutRow,
  { failure, reason }: Failure,
  now: Date,
): Promise<void> {
  const { id, withdrawal_id: withdrawalId, amount } = payout;
  if (payout.status === "succeeded" || payout.status === "failed") return;
  // Only a submitted payout may still change.
  const wasAsked = payout.rail !== "manual" && payout.submitted_at !== null;
  const again = wasAsked ? lookLateAfterMs(0) : null;
  // A transfer visible to the seller: transit → the account of the current plan.
  const to = await accountNow(tx, withdrawalId);
  await postBetween(tx, `return:${withdrawalId}`, { from: IN_TRANSIT, to, amount, now });
  await sql`
    UPDATE payouts SET status = 'failed', settled_at = ${now},
      check_at = ${again === null ? null : addMs(now, again)}, checks = 0, failure = ${failure}
    WHERE id = ${id}
  `.execute(tx);
  await markReturned(tx, withdrawalId, reason);
  await writeStep(tx, id, "failed", failure, now);
  await resolvePayoutAlerts(tx, id, now);
  await noteNews(tx, withdrawalId, { news: "returned", reason, now });
}

/** The account that money left: the provider's, or the cash float of the agent's method. */
const sourceOf = (tx: Db, payout: { rail: PayoutRail; method: string }, now: Date) =>
  payout.rail === "manual"
    ? openAccount(tx, { key: `float:${payout.method}`, guarded: false }, now)
    : getAccount(tx, `provider:${payout.rail}`);

async function postCost(tx: Db, id: bigint, to: bigint, amount: Fcfa, now: Date) {
  if (amount === 0n) return;
  await postBetween(tx, `cost:${id}`, { from: "platform:provider-costs", to, amount, now });
}

async function resolvePayoutAlerts(tx: Db, payoutId: bigint, now: Date): Promise<void> {
  const kinds = ["payout.uncertain", "payout.delayed", "payout.slow"] as const;
  await resolveAlerts(tx, { kinds, subjects: [`payout:${payoutId}`], now });
}

export const notifyStaff = (tx: Db, withdrawalId: bigint) =>
  publish(tx, [staffChanged("withdrawal", withdrawalId)]);
