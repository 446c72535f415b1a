import { changeMember } from "./members.ts";
import { announceLeave } from "./service-messages.ts";
import type { ChatRecord } from "./state.ts";
import type { Town } from "./town.ts";

export function leaveChat(town: Town, chat: ChatRecord, userId: number): void {
  changeMember(town, chat, { userId, status: "left", byId: userId });
  announceLeave(town, chat, { userId, byId: userId });
}
