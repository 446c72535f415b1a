import type { ChatView, WorldState } from "../../wire.ts";

export type StepId = "group" | "product" | "payment" | "access" | "money" | "end";

export const STEP_IDS: StepId[] = ["group", "product", "payment", "access", "money", "end"];

const sellerBotAdministers = (chat: ChatView, botIds: number[]) =>
  chat.members.some(
    (m) => botIds.includes(m.userId) && m.status === "administrator" && m.rights.length > 0,
  );

const guests = (chat: ChatView) =>
  chat.members.filter((m) => !m.isBot && (m.status === "member" || m.status === "restricted"))
    .length;

/** A link made for one order is revoked once it let its payer in. */
const usedLinks = (chat: ChatView, botIds: number[]) =>
  chat.inviteLinks.filter((link) => botIds.includes(link.createdBy) && link.isRevoked).length;

/** How far the sale has gone, read off the world: what the server did must show outside. */
export function storySteps(world: WorldState): Record<StepId, boolean> {
  const botIds = world.bots.map((bot) => bot.id);
  const linked = world.chats.filter(
    (chat) => chat.kind !== "group" && sellerBotAdministers(chat, botIds),
  );
  const collected = world.collectors.flatMap(({ payments }) => payments);
  const paid = collected.some(({ status }) => status === "paid" || status === "refunded");
  const entered = linked.some((chat) => guests(chat) + usedLinks(chat, botIds) > 0);
  const someoneLeft = linked.some((chat) => usedLinks(chat, botIds) > guests(chat));
  return {
    group: linked.length > 0,
    product: collected.length > 0,
    payment: paid,
    access: paid && entered,
    money: world.sms.some((sms) => sms.kind === "received"),
    end: paid && someoneLeft,
  };
}
