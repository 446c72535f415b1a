import type { Result } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { TelegramRefusal } from "../../bot/telegram-errors.ts";
import { REMOVAL_BAN_SECONDS } from "./whereabouts.ts";

type Someone = { readonly chat_id: bigint; readonly telegram_id: bigint };

/** The first half of a removal. The ban ends by itself if nobody lifts it. */
export function banForAMoment(app: App, who: Someone): Promise<Result<true, TelegramRefusal>> {
  return app.telegram.gatewayOf("seller").call("banChatMember", {
    chat_id: Number(who.chat_id),
    user_id: Number(who.telegram_id),
    until_date: Math.ceil(app.clock.now().getTime() / 1_000) + REMOVAL_BAN_SECONDS,
  });
}

/** The second half: the person may come back when somebody lets him in. */
export async function liftBan(app: App, who: Someone): Promise<void> {
  await app.telegram.gatewayOf("seller").call("unbanChatMember", {
    chat_id: Number(who.chat_id),
    user_id: Number(who.telegram_id),
    only_if_banned: true,
  });
}
