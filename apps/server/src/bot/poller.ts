import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, DAY_MS, Outage } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import type { Loop } from "../jobs/loop.ts";
import { backOffMs } from "../jobs/outbox.ts";
import type { Db } from "../postgres/database.ts";
import type { BotGateway } from "./gateway.ts";
import { storeUpdates } from "./updates.store.ts";

/**
 * Named one by one: Telegram leaves `chat_member` out unless it is asked for (WIRE §3). Service
 * messages (migration, write access) come as `message`.
 */
export const ALLOWED_UPDATES = [
  "message",
  "callback_query",
  "my_chat_member",
  "chat_member",
  "chat_join_request",
  "pre_checkout_query",
] as const;

export type PollerOptions = {
  readonly gateway: BotGateway;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, "error" | "warn">;
};

const LONG_POLL_SECONDS = 25;
const GRACE_MS = 10_000;
const LONGEST_WAIT_MS = 15_000;
/** A server that does not hold the call until something comes is asked this often. */
const LOOK_EVERY_MS = 400;
/** After a week without updates Telegram may number the next from anywhere. */
const OFFSET_HOLDS_MS = DAY_MS;

/**
 * Fetches updates by long polling. An update is confirmed to Telegram by the call after the one
 * that stored it, so none is lost by a kill. `drain` fetches what is there now, when not started.
 */
export function createPoller(options: PollerOptions): Loop {
  const { gateway, log } = options;
  const abort = new AbortController();
  const fetcher = createFetcher(options, abort.signal);
  let running: Promise<void> | null = null;

  async function poll(): Promise<void> {
    let failures = 0;
    while (!abort.signal.aborted) {
      try {
        const askedAt = performance.now();
        const came = await fetcher.fetch(LONG_POLL_SECONDS);
        failures = 0;
        const restMs = LOOK_EVERY_MS - (performance.now() - askedAt);
        if (came === 0 && restMs > 0) await sleep(restMs, undefined, { signal: abort.signal });
      } catch (error) {
        if (abort.signal.aborted) return;
        failures += 1;
        const asked = error instanceof Outage ? error.retryAfterMs : undefined;
        const waitMs = Math.min(LONGEST_WAIT_MS, asked ?? backOffMs(failures));
        log.warn({ err: error, bot: gateway.bot, waitMs }, "polling failed");
        fetcher.claimAgain();
        await sleep(waitMs, undefined, { signal: abort.signal }).catch(() => {});
      }
    }
  }

  return {
    name: `poll ${gateway.bot}`,
    everyMs: null,
    start() {
      running ??= poll();
    },
    wake() {},
    async drain() {
      if (running) return;
      while ((await fetcher.fetch(0)) > 0);
    },
    async stop() {
      abort.abort();
      await running;
    },
  };
}

/** One fetch after the other, and what each must remember of the last. */
function createFetcher(options: PollerOptions, signal: AbortSignal) {
  const { gateway, db, clock, log } = options;
  let webhookGone = false;
  /**
   * Confirms what was stored, until it is too old: an old offset would confirm, unseen, updates
   * that Telegram numbers anew from below it.
   */
  let confirm: { readonly offset: number; readonly at: Date; said: boolean } | null = null;
  /** Telegram makes whoever asks again from the same offset wait; 0 and 1 both confirm nothing. */
  let looks = 0;
  const nextOffset = (waits: boolean): number => {
    if (confirm && clock.now().getTime() - confirm.at.getTime() > OFFSET_HOLDS_MS) confirm = null;
    if (!confirm || (confirm.said && !waits)) return waits ? 0 : looks++ % 2;
    confirm.said = true;
    return confirm.offset;
  };
  return {
    /**
     * A second poller, or a webhook set elsewhere, is a 409: ours must be the one. After a silence
     * what is not confirmed comes again, and is known again.
     */
    claimAgain(): void {
      webhookGone = false;
      confirm = null;
    },
    /** → how many updates came. Throws an Outage. */
    async fetch(timeoutSeconds: number): Promise<number> {
      if (!webhookGone) await dropWebhook(gateway, { log, signal });
      webhookGone = true;
      const answer = await gateway.call(
        "getUpdates",
        {
          timeout: timeoutSeconds,
          limit: 100,
          allowed_updates: [...ALLOWED_UPDATES],
          offset: nextOffset(timeoutSeconds > 0),
        },
        { timeoutMs: timeoutSeconds * 1_000 + GRACE_MS, signal },
      );
      if (!answer.ok) throw new Outage(answer.refusal.said, { party: "telegram", retryable: true });
      const updates = answer.value;
      await storeUpdates(db, gateway.bot, { updates, now: clock.now() });
      const last = updates.at(-1);
      if (last) confirm = { offset: last.update_id + 1, at: clock.now(), said: false };
      return updates.length;
    },
  };
}

/** Without a webhook there is nothing to drop: whatever stands in the way, the poll will tell. */
async function dropWebhook(
  gateway: BotGateway,
  { log, signal }: Pick<PollerOptions, "log"> & { signal: AbortSignal },
): Promise<void> {
  try {
    await gateway.call("deleteWebhook", {}, { signal });
  } catch (error) {
    log.warn({ err: error, bot: gateway.bot }, "the webhook was not dropped");
  }
}
