import { addMs } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { claimPayouts, type Held } from "./claim.store.ts";
import { lookUpPayout } from "./look-up-payout.ts";
import { takeAnswer } from "./outcomes.ts";
import {
  type Errand,
  LEASE_MS,
  leaveUncertain,
  sendPayout,
  unwrittenOf,
  warn,
} from "./send-payout.ts";

const CLAIMED = 32;
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
  await writeUnwritten(app);
  const now = app.clock.now();
  const lease = addMs(now, LEASE_MS);
  const payouts = await claimPayouts(app.db, { now, leaseEnd: lease, limit: CLAIMED });
  const waiting = payouts.map((payout): Errand => ({ payout, lease }));
  const lane = async () => {
    for (let errand = waiting.shift(); errand; errand = waiting.shift()) {
      if (isStopping() || app.clock.now() > addMs(now, LAST_BEGIN_MS)) return;
      await runErrand(app, errand);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, payouts.length) }, lane));
  return payouts.length === CLAIMED;
}

/** A payout that meets a bug, or a database away, must not cost the others their turn. */
async function runErrand(app: App, errand: Errand): Promise<void> {
  const { payout, lease } = errand;
  const provider = app.payoutProviders.find(({ id }) => id === payout.lane);
  try {
    switch (payout.status) {
      case "ready":
      case "prepared":
        return await sendPayout(app, provider, errand);
      case "sending":
        return await lookUpPayout(app, provider, await foundSending(app, errand));
      case "uncertain":
      case "sent":
      case "succeeded":
      case "failed":
        return await lookUpPayout(app, provider, { payout, lease });
    }
  } catch (error) {
    warn(app, payout, error);
  }
}

/** Whoever wrote `sending` died, or waits still: nobody knows whether the provider was told. */
async function foundSending(app: App, { payout, lease }: Errand): Promise<Errand> {
  const held: Held = { id: payout.id, lease };
  await leaveUncertain(app, payout, { held, details: "interrupted", checkAt: lease });
  return { payout: { ...payout, status: "uncertain" }, lease };
}

/** Answers that came while the database was away: before anything else. */
async function writeUnwritten(app: App): Promise<void> {
  const unwritten = unwrittenOf(app);
  for (const [payoutId, answer] of unwritten) {
    await takeAnswer(app.db, payoutId, { answer, now: app.clock.now() });
    unwritten.delete(payoutId);
  }
}
