import { addMs, type Clock, DAY_MS, describeError, HOUR_MS, Outage } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import type { Update } from "grammy/types";
import { createLoop, type Loop } from "../jobs/loop.ts";
import { backOffMs } from "../jobs/outbox.ts";
import type { Db } from "../postgres/database.ts";
import type { BotName } from "./gateway.ts";
import {
  claimUpdates,
  closeUpdate,
  forgetUpdates,
  postponeUpdate,
  releaseUpdates,
  type StoredUpdate,
} from "./updates.store.ts";

/** One part's answer to an update; it must bear being given the same update twice. */
export type UpdateHandler = (update: Update) => Promise<void>;

export type UpdateDeskOptions = {
  readonly bot: BotName;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, "error" | "warn">;
  readonly handlers: readonly UpdateHandler[];
};

/** Longer than the calls one update needs, shorter than a person's patience. */
const LEASE_MS = 60_000;
const POLL_MS = 1_000;
const AT_ONCE = 8;
/** About half an hour of back-off; a poison update must not hold its queue for ever. */
const MAX_ATTEMPTS = 11;
const KEPT_MS = 2 * DAY_MS;

/** Handles stored updates: in order within a queue, side by side across queues. */
export function createUpdateDesk(options: UpdateDeskOptions): Loop {
  const { bot, db, clock } = options;
  const underWay = new Set<Promise<void>>();
  let opened = false;
  let forgotAt = new Date(0);

  async function tidy(now: Date): Promise<void> {
    if (!opened) await releaseUpdates(db, bot, now);
    opened = true;
    if (now.getTime() - forgotAt.getTime() < HOUR_MS) return;
    await forgetUpdates(db, addMs(now, -KEPT_MS));
    forgotAt = now;
  }

  async function look(): Promise<boolean> {
    const now = clock.now();
    await tidy(now);
    const free = AT_ONCE - underWay.size;
    if (free === 0) return false;
    for (const update of await claimUpdates(db, bot, { limit: free, now, leaseMs: LEASE_MS })) {
      const task = handle(options, update).finally(() => {
        underWay.delete(task);
        loop.wake();
      });
      underWay.add(task);
    }
    return false;
  }

  const loop = createLoop({
    name: `updates ${bot}`,
    clock,
    log: options.log,
    everyMs: POLL_MS,
    run: look,
  });
  const settle = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };
  return {
    ...loop,
    async drain() {
      do {
        await loop.drain();
        await settle();
        await loop.drain();
      } while (underWay.size > 0);
    },
    async stop() {
      await loop.stop();
      await settle();
    },
  };
}

async function handle(options: UpdateDeskOptions, stored: StoredUpdate): Promise<void> {
  const { db, clock } = options;
  try {
    for (const handler of options.handlers) await handler(stored.body);
    await closeUpdate(db, stored, { now: clock.now(), error: null });
  } catch (error) {
    await putAside(options, stored, error).catch((again: unknown) => {
      // The lease ends by itself: the update comes back without our help.
      options.log.error({ err: again, update: String(stored.update_id) }, "update not put aside");
    });
  }
}

async function putAside(
  options: UpdateDeskOptions,
  stored: StoredUpdate,
  error: unknown,
): Promise<void> {
  const { db, clock, log } = options;
  const reason = describeError(error);
  const outage = error instanceof Outage ? error : null;
  if (!outage) log.error({ err: error, update: String(stored.update_id) }, "update failed");
  const hopeless = outage ? !outage.retryable : stored.attempts >= 3;
  if (hopeless || stored.attempts >= MAX_ATTEMPTS) {
    return closeUpdate(db, stored, { now: clock.now(), error: reason });
  }
  const afterMs = outage?.retryAfterMs ?? backOffMs(stored.attempts);
  return postponeUpdate(db, stored, { dueAt: addMs(clock.now(), afterMs), error: reason });
}
