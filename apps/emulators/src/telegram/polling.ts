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

const WEBHOOK_ACTIVE =
  "can't use getUpdates method while webhook is active; use deleteWebhook to delete " +
  "the webhook first";
const OTHER_REQUEST =
  "terminated by other getUpdates request; make sure that only one bot instance is running";

type Waiting = { answer(updates: Update[]): void; fail(error: ApiError): void; limit: number };

export function startPolling(clock: Clock): Polling {
  /** Who waits for updates, by bot. */
  const polls = new Map<number, Waiting>();
  const conflict = (why: string) => new ApiError(409, `Conflict: ${why}`);
  const wait = (bot: Bot, how: { limit: number; timeoutS: number; signal: AbortSignal }) =>
    new Promise<Update[]>((answer, fail) => {
      const finish = (answerNow: () => void) => {
        clearTimeout(timer);
        if (polls.get(bot.id) === waiting) polls.delete(bot.id);
        answerNow();
      };
      const nothing = () => finish(() => answer([]));
      // Polling waits in the machine's time: a connection knows no other.
      const timer = setTimeout(nothing, how.timeoutS * 1000);
      const waiting: Waiting = {
        limit: how.limit,
        answer: (updates) => finish(() => answer(updates)),
        fail: (error) => finish(() => fail(error)),
      };
      polls.set(bot.id, waiting);
      // The client hung up: nobody waits any more.
      how.signal.addEventListener("abort", nothing, { once: true });
    });

  return {
    async getUpdates(call) {
      const { bot, signal } = call;
      if (bot.webhook !== null) throw conflict(WEBHOOK_ACTIVE);
      readAllowedUpdates(call);
      polls.get(bot.id)?.fail(conflict(OTHER_REQUEST));
      const limit = clamp(integerOr(100)(call, "limit"), 1, 100);
      const timeoutS = clamp(integer(call, "timeout"), 0, LONGEST_POLL_S);
      confirm(bot, integer(call, "offset"), clock);
      const ready = bot.queue.slice(0, limit).map(({ update }) => update);
      return ready.length > 0 || timeoutS === 0 ? ready : wait(bot, { limit, timeoutS, signal });
    },
    endByWebhook: (bot) => polls.get(bot.id)?.fail(conflict("terminated by setWebhook request")),
    wake(bot) {
      const waiting = polls.get(bot.id);
      waiting?.answer(bot.queue.slice(0, waiting.limit).map(({ update }) => update));
    },
    close() {
      for (const waiting of polls.values()) waiting.answer([]);
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
