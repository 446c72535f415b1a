import { readProviderFee, type RefundsRefusal } from "@sesame/contract/refunds";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import { tell } from "../../bot/tell.ts";
import type { Principal } from "../../http/principal.ts";
import type { Db } from "../../postgres/database.ts";
import { stopSending } from "./messages.fr.ts";
import { type ChosenLane, handLaneOf } from "./choose-lane.ts";
import { finishRefund } from "./finish-refund.ts";
import { forbidFee, forbidReturned } from "./judge-hand.ts";
import { findPayment } from "./order.view.ts";
import { postProviderFee } from "./refund-money.store.ts";
import { changeLane, lockRefund, writeProviderFee } from "./refund.store.ts";
import { findRefund } from "./refund.view.ts";
import { toSeller } from "./tell.ts";

type Outcome = Promise<Result<null, RefundsRefusal>>;

/** What its provider says now of the payment of a refund that waits for a hand; null: it waits no more. */
export async function askLane(app: App, id: bigint): Promise<ChosenLane["lane"] | null> {
  const refund = await findRefund(app.db, id);
  if (!refund || refund.status === "done") return null;
  const payment = await findPayment(app.db, refund.payment_id);
  return payment && handLaneOf(app, payment);
}

/** The buyer has the money of a refund that waits for a hand: nobody sends it again. */
export async function returnedIn(
  app: App,
  tx: Db,
  asked: {
    readonly id: bigint;
    readonly caller: Principal;
    readonly lane: ChosenLane["lane"] | null;
  },
): Outcome {
  const { id, caller, lane } = asked;
  const refund = await lockRefund(tx, id);
  if (!refund) return refuse({ kind: "refunds.refund-not-found" });
  const now = app.clock.now();
  const forbidden = forbidReturned(refund, caller, now);
  if (forbidden) return refuse(forbidden);
  if (lane === "partly") return refuse({ kind: "refunds.partly-returned" });
  // An operator decided about it: his word counts where its provider has none.
  const isSaid = lane === "unclear" && refund.decided_as === "given-back";
  if (lane !== "returned" && !isSaid) return refuse({ kind: "refunds.not-returned" });
  await changeLane(tx, id, "returned");
  const done = { reference: null, by: caller.personId };
  await finishRefund(app, tx, { refund: { ...refund, lane: "returned" }, done });
  if (refund.lane === "seller" && refund.seller_id !== null) {
    await tell(tx, [toSeller(app, refund.seller_id, stopSending(refund))], now);
  }
  const deed = { action: "refund.returned", subject: `refund:${id}` };
  const before = { lane: refund.lane, status: refund.status };
  await audit(tx, { ...deed, actor: actorOf(caller), before }, now);
  return ok(null);
}

/** What the provider kept for a payment that was taken back: the platform's loss, noted once. */
export async function noteFeeIn(
  app: App,
  tx: Db,
  asked: { readonly id: bigint; readonly caller: Principal; readonly fee: unknown },
): Outcome {
  const { id, caller } = asked;
  const refund = await lockRefund(tx, id);
  if (!refund) return refuse({ kind: "refunds.refund-not-found" });
  const forbidden = forbidFee(refund, caller);
  if (forbidden) return refuse(forbidden);
  const fee = readProviderFee(asked.fee);
  if (!fee.ok) return fee;
  const now = app.clock.now();
  await writeProviderFee(tx, id, fee.value);
  await postProviderFee(tx, { id, provider: refund.provider, fee: fee.value, now });
  const deed = { action: "refund.fee", subject: `refund:${id}` };
  await audit(tx, { ...deed, actor: actorOf(caller), after: { fee: fee.value } }, now);
  return ok(null);
}
