import { sayInstant, sayRefusal } from "@sesame/contract";
import {
  COOLING_OFF_MS,
  type WithdrawalLimits,
  withdrawalsRefusals,
} from "@sesame/contract/withdrawals";
import {
  addMs,
  type Fcfa,
  fcfa,
  fcfaToJson,
  MINUTE_MS,
  Outage,
  type Result,
  refuse,
  type Day,
  dayOf,
  startOfDay,
} from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type AuditEntry, auditSeller, SYSTEM } from "../../audit/audit.store.ts";
import { type Html, notify } from "../../bot/message.ts";
import { createLoop, WHOLE_ROUND_MS } from "../../jobs/loop.ts";
import { type Db, finds, many, maybe, one, PREPARED } from "../../postgres/database.ts";
import { publish, type RealtimeEvent } from "../../realtime/events.store.ts";
import * as messages from "./messages.fr.ts";
import { type LockedSeller, withLockedSeller, type Asked, requestIn } from "./request.ts";
import { nextRunAfter, nextRunAfterDate, profileOf, restsUntil, type Profile } from "./settings.ts";

/** Concurrent, so that one that waits for its seller's lock does not delay others. */
const AT_ONCE = 50;
/** After a bug: neither repeated at once for ever, nor given up. */
const AFTER_BUG_MS = 10 * MINUTE_MS;

/** A frequency of the premium plan, which is over. */
const LAPSED = sql`
  FROM payout_profiles p JOIN sellers s ON s.id = p.seller_id
  WHERE p.frequency <> 'weekly' AND s.plan IS DISTINCT FROM 'premium'`;

/**
 * Payouts of frozen, suspended or closed sellers wait: they run when that ends. A payout with two
 * failures in a row is left out: the next step ends it.
 */
const dueBy = (now: Date) => sql`
  FROM payout_profiles p JOIN sellers s ON s.id = p.seller_id
  WHERE p.automatic AND p.next_run_at <= ${now} AND p.failures_in_row < 2
    AND p.frozen_at IS NULL AND s.suspended_at IS NULL AND s.closed_at IS NULL`;

const FAILED = sql`FROM payout_profiles p WHERE p.automatic AND p.failures_in_row >= 2`;

/** Automatic payouts (decisions 70, 71, 87): due ones run, on schedule and when money comes in. */
export function createAutomaticEngine(app: App) {
  const sold = new Set<bigint>();
  const loop = createLoop({
    name: "withdrawals automatic",
    clock: app.clock,
    log: app.log,
    everyMs: WHOLE_ROUND_MS,
    due: () => sql`${sold.size > 0} OR EXISTS (SELECT ${LAPSED})
      OR EXISTS (SELECT ${dueBy(app.clock.now())}) OR EXISTS (SELECT ${FAILED})`,
    async run() {
      await lookAtThresholds(app, sold);
      const lapsed = await many<{ seller_id: bigint }>(app.db)`${PREPARED}
        SELECT p.seller_id ${LAPSED} LIMIT ${AT_ONCE}
      `;
      for (const { seller_id: sellerId } of lapsed) await bringBackToWeekly(app, sellerId);
      // The longest overdue first.
      const due = await many<Due>(app.db)`${PREPARED}
        SELECT p.seller_id, p.next_run_at ${dueBy(app.clock.now())}
        ORDER BY p.next_run_at LIMIT ${AT_ONCE}
      `;
      const ran = await Promise.all(due.map((profile) => runOne(app, profile)));
      const failed = await many<{ seller_id: bigint }>(app.db)`${PREPARED}
        SELECT p.seller_id ${FAILED} LIMIT ${AT_ONCE}
      `;
      for (const { seller_id: sellerId } of failed) await endAfterFailures(app, sellerId);
      const full = [lapsed, due, failed].some((rows) => rows.length === AT_ONCE);
      return full && ran.every(Boolean);
    },
  });
  return {
    loop,
    /** Takes an event of the realtime channel: after a sale the seller's threshold is checked. */
    receive(payload: string): void {
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

/** Money came in: checks thresholds now, unless this date had its run or the number must wait. */
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
        AND (number_given_at <= ${addMs(now, -COOLING_OFF_MS)}) IS NOT FALSE
      ORDER BY seller_id FOR UPDATE
    ) AS locked
    WHERE p.seller_id = locked.seller_id
  `.execute(app.db);
  // Lost events are compensated by the hourly run.
  for (const sellerId of sellerIds) sold.delete(sellerId);
}

/** A due automatic payout. */
type Due = { readonly seller_id: bigint; readonly next_run_at: Date };

/** A failed one does not stop the others. → whether it succeeded. */
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
    await planNext(app.db, due, addMs(app.clock.now(), AFTER_BUG_MS));
    return false;
  }
}

/**
 * Sets the next run, and the run's other results. Only if the run is still the due one: another
 * process may have run it, or the seller changed the settings. → whether it was written
 */
const planNext = (db: Db, due: Due, next: Date, rest = sql``) => finds(db)`
  UPDATE payout_profiles SET next_run_at = ${next} ${rest}
  WHERE seller_id = ${due.seller_id} AND automatic AND next_run_at = ${due.next_run_at}
  RETURNING 1
`;

/**
 * Runs one due automatic payout, for the present date: however many dates passed, it is one
 * request. Checked, requested, notified and planned again in one transaction.
 */
async function runAutomatic(app: App, due: Due): Promise<void> {
  const { timeZone: zone } = app.config;
  await withLockedSeller(app, due.seller_id, async (seller) => {
    const { tx, sellerId, now } = seller;
    const profile = await profileOf(tx, sellerId);
    if (!profile.automatic || profile.next_run_at?.getTime() !== due.next_run_at.getTime()) return;
    const later = await putOffUntil(seller, { profile, due, zone });
    if (later !== null) {
      await planNext(tx, due, later);
      return;
    }
    const on = dayOf(now, zone);
    const asked = await requestAutomatic(app, seller, { profile, on });
    const next = nextRunAfterDate(on, profile.frequency, zone);
    if (asked.ok) {
      await planNext(tx, due, next);
      return;
    }
    switch (asked.refusal.kind) {
      case "withdrawals.payouts-frozen":
      case "withdrawals.seller-suspended":
      case "withdrawals.seller-closed":
        // Frozen or suspended just now: it waits until that ends.
        return;
      case "withdrawals.too-little-available":
        await planNext(tx, due, next, sql`, last_run_at = ${now}, last_outcome = 'nothing'`);
        return;
      default: {
        const failure = sql`, last_run_at = ${now}, last_outcome = 'refused',
          failures_in_row = failures_in_row + 1`;
        if (!(await planNext(tx, due, next, failure))) return;
        const why = sayRefusal(asked.refusal, withdrawalsRefusals).body.message;
        const text = messages.automaticRefused(why, sayInstant(next, zone));
        await notifyToConfigure(app, tx, { sellerId, text, now });
      }
    }
  });
}

/** Until when it is postponed; null: it runs now. */
async function putOffUntil(
  { tx, sellerId, facts, limits, now }: LockedSeller,
  { profile, due, zone }: { profile: Profile; due: Due; zone: string },
): Promise<Date | null> {
  const { frequency, threshold } = profile;
  // This date, or a later one, has its request: the clock was set back, or the run planned twice.
  const { served } = await one<{ served: Day | null }>(tx)`
    SELECT to_char(max(automatic_on), 'YYYY-MM-DD') AS served FROM withdrawals
    WHERE seller_id = ${sellerId} AND automatic_on >= ${dayOf(due.next_run_at, zone)}::date
  `;
  if (served !== null) return nextRunAfterDate(served, frequency, zone);
  const rests = restsUntil(profile.number_given_at, now);
  const isBelow = frequency === "threshold" && facts.available < (threshold ?? 0n);
  if (rests !== null || isBelow) return nextRunAfter(rests ?? now, frequency, zone);
  // Requested by hand this week: no failure, it is postponed.
  return limits.reopensAt;
}

/** The available francs are less than the minimum, or none. */
type TooLittle = { readonly kind: "withdrawals.too-little-available"; readonly available: Fcfa };

/**
 * An ordinary request of min(available, max), rounded down to the operator's step (decision 87), to
 * the number in the settings. One for each date, however often it is called.
 */
export async function requestAutomatic(
  app: App,
  seller: LockedSeller,
  { profile: { method, phone }, on }: { readonly profile: Profile; readonly on: Day },
): Promise<Asked | Result<never, TooLittle>> {
  const { tx, sellerId, facts, limits, now } = seller;
  if (method === null || phone === null) return refuse({ kind: "withdrawals.method-missing" });
  const { min, step } = limits.methods[method];
  const amount = mostOf(limits, step);
  const whatsapp = facts.whatsapp_number ?? phone;
  const form = { amount: fcfaToJson(amount), method, phone, whatsapp };
  const asked = await requestIn(app, seller, { form, key: null, automaticOn: on });
  if (!asked.ok) {
    const isLittle = amount < limits.min || amount < min;
    const { available } = facts;
    return isLittle ? refuse({ kind: "withdrawals.too-little-available", available }) : asked;
  }
  if (asked.value.before) return asked;
  await sql`
    UPDATE payout_profiles SET last_run_at = ${now}, last_outcome = 'asked'
    WHERE seller_id = ${sellerId}
  `.execute(tx);
  const reference = asked.value.withdrawal.reference_transaction;
  const buttons = [app.appButton(messages.BUTTONS.history, "/HistoriqueRetraits")];
  const message = { text: messages.automaticAsked({ amount, method, phone, reference }), buttons };
  await notify(tx, [{ bot: "seller", personId: sellerId, message }], now);
  return asked;
}

function mostOf({ available, max, firstMax }: WithdrawalLimits, step: Fcfa): Fcfa {
  const bounds = [available, max, ...(firstMax === null ? [] : [firstMax])];
  const most = bounds.reduce((least, bound) => (bound < least ? bound : least));
  return fcfa(most - (most % step));
}

/** Two failures in a row: the seller is notified and must check his number. */
async function endAfterFailures(app: App, sellerId: bigint): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const wasOn = await maybe(tx)`
      UPDATE payout_profiles SET automatic = false, next_run_at = NULL, updated_at = ${now}
      WHERE seller_id = ${sellerId} AND automatic AND failures_in_row >= 2
      RETURNING 1
    `;
    if (!wasOn) return;
    await announce(app, tx, { sellerId, text: messages.automaticSwitchedOff(), now });
    const change = { before: { automatic: true }, after: { automatic: false } };
    await auditBySystem(tx, sellerId, { ...change, reason: messages.SWITCHED_OFF_REASON }, now);
  });
}

/** The plan that allows the chosen frequency is over. */
async function bringBackToWeekly(app: App, sellerId: bigint): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    await sql`SELECT FROM payout_profiles WHERE seller_id = ${sellerId} FOR UPDATE`.execute(tx);
    // None: it was weekly, or the plan is premium again.
    const was = await maybe<Pick<Profile, "frequency" | "automatic" | "number_given_at">>(tx)`
      SELECT p.frequency, p.automatic, p.number_given_at ${LAPSED} AND p.seller_id = ${sellerId}
    `;
    if (was === null) return;
    const from = restsUntil(was.number_given_at, now) ?? now;
    const nextRunAt = nextRunAfter(from, "weekly", app.config.timeZone);
    await sql`
      UPDATE payout_profiles SET frequency = 'weekly', updated_at = ${now},
        next_run_at = ${was.automatic ? nextRunAt : null}
      WHERE seller_id = ${sellerId}
    `.execute(tx);
    if (was.automatic) {
      const text = messages.automaticBackToWeekly(sayInstant(nextRunAt, app.config.timeZone));
      await announce(app, tx, { sellerId, text, now });
    }
    const change = { before: { frequency: was.frequency }, after: { frequency: "weekly" } };
    await auditBySystem(tx, sellerId, { ...change, reason: messages.BACK_TO_WEEKLY_REASON }, now);
  });
}

function auditBySystem(
  tx: Db,
  sellerId: bigint,
  change: Pick<AuditEntry, "before" | "after" | "reason">,
  now: Date,
): Promise<void> {
  const entry = { ...change, action: "payouts.configure", actor: SYSTEM };
  return auditSeller(tx, sellerId, entry, now);
}

type Notification = { readonly sellerId: bigint; readonly text: Html; readonly now: Date };

async function notifyToConfigure(app: App, tx: Db, { sellerId, text, now }: Notification) {
  const buttons = [app.appButton(messages.BUTTONS.configure, "/ConfigurationRetrait")];
  await notify(tx, [{ bot: "seller", personId: sellerId, message: { text, buttons } }], now);
}

async function announce(app: App, tx: Db, notification: Notification): Promise<void> {
  await notifyToConfigure(app, tx, notification);
  await publish(tx, [
    { room: `person:${notification.sellerId}`, name: "payout:settings", body: {} },
  ]);
}
