import type { Result } from "@sesame/kernel";
import type { TelegramRefusal } from "../../bot/telegram-errors.ts";
import type { AccessDeps } from "./deps.ts";
import { REMOVAL_BAN_SECONDS } from "./whereabouts.ts";

type Deps = Pick<AccessDeps, "telegram" | "clock">;
type Someone = { readonly chat_id: bigint; readonly telegram_id: bigint };

/** The first half of a removal. The ban ends by itself if nobody lifts it. */
export function banForAMoment(deps: Deps, who: Someone): Promise<Result<true, TelegramRefusal>> {
  return deps.telegram.gatewayOf("seller").call("banChatMember", {
    chat_id: Number(who.chat_id),
    user_id: Number(who.telegram_id),
    until_date: Math.ceil(deps.clock.now().getTime() / 1_000) + REMOVAL_BAN_SECONDS,
  });
}

/** The second half: the person may come back when somebody lets him in. */
export async function liftBan(deps: Deps, who: Someone): Promise<void> {
  await deps.telegram.gatewayOf("seller").call("unbanChatMember", {
    chat_id: Number(who.chat_id),
    user_id: Number(who.telegram_id),
    only_if_banned: true,
  });
}
