import { COOLING_OFF_MS, sayInstant } from "@sesame/contract/withdrawals";
import { addMs, MINUTE_MS, Outage } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { audit, SYSTEM } from "../../audit/audit.store.ts";
import { tell } from "../../bot/tell.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import type { Db } from "../../postgres/database.ts";
import { publish, type RealtimeEvent } from "../../realtime/events.store.ts";
import { localDateOf, startOfLocalDate } from "./automatic-dates.ts";
import { runAutomatic } from "./automatic-run.ts";
import { bringForward, postponeRun, setWeekly, switchOff } from "./automatic.store.ts";
import {
  AUTOMATIC_BUTTONS,
  automaticBackToWeekly,
  automaticSwitchedOff,
  BACK_TO_WEEKLY_REASON,
  SWITCHED_OFF_REASON,
} from "./messages.fr.ts";
import {
  type DueProfile,
  viewDueProfiles,
  viewFailedTwice,
  viewLapsedFrequencies,
} from "./automatic.view.ts";
import { nextRunAfter } from "./schedule.ts";

/** A sale wakes it; by time it runs what is due on a date. */
const LOOK_EVERY_MS = 15_000;
/** Their requests share commits: side by side they are the next batch's. */
const AT_ONCE = 50;
/** After a bug of ours: neither at once again for ever, nor given up. */
const AFTER_BUG_MS = 10 * MINUTE_MS;

export type AutomaticEngine = {
  readonly loop: Loop;
  /** Hears the realtime channel: a sale makes its seller's threshold be looked at. */
  hear(payload: string): void;
};

/** Automatic payouts (decisions 70, 71, 87): what is due runs, by time and when money comes in. */
export function createAutomaticEngine(app: App): AutomaticEngine {
  const sold = new Set<bigint>();
  const loop = createLoop({
    name: "withdrawals automatic",
    clock: app.clock,
    log: app.log,
    everyMs: LOOK_EVERY_MS,
    async run() {
      await lookAtThresholds(app, sold);
      const lapsed = await viewLapsedFrequencies(app.db, AT_ONCE);
      for (const sellerId of lapsed) await bringBackToWeekly(app, sellerId);
      const due = await viewDueProfiles(app.db, { now: app.clock.now(), limit: AT_ONCE });
      const ran = await Promise.all(due.map((profile) => runOne(app, profile)));
      const failed = await viewFailedTwice(app.db, AT_ONCE);
      for (const sellerId of failed) await endAfterFailures(app, sellerId);
      const full = [lapsed, due, failed].some((rows) => rows.length === AT_ONCE);
      return full && ran.every(Boolean);
    },
  });
  return {
    loop,
    hear(payload) {
      if (!payload.includes('"payment_received"')) return;
      for (const event of JSON.parse(payload) as RealtimeEvent[]) {
        const room = [event.room].flat()[0] ?? "";
        const sellerId = /^person:(\d{1,18})$/.exec(room)?.[1];
        if (event.name === "payment_received" && sellerId) sold.add(BigInt(sellerId));
      }
      loop.wake();
    },
  };
}

async function lookAtThresholds(app: App, sold: Set<bigint>): Promise<void> {
  if (sold.size === 0) return;
  const sellerIds = [...sold];
  const now = app.clock.now();
  const today = startOfLocalDate(localDateOf(now, app.config.timeZone), app.config.timeZone);
  const changedBefore = addMs(now, -COOLING_OFF_MS);
  await bringForward(app.db, { sellerIds, now, today, changedBefore });
  // Lost on the way, they are found by the hour.
  for (const sellerId of sellerIds) sold.delete(sellerId);
}

/** One that goes wrong keeps no other from its turn. → whether it went well. */
async function runOne(app: App, due: DueProfile): Promise<boolean> {
  try {
    await runAutomatic(app, due);
    return true;
  } catch (error) {
    const seller = String(due.seller_id);
    if (error instanceof Outage) {
      app.log.warn({ err: error, seller }, "automatic payout put off");
      return false;
    }
    app.log.error({ err: error, seller }, "automatic payout failed");
    const run = { sellerId: due.seller_id, seenAt: due.next_run_at };
    await postponeRun(app.db, run, addMs(app.clock.now(), AFTER_BUG_MS));
    return false;
  }
}

/** Two failures in a row: the seller hears of it and looks at his number. */
async function endAfterFailures(app: App, sellerId: bigint): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    if (!(await switchOff(tx, sellerId, now))) return;
    const text = automaticSwitchedOff();
    await announce(app, tx, { sellerId, text, now });
    const change = { before: { automatic: true }, after: { automatic: false } };
    const deed = { ...change, actor: SYSTEM, action: "payouts.configure", ...subjectOf(sellerId) };
    await audit(tx, { ...deed, reason: SWITCHED_OFF_REASON }, now);
  });
}

/** The plan of the frequencies he had chosen is over. */
async function bringBackToWeekly(app: App, sellerId: bigint): Promise<void> {
  const now = app.clock.now();
  const nextRunAt = nextRunAfter(now, "weekly", app.config.timeZone);
  await app.db.transaction().execute(async (tx) => {
    const was = await setWeekly(tx, sellerId, { nextRunAt, now });
    if (was === null) return;
    if (was.automatic) {
      const text = automaticBackToWeekly(sayInstant(nextRunAt, app.config.timeZone));
      await announce(app, tx, { sellerId, text, now });
    }
    const change = { before: { frequency: was.frequency }, after: { frequency: "weekly" } };
    const deed = { ...change, actor: SYSTEM, action: "payouts.configure", ...subjectOf(sellerId) };
    await audit(tx, { ...deed, reason: BACK_TO_WEEKLY_REASON }, now);
  });
}

const subjectOf = (sellerId: bigint) => ({ subject: `seller:${sellerId}` });

async function announce(
  app: App,
  tx: Db,
  said: { sellerId: bigint; text: ReturnType<typeof automaticSwitchedOff>; now: Date },
): Promise<void> {
  const { sellerId, text, now } = said;
  const buttons = [app.appButton(AUTOMATIC_BUTTONS.configure, "/ConfigurationRetrait")];
  await tell(tx, [{ bot: "seller", personId: sellerId, message: { text, buttons } }], now);
  await publish(tx, [{ room: `person:${sellerId}`, name: "payout:settings", body: {} }]);
}
