import type { Db } from "../../postgres/database.ts";
import { givenBack } from "./bot-texts.fr.ts";
import type { RefundsDeps } from "./needs.ts";
import { postGivenBack } from "./refund-money.store.ts";
import { calmAlert, type Done, type LockedRefund, markDone } from "./refund.store.ts";
import { announce, toBuyer } from "./tell.ts";

/** The buyer has his money. The refund is locked, and was not done. */
export async function finishRefund(
  deps: RefundsDeps,
  tx: Db,
  { refund, done }: { refund: LockedRefund; done: Done },
): Promise<void> {
  const now = deps.clock.now();
  const { id, amount, direct, lane, method, phone, claim_id: claimId } = refund;
  if (!direct) {
    const from =
      lane === "desk" ? (`float:${method}` as const) : (`provider:${refund.provider}` as const);
    await postGivenBack(tx, { id, amount, from, now });
  }
  await markDone(tx, id, { ...done, now });
  await calmAlert(tx, { kind: "refund.delayed", subject: `refund:${id}` }, now);
  if (refund.kind === "surplus") {
    const subject = `payment:${refund.payment_id}`;
    await calmAlert(tx, { kind: "payment.surplus", subject }, now);
  }
  if (claimId !== null) await deps.claims.noteGivenBackIn(tx, claimId, now);
  const to = method !== null && phone !== null ? { method, phone } : null;
  const text = givenBack(refund, { to, reference: done.reference });
  const { order_id: orderId, buyer_id: personId, seller_id: sellerId } = refund;
  const isPlan = refund.order_kind === "plan";
  // Nothing is asked of him any more: the button only shows.
  const tellings = [toBuyer(deps, { orderId, personId, isPlan, lane: "provider", text })];
  const { order_status: status } = refund;
  const changed = { refundId: id, orderId, status, persons: [personId, sellerId] };
  await announce(tx, changed, { tellings, now });
}
