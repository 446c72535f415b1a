import type { UpdateHandler } from "../../bot/update-desk.ts";
import { answerJoinRequest } from "./answer-request.ts";
import type { AccessDeps } from "./deps.ts";
import { answerEntryPress } from "./entries/bot.ts";
import { noteMember } from "./note-member.ts";

/** What the seller's bot does at the doors of the groups. */
export function accessUpdates(deps: AccessDeps): UpdateHandler {
  return async (update) => {
    if (update.chat_join_request) await answerJoinRequest(deps, update.chat_join_request);
    if (update.chat_member) await noteMember(deps, update.chat_member);
    if (update.callback_query) await answerEntryPress(deps, update.callback_query);
  };
}
