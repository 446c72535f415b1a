import type { Clock } from "@sesame/kernel";
import { ApiError } from "./api-error.ts";
import { DEFAULT_UPDATE_TYPES, isUpdateType, type Update } from "./bot-api.ts";
import { type Call, integer, integerOr, json } from "./call.ts";
import type { Bot } from "./state.ts";
import { dropExpired } from "./updates.ts";

/** Long polling, with the rules of telegram.md §3.1. */
export type Polling = {
  getUpdates(call: Call): Promise<Update[]>;
  /** A webhook is being set: whoever polls is sent away. */
  endByWebhook(bot: Bot): void;
  wake(bot: Bot): void;
  close(): void;
};

const LONGEST_POLL_S = 50;
const SAME_OFFSET_HOLD_MS = 3_000;
const SAME_OFFSET_BURST_MS = 500;
const REPEATED_CONFLICT_DELAY_MS = 3_000;

const WEBHOOK_ACTIVE =
  "can't use getUpdates method while webhook is active; use deleteWebhook to delete " +
  "the webhook first";
const OTHER_REQUEST =
  "terminated by other getUpdates request; make sure that only one bot instance is running";

type Waiting = { answer(updates: Update[]): void; fail(error: ApiError): void; limit: number };
type Poller = {
  waiting: Waiting | null;
  previousOffset: number | null;
  previousStartMs: number;
  nextConflictMs: number;
};

export function startPolling(clock: Clock, slowRepeats: boolean): Polling {
  const pollers = new Map<number, Poller>();
  const timers = new Set<NodeJS.Timeout>();

  const pollerOf = (bot: Bot): Poller => {
    const fresh = { waiting: null, previousOffset: null, previousStartMs: 0, nextConflictMs: 0 };
    const poller = pollers.get(bot.id) ?? fresh;
    pollers.set(bot.id, poller);
    return poller;
  };
  /** Polling waits in the machine's time: a connection knows no other. */
  const after = (ms: number, task: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      task();
    }, ms);
    timers.add(timer);
    return () => {
      clearTimeout(timer);
      timers.delete(timer);
    };
  };
  /** A second conflict within three seconds is told only after three more. */
  const conflict = (poller: Poller, why: string, fail: Waiting["fail"]) => {
    const error = new ApiError(409, `Conflict: ${why}`);
    const nowMs = performance.now();
    if (nowMs >= poller.nextConflictMs) {
      poller.nextConflictMs = nowMs + REPEATED_CONFLICT_DELAY_MS;
      fail(error);
    } else {
      after(REPEATED_CONFLICT_DELAY_MS, () => fail(error));
    }
  };
  const end = (poller: Poller, why: string) => {
    const { waiting } = poller;
    poller.waiting = null;
    if (waiting !== null) conflict(poller, why, waiting.fail);
  };
  /** The same offset again at once is taken for a client running wild, and slowed down. */
  const sinceSameMs = (poller: Poller, offset: number): number => {
    const nowMs = performance.now();
    const repeated = slowRepeats && offset === poller.previousOffset;
    const sinceMs = repeated ? nowMs - poller.previousStartMs : Number.POSITIVE_INFINITY;
    Object.assign(poller, { previousOffset: offset, previousStartMs: nowMs });
    return sinceMs;
  };
  const wait = (poller: Poller, how: { limit: number; timeoutS: number; signal: AbortSignal }) =>
    new Promise<Update[]>((answer, fail) => {
      const finish = (tell: () => void) => {
        stopTimer();
        if (poller.waiting === waiting) poller.waiting = null;
        tell();
      };
      const nothing = () => finish(() => answer([]));
      const stopTimer = after(how.timeoutS * 1000, nothing);
      const waiting: Waiting = {
        limit: how.limit,
        answer: (updates) => finish(() => answer(updates)),
        fail: (error) => finish(() => fail(error)),
      };
      poller.waiting = waiting;
      // The client hung up: nobody waits any more.
      how.signal.addEventListener("abort", nothing, { once: true });
    });

  return {
    async getUpdates(call) {
      const { bot, signal } = call;
      const poller = pollerOf(bot);
      if (bot.webhook !== null) {
        return new Promise((_answer, fail) => conflict(poller, WEBHOOK_ACTIVE, fail));
      }
      readAllowedUpdates(call);
      end(poller, OTHER_REQUEST);
      const offset = integer(call, "offset");
      const asked = clamp(integerOr(100)(call, "limit"), 1, 100);
      const timeout = clamp(integer(call, "timeout"), 0, LONGEST_POLL_S);
      const sinceMs = sinceSameMs(poller, offset);
      const limit = sinceMs < SAME_OFFSET_BURST_MS ? 1 : asked;
      const timeoutS = sinceMs < SAME_OFFSET_HOLD_MS ? Math.max(3, timeout) : timeout;
      confirm(bot, offset, clock);
      const ready = bot.queue.slice(0, limit).map(({ update }) => update);
      if (ready.length > 0 || timeoutS === 0) return ready;
      return wait(poller, { limit, timeoutS, signal });
    },
    endByWebhook: (bot) => end(pollerOf(bot), "terminated by setWebhook request"),
    wake(bot) {
      const waiting = pollers.get(bot.id)?.waiting;
      waiting?.answer(bot.queue.slice(0, waiting.limit).map(({ update }) => update));
    },
    close() {
      for (const poller of pollers.values()) poller.waiting?.answer([]);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** An offset confirms all before it; a negative one keeps the last so many. */
function confirm(bot: Bot, offset: number, clock: Clock): void {
  dropExpired(bot, clock.now().getTime());
  if (offset < 0) bot.queue = bot.queue.slice(offset);
  // An offset far ahead of what was ever sent confirms nothing: it belongs to another numbering.
  if (offset > 0 && offset <= bot.nextUpdateId) {
    bot.queue = bot.queue.filter(({ update }) => update.update_id >= offset);
  }
}

/** An empty list means the default set; a list left out keeps what was set before. */
export function readAllowedUpdates(call: Call): void {
  const asked = json(call, "allowed_updates");
  if (!Array.isArray(asked)) return;
  const known = asked.filter(isUpdateType);
  call.bot.allowedUpdates = known.length === 0 ? [...DEFAULT_UPDATE_TYPES] : known;
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, value));
}
