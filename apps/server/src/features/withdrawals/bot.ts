import type { App } from "../../app.ts";
import type { UpdateHandler } from "../../bot/update-desk.ts";
import { FREEZE_ANSWERS } from "./messages.fr.ts";
import { viewSellerOfTelegram } from "./automatic.view.ts";
import { FREEZE_CALLBACK } from "./configure-payouts.ts";
import { freezePayouts } from "./freeze-payouts.ts";

/**
 * "Ce n'est pas moi" under the message of a changed number (decision 71). The payouts frozen are
 * those of who presses: a message passed on freezes nobody else's.
 */
export function withdrawalsUpdates(app: App): UpdateHandler {
  return async ({ callback_query: query }) => {
    if (query?.data !== FREEZE_CALLBACK) return;
    const sellerId = await viewSellerOfTelegram(app.db, BigInt(query.from.id));
    if (sellerId === null) return;
    const done = await freezePayouts(app, sellerId);
    const text = done ? FREEZE_ANSWERS.frozen : FREEZE_ANSWERS.already;
    // Telegram forgets an old press: the bot's message says it all the same.
    await app.telegram.gatewayOf("seller").call("answerCallbackQuery", {
      callback_query_id: query.id,
      text,
      show_alert: true,
    });
  };
}
