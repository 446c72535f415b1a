import { addMs, DAY_MS, MINUTE_MS } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { sql } from "kysely";
import { createLoop, type Loop, WHOLE_ROUND_MS } from "../../jobs/loop.ts";
import { many, one, PREPARED } from "../../postgres/database.ts";
import { lookUpPayout } from "./look-up.ts";
import { followRumours } from "./notices.ts";
import { PAYOUT_COLUMNS } from "./payouts.ts";
import {
  type DuePayout,
  type Errand,
  isFrozen,
  LEASE_MS,
  leaveUncertain,
  sendPayout,
  takeAnswer,
  unwrittenOf,
  warn,
} from "./send.ts";

const PRUNE_EVERY_MS = 10 * MINUTE_MS;
const PRUNED_AT_ONCE = 1_000;
/** As long as those of payments. */
const WEBHOOKS_KEPT_MS = 90 * DAY_MS;

export function payoutLoops(app: App): Loop[] {
  const { db, clock, log } = app;
  // New ones are heard of at once (PAYOUTS_CHANNEL).
  const seldom = { clock, log, everyMs: WHOLE_ROUND_MS };
  return [
    createLoop({
      ...seldom,
      name: "payouts send and look up",
      due: () => sql`${unwrittenOf(app).size > 0}
        OR EXISTS (SELECT FROM payouts WHERE check_at <= ${clock.now()})`,
      run: (isStopping) => drivePayouts(app, isStopping),
    }),
    createLoop({
      ...seldom,
      name: "payouts follow rumours",
      due: () => sql`EXISTS (SELECT FROM payout_rumours WHERE check_at <= ${clock.now()})`,
      run: () => followRumours(app),
    }),
    createLoop({
      name: "payouts prune webhooks",
      clock,
      log,
      everyMs: PRUNE_EVERY_MS,
      run: async () => {
        const before = addMs(clock.now(), -WEBHOOKS_KEPT_MS);
        const { count } = await one<{ count: number }>(db)`${PREPARED}
          WITH old AS (
            SELECT provider, body_hash FROM payout_notices WHERE received_at < ${before}
            LIMIT ${PRUNED_AT_ONCE} FOR UPDATE SKIP LOCKED
          ), gone AS (
            DELETE FROM payout_notices n USING old
            WHERE n.provider = old.provider AND n.body_hash = old.body_hash RETURNING 1
          )
          SELECT count(*)::int AS count FROM gone
        `;
        return count >= PRUNED_AT_ONCE;
      },
    }),
  ];
}

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
async function drivePayouts(app: App, isStopping: () => boolean): Promise<boolean> {
  const unwritten = unwrittenOf(app);
  // Answers that came while the database was away: before anything else.
  for (const [payoutId, answer] of unwritten) {
    await takeAnswer(app.db, payoutId, { answer, now: app.clock.now() });
    unwritten.delete(payoutId);
  }
  const now = app.clock.now();
  const lease = addMs(now, LEASE_MS);
  // Until the lease ends: a worker that dies gives them back by then.
  const payouts = await many<DuePayout>(app.db)`${PREPARED}
    WITH due AS MATERIALIZED (
      SELECT id FROM payouts WHERE check_at <= ${now}
      ORDER BY check_at LIMIT ${CLAIMED}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE payouts p SET check_at = ${lease}, checks = p.checks + 1
    FROM due, withdrawals w, sellers seller, people person
    WHERE p.id = due.id AND w.id = p.withdrawal_id AND seller.id = w.seller_id
      AND person.id = w.seller_id
    RETURNING ${PAYOUT_COLUMNS}, p.checks, w.reference AS withdrawal_reference, w.seller_id,
      person.first_name, person.last_name, ${isFrozen} AS frozen
  `;
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
        // Whoever wrote it died, or waits still: nobody knows whether the provider was told.
        await leaveUncertain(app, payout, {
          held: { id: payout.id, lease },
          details: "interrupted",
          checkAt: lease,
        });
        return await lookUpPayout(app, provider, {
          payout: { ...payout, status: "uncertain" },
          lease,
        });
      case "uncertain":
      case "sent":
      case "succeeded":
      case "failed":
        return await lookUpPayout(app, provider, errand);
    }
  } catch (error) {
    warn(app, payout, error);
  }
}
