import type { CommonRefusal } from "@sesame/contract";
import { ASSIGNMENT_MS, type PayoutRail } from "@sesame/contract/treasury";
import {
  sayMethod,
  withdrawalOnWire,
  type WithdrawalOnWire,
  type WithdrawalsRefusal,
  type WithdrawalStatus,
} from "@sesame/contract/withdrawals";
import { assert, type Fcfa, ok, type Result, refuse, textOf, addMs } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { App } from "../../app.ts";
import { notify } from "../../bot/message.ts";
import { type IdempotentCall, once } from "../../http/on.ts";
import { DONE, type JobHandler } from "../../jobs/outbox.ts";
import { enqueue, type Job, takeJob } from "../../jobs/outbox.store.ts";
import { noteOutbound } from "../../outbound/events.store.ts";
import { type Db, maybe, one } from "../../postgres/database.ts";
import { mapPart, type Part, rowsPart } from "../../postgres/parts.ts";
import { staffChanged, publish, type RealtimeEvent } from "../../realtime/events.store.ts";
import { datesAhead } from "../../jobs/leases.ts";
import { approved, BUTTONS, late, paid, rejected, returned } from "./messages.fr.ts";
import { postBetween, releaseHold } from "@sesame/ledger";

/** A request of B §3, for its seller. */
export type Withdrawal = z.output<typeof withdrawalOnWire>;
export type WithdrawalRow = Omit<Withdrawal, "methode_nom">;

/** Columns of `withdrawals w`. */
export const shownColumns = (now: Date) => sql`w.id, w.amount AS montant,
  w.method AS methode_paiement, w.operator AS operateur, w.country AS pays,
  w.phone AS numero_transfert, w.whatsapp AS numero_whatsapp, w.status,
  w.created_at AS date_creation, w.reference AS reference_transaction, w.reject_reason AS motif,
  w.due_at AS date_limite, w.decided_at AS date_decision, w.paid_at AS date_paiement,
  w.status = 'pending' AND coalesce(w.assigned_until <= ${now}, true) AS annulable,
  w.origin = 'automatic' AS automatique, w.status = 'pending' AND w.due_at < ${now} AS late`;

const shown = (row: WithdrawalRow): Withdrawal => ({
  ...row,
  methode_nom: sayMethod(row.methode_paiement),
});

/** The state when it was accepted: the first answer, and every repeated one. */
export const asAccepted = (row: WithdrawalRow): Withdrawal => ({
  ...shown(row),
  status: "pending",
  motif: null,
  date_decision: null,
  date_paiement: null,
  annulable: true,
  late: false,
});

/** A request for its seller; null for anybody else, as if it did not exist. */
export async function findWithdrawal(db: Db, id: bigint, sellerId: bigint, now: Date) {
  const row = await maybe<WithdrawalRow>(db)`
    SELECT ${shownColumns(now)} FROM withdrawals w WHERE w.id = ${id} AND w.seller_id = ${sellerId}
  `;
  return row && shown(row);
}

const PAGE = 50;
const MAX_ID = 2n ** 63n - 1n;

type Choice = {
  readonly status: WithdrawalStatus | null;
  /** The page contains ids below this one; null: from the newest. */
  readonly before: bigint | null;
  readonly limit: number;
};

const newestFirst = (seller: RawBuilder<unknown>, { status, before, limit }: Choice, now: Date) =>
  sql<WithdrawalRow>`
    SELECT ${shownColumns(now)} FROM withdrawals w
    WHERE w.seller_id = ${seller}
      AND w.id < coalesce(${before}, ${MAX_ID})::bigint
      AND (${status}::text IS NULL OR w.status = ${status})
    ORDER BY w.id DESC LIMIT ${limit}
  `;

/** A seller's requests, newest first. */
export async function pageOf(
  { db, clock }: App,
  sellerId: bigint,
  asked: Pick<Choice, "status" | "before">,
): Promise<{ demandes: Withdrawal[]; next_cursor: string | null }> {
  const select = newestFirst(sql`${sellerId}`, { ...asked, limit: PAGE + 1 }, clock.now());
  const { rows } = await select.execute(db);
  const demandes = rows.slice(0, PAGE).map(shown);
  const last = demandes.at(-1);
  return { demandes, next_cursor: rows.length > PAGE && last ? String(last.id) : null };
}

const AT_START = 20;

/** The newest requests, for the seller's start. */
export function requestsAtStart({ clock }: App, seller: RawBuilder<unknown>): Part<Withdrawal[]> {
  const choice = { status: null, before: null, limit: AT_START };
  const newest = rowsPart<WithdrawalRow>(newestFirst(seller, choice, clock.now()), {
    id: "bigint",
    montant: "bigint",
    date_creation: "instant",
    date_limite: "instant",
    date_decision: "instant",
    date_paiement: "instant",
  });
  return mapPart(newest, (rows) => rows.map(shown));
}

/** Only while it is pending and not assigned (decision 63): the francs are free again. */
export async function cancel(
  app: App,
  { id, sellerId, call }: { id: bigint; sellerId: bigint; call: IdempotentCall | null },
): Promise<Result<WithdrawalOnWire, WithdrawalsRefusal | CommonRefusal>> {
  const now = app.clock.now();
  const effect = async (tx: Db): Promise<Result<WithdrawalOnWire, WithdrawalsRefusal>> => {
    const end = sql`status = 'cancelled', decided_by = ${sellerId}`;
    const only = sql`w.seller_id = ${sellerId} AND coalesce(w.assigned_until <= ${now}, true)`;
    const isDone = await endPending(tx, id, { end, only }, now);
    const mine = await findWithdrawal(tx, id, sellerId, now);
    if (mine === null) return refuse({ kind: "withdrawals.unknown" });
    // Decided, or assigned to an agent.
    if (!isDone) return refuse({ kind: "withdrawals.not-cancellable" });
    await publish(tx, changedEvents({ id, sellerId, status: "cancelled" }));
    return ok(z.encode(withdrawalOnWire, mine));
  };
  const done = await once(app, call && { ...call, content: String(id) }, effect);
  const isReused = !done.ok && done.refusal.kind === "request.key-reused";
  return isReused ? refuse({ kind: "withdrawals.key-reused" }) : done;
}

type Rejection = {
  readonly id: bigint;
  readonly code: string;
  /** The reason for the seller. */
  readonly reason: string;
  /** Null: the system. */
  readonly by: bigint | null;
};

/** Returns the francs and notifies the seller, in the transaction of the decision. */
export async function rejectIn(tx: Db, { id, code, reason, by }: Rejection, now: Date) {
  const end = sql`status = 'rejected', decided_by = ${by}, reject_code = ${code},
    reject_reason = ${reason}`;
  if (!(await endPending(tx, id, { end, only: sql`true` }, now))) {
    const known = await maybe(tx)`SELECT FROM withdrawals WHERE id = ${id}`;
    return refuse({ kind: known ? "withdrawals.not-pending" : "withdrawals.unknown" });
  }
  await noteNews(tx, id, { news: "rejected", reason, now });
  return ok(null);
}

type PendingEnd = { readonly end: RawBuilder<unknown>; readonly only: RawBuilder<unknown> };

/**
 * Ends a pending request. Its francs are released on their account, and moved to the account of the
 * seller's current plan if that is another one (decision 7), so that none stays behind.
 * Lock order, here and wherever a withdrawal changes: withdrawal, seller, posting, accounts, holds. → false if no pending request matches
 */
async function endPending(tx: Db, id: bigint, { end, only }: PendingEnd, now: Date) {
  const ended = await maybe<{ from: bigint; amount: Fcfa }>(tx)`
    UPDATE withdrawals w SET ${end}, decided_at = ${now}, assigned_to = NULL, assigned_until = NULL
    WHERE w.id = ${id} AND w.status = 'pending' AND ${only}
    RETURNING w.account_id AS from, w.amount
  `;
  if (ended === null) return false;
  const { from, amount } = ended;
  const to = await accountNow(tx, id);
  await sql`
    SELECT ledger_enter(), ledger_lock_accounts(ARRAY[${from}, ${to}]::bigint[])
  `.execute(tx);
  const released = await releaseHold(tx, `hold:${id}`, now);
  assert(released.ok && released.value === "done", `the hold of the withdrawal ${id} had ended`);
  if (from !== to) await postBetween(tx, `move:${id}`, { from, to, amount, now });
  return true;
}

/** The account of its seller's plan; the plan cannot change from here to the commit. */
export async function accountNow(tx: Db, id: bigint): Promise<bigint> {
  const { account } = await one<{ account: bigint }>(tx)`
    SELECT s.account_id AS account
    FROM withdrawals w JOIN sellers s ON s.id = w.seller_id WHERE w.id = ${id} FOR SHARE OF s
  `;
  return account;
}

// The functions below need the withdrawal's row locked.

/** Assigns it to an agent, again or after another's assignment expired; null: releases it. */
export async function setAssignment(
  tx: Db,
  id: bigint,
  assignment: { readonly by: bigint; readonly now: Date } | null,
): Promise<void> {
  const until = assignment && addMs(assignment.now, ASSIGNMENT_MS);
  await sql`
    UPDATE withdrawals SET assigned_to = ${assignment?.by ?? null}, assigned_until = ${until}
    WHERE id = ${id}
  `.execute(tx);
}

/** It waits for the second agent, and is not assigned. */
export const noteFirstApproval = (
  tx: Db,
  id: bigint,
  { by, rail, now }: { by: bigint; rail: PayoutRail; now: Date },
) =>
  sql`
    UPDATE withdrawals SET first_approved_by = ${by}, first_approved_at = ${now},
      first_approved_rail = ${rail}, assigned_to = NULL, assigned_until = NULL
    WHERE id = ${id}
  `.execute(tx);

export const markApproved = (tx: Db, id: bigint, by: bigint, now: Date) =>
  sql`
    UPDATE withdrawals SET status = 'approved', decided_at = ${now}, decided_by = ${by}
    WHERE id = ${id}
  `.execute(tx);

/** The money was received. */
export const markPaid = (tx: Db, id: bigint, now: Date) =>
  sql`UPDATE withdrawals SET paid_at = ${now} WHERE id = ${id}`.execute(tx);

/** Approved, and perhaps paid: its francs are the seller's again (decision 86). */
export const markReturned = (tx: Db, id: bigint, reason: string) =>
  sql`
    UPDATE withdrawals SET status = 'rejected', reject_code = 'payout-failed',
      reject_reason = ${reason}, paid_at = NULL
    WHERE id = ${id}
  `.execute(tx);

type Changed = {
  readonly id: bigint;
  readonly sellerId: bigint;
  readonly status: WithdrawalStatus;
  /** The money was received. */
  readonly paid?: boolean;
};

/** Events of a change, for the screens of the seller and of the back office. */
export function changedEvents({ id, sellerId, status, paid = false }: Changed): RealtimeEvent[] {
  const body = { id: String(id), status, paid };
  return [
    { room: `person:${sellerId}`, name: "withdrawal:status", body },
    staffChanged("withdrawal", id),
  ];
}

const NOTIFY_SELLER = "withdrawals.notify-seller";

/**
 * What happened to a request. `approved`: the francs are on their way. `paid`: the operator or the
 * provider confirmed the receipt. `returned`: it failed after the approval, and the francs are back on
 * the seller's balance (decision 86). `late`: it was received after all, and the seller owes them.
 */
const SAID = { approved, paid, rejected, returned, late } as const;
type SellerNews = keyof typeof SAID;

/** The fields of a request in a message to its seller. */
type NewsRow = {
  readonly seller_id: bigint;
  readonly amount: Fcfa;
  readonly method: string;
  readonly phone: string;
  readonly reference: string;
  readonly status: WithdrawalStatus;
  readonly origin: "manual" | "automatic";
  readonly paid_at: Date | null;
};

const newsRowOf = (db: Db, id: bigint) => one<NewsRow>(db)`
  SELECT seller_id, amount, method, phone, reference, status, origin, paid_at
  FROM withdrawals WHERE id = ${id}
`;

/** Makes the screens of the seller and of the back office reload, and notifies the seller. */
export async function noteNews(
  tx: Db,
  id: bigint,
  { news, reason = null, now }: { news: SellerNews; reason?: string | null; now: Date },
): Promise<void> {
  const { seller_id: sellerId, status, origin, paid_at } = await newsRowOf(tx, id);
  await publish(tx, changedEvents({ id, sellerId, status, paid: paid_at !== null }));
  if (origin === "automatic" && news !== "approved" && news !== "late") {
    // A payment ends a series of failures, a rejection continues it. The engine switches off after
    // two, right afterwards: it writes to the audit log, which must come last.
    const outcome = news === "paid" ? "paid" : "rejected";
    await sql`
      UPDATE payout_profiles SET last_outcome = ${outcome},
        failures_in_row = CASE ${outcome}::text WHEN 'paid' THEN 0 ELSE failures_in_row + 1 END
      WHERE seller_id = ${sellerId}
    `.execute(tx);
  }
  if (news === "paid") {
    await noteOutbound(tx, [{ sellerId, type: "withdrawal.paid", subject: id }], now);
  }
  await enqueue(tx, [{ topic: NOTIFY_SELLER, ref: id, payload: { news, reason }, dueAt: now }]);
}

export function withdrawalsJobs(app: App): JobHandler[] {
  const run = (job: Job) => notifySeller(app, job);
  return [{ topic: NOTIFY_SELLER, batch: 50, concurrency: 1, maxAttempts: 10, run }];
}

async function notifySeller({ db, clock, appButton }: App, job: Job) {
  const row = await newsRowOf(db, job.ref);
  const news = job.payload["news"] as SellerNews;
  // Paid or returned meanwhile: that has a job of its own.
  const stale = news === "approved" && (row.status !== "approved" || row.paid_at !== null);
  if (stale) return DONE;
  const text = SAID[news](row, textOf(job.payload["reason"]));
  const buttons = [appButton(BUTTONS.history, "/HistoriqueRetraits")];
  const notification = {
    bot: "seller",
    personId: row.seller_id,
    message: { text, buttons },
  } as const;
  await db.transaction().execute(async (tx) => {
    if (await takeJob(tx, job.id)) await notify(tx, [notification], clock.now());
  });
  return DONE;
}

/** Deletes the numbers of requests; the requests stay. */
export const eraseNumbersAsked = (tx: Db, id: bigint) =>
  sql`
    UPDATE withdrawals SET phone = '', whatsapp = '' WHERE seller_id = ${id} AND phone <> ''
  `.execute(tx);

/** Columns of future instants, and the furthest that a correct clock can write. */
export const WITHDRAWALS_DATES = datesAhead("withdrawals", [
  ["assigned_until", ASSIGNMENT_MS, "status = 'pending'"],
]);
