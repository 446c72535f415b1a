import { changeMember } from "./members.ts";
import { postService } from "./messages.ts";
import type { ChatRecord } from "./state.ts";
import { type Town, userById } from "./town.ts";

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

export function leaveChat(town: Town, chat: ChatRecord, userId: number): void {
  changeMember(town, chat, { userId, status: "left", byId: userId });
  announceLeave(town, chat, { userId, byId: userId });
}
