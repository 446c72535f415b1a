import { addMs, DAY_MS, describeError, Outage } from "@sesame/kernel";
import type { Update } from "grammy/types";
import type { App } from "../app.ts";
import { ageLimitOfUpdate, type Circuit, createCircuit, isSilence } from "../jobs/retries.ts";
import { createRenewal } from "../jobs/held-jobs.ts";
import { backOffMs } from "../jobs/outbox.ts";
import { type LeaseClock, leaseClockOf } from "../jobs/leases.ts";
import { sql } from "kysely";
import { PREPARED } from "../postgres/database.ts";
import { createLoop, createPruningLoop, type Loop, WHOLE_ROUND_MS } from "../jobs/loop.ts";
import type { BotName } from "./gateway.ts";
import * as store from "./updates.store.ts";

/** A part's handler of an update; it may get the same update twice. */
export type UpdateHandler = (update: Update) => Promise<void>;

const AT_ONCE = 8;
/** An update that always fails must not block its queue for ever. Outages do not count. */
const MAX_ATTEMPTS = 3;
/**
 * About half an hour of back-off for a chat that refuses (a missing right): the person's other
 * updates must not wait behind it for days.
 */
const MAX_REFUSALS = 11;
/** Handles stored updates: in order within a queue, queues concurrently. */
export function createUpdateLoop(
  { db, clock, log }: Pick<App, "db" | "clock" | "log">,
  bot: BotName,
  handlers: readonly UpdateHandler[],
): Loop {
  const leaseClock = leaseClockOf(clock);
  const circuit = createCircuit(clock);
  const underWay = new Map<Promise<void>, store.LeasedUpdate>();
  const handling = { db, log, leaseClock, circuit };
  const renewal = createRenewal(
    { clock, log, leaseMs: store.LEASE_MS },
    `updates of the ${bot}'s bot`,
    () => store.renewUpdates(db, [...underWay.values()], leaseClock),
  );

  function end(task: Promise<void>): void {
    underWay.delete(task);
    if (underWay.size === 0) renewal.rest();
    loop.wake();
  }

  async function handle(update: store.LeasedUpdate): Promise<void> {
    try {
      for (const handler of handlers) await handler(update.body);
      circuit.noteAnswer();
      await store.closeUpdate(db, update, { clock: leaseClock, error: null });
    } catch (error) {
      await putAside(handling, update, error).catch((again: unknown) => {
        // The lease expires, and the update is handled again.
        log.error({ err: again, update: String(update.update_id) }, "update not put aside");
      });
    }
  }

  async function look(): Promise<boolean> {
    const limit = circuit.admits(AT_ONCE - underWay.size, underWay.size);
    if (limit === 0) return false;
    for (const update of await store.leaseUpdates(db, bot, { limit, clock: leaseClock })) {
      const task: Promise<void> = handle(update).finally(() => end(task));
      underWay.set(task, update);
    }
    if (underWay.size > 0) renewal.watch();
    return false;
  }

  const loop = createLoop({
    name: `updates ${bot}`,
    clock,
    log,
    everyMs: WHOLE_ROUND_MS,
    // New ones are handled at once.
    due: () => sql<boolean>`${circuit.admits(AT_ONCE - underWay.size, underWay.size) > 0}
      AND EXISTS (SELECT ${store.dueUpdates(bot, leaseClock)})`,
    run: look,
    underWay: () => underWay.keys(),
  });
  return loop;
}

type Handling = Pick<App, "db" | "log"> & {
  readonly leaseClock: LeaseClock;
  readonly circuit: Circuit;
};

async function putAside(handling: Handling, update: store.LeasedUpdate, error: unknown) {
  const { db, leaseClock: clock, circuit, log } = handling;
  const reason = describeError(error);
  if (error instanceof Outage && error.retryable && isSilence(error)) {
    circuit.noteOutage(error);
    if (update.age_ms > ageLimitOfUpdate(update.body).waitsMs) {
      log.warn({ update: String(update.update_id) }, `update expired: ${reason}`);
      return store.closeUpdate(db, update, { clock, error: `expired: ${reason}` });
    }
    const afterMs = error.retryAfterMs ?? backOffMs(update.outages + 1);
    return store.postponeUpdate(db, update, { by: "outage", afterMs, error: reason, clock });
  }
  circuit.noteAnswer();
  if (!(error instanceof Outage)) {
    log.error({ err: error, update: String(update.update_id) }, "update failed");
  }
  const isRefusal = error instanceof Outage && error.retryable;
  const isFinal = error instanceof Outage && !error.retryable;
  if (isFinal || update.attempts >= (isRefusal ? MAX_REFUSALS : MAX_ATTEMPTS)) {
    return store.closeUpdate(db, update, { clock, error: reason });
  }
  const afterMs = backOffMs(update.attempts);
  return store.postponeUpdate(db, update, { by: "answer", afterMs, error: reason, clock });
}

const KEPT_MS = 2 * DAY_MS;
const GIVEN_UP_KEPT_MS = 30 * DAY_MS;

/**
 * Deletes old updates. Telegram repeats an update for a day at most: older ones need not be
 * recognised. Given-up ones stay a month, for inspection and retries.
 */
export const updatesPruning = (app: App): Loop =>
  createPruningLoop(app, "telegram.forget-old-updates", (now, limit) => {
    const [handled, givenUp] = [addMs(now, -KEPT_MS), addMs(now, -GIVEN_UP_KEPT_MS)];
    return sql`${PREPARED}
      DELETE FROM telegram_updates WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM telegram_updates WHERE handled_at < ${handled}
          AND (last_error IS NULL OR handled_at < ${givenUp})
        LIMIT ${limit} FOR UPDATE SKIP LOCKED))
    `;
  });
