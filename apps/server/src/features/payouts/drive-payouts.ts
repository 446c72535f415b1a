import { addMs } from "@sesame/kernel";
import type { PayoutAnswer } from "@sesame/providers";
import { claimPayouts, type Held } from "./claim.store.ts";
import { lookUpPayout } from "./look-up-payout.ts";
import type { Log, PayoutsDeps } from "./needs.ts";
import { takeAnswer } from "./outcomes.ts";
import {
  type Errand,
  LEASE_MS,
  leaveUncertain,
  type SendDeps,
  sendPayout,
  warn,
} from "./send-payout.ts";

const CLAIMED = 32;
const CONCURRENCY = 8;
/**
 * An errand may be two calls of 30 s: none begins later than this after the claim, so that each ends
 * within its lease. What was not begun is taken again by whoever comes.
 */
const LAST_BEGIN_MS = 40_000;

type DrivingDeps = PayoutsDeps & {
  readonly log: Log;
  /** The process is about to end: what is under way ends, nothing begins. */
  isStopping(): boolean;
};

/** One look: takes the payouts that are due one step further. → true when there may be more. */
export function createDriving(deps: DrivingDeps): () => Promise<boolean> {
  const driving: SendDeps = { ...deps, unwritten: new Map<bigint, PayoutAnswer>() };
  return async () => {
    await writeUnwritten(driving);
    const now = deps.clock.now();
    const lease = addMs(now, LEASE_MS);
    const payouts = await claimPayouts(deps.db, { now, leaseEnd: lease, limit: CLAIMED });
    const waiting = payouts.map((payout): Errand => ({ payout, lease }));
    const lane = async () => {
      for (let errand = waiting.shift(); errand; errand = waiting.shift()) {
        if (deps.isStopping() || deps.clock.now() > addMs(now, LAST_BEGIN_MS)) return;
        await runErrand(driving, errand);
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, payouts.length) }, lane));
    return payouts.length === CLAIMED;
  };
}

/** A payout that meets a bug, or a database away, must not cost the others their turn. */
async function runErrand(deps: SendDeps, errand: Errand): Promise<void> {
  const { payout, lease } = errand;
  const provider = deps.providers.find(({ id }) => id === payout.lane);
  try {
    switch (payout.status) {
      case "ready":
      case "prepared":
        return await sendPayout(deps, provider, errand);
      case "sending":
        return await lookUpPayout(deps, provider, await foundSending(deps, errand));
      case "uncertain":
      case "sent":
      case "succeeded":
      case "failed":
        return await lookUpPayout(deps, provider, { payout, lease });
    }
  } catch (error) {
    warn(deps, payout, error);
  }
}

/** Whoever wrote `sending` died, or waits still: nobody knows whether the provider was told. */
async function foundSending(deps: SendDeps, { payout, lease }: Errand): Promise<Errand> {
  const held: Held = { id: payout.id, lease };
  await leaveUncertain(deps, payout, { held, details: "interrupted", checkAt: lease });
  return { payout: { ...payout, status: "uncertain" }, lease };
}

/** Answers that came while the database was away: before anything else. */
async function writeUnwritten(deps: SendDeps): Promise<void> {
  for (const [payoutId, answer] of deps.unwritten) {
    await takeAnswer(deps.db, payoutId, { answer, now: deps.clock.now() });
    deps.unwritten.delete(payoutId);
  }
}
