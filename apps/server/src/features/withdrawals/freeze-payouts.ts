import type { App } from "../../app.ts";
import { audit } from "../../audit/audit.store.ts";
import { tell } from "../../bot/tell.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";
import { BUTTONS, FROZEN_BY_SELLER, frozen } from "./messages.fr.ts";
import { lockSeller, raiseFreezeAlert, writeFreeze } from "./payout-profiles.store.ts";

/**
 * "Ce n'est pas moi" (decision 71): no payout is asked for, approved or sent until an operator has
 * looked at it. False when payouts were frozen already.
 */
export async function freezePayouts(app: App, sellerId: bigint): Promise<boolean> {
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
