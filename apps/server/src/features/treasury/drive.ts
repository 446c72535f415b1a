import * as payouts from "./payouts.ts";
import * as contract from "@sesame/contract/treasury";
import { addMs, MINUTE_MS, Outage } from "@sesame/kernel";
import type {
  FetchedPayout,
  PayoutAnswer,
  PayoutProvider,
  PayoutRefusal,
  PayoutRequest,
} from "@sesame/providers";
import { raiseAlert } from "../../alerts/alerts.ts";
import { type App, perApp } from "../../app.ts";
import { createLoop, type Loop, WHOLE_ROUND_MS } from "../../jobs/loop.ts";
import { type Db, finds, many, maybe, PREPARED } from "../../postgres/database.ts";
import { sql } from "kysely";

const PAYOUTS_AT_ONCE = 32;
const CONCURRENCY = 8;
/**
 * A job may make two calls of 30 s: none begins later than this after the start of the lease, so that
 * each ends within it. What was not begun is leased again.
 */
const LAST_BEGIN_MS = 40_000;

/** Sends approved payouts and looks sent ones up: at once when woken (PAYOUTS_CHANNEL), and on schedule. */
export function createPayoutLoop(app: App): Loop {
  const { clock, log } = app;
  const name = "payouts send and look up";
  const due = () => sql<boolean>`${unwrittenOf(app).size > 0}
    OR EXISTS (SELECT FROM payouts WHERE check_at <= ${clock.now()})`;
  const run = (isStopping: () => boolean) => drivePayouts(app, isStopping);
  return createLoop({ name, clock, log, everyMs: WHOLE_ROUND_MS, due, run });
}

/**
 * One turn: advances the due payouts by one step. When the process is stopping, calls in progress
 * end and none begins. → true when there may be more
 */
async function drivePayouts(app: App, isStopping: () => boolean): Promise<boolean> {
  const unwritten = unwrittenOf(app);
  // Answers that came while the database was unavailable: written first.
  for (const [payoutId, answer] of unwritten) {
    await takeAnswer(app.db, payoutId, answer, app.clock.now());
    unwritten.delete(payoutId);
  }
  const now = app.clock.now();
  const lease = addMs(now, LEASE_MS);
  // Leased until the end of the lease: a dead worker loses them then.
  const taken = await many<DuePayout>(app.db)`${PREPARED}
    WITH due AS MATERIALIZED (
      SELECT id FROM payouts WHERE check_at <= ${now}
      ORDER BY check_at LIMIT ${PAYOUTS_AT_ONCE}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE payouts p SET check_at = ${lease}, checks = p.checks + 1
    FROM due, withdrawals w, sellers seller, people person
    WHERE p.id = due.id AND w.id = p.withdrawal_id AND seller.id = w.seller_id
      AND person.id = w.seller_id
    RETURNING ${payouts.PAYOUT_COLUMNS}, p.checks, w.reference AS withdrawal_reference, w.seller_id,
      person.first_name, person.last_name, ${isFrozen} AS frozen
  `;
  const waiting = taken.map((payout): PayoutJob => ({ payout, lease }));
  const worker = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      if (isStopping() || app.clock.now() > addMs(now, LAST_BEGIN_MS)) return;
      await runJob(app, job);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, taken.length) }, worker));
  return taken.length === PAYOUTS_AT_ONCE;
}

/** A bug or an outage of the database with one payout must not stop the others. */
async function runJob(app: App, job: PayoutJob) {
  const { payout } = job;
  const provider = app.payoutProviders.find(({ id }) => id === payout.rail);
  try {
    switch (payout.status) {
      case "ready":
      case "prepared":
        return await sendPayout(app, provider, job);
      case "sending": {
        const { lease } = job;
        // The worker that wrote this status died, or still waits: whether the provider got the call is unknown.
        await leaveUncertain(app, job, { details: "interrupted", checkAt: lease });
        const uncertain = { ...payout, status: "uncertain" } as const;
        return await lookUpPayout(app, provider, { payout: uncertain, lease });
      }
      case "uncertain":
      case "sent":
      case "succeeded":
      case "failed":
        return await lookUpPayout(app, provider, job);
    }
  } catch (error) {
    warn(app, payout, error);
  }
}

/** Looks up a submitted payout; also one that ended, since its status may change. */
async function lookUpPayout(app: App, provider: PayoutProvider | undefined, job: PayoutJob) {
  const { payout } = job;
  const askedAt = app.clock.now();
  let fetched: FetchedPayout | null;
  const { reference, handle, provider_payout_id: providerPayoutId } = payout;
  try {
    const name = { reference, handle, providerPayoutId };
    fetched = provider ? await provider.lookup(name) : null;
  } catch (error) {
    warn(app, payout, error);
    const now = app.clock.now();
    await alertAboutEnd(app.db, payout, now);
    const waitMs = waitAfter(error, nextLookMs(payout, now) ?? contract.lookAfterMs(0));
    return postpone(app.db, job, addMs(now, waitMs));
  }
  const now = app.clock.now();
  const found = await applyFetched(app, payout.id, { fetched, askedAt, now });
  if (found === "succeeded" || found === "failed") {
    // Its end set the next lookup; for one that had ended before it is set here.
    if (payout.settled_at !== null) await postpone(app.db, job, nextLook(payout, now));
    return;
  }
  if (found === "not-started" && provider && maySubmitAgain(payout, now)) {
    // Refused at the second submission, and not started two minutes later: nothing was sent, nor will be.
    if (payout.failure !== null) return refusePayout(app, job, null, "uncertain");
    return submit(app, provider, { ...job, handle: payout.handle, first: false });
  }
  await alertAboutEnd(app.db, payout, now);
  await postpone(app.db, job, nextLook(payout, now));
}

/**
 * Writes the result of a lookup, whether by the loop, a webhook or a reconciliation. It is compared
 * first; a mismatch settles nothing and is left to the back office.
 */
export async function applyFetched(
  app: App,
  payoutId: bigint,
  { fetched, askedAt, now }: { fetched: FetchedPayout | null; askedAt: Date; now: Date },
): Promise<FetchedPayout["status"] | "mismatch" | "unknown"> {
  if (fetched === null) return "unknown";
  return app.db.transaction().execute(async (tx) => {
    const payout = await payouts.lockPayout(tx, payoutId);
    const reason = findMismatch(payout, fetched, app.config);
    if (reason !== null) {
      await noteMismatch(tx, payout, { fetched, reason, now });
      return "mismatch";
    }
    await payouts.noteAnswer(tx, payoutId, fetched);
    const { status, cost, word, failure } = fetched;
    if (status === "succeeded") {
      await payouts.settlePaid(tx, payout, { cost, details: word }, now);
    } else if (status === "failed" && payouts.hasArrived(payout) && payout.rail !== "manual") {
      await payouts.doubtArrival(tx, payout, { details: failure ?? word, askedAt, now });
    } else if (status === "failed" && wasSubmitted(payout)) {
      const words = { failure: failure ?? word, reason: contract.PAYOUT_FAILED_REASON };
      await payouts.settleFailed(tx, payout, words, now);
    } else if (status === "sent" && payout.status === "uncertain") {
      const checkAt = addMs(now, nextLookMs(payout, now) ?? 0);
      await noteTaken(tx, payoutId, { now, checkAt, word });
    }
    return status;
  });
}

/** A failure of a payout that was never submitted is not final: it may be prepared again. */
const wasSubmitted = (payout: payouts.PayoutRow): boolean =>
  payout.status === "sending" || payout.status === "uncertain" || payout.status === "sent";

/** Never without a handle: without an id to repeat it would be a second payout. */
function maySubmitAgain(payout: payouts.PayoutRow, now: Date): boolean {
  if (payout.handle === null || payout.submitted_at === null || !wasSubmitted(payout)) return false;
  return addMs(payout.submitted_at, contract.SUBMIT_AGAIN_MS) <= now;
}

/** Null: no further lookup. */
function nextLook(payout: payouts.PayoutRow, now: Date): Date | null {
  const waitMs = nextLookMs(payout, now);
  return waitMs === null ? null : addMs(now, waitMs);
}

function nextLookMs(payout: payouts.PayoutRow, now: Date): number | null {
  const { doubted_at: doubtedAt } = payout;
  if (doubtedAt) {
    const doubtedMs = now.getTime() - doubtedAt.getTime();
    return doubtedMs < contract.RETURN_DOUBT_MS
      ? contract.RETURN_DOUBT_MS - doubtedMs
      : contract.lookAfterMs(doubtedMs);
  }
  if (payout.status === "succeeded" || payout.late_at !== null) return null;
  if (payout.status === "failed") {
    return contract.lookLateAfterMs(now.getTime() - (payout.settled_at ?? now).getTime());
  }
  const since = payout.submitted_at ?? payout.created_at;
  return contract.lookAfterMs(now.getTime() - since.getTime());
}

async function noteMismatch(
  tx: Db,
  payout: payouts.PayoutRow,
  { fetched, reason, now }: { fetched: FetchedPayout; reason: string; now: Date },
): Promise<void> {
  const { word, amount, currency, reference, providerPayoutId } = fetched;
  const details = {
    reason,
    withdrawal_id: String(payout.withdrawal_id),
    rail: payout.rail,
    expected: { amount: String(payout.amount), reference: payout.reference },
    found: { word, amount: amount === null ? null : String(amount), currency, reference },
    provider_payout_id: providerPayoutId,
  };
  const subject = `payout:${payout.id}`;
  const fresh = await raiseAlert(tx, { kind: "payout.mismatch", subject, details, now });
  if (fresh) await payouts.writeStep(tx, payout.id, "mismatch", reason, now);
}

/**
 * Why a provider's answer is not about our payout; null: it is. With another payout or amount neither a
 * success nor a failure counts: a failure would return francs that may have left.
 */
export function findMismatch(
  expected: Pick<payouts.PayoutRow, "reference" | "amount" | "provider_payout_id">,
  answer: FetchedPayout,
  mode: { readonly production: boolean },
): "id" | "reference" | "amount" | "currency" | "environment" | null {
  if (mode.production && answer.environment === "sandbox") return "environment";
  const { provider_payout_id: known } = expected;
  if (known !== null && answer.providerPayoutId !== null && answer.providerPayoutId !== known) {
    return "id";
  }
  if (answer.reference !== null && answer.reference !== expected.reference) return "reference";
  if (answer.currency !== null && answer.currency !== "XOF") return "currency";
  if (answer.amount !== null && answer.amount !== expected.amount) return "amount";
  return null;
}

/**
 * The steps of a provider's payout: `ready` → `prepared` → `sending` → `sent`. Each is written
 * before the next call, so the row of a dead worker says what may have happened: up to `prepared` no
 * money can have moved; from `sending` on only the provider knows.
 */

/** A due payout, with the seller's data for the provider. */
type DuePayout = payouts.PayoutRow & {
  readonly checks: number;
  readonly withdrawal_reference: string;
  readonly seller_id: bigint;
  readonly first_name: string;
  readonly last_name: string | null;
  readonly frozen: boolean;
};

/** A worker's lease: if the row has another instant, the lease is lost. */
type PayoutJob = { readonly payout: DuePayout; readonly lease: Date };

/** Answers that could not be written: they contain ids that no other answer repeats. */
const unwrittenOf = perApp(() => new Map<bigint, PayoutAnswer>());

/** The lease of a payout: longer than any provider's call. */
const LEASE_MS = 120_000;
const FROZEN_WAIT_MS = 60_000;
const UNCERTAIN_WAIT_MS = 10_000;

/** Frozen by the seller or by an operator, or suspended: nothing is sent. */
const isFrozen = sql`(seller.suspended_at IS NOT NULL OR EXISTS (
  SELECT FROM payout_profiles f WHERE f.seller_id = seller.id AND f.frozen_at IS NOT NULL))`;

/** Advances a payout that was not submitted. */
async function sendPayout(app: App, provider: PayoutProvider | undefined, job: PayoutJob) {
  const { payout } = job;
  const now = app.clock.now();
  // Approved ten minutes ago and not sent: frozen, or the provider is silent or closed.
  if (!isWithin(payout.created_at, contract.PAYOUT_ALERT_MS, now)) {
    await payouts.raisePayoutAlert(app.db, "payout.delayed", payout, now);
  }
  if (payout.frozen) return postpone(app.db, job, addMs(now, FROZEN_WAIT_MS));
  // Closed since the approval: the payout waits for its keys, or for an agent.
  if (!provider) return postpone(app.db, job, addMs(now, contract.tryAgainAfterMs(payout.checks)));
  if (payout.status === "prepared") {
    return submit(app, provider, { ...job, handle: payout.handle, first: true });
  }
  const prepared = await prepare(app, provider, job);
  if (prepared) await submit(app, provider, { ...job, ...prepared, first: true });
}

/** → the submission; null when it went no further. Moves no money, so it may be repeated. */
async function prepare(app: App, provider: PayoutProvider, job: PayoutJob) {
  const { db, clock } = app;
  const { payout } = job;
  const again = async (afterMs: number) => {
    await postpone(db, job, addMs(clock.now(), afterMs));
    return null;
  };
  let prepared: Awaited<ReturnType<PayoutProvider["prepare"]>>;
  try {
    prepared = await provider.prepare(requestOf(app, payout));
  } catch (error) {
    warn(app, payout, error);
    return again(waitAfter(error, contract.tryAgainAfterMs(payout.checks)));
  }
  if (!prepared.ok) {
    const { refusal } = prepared;
    if (refusal.kind === "busy") return again(refusal.retryAfterMs);
    await refusePayout(app, job, refusal, "ready");
    return null;
  }
  const now = clock.now();
  const next = addMs(now, LEASE_MS);
  const { handle } = prepared.value;
  const move = { from: "ready", to: "prepared", now, checkAt: next, handle } as const;
  return (await moveOn(db, job, move)) ? { lease: next, handle } : null;
}

/**
 * Submits the payout, after `sending` is written; `first` is false for a repeat, after the provider
 * reported that the first call never arrived.
 */
async function submit(
  app: App,
  provider: PayoutProvider,
  { payout, lease, handle, first }: PayoutJob & { handle: string | null; first: boolean },
) {
  const { db, clock } = app;
  const now = clock.now();
  const sending = addMs(now, LEASE_MS);
  const from: contract.PayoutStatus[] = first ? ["prepared"] : ["uncertain", "sent"];
  // Written before the call that moves money; the seller's freeze is checked once more.
  const began = await maybe(db)`
    WITH moved AS (
      UPDATE payouts p SET status = 'sending', submitted_at = ${now},
        check_at = ${sending}
      FROM withdrawals w, sellers seller
      WHERE p.id = ${payout.id} AND p.status = ANY(${from}::text[])
        AND p.check_at = ${lease} AND p.rail <> 'manual'
        AND w.id = p.withdrawal_id AND w.status = 'approved' AND seller.id = w.seller_id
        AND NOT ${isFrozen}
      RETURNING p.id
    )
    INSERT INTO payout_steps (payout_id, at, step)
    SELECT id, ${now}, ${first ? "sending" : "asked-again"} FROM moved
    RETURNING id
  `;
  // Frozen, taken over by an agent, or leased by another worker meanwhile.
  if (!began) return postpone(db, { payout, lease }, addMs(now, FROZEN_WAIT_MS));
  const job = { payout, lease: sending };
  const request = requestOf(app, payout);
  let answer: Awaited<ReturnType<PayoutProvider["submit"]>>;
  try {
    answer = await provider.submit(request, handle);
  } catch (error) {
    // Whether the call arrived is unknown, also when a bug of ours misreads the answer.
    warn(app, payout, error);
    return leaveUncertain(app, job);
  }
  if (!answer.ok) return takeRefusal(app, job, answer.refusal, first);
  // Moneroo gives its id only here: it is kept until the database accepts it.
  unwrittenOf(app).set(payout.id, answer.value);
  await takeAnswer(db, payout.id, answer.value, clock.now());
  unwrittenOf(app).delete(payout.id);
}

/** Never changes: a repeated call requests exactly the same payout. */
function requestOf(app: App, payout: DuePayout): PayoutRequest {
  const { first_name: firstName, last_name: lastName } = payout;
  return {
    reference: payout.reference,
    withdrawalId: String(payout.withdrawal_id),
    amount: payout.amount,
    method: payout.method,
    phone: payout.phone,
    description: contract.describePayout(payout.withdrawal_reference),
    recipient: {
      firstName,
      lastName: lastName ?? firstName,
      email: `${payout.seller_id}@${new URL(app.config.publicUrl).hostname}`,
    },
    callbackUrl: `${app.config.publicUrl}/webhooks/${payout.rail}`,
  };
}

/** Whether the provider got the call, now or before, is unknown: only a lookup decides. */
async function leaveUncertain(
  app: App,
  job: PayoutJob,
  left: { details?: string; checkAt?: Date } = {},
): Promise<void> {
  const now = app.clock.now();
  const { details = null, checkAt = addMs(now, UNCERTAIN_WAIT_MS) } = left;
  await app.db.transaction().execute(async (tx) => {
    const move = { from: "sending", to: "uncertain", now, checkAt, details } as const;
    if (await moveOn(tx, job, move)) await payouts.notifyStaff(tx, job.payout.withdrawal_id);
  });
}

/**
 * The provider accepted it. Its answer settles nothing, even a final one: the payout is looked up
 * at once, and the result of the lookup is compared.
 */
async function takeAnswer(db: Db, payoutId: bigint, answer: PayoutAnswer, now: Date) {
  const ended = answer.status === "succeeded" || answer.status === "failed";
  const checkAt = ended ? now : addMs(now, contract.lookAfterMs(0));
  await db.transaction().execute(async (tx) => {
    await payouts.noteAnswer(tx, payoutId, answer);
    await noteTaken(tx, payoutId, { now, checkAt, word: answer.word });
  });
}

/** Records that the provider accepted it, whichever worker has the lease. */
const noteTaken = (
  db: Db,
  payoutId: bigint,
  { now, checkAt, word }: { now: Date; checkAt: Date; word: string },
) =>
  sql`
    WITH before AS (SELECT id, status FROM payouts WHERE id = ${payoutId} FOR UPDATE), moved AS (
      UPDATE payouts p SET check_at = ${checkAt},
        status = CASE WHEN p.status IN ('sending', 'uncertain') THEN 'sent' ELSE p.status END
      FROM before WHERE p.id = before.id AND p.status <> 'succeeded'
      RETURNING p.id, before.status AS was
    )
    INSERT INTO payout_steps (payout_id, at, step, details)
    SELECT id, ${now}, 'sent', ${word}::text FROM moved
    WHERE was IN ('sending', 'uncertain')
  `.execute(db);

async function takeRefusal(app: App, job: PayoutJob, refusal: PayoutRefusal, first: boolean) {
  const now = app.clock.now();
  if (refusal.kind === "busy") {
    const checkAt = addMs(now, refusal.retryAfterMs);
    const to = first ? "prepared" : "uncertain";
    await moveOn(app.db, job, { from: "sending", to, now, checkAt, details: "busy" });
    return;
  }
  if (first) return refusePayout(app, job, refusal, "sending");
  // A refused repeat may mean that the first call arrived. Only a lookup decides.
  const failure = refusal.kind === "request" ? (refusal.message ?? "request") : refusal.kind;
  const move = { from: "sending", to: "uncertain", step: "refused-again", now } as const;
  const checkAt = addMs(now, UNCERTAIN_WAIT_MS);
  await moveOn(app.db, job, { ...move, checkAt, failure, details: failure });
}

/**
 * An explicit refusal before any money moved: the francs return, unless the lease was lost. Null: the one
 * that the payout has noted.
 */
async function refusePayout(
  app: App,
  job: PayoutJob,
  refusal: Exclude<PayoutRefusal, { kind: "busy" }> | null,
  from: contract.PayoutStatus,
): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const locked = await payouts.lockPayout(tx, job.payout.id);
    if (locked.status !== from || !(await isHeld(tx, job))) return;
    const isRequest = refusal?.kind === "request";
    const failure = isRequest ? refusal.message : (refusal?.kind ?? locked.failure);
    const reason = isRequest ? contract.PAYOUT_REFUSED_REASON : contract.PAYOUT_FAILED_REASON;
    await payouts.settleFailed(tx, locked, { failure, reason }, now);
    const { rail, method, amount } = locked;
    const details = { rail, method, amount: String(amount) };
    if (refusal?.kind === "float") {
      await raiseAlert(tx, { kind: "payout.float-short", subject: rail, details, now });
    }
    if (refusal?.kind === "keys") {
      const subject = `payout:${rail}`;
      await raiseAlert(tx, { kind: "provider.keys-refused", subject, details: { rail }, now });
    }
  });
}

/** Postpones the next step, unless it was changed since. */
const postpone = (db: Db, { payout, lease }: PayoutJob, checkAt: Date | null) =>
  sql`
    UPDATE payouts SET check_at = ${checkAt} WHERE id = ${payout.id} AND check_at = ${lease}
  `.execute(db);

/** Inside a transaction that has locked the payout. */
const isHeld = (tx: Db, { payout, lease }: PayoutJob) => finds(tx)`
  SELECT FROM payouts WHERE id = ${payout.id} AND check_at = ${lease}
`;

type Move = {
  readonly from: contract.PayoutStatus;
  readonly to: contract.PayoutStatus;
  readonly now: Date;
  readonly checkAt: Date;
  readonly handle?: string | null;
  readonly failure?: string;
  /** By default the new status. */
  readonly step?: string;
  readonly details?: string | null;
};

/**
 * From one status to the next, written before the call it announces. → false when the lease is
 * lost, or the status changed: then nothing may be called.
 */
const moveOn = (db: Db, { payout, lease }: PayoutJob, move: Move) => finds(db)`
  WITH moved AS (
    UPDATE payouts p SET status = ${move.to}, check_at = ${move.checkAt},
      handle = coalesce(p.handle, ${move.handle ?? null}),
      failure = coalesce(${move.failure ?? null}, p.failure)
    WHERE p.id = ${payout.id} AND p.status = ${move.from} AND p.check_at = ${lease}
      AND p.rail <> 'manual'
    RETURNING p.id
  )
  INSERT INTO payout_steps (payout_id, at, step, details)
  SELECT id, ${move.now}, ${move.step ?? move.to}, ${move.details ?? null} FROM moved RETURNING id
`;

/** An instant in the future, from a clock that ran ahead, counts as old. */
const isWithin = (since: Date, patienceMs: number, now: Date) =>
  addMs(since, patienceMs) > now && since <= addMs(now, MINUTE_MS);

/** Submitted without a known end: an alert after ten minutes without an answer, after a day otherwise. */
async function alertAboutEnd(db: Db, payout: DuePayout, now: Date): Promise<void> {
  if (payout.settled_at !== null) return;
  const since = payout.submitted_at ?? payout.created_at;
  const uncertain = payout.status === "uncertain" || payout.status === "sending";
  const patienceMs = uncertain ? contract.PAYOUT_ALERT_MS : contract.PAYOUT_SLOW_MS;
  if (isWithin(since, patienceMs, now)) return;
  const kind = uncertain ? "payout.uncertain" : "payout.slow";
  await payouts.raisePayoutAlert(db, kind, payout, now);
}

/** The wait that an outage requires, if it is longer. */
export function waitAfter(error: unknown, waitMs: number): number {
  return error instanceof Outage ? Math.max(waitMs, error.retryAfterMs ?? 0) : waitMs;
}

export function warn({ log }: App, payout: string | { id: bigint }, error: unknown): void {
  const named = typeof payout === "string" ? payout : String(payout.id);
  if (!(error instanceof Outage)) {
    log.error({ err: error, payout: named }, "a payout met a bug");
    return;
  }
  const { party, message } = error;
  log.warn({ party, message, payout: named }, "a payout met silence");
}
