import { nameProvider } from "@sesame/contract/checkout";
import { assert } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { Telling } from "../../bot/tell.ts";
import type { Db } from "../../postgres/database.ts";
import { noteGivenBackIn } from "../claims/index.ts";
import { givenBack, returnedThere } from "./messages.fr.ts";
import { postGivenBack, postMismatchReturned } from "./refund-money.store.ts";
import { calmAlert, type Done, type LockedRefund, lockRefund, markDone } from "./refund.store.ts";
import { announce, toBuyer } from "./tell.ts";

/**
 * The buyer has his money. The refund is locked, and was not done; `isSaid`: he hears of it in other
 * words.
 */
export async function finishRefund(
  app: App,
  tx: Db,
  { refund, done, isSaid = false }: { refund: LockedRefund; done: Done; isSaid?: boolean },
): Promise<void> {
  const now = app.clock.now();
  const { id, amount, direct, lane, method, phone, claim_id: claimId } = refund;
  if (!direct) {
    const from =
      lane === "desk" ? (`float:${method}` as const) : (`provider:${refund.provider}` as const);
    await postGivenBack(tx, { id, amount, from, now });
    if (lane === "returned" && refund.decided_as === "honoured") {
      const { provider, received_more: more } = refund;
      await postMismatchReturned(tx, { id, provider, more, now });
    }
  }
  await markDone(tx, id, { ...done, now });
  await calmAlert(tx, { kind: "refund.delayed", subject: `refund:${id}` }, now);
  const subject = `payment:${refund.payment_id}`;
  if (refund.kind === "surplus") await calmAlert(tx, { kind: "payment.surplus", subject }, now);
  // Sent by a hand, it may have been paid twice: the operator must still look.
  if (lane === "provider" || lane === "returned") {
    await calmAlert(tx, { kind: "payment.refunded-there", subject }, now);
  }
  if (claimId !== null) await noteGivenBackIn(tx, claimId, now);
  const { order_id: orderId, buyer_id: personId, seller_id: sellerId } = refund;
  const tellings: Telling[] = [];
  if (!isSaid) {
    const to = method !== null && phone !== null ? { method, phone } : null;
    const text =
      lane === "returned"
        ? returnedThere(refund, nameProvider(refund.provider))
        : givenBack(refund, { to, reference: done.reference, lane });
    const isPlan = refund.order_kind === "plan";
    // Nothing is asked of him any more: the button only shows.
    tellings.push(toBuyer(app, { orderId, personId, isPlan, lane: "provider", text }));
  }
  const { order_status: status } = refund;
  const changed = { refundId: id, orderId, status, persons: [personId, sellerId] };
  await announce(tx, changed, { tellings, now });
}

/** One that begins over: its provider had returned the money, and whoever began it says so. */
export async function finishReturned(app: App, tx: Db, id: bigint): Promise<void> {
  const refund = await lockRefund(tx, id);
  assert(refund, "a refund that was written is there");
  await finishRefund(app, tx, { refund, done: { reference: null, by: null }, isSaid: true });
}
