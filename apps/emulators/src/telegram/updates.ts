import { addMs, type Clock, DAY_MS } from "@sesame/kernel";
import type { Scheduler } from "../scheduler.ts";
import { NORMAL_DELIVERY } from "../wire.ts";
import type { Update } from "grammy/types";
import {
  ApiError,
  badRequest,
  type Bot,
  DEFAULT_UPDATE_TYPES,
  isUpdateType,
  type NewUpdate,
  type QueuedUpdate,
  type Webhook,
} from "./state.ts";
import { type Call, integer, integerOr, json, text } from "./call.ts";
import { isLocalAddress } from "./sending.ts";

/** Makes, filters and numbers updates, and queues them for each bot. */
export type UpdateStream = ReturnType<typeof startUpdates>;

/** A swap waits for its neighbour no longer than this. */
const SWAP_PATIENCE_MS = 2_000;

export function startUpdates(clock: Clock, scheduler: Scheduler, changed: () => void) {
  const listeners = new Set<(bot: Bot, update: Update) => void>();
  const delivery = { ...NORMAL_DELIVERY };
  /** The update that lets the next one pass first, by bot. */
  const swapped = new Map<number, NewUpdate>();

  const enqueue = (bot: Bot, update: NewUpdate) => {
    const numbered: Update = { update_id: bot.nextUpdateId++, [update.type]: update.content };
    const queued: QueuedUpdate = {
      update: numbered,
      // Telegram keeps an update for a day.
      expiresAtMs: addMs(clock.now(), DAY_MS).getTime(),
    };
    for (let copy = 0; copy < Math.max(1, delivery.copies); copy++) bot.queue.push({ ...queued });
    changed();
    for (const listener of listeners) listener(bot, numbered);
  };
  const release = (bot: Bot) => {
    const held = swapped.get(bot.id);
    swapped.delete(bot.id);
    if (held !== undefined) enqueue(bot, held);
  };
  const pass = (bot: Bot, update: NewUpdate) => {
    if (delivery.reorder && !swapped.has(bot.id)) {
      swapped.set(bot.id, update);
      scheduler.at(clock.now().getTime() + SWAP_PATIENCE_MS, () => release(bot));
      return;
    }
    enqueue(bot, update);
    release(bot);
  };

  return {
    delivery,
    add(bot: Bot, update: NewUpdate) {
      remember(bot, update);
      // The filter of allowed_updates applies when the update is made, not when it is fetched.
      if (!bot.allowedUpdates.includes(update.type) || delivery.drop) return;
      if (delivery.delayMs > 0) {
        scheduler.at(clock.now().getTime() + delivery.delayMs, () => pass(bot, update));
      } else {
        pass(bot, update);
      }
    },
    /** Calls back for each queued update. */
    onUpdate(listener: (bot: Bot, update: Update) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Remembers whom a bot has met: Telegram answers it only about them. */
function remember(bot: Bot, update: NewUpdate): void {
  const { content } = update;
  if ("from" in content && content.from !== undefined) bot.met.add(content.from.id);
  if ("chat" in content && content.chat !== undefined) bot.met.add(content.chat.id);
  if ("new_chat_member" in content) bot.met.add(content.new_chat_member.user.id);
}

/** Long polling, with Telegram's rules. */
export type Polling = ReturnType<typeof startPolling>;

const LONGEST_POLL_S = 50;

const WEBHOOK_ACTIVE =
  "can't use getUpdates method while webhook is active; use deleteWebhook to delete " +
  "the webhook first";
const OTHER_REQUEST =
  "terminated by other getUpdates request; make sure that only one bot instance is running";

type Waiting = { answer(updates: Update[]): void; fail(error: ApiError): void; limit: number };

export function startPolling(clock: Clock) {
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
    async getUpdates(call: Call): Promise<Update[]> {
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
    /** A webhook is being set: whoever polls is sent away. */
    endByWebhook: (bot: Bot) =>
      polls.get(bot.id)?.fail(conflict("terminated by setWebhook request")),
    wake(bot: Bot) {
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
  // Forgets the updates that nobody fetched within a day.
  const nowMs = clock.now().getTime();
  bot.queue = bot.queue.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  if (offset < 0) bot.queue = bot.queue.slice(offset);
  // An offset far ahead of what was ever sent confirms nothing: it belongs to another numbering.
  if (offset > 0 && offset <= bot.nextUpdateId) {
    bot.queue = bot.queue.filter(({ update }) => update.update_id >= offset);
  }
}

/** An empty list means the default set; a list left out keeps what was set before. */
function readAllowedUpdates(call: Call): void {
  const asked = json(call, "allowed_updates");
  if (!Array.isArray(asked)) return;
  const known = asked.filter(isUpdateType);
  call.bot.allowedUpdates = known.length === 0 ? [...DEFAULT_UPDATE_TYPES] : known;
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, value));
}

const PORTS = ["", "443", "80", "88", "8443"];

/**
 * The webhook that a call sets, by the real rules; more than one a second is too many. Nothing is
 * sent to it: in front of emulators the app polls.
 */
export function readWebhook(call: Call): Webhook {
  const { emulated, bot } = call;
  const setAtMs = emulated.clock.now().getTime();
  const sinceMs = setAtMs - (bot.webhook?.setAtMs ?? Number.NEGATIVE_INFINITY);
  if (sinceMs >= 0 && sinceMs < 1_000) {
    throw new ApiError(429, "Too Many Requests: retry after 1", { retry_after: 1 });
  }
  const address = text(call, "url");
  const bad = (reason: string) => badRequest(`bad webhook: ${reason}`);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) throw bad("invalid URL specified");
  const local = isLocalAddress(url.hostname);
  if (!local || !emulated.settings.allowLocalAddresses) {
    if (url.protocol !== "https:") throw bad("An HTTPS URL must be provided for webhook");
    if (!PORTS.includes(url.port)) {
      throw bad("Webhook can be set up only on ports 80, 88, 443 or 8443");
    }
    if (local) throw bad("IP address 127.0.0.1 is reserved");
  }
  const secret = text(call, "secret_token");
  if (secret.length > 256) throw badRequest("secret token is too long");
  if (!/^[\w-]*$/.test(secret)) throw badRequest("secret token contains unallowed characters");
  readAllowedUpdates(call);
  return { setAtMs };
}
