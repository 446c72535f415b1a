import type { Message } from "grammy/types";
import { telegramIdOf } from "../../../bot/people.store.ts";
import { findClaim } from "../claim.store.ts";
import type { GroupsDeps } from "../deps.ts";
import { groupByChat } from "../group.view.ts";
import { linkIfProven } from "./link-pending.ts";

/**
 * `/start@bot v12_…` comes into a group with the seller's own add link: it names the seller where
 * the one who added the bot acts anonymously (decision 81). It is a hint like any other: who taps
 * another person's link would give them the group, so Telegram is asked about the seller it names.
 */
export async function linkByPayload(deps: GroupsDeps, message: Message): Promise<void> {
  const payload = /^\/start(?:@\w+)?\s+(\S+)$/.exec(message.text ?? "")?.[1];
  const sellerId = payload ? deps.payloads.sellerOf(payload) : null;
  if (sellerId === null) return;
  const chatId = BigInt(message.chat.id);
  const claim = await findClaim(deps.db, chatId);
  if (!claim || (await groupByChat(deps.db, chatId))) return;
  const telegramId = await telegramIdOf(deps.db, sellerId);
  const anonymous = message.sender_chat?.id === message.chat.id;
  if (telegramId === null || !(anonymous || BigInt(message.from?.id ?? 0) === telegramId)) return;
  await linkIfProven(deps, claim, { sellerId, telegramId });
}
