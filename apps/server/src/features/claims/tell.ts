import type { App } from "../../app.ts";
import type { Html } from "../../bot/html.ts";
import { listStaffInTouch } from "../../bot/staff.ts";
import { type Telling, tell } from "../../bot/tell.ts";
import type { Db } from "../../postgres/database.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";
import { BUTTONS, forOperator, type OperatorWhy, severalForOperator } from "./messages.fr.ts";
import type { LockedClaim } from "./claim.store.ts";

type Parties = Pick<LockedClaim, "id" | "order_id" | "buyer_id" | "seller_id" | "order_kind">;

/** A plan's buyer is a seller: he is told by the sellers' bot. */
export function toBuyer({ appButton }: App, claim: Parties, text: Html): Telling {
  const buttons = [appButton(BUTTONS.see, `/commande/${claim.order_id}`)];
  const bot = claim.order_kind === "plan" ? "seller" : "buyer";
  return { bot, personId: claim.buyer_id, message: { text, buttons } };
}

export function toSeller({ appButton }: App, claim: Parties, text: Html): Telling[] {
  if (claim.seller_id === null) return [];
  const buttons = [appButton(BUTTONS.see, `/reclamations/${claim.id}`)];
  return [{ bot: "seller", personId: claim.seller_id, message: { text, buttons } }];
}

/** To every operator in touch: a claim has become theirs. */
export async function toOperators(
  app: App,
  tx: Db,
  { claim, why, words }: { claim: LockedClaim; why: OperatorWhy; words: string | null },
): Promise<Telling[]> {
  const operators = await listStaffInTouch(tx, app.config.operatorTelegramIds);
  const text = forOperator(claim, why, words);
  const buttons = [app.appButton(BUTTONS.see, `/bureau/reclamations/${claim.id}`)];
  return operators.map(({ id: personId }) => ({
    bot: "seller",
    personId,
    message: { text, buttons },
  }));
}

/** To every operator in touch: several claims at once. */
export async function severalToOperators(app: App, tx: Db, count: number): Promise<Telling[]> {
  const operators = await listStaffInTouch(tx, app.config.operatorTelegramIds);
  const buttons = [app.appButton(BUTTONS.seeAll, "/bureau/reclamations")];
  const message = { text: severalForOperator(count), buttons };
  return operators.map(({ id: personId }) => ({ bot: "seller", personId, message }));
}

/** Messages, and screens that look again. */
export async function announce(
  tx: Db,
  claim: Parties & Pick<LockedClaim, "order_status">,
  { tellings, now }: { tellings: readonly Telling[]; now: Date },
): Promise<void> {
  await tell(tx, tellings, now);
  const { id, order_id: orderId, buyer_id: buyerId, seller_id: sellerId } = claim;
  const parties = [`person:${buyerId}`, ...(sellerId === null ? [] : [`person:${sellerId}`])];
  const changed = { id: String(id), order_id: String(orderId) };
  const order = { id: String(orderId), status: claim.order_status };
  await publish(tx, [
    { room: parties, name: "claim:changed", body: changed },
    { room: [`person:${buyerId}`, `order:${orderId}`], name: "payment:status", body: order },
    deskChanged("claim", id),
  ]);
}
