import {
  lookAfterMs,
  lookLateAfterMs,
  PAYOUT_FAILED_REASON,
  RETURN_DOUBT_MS,
  SUBMIT_AGAIN_MS,
} from "@sesame/contract/treasury";
import { addMs } from "@sesame/kernel";
import type { FetchedPayout, PayoutProvider } from "@sesame/providers";
import { raiseAlert } from "../../alerts/alerts.ts";
import type { App } from "../../app.ts";
import { many, PREPARED, type Db } from "../../postgres/database.ts";
import * as payouts from "./payouts.ts";
import * as send from "./send.ts";

const PAYOUTS_AT_ONCE = 32;
const CONCURRENCY = 8;
/**
 * An errand may be two calls of 30 s: none begins later than this after the claim, so that each ends
 * within its lease. What was not begun is taken again by whoever comes.
 */
const LAST_BEGIN_MS = 40_000;

/**
 * One look: takes the payouts that are due one step further. Once the process is about to end, what
 * is under way ends and nothing begins. → true when there may be more
 */
export async function drivePayouts(app: App, isStopping: () => boolean): Promise<boolean> {
  const unwritten = send.unwrittenOf(app);
  // Answers that came while the database was away: before anything else.
  for (const [payoutId, answer] of unwritten) {
    await send.takeAnswer(app.db, payoutId, { answer, now: app.clock.now() });
    unwritten.delete(payoutId);
  }
  const now = app.clock.now();
  const lease = addMs(now, send.LEASE_MS);
  // Until the lease ends: a worker that dies gives them back by then.
  const taken = await many<send.DuePayout>(app.db)`${PREPARED}
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
      person.first_name, person.last_name, ${send.isFrozen} AS frozen
  `;
  const waiting = taken.map((payout): send.Errand => ({ payout, lease }));
  const lane = async () => {
    for (let errand = waiting.shift(); errand; errand = waiting.shift()) {
      if (isStopping() || app.clock.now() > addMs(now, LAST_BEGIN_MS)) return;
      await runErrand(app, errand);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, taken.length) }, lane));
  return taken.length === PAYOUTS_AT_ONCE;
}

/** A payout that meets a bug, or a database away, must not cost the others their turn. */
async function runErrand(app: App, errand: send.Errand): Promise<void> {
  const { payout } = errand;
  const provider = app.payoutProviders.find(({ id }) => id === payout.lane);
  try {
    switch (payout.status) {
      case "ready":
      case "prepared":
        return await send.sendPayout(app, provider, errand);
      case "sending": {
        const { lease } = errand;
        // Whoever wrote it died, or waits still: nobody knows whether the provider was told.
        await send.leaveUncertain(app, errand, { details: "interrupted", checkAt: lease });
        const uncertain = { ...payout, status: "uncertain" } as const;
        return await lookUpPayout(app, provider, { payout: uncertain, lease });
      }
      case "uncertain":
      case "sent":
      case "succeeded":
      case "failed":
        return await lookUpPayout(app, provider, errand);
    }
  } catch (error) {
    send.warn(app, payout, error);
  }
}

/** One the provider was told to send: what became of it. Also of one that ended, as it may change. */
async function lookUpPayout(
  app: App,
  provider: PayoutProvider | undefined,
  errand: send.Errand,
): Promise<void> {
  const { payout } = errand;
  const askedAt = app.clock.now();
  let fetched: FetchedPayout | null;
  const { reference, handle, provider_payout_id: providerPayoutId } = payout;
  try {
    const name = { reference, handle, providerPayoutId };
    fetched = provider ? await provider.lookup(name) : null;
  } catch (error) {
    send.warn(app, payout, error);
    const now = app.clock.now();
    await send.worryAboutEnd(app.db, payout, now);
    const waitMs = send.waitAfter(error, nextLookMs(payout, now) ?? lookAfterMs(0));
    return send.postpone(app.db, errand, addMs(now, waitMs));
  }
  const now = app.clock.now();
  const found = await applyFetched(app, payout.id, { fetched, askedAt, now });
  if (found === "succeeded" || found === "failed") {
    // Its end wrote when it is looked at again; one that had ended before is put off here.
    if (payout.settled_at !== null) await send.postpone(app.db, errand, nextLook(payout, now));
    return;
  }
  if (found === "not-started" && provider && mayTellAgain(payout, now)) {
    if (payout.failure !== null) return giveUpRefused(app, errand);
    return send.submit(app, provider, { ...errand, handle: payout.handle, first: false });
  }
  await send.worryAboutEnd(app.db, payout, now);
  await send.postpone(app.db, errand, nextLook(payout, now));
}

/**
 * Writes what a look-up found, whoever made it: the loop, a notice, a reconciliation. Compared
 * first; a mismatch settles nothing and is the desk's.
 */
export async function applyFetched(
  app: App,
  payoutId: bigint,
  { fetched, askedAt, now }: { fetched: FetchedPayout | null; askedAt: Date; now: Date },
): Promise<FetchedPayout["verdict"] | "mismatch" | "unknown"> {
  if (fetched === null) return "unknown";
  return app.db.transaction().execute(async (tx) => {
    const payout = await payouts.lockPayout(tx, payoutId);
    const reason = findMismatch(payout, fetched, app.config);
    if (reason !== null) {
      await noteMismatch(tx, payout, { fetched, reason, now });
      return "mismatch";
    }
    await payouts.noteAnswer(tx, payoutId, fetched);
    const { verdict, cost, word, failure } = fetched;
    if (verdict === "succeeded") {
      await payouts.settlePaid(tx, { payout, paid: { cost, details: word }, now });
    } else if (verdict === "failed" && payouts.hasArrived(payout) && payout.lane !== "manual") {
      await payouts.doubtArrival(tx, { payout, details: failure ?? word, askedAt, now });
    } else if (verdict === "failed" && wasTold(payout)) {
      const words = { failure: failure ?? word, reason: PAYOUT_FAILED_REASON };
      await payouts.settleFailed(tx, { payout, failure: words, now });
    } else if (verdict === "sent" && payout.status === "uncertain") {
      const checkAt = addMs(now, nextLookMs(payout, now) ?? 0);
      await send.noteTaken(tx, payoutId, { now, checkAt, word });
    }
    return verdict;
  });
}

/** A no about one we never told to send is no end: it was prepared, and may be again. */
function wasTold(payout: payouts.PayoutRow): boolean {
  return payout.status === "sending" || payout.status === "uncertain" || payout.status === "sent";
}

/** Never without a handle: what cannot be named again would be a second payout. */
function mayTellAgain(payout: payouts.PayoutRow, now: Date): boolean {
  if (payout.handle === null || payout.submitted_at === null || !wasTold(payout)) return false;
  return addMs(payout.submitted_at, SUBMIT_AGAIN_MS) <= now;
}

/** Refused when told again, and still not begun two minutes later: nothing was sent, nor will be. */
async function giveUpRefused(app: App, errand: send.Errand): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const locked = await payouts.lockPayout(tx, errand.payout.id);
    if (locked.status !== "uncertain" || !(await send.isHeld(tx, errand))) return;
    const words = { failure: locked.failure, reason: PAYOUT_FAILED_REASON };
    await payouts.settleFailed(tx, { payout: locked, failure: words, now });
  });
}

/** Null: never again by itself. */
function nextLook(payout: payouts.PayoutRow, now: Date): Date | null {
  const waitMs = nextLookMs(payout, now);
  return waitMs === null ? null : addMs(now, waitMs);
}

function nextLookMs(payout: payouts.PayoutRow, now: Date): number | null {
  const { doubted_at: doubtedAt } = payout;
  if (doubtedAt) {
    const doubtedMs = now.getTime() - doubtedAt.getTime();
    return doubtedMs < RETURN_DOUBT_MS ? RETURN_DOUBT_MS - doubtedMs : lookAfterMs(doubtedMs);
  }
  if (payout.status === "succeeded" || payout.late_at !== null) return null;
  if (payout.status === "failed") {
    return lookLateAfterMs(now.getTime() - (payout.settled_at ?? now).getTime());
  }
  const since = payout.submitted_at ?? payout.created_at;
  return lookAfterMs(now.getTime() - since.getTime());
}

async function noteMismatch(
  tx: Db,
  payout: payouts.PayoutRow,
  found: { fetched: FetchedPayout; reason: string; now: Date },
): Promise<void> {
  const { fetched, reason, now } = found;
  const { word, amount, currency, reference, providerPayoutId } = fetched;
  const details = {
    reason,
    withdrawal_id: String(payout.withdrawal_id),
    lane: payout.lane,
    expected: { amount: String(payout.amount), reference: payout.reference },
    found: { word, amount: amount === null ? null : String(amount), currency, reference },
    provider_payout_id: providerPayoutId,
  };
  const subject = `payout:${payout.id}`;
  const fresh = await raiseAlert(tx, { kind: "payout.mismatch", subject, details, now });
  if (fresh)
    await payouts.writeStep(tx, { payoutId: payout.id, step: "mismatch", details: reason }, now);
}

/**
 * Why a provider's answer is not about the payout we asked about, if it is not. Of another payout, or
 * of other francs, neither a yes nor a no is ours: a no would give the seller francs that may have left.
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
