import type { Clock } from "@sesame/kernel";
import { ApiError } from "./api-error.ts";
import { DEFAULT_UPDATE_TYPES, type Update, isUpdateType } from "./bot-api.ts";
import type { Call } from "./call.ts";
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
type Polls = {
  clock: Clock;
  slowRepeats: boolean;
  pollers: Map<number, Poller>;
  timers: Set<NodeJS.Timeout>;
};

export function startPolling(clock: Clock, slowRepeats: boolean): Polling {
  const polls: Polls = { clock, slowRepeats, pollers: new Map(), timers: new Set() };
  return {
    getUpdates: (call) => getUpdates(polls, call),
    endByWebhook: (bot) => end(polls, pollerOf(polls, bot), "terminated by setWebhook request"),
    wake(bot) {
      const waiting = polls.pollers.get(bot.id)?.waiting;
      waiting?.answer(bot.queue.slice(0, waiting.limit).map(({ update }) => update));
    },
    close() {
      for (const poller of polls.pollers.values()) poller.waiting?.answer([]);
      for (const timer of polls.timers) clearTimeout(timer);
    },
  };
}

async function getUpdates(polls: Polls, call: Call): Promise<Update[]> {
  const { bot, args } = call;
  const poller = pollerOf(polls, bot);
  if (bot.webhook !== null) {
    return new Promise((_answer, fail) =>
      failConflict(polls, poller, { why: WEBHOOK_ACTIVE, fail }),
    );
  }
  readAllowedUpdates(call);
  end(polls, poller, OTHER_REQUEST);
  const terms = pollTerms(polls, poller, args);
  confirm(bot, args.integer("offset"), polls.clock);
  const ready = bot.queue.slice(0, terms.limit).map(({ update }) => update);
  if (ready.length > 0 || terms.timeoutS === 0) return ready;
  return waitForUpdates(polls, poller, { ...terms, signal: call.signal });
}

function waitForUpdates(
  polls: Polls,
  poller: Poller,
  terms: { limit: number; timeoutS: number; signal: AbortSignal },
): Promise<Update[]> {
  return new Promise((answer, fail) => {
    const stopTimer = after(polls, terms.timeoutS * 1000, () => finish(() => answer([])));
    const finish = (how: () => void) => {
      stopTimer();
      if (poller.waiting === waiting) poller.waiting = null;
      how();
    };
    const waiting: Waiting = {
      limit: terms.limit,
      answer: (updates) => finish(() => answer(updates)),
      fail: (error) => finish(() => fail(error)),
    };
    poller.waiting = waiting;
    // The client hung up: nobody waits any more.
    terms.signal.addEventListener("abort", () => finish(() => answer([])), { once: true });
  });
}

function pollerOf(polls: Polls, bot: Bot): Poller {
  const known = polls.pollers.get(bot.id);
  if (known !== undefined) return known;
  const poller = { waiting: null, previousOffset: null, previousStartMs: 0, nextConflictMs: 0 };
  polls.pollers.set(bot.id, poller);
  return poller;
}

function end(polls: Polls, poller: Poller, why: string): void {
  const { waiting } = poller;
  poller.waiting = null;
  if (waiting !== null) failConflict(polls, poller, { why, fail: waiting.fail });
}

/** A second conflict within three seconds is told only after three more. */
function failConflict(
  polls: Polls,
  poller: Poller,
  { why, fail }: { why: string; fail: (error: ApiError) => void },
): void {
  const error = new ApiError(409, `Conflict: ${why}`);
  const nowMs = performance.now();
  if (nowMs >= poller.nextConflictMs) {
    poller.nextConflictMs = nowMs + REPEATED_CONFLICT_DELAY_MS;
    fail(error);
  } else {
    after(polls, REPEATED_CONFLICT_DELAY_MS, () => fail(error));
  }
}

/** Polling waits in the machine's time: a connection knows no other. */
function after({ timers }: Polls, ms: number, task: () => void): () => void {
  const timer = setTimeout(() => {
    timers.delete(timer);
    task();
  }, ms);
  timers.add(timer);
  return () => {
    clearTimeout(timer);
    timers.delete(timer);
  };
}

/** The same offset again at once is taken for a client running wild, and slowed down. */
function pollTerms(
  { slowRepeats }: Polls,
  poller: Poller,
  args: Call["args"],
): { limit: number; timeoutS: number } {
  const nowMs = performance.now();
  const offset = args.integer("offset");
  const limit = args.has("limit") ? clamp(args.integer("limit"), 1, 100) : 100;
  const timeoutS = clamp(args.integer("timeout"), 0, LONGEST_POLL_S);
  const repeated = slowRepeats && offset === poller.previousOffset;
  const sinceMs = repeated ? nowMs - poller.previousStartMs : Number.POSITIVE_INFINITY;
  poller.previousOffset = offset;
  poller.previousStartMs = nowMs;
  return {
    limit: sinceMs < SAME_OFFSET_BURST_MS ? 1 : limit,
    timeoutS: sinceMs < SAME_OFFSET_HOLD_MS ? Math.max(3, timeoutS) : timeoutS,
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
export function readAllowedUpdates({ bot, args }: Pick<Call, "bot" | "args">): void {
  if (!args.has("allowed_updates") || args.text("allowed_updates") === "") return;
  const asked = args.json("allowed_updates");
  if (!Array.isArray(asked)) return;
  const known = asked.filter(isUpdateType);
  bot.allowedUpdates = known.length === 0 ? [...DEFAULT_UPDATE_TYPES] : known;
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, value));
}
