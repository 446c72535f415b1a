import type { ChatView, WorldState } from "../../wire.ts";

export type StepId = "group" | "product" | "payment" | "access" | "end";

export const STEP_IDS: StepId[] = ["group", "product", "payment", "access", "end"];

const sellerBotAdministers = (chat: ChatView, botIds: number[]) =>
  chat.members.some(
    (m) => botIds.includes(m.userId) && m.status === "administrator" && m.rights.length > 0,
  );

const hasGuest = (chat: ChatView) =>
  chat.members.some((m) => !m.isBot && (m.status === "member" || m.status === "restricted"));

/** Someone came by an invite link and is no longer inside. */
function someoneLeft(chat: ChatView): boolean {
  const joined = chat.inviteLinks.reduce((sum, link) => sum + link.joined, 0);
  const guests = chat.members.filter((m) => !m.isBot && m.status === "member").length;
  return joined > guests;
}

/** How far the sale has gone, read off the world: what the server did must show outside. */
export function storySteps(world: WorldState): Record<StepId, boolean> {
  const botIds = world.bots.map((bot) => bot.id);
  const linked = world.chats.filter(
    (chat) => chat.kind !== "group" && sellerBotAdministers(chat, botIds),
  );
  const paid = world.payments.some((payment) => payment.status === "success");
  const entered = linked.some(
    (chat) => hasGuest(chat) || chat.inviteLinks.some((link) => link.joined > 0),
  );
  return {
    group: linked.length > 0,
    product: world.payments.length > 0,
    payment: paid,
    access: paid && entered,
    end: paid && linked.some(someoneLeft),
  };
}
