import { addMs, type Clock, DAY_MS } from "@sesame/kernel";
import type { Scheduler } from "../scheduler.ts";
import type { UpdateDelivery } from "../wire.ts";
import type { NewUpdate, Update } from "./bot-api.ts";
import type { Bot, QueuedUpdate } from "./state.ts";

/** Makes, filters and numbers updates, and queues them for each bot. */
export type UpdateStream = {
  add(bot: Bot, update: NewUpdate): void;
  /** Calls back for each queued update. */
  onUpdate(listener: (bot: Bot, update: Update) => void): () => void;
  readonly delivery: UpdateDelivery;
};

/** A swap waits for its neighbour no longer than this. */
const SWAP_PATIENCE_MS = 2_000;

export const NORMAL_DELIVERY: UpdateDelivery = {
  delayMs: 0,
  copies: 1,
  reorder: false,
  drop: false,
};

export function startUpdates(
  clock: Clock,
  scheduler: Scheduler,
  changed: () => void,
): UpdateStream {
  const listeners = new Set<(bot: Bot, update: Update) => void>();
  const delivery: UpdateDelivery = { ...NORMAL_DELIVERY };
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
    add(bot, update) {
      remember(bot, update);
      // The filter of allowed_updates applies when the update is made, not when it is fetched.
      if (!bot.allowedUpdates.includes(update.type) || delivery.drop) return;
      if (delivery.delayMs > 0) {
        scheduler.at(clock.now().getTime() + delivery.delayMs, () => pass(bot, update));
      } else {
        pass(bot, update);
      }
    },
    onUpdate(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Forgets the updates nobody fetched within a day. */
export function dropExpired(bot: Bot, nowMs: number): void {
  if (bot.queue.some((queued) => queued.expiresAtMs <= nowMs)) {
    bot.queue = bot.queue.filter((queued) => queued.expiresAtMs > nowMs);
  }
}

/** Remembers whom a bot has met: Telegram answers it only about them. */
function remember(bot: Bot, update: NewUpdate): void {
  const { content } = update;
  if ("from" in content && content.from !== undefined) bot.met.add(content.from.id);
  if ("chat" in content && content.chat !== undefined) bot.met.add(content.chat.id);
  if ("new_chat_member" in content) bot.met.add(content.new_chat_member.user.id);
}
