import { nameProvider, type OrderStatus } from "@sesame/contract/checkout";
import type { RefundLane } from "@sesame/contract/refunds";
import type { App } from "../../app.ts";
import type { Html } from "../../bot/html.ts";
import { type Telling, tell } from "../../bot/tell.ts";
import type { Db } from "../../postgres/database.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";
import { BUTTONS, type Way } from "./messages.fr.ts";

export function wayOf(lane: RefundLane, provider: string): Way {
  return lane === "provider" || lane === "returned"
    ? { lane, providerName: nameProvider(provider) }
    : { lane };
}

type Said = {
  readonly orderId: bigint;
  readonly personId: bigint;
  /** A plan's buyer is a seller: he is told by the sellers' bot. */
  readonly isPlan: boolean;
  readonly lane: RefundLane;
  readonly text: Html;
};

/** To whoever bought, with the way to his order. */
export function toBuyer({ appButton }: App, said: Said): Telling {
  const byHand = said.lane === "desk" || said.lane === "seller";
  const button = byHand ? BUTTONS.number : BUTTONS.order;
  const buttons = [appButton(button, `/commande/${said.orderId}`)];
  const message = { text: said.text, buttons };
  return { bot: said.isPlan ? "seller" : "buyer", personId: said.personId, message };
}

export function toSeller({ appButton }: App, sellerId: bigint, text: Html): Telling {
  const buttons = [appButton(BUTTONS.sales, "/transactions/history")];
  return { bot: "seller", personId: sellerId, message: { text, buttons } };
}

type Changed = {
  readonly refundId: bigint;
  readonly orderId: bigint;
  readonly status: OrderStatus;
  readonly persons: readonly (bigint | null)[];
};

/** Says what was decided: messages, and screens that look again. */
export async function announce(
  tx: Db,
  { refundId, orderId, status, persons }: Changed,
  { tellings, now }: { tellings: readonly Telling[]; now: Date },
): Promise<void> {
  await tell(tx, tellings, now);
  const body = { id: String(orderId), status };
  const rooms = persons.flatMap((id) => (id === null ? [] : [`person:${id}`]));
  await publish(tx, [
    { room: [...rooms, `order:${orderId}`], name: "payment:status", body },
    deskChanged("refund", refundId),
  ]);
}
