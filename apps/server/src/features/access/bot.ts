import type { App } from "../../app.ts";
import type { UpdateHandler } from "../../bot/update-desk.ts";
import { answerJoinRequest } from "./answer-request.ts";
import { answerEntryPress } from "./entries/bot.ts";
import { noteMember } from "./note-member.ts";

/** What the seller's bot does at the doors of the groups. */
export function accessUpdates(app: App): UpdateHandler {
  return async (update) => {
    if (update.chat_join_request) await answerJoinRequest(app, update.chat_join_request);
    if (update.chat_member) await noteMember(app, update.chat_member);
    if (update.callback_query) await answerEntryPress(app, update.callback_query);
  };
}
