import type { App } from "../../app.ts";
import { audit } from "../../audit/audit.store.ts";
import { tell } from "../../bot/tell.ts";
import type { UpdateHandler } from "../../bot/update-desk.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";
import { BUTTONS, FREEZE_ANSWERS, FROZEN_BY_SELLER, frozen } from "./messages.fr.ts";
import { viewSellerOfTelegram } from "./automatic.view.ts";
import { FREEZE_CALLBACK } from "./configure-payouts.ts";
import { lockSeller, raiseFreezeAlert, writeFreeze } from "./payout-profiles.store.ts";

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

/**
 * No payout is asked for, approved or sent until an operator has looked at it. False when payouts
 * were frozen already.
 */
async function freezePayouts(app: App, sellerId: bigint): Promise<boolean> {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx) => {
    await lockSeller(tx, sellerId);
    const done = await writeFreeze(tx, sellerId, { by: "seller", reason: FROZEN_BY_SELLER, now });
    if (!done) return false;
    await raiseFreezeAlert(tx, { sellerId, now });
    await publish(tx, [deskChanged("alert", sellerId), deskChanged("seller", sellerId)]);
    const buttons = [app.appButton(BUTTONS.history, "/HistoriqueRetraits")];
    const message = { text: frozen(), buttons };
    await tell(tx, [{ bot: "seller", personId: sellerId, message }], now);
    const actor = { personId: sellerId, role: "seller" } as const;
    const deed = { actor, action: "payouts.freeze", subject: `seller:${sellerId}` };
    await audit(tx, { ...deed, after: { frozen_by: "seller" }, reason: FROZEN_BY_SELLER }, now);
    return true;
  });
}
