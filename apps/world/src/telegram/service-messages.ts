import { postService } from "./messages.ts";
import type { ChatRecord } from "./state.ts";
import { type Town, userById } from "./town.ts";

/** Channels say nothing when someone comes or goes. */
export function announceJoin(
  town: Town,
  chat: ChatRecord,
  who: { userId: number; byId: number },
): void {
  if (chat.kind === "channel") return;
  const from = userById(town, who.byId);
  postService(town, chat, { from, new_chat_members: [userById(town, who.userId)] });
}

/** "X left" or "Y removed X"; channels say nothing. */
export function announceLeave(
  town: Town,
  chat: ChatRecord,
  who: { userId: number; byId: number },
): void {
  if (chat.kind === "channel") return;
  postService(town, chat, {
    from: userById(town, who.byId),
    left_chat_member: userById(town, who.userId),
  });
}
