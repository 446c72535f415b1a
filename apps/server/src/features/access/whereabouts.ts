import { ok, type Result } from "@sesame/kernel";
import type { ChatMember } from "grammy/types";
import type { App } from "../../app.ts";
import type { TelegramRefusal } from "../../bot/telegram-errors.ts";

/**
 * `removing`: banned by us for the minute a removal takes. `banned`: by the group's admins, whose
 * word stands. `unknown`: nobody of that id, which Telegram now and then says of a member too
 * (reference/telegram.md §3.6).
 */
export type Whereabouts = "inside" | "outside" | "removing" | "banned" | "unknown";

/** A removal bans for this long, so that the ban ends by itself if we cannot lift it. */
export const REMOVAL_BAN_SECONDS = 60;

/** Where a person stands in a chat now, as Telegram says. */
export async function whereIs(
  app: App,
  who: { chat_id: bigint; telegram_id: bigint },
): Promise<Result<Whereabouts, TelegramRefusal>> {
  const answer = await app.telegram.gatewayOf("seller").call("getChatMember", {
    chat_id: Number(who.chat_id),
    user_id: Number(who.telegram_id),
  });
  if (!answer.ok) {
    return answer.refusal.kind === "user-unknown" ? ok("unknown") : answer;
  }
  return ok(placeOf(answer.value, app.clock.now()));
}

/** Where somebody whom Telegram describes stands. */
export function placeOf(member: ChatMember, now: Date): Exclude<Whereabouts, "unknown"> {
  switch (member.status) {
    case "creator":
    case "administrator":
    case "member":
      return "inside";
    case "restricted":
      return member.is_member ? "inside" : "outside";
    case "left":
      return "outside";
    case "kicked":
      return isRemoval(member.until_date, now) ? "removing" : "banned";
  }
}

export function isAdministrator(member: ChatMember): boolean {
  return member.status === "creator" || member.status === "administrator";
}

/** Admins ban for ever or for long; only a removal of ours ends within the minute. */
function isRemoval(untilDate: number, now: Date): boolean {
  const leftSeconds = untilDate - now.getTime() / 1_000;
  return untilDate > 0 && leftSeconds <= REMOVAL_BAN_SECONDS + 5;
}

/** The chat has moved or shut us out: nothing in it can be done now. */
export function isAboutChat(refusal: TelegramRefusal): boolean {
  return refusal.kind === "migrated" || refusal.kind === "chat-gone";
}
