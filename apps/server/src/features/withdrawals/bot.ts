import type { App } from "../../app.ts";
import { audit } from "../../audit/audit.store.ts";
import { tell } from "../../bot/message.ts";
import type { UpdateHandler } from "../../bot/update-desk.ts";
import { maybe } from "../../postgres/database.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";
import { BUTTONS, FREEZE_ANSWERS, FROZEN_BY_SELLER, frozen } from "./messages.fr.ts";
import { FREEZE_CALLBACK, freezePayouts } from "./settings.ts";
import { raiseAlert } from "../../alerts/alerts.ts";
import { withLockedSeller } from "./request.ts";

/**
 * "Ce n'est pas moi" under the message of a changed number (decision 71). The payouts frozen are
 * those of who presses: a message passed on freezes nobody else's.
 */
export function withdrawalsUpdates(app: App): UpdateHandler {
  return async ({ callback_query: query }) => {
    if (query?.data !== FREEZE_CALLBACK) return;
    const seller = await maybe<{ id: bigint }>(app.db)`
      SELECT s.id FROM sellers s JOIN people p ON p.id = s.id
      WHERE p.telegram_id = ${BigInt(query.from.id)}
    `;
    if (seller === null) return;
    const sellerId = seller.id;
    const done = await withLockedSeller(app, sellerId, async ({ tx, now }) => {
      const freeze = { by: "seller", reason: FROZEN_BY_SELLER, reviewAt: null } as const;
      if (!(await freezePayouts(tx, sellerId, freeze, now))) return false;
      const subject = `seller:${sellerId}`;
      const details = { seller_id: Number(sellerId) };
      await raiseAlert(tx, { kind: "payouts.frozen-by-seller", subject, details, now });
      await publish(tx, [deskChanged("seller", sellerId)]);
      const buttons = [app.appButton(BUTTONS.history, "/HistoriqueRetraits")];
      const message = { text: frozen(), buttons };
      await tell(tx, [{ bot: "seller", personId: sellerId, message }], now);
      const actor = { personId: sellerId, role: "seller" } as const;
      const deed = { actor, action: "payouts.freeze", subject };
      await audit(tx, { ...deed, after: { frozen_by: "seller" }, reason: FROZEN_BY_SELLER }, now);
      return true;
    });
    const text = done ? FREEZE_ANSWERS.frozen : FREEZE_ANSWERS.already;
    // Telegram forgets an old press: the bot's message says it all the same.
    await app.telegram.gatewayOf("seller").call("answerCallbackQuery", {
      callback_query_id: query.id,
      text,
      show_alert: true,
    });
  };
}
