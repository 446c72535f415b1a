import { sayRefusal } from "@sesame/contract";
import {
  COOLING_OFF_MS,
  type RequestRefusal,
  sayInstant,
  weeklyReopening,
  type WithdrawalLimits,
  withdrawalsRefusals,
} from "@sesame/contract/withdrawals";
import {
  addMs,
  assert,
  type Fcfa,
  fcfa,
  fcfaToJson,
  MINUTE_MS,
  ok,
  Outage,
  type Result,
  refuse,
  type Day,
  dayOf,
  startOfDay,
} from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { audit, SYSTEM } from "../../audit/audit.store.ts";
import type { Html } from "../../bot/html.ts";
import { tell } from "../../bot/tell.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import { type Db, many, maybe, one, PREPARED } from "../../postgres/database.ts";
import { publish, type RealtimeEvent } from "../../realtime/events.store.ts";
import { limitsFor, sellerFacts } from "./limits.ts";
import {
  automaticBackToWeekly,
  automaticRefused,
  automaticSwitchedOff,
  BACK_TO_WEEKLY_REASON,
  BUTTONS,
  SWITCHED_OFF_REASON,
} from "./messages.fr.ts";
import { type AcceptedRequest, requestWithdrawal } from "./request.ts";
import { type Frequency, nextRunAfter, nextRunAfterDate } from "./schedule.ts";
import { profileOf, restsUntil } from "./settings.ts";
import { asAccepted, findWithdrawal } from "./withdrawals.ts";

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
      // Chosen under premium, and premium is over.
      const lapsed = await many<{ seller_id: bigint }>(app.db)`${PREPARED}
        SELECT p.seller_id FROM payout_profiles p JOIN sellers s ON s.id = p.seller_id
        WHERE p.frequency <> 'weekly' AND s.plan IS DISTINCT FROM 'premium'
        LIMIT ${AT_ONCE}
      `;
      for (const { seller_id: sellerId } of lapsed) await bringBackToWeekly(app, sellerId);
      // The longest overdue first. Those of sellers frozen, suspended or closed rest: they run when
      // that ends. Two failures in a row have had theirs.
      const due = await many<Due>(app.db)`${PREPARED}
        SELECT p.seller_id, p.frequency, p.threshold, p.number_changed_at, p.next_run_at
        FROM payout_profiles p JOIN sellers s ON s.id = p.seller_id
        WHERE p.automatic AND p.next_run_at <= ${app.clock.now()} AND p.failures_in_row < 2
          AND p.frozen_at IS NULL AND s.suspended_at IS NULL AND s.closed_at IS NULL
        ORDER BY p.next_run_at LIMIT ${AT_ONCE}
      `;
      const ran = await Promise.all(due.map((profile) => runOne(app, profile)));
      const failed = await many<{ seller_id: bigint }>(app.db)`${PREPARED}
        SELECT seller_id FROM payout_profiles WHERE automatic AND failures_in_row >= 2
        LIMIT ${AT_ONCE}
      `;
      for (const { seller_id: sellerId } of failed) await endAfterFailures(app, sellerId);
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

/** Money came in: thresholds are looked at now, unless this date had its run or the number rests. */
async function lookAtThresholds(app: App, sold: Set<bigint>): Promise<void> {
  if (sold.size === 0) return;
  const sellerIds = [...sold];
  const now = app.clock.now();
  const today = startOfDay(dayOf(now, app.config.timeZone), app.config.timeZone);
  await sql`
    UPDATE payout_profiles p SET next_run_at = ${now}
    FROM (
      SELECT seller_id FROM payout_profiles
      WHERE seller_id = ANY(${sellerIds}::bigint[]) AND automatic AND frequency = 'threshold'
        AND next_run_at > ${now} AND (last_run_at < ${today}) IS NOT FALSE
        AND (number_changed_at <= ${addMs(now, -COOLING_OFF_MS)}) IS NOT FALSE
      ORDER BY seller_id FOR UPDATE
    ) AS locked
    WHERE p.seller_id = locked.seller_id
  `.execute(app.db);
  // Lost on the way, they are found by the hour.
  for (const sellerId of sellerIds) sold.delete(sellerId);
}

/** An automatic payout whose time has come. */
type Due = {
  readonly seller_id: bigint;
  readonly frequency: Frequency;
  readonly threshold: Fcfa | null;
  readonly number_changed_at: Date | null;
  readonly next_run_at: Date;
};

/** One that goes wrong keeps no other from its turn. → whether it went well. */
async function runOne(app: App, due: Due): Promise<boolean> {
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
    await postpone(app.db, due, addMs(app.clock.now(), AFTER_BUG_MS));
    return false;
  }
}

/**
 * Not run: looked at again then. Here and where a run is written, it is the run that was seen due:
 * another process may have run it, or the seller changed his mind.
 */
async function postpone(db: Db, seen: Due, until: Date): Promise<void> {
  await sql`
    UPDATE payout_profiles SET next_run_at = ${until}
    WHERE seller_id = ${seen.seller_id} AND automatic AND next_run_at = ${seen.next_run_at}
  `.execute(db);
}

/**
 * Runs one automatic payout whose time has come, for the present date: however many dates went by,
 * it is one request. Each step may be the last of this process: what was asked for is written and
 * said with the request and found again by its date; the rest is written against the run seen.
 */
async function runAutomatic(app: App, due: Due): Promise<void> {
  const now = app.clock.now();
  const { timeZone: zone } = app.config;
  const { seller_id: sellerId, frequency } = due;
  // What can be spent is read before what was asked for: what another process asked for meanwhile
  // is then seen to be the reason why less is left.
  const facts = await sellerFacts(app.db, sellerId);
  if (await planAfterServed(app, due, dayOf(due.next_run_at, zone))) return;
  const rests = restsUntil(due.number_changed_at, now);
  if (rests !== null) return postpone(app.db, due, nextRunAfter(rests, frequency, zone));
  if (frequency === "threshold" && facts.available < (due.threshold ?? 0n)) {
    return postpone(app.db, due, nextRunAfter(now, frequency, zone));
  }
  const reopensAt = facts.plan === "premium" ? null : weeklyReopening(facts.last_at, now);
  // Asked for by hand this week: no failure, it waits for its turn.
  if (reopensAt !== null) return postpone(app.db, due, reopensAt);
  const on = dayOf(now, zone);
  const asked = await requestAutomatic(app, { sellerId, on });
  if (await planAfterServed(app, due, on)) return;
  assert(!asked.ok, "what was accepted is there");
  const { refusal } = asked;
  switch (refusal.kind) {
    case "withdrawals.weekly":
      return postpone(app.db, due, refusal.reopensAt);
    case "withdrawals.payouts-frozen":
    case "withdrawals.seller-suspended":
    case "withdrawals.seller-closed":
      // Just now: it rests until that ends.
      return;
    case "withdrawals.too-little-available":
    case "withdrawals.balance-too-low":
      return record(app, due, { on, now, refused: null });
    default: {
      const refused = sayRefusal(refusal, withdrawalsRefusals).body.message;
      return record(app, due, { on, now, refused });
    }
  }
}

/** This date, or a later, was served, by us or by whoever died before he planned the next. */
async function planAfterServed(app: App, due: Due, date: Day): Promise<boolean> {
  const { on } = await one<{ on: Day | null }>(app.db)`
    SELECT to_char(max(automatic_on), 'YYYY-MM-DD') AS on
    FROM withdrawals WHERE seller_id = ${due.seller_id} AND automatic_on >= ${date}::date
  `;
  if (on === null) return false;
  await postpone(app.db, due, nextRunAfterDate(on, due.frequency, app.config.timeZone));
  return true;
}

type Ran = {
  readonly on: Day;
  readonly now: Date;
  /** Why it was refused; null: there was nothing to ask for. */
  readonly refused: string | null;
};

/** Run without a request: counted once, whoever else ran it. A refusal is said with its reason. */
async function record(app: App, due: Due, { on, now, refused }: Ran): Promise<void> {
  const { seller_id: sellerId } = due;
  const nextRunAt = nextRunAfterDate(on, due.frequency, app.config.timeZone);
  await app.db.transaction().execute(async (tx) => {
    const first = await maybe(tx)`
      UPDATE payout_profiles SET last_run_at = ${now},
        last_outcome = ${refused === null ? "nothing" : "refused"}, next_run_at = ${nextRunAt},
        failures_in_row = failures_in_row + ${refused === null ? 0 : 1}
      WHERE seller_id = ${sellerId} AND automatic AND next_run_at = ${due.next_run_at}
      RETURNING 1
    `;
    if (!first || refused === null) return;
    const text = automaticRefused(refused, sayInstant(nextRunAt, app.config.timeZone));
    const buttons = [app.appButton(BUTTONS.configure, "/ConfigurationRetrait")];
    await tell(tx, [{ bot: "seller", personId: sellerId, message: { text, buttons } }], now);
  });
}

type AutomaticRefusal =
  | RequestRefusal
  | { readonly kind: "withdrawals.key-reused" }
  /** Nothing, or less than the least that may be asked, is available. */
  | { readonly kind: "withdrawals.too-little-available"; readonly available: Fcfa };

/**
 * An ordinary request of min(available, max), as much of it as the operator's step allows
 * (decision 87), to the number of the configuration. Each date once, however often it is asked.
 */
export async function requestAutomatic(
  app: App,
  { sellerId, on }: { sellerId: bigint; on: Day },
): Promise<Result<AcceptedRequest, AutomaticRefusal>> {
  // A run that was written and not noted: what it took is no longer available.
  const mine = { sellerId, now: app.clock.now() };
  const before = await findWithdrawal(app.db, sql`w.automatic_on = ${on}::date`, mine);
  if (before !== null) return ok({ withdrawal: asAccepted(before), before: true });
  const [settings, facts, { method, phone }] = await Promise.all([
    app.settings.current(),
    sellerFacts(app.db, sellerId),
    profileOf(app.db, sellerId),
  ]);
  if (method === null || phone === null) return refuse({ kind: "withdrawals.method-missing" });
  const limits = limitsFor(facts, settings, {
    now: app.clock.now(),
    zone: app.config.timeZone,
  });
  const { min, step } = limits.methods[method];
  const amount = mostOf(limits, step);
  if (amount < limits.min || amount < min) {
    const { available } = facts;
    return refuse({ kind: "withdrawals.too-little-available", available });
  }
  const whatsapp = facts.whatsapp_number ?? phone;
  const form = { amount: fcfaToJson(amount), method, phone, whatsapp };
  return requestWithdrawal(app, { sellerId, form, key: null, automaticOn: on });
}

function mostOf({ available, max, firstMax }: WithdrawalLimits, step: Fcfa): Fcfa {
  const bounds = [available, max, ...(firstMax === null ? [] : [firstMax])];
  const most = bounds.reduce((least, bound) => (bound < least ? bound : least));
  return fcfa(most - (most % step));
}

/** Two failures in a row: the seller hears of it and looks at his number. */
async function endAfterFailures(app: App, sellerId: bigint): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const wasOn = await maybe(tx)`
      UPDATE payout_profiles SET automatic = false, next_run_at = NULL, updated_at = ${now}
      WHERE seller_id = ${sellerId} AND automatic AND failures_in_row >= 2
      RETURNING 1
    `;
    if (!wasOn) return;
    await announce(app, tx, { sellerId, text: automaticSwitchedOff(), now });
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
    // None: it was weekly, or is premium again.
    const was = await maybe<{ frequency: string; automatic: boolean }>(tx)`
      WITH lapsed AS (
        SELECT p.seller_id, p.frequency FROM payout_profiles p JOIN sellers s ON s.id = p.seller_id
        WHERE p.seller_id = ${sellerId} AND p.frequency <> 'weekly'
          AND s.plan IS DISTINCT FROM 'premium'
        FOR UPDATE OF p
      )
      UPDATE payout_profiles p SET frequency = 'weekly', updated_at = ${now},
        next_run_at = CASE WHEN p.automatic THEN ${nextRunAt}::timestamptz END
      FROM lapsed l WHERE l.seller_id = p.seller_id
      RETURNING l.frequency, p.automatic
    `;
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
  { sellerId, text, now }: { sellerId: bigint; text: Html; now: Date },
): Promise<void> {
  const buttons = [app.appButton(BUTTONS.configure, "/ConfigurationRetrait")];
  await tell(tx, [{ bot: "seller", personId: sellerId, message: { text, buttons } }], now);
  await publish(tx, [{ room: `person:${sellerId}`, name: "payout:settings", body: {} }]);
}
