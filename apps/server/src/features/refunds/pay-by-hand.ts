import {
  CLAIM_MS,
  type DeskRefusal,
  readOperatorReference,
  readReason,
} from "@sesame/contract/desk";
import type { RefundsRefusal } from "@sesame/contract/refunds";
import { maskPhone } from "@sesame/contract/withdrawals";
import { addMs, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import type { Principal } from "../../http/principal.ts";
import type { Db } from "../../postgres/database.ts";
import { numberRefused } from "./messages.fr.ts";
import type { ChosenLane } from "./choose-lane.ts";
import { finishRefund } from "./finish-refund.ts";
import { forbidHand } from "./judge-hand.ts";
import {
  isReferenceUsed,
  type LockedRefund,
  lockRefund,
  refuseNumber,
  writeTaken,
} from "./refund.store.ts";
import { announce, toBuyer } from "./tell.ts";

export type HandRefusal = RefundsRefusal | DeskRefusal;

type Hand = { readonly id: bigint; readonly caller: Principal };
type Outcome = Promise<Result<null, HandRefusal>>;

/** The refund under its lock, for an agent who may act on it now. */
async function open(
  app: App,
  tx: Db,
  { id, caller }: Hand,
): Promise<Result<LockedRefund, RefundsRefusal>> {
  const refund = await lockRefund(tx, id);
  if (!refund) return refuse({ kind: "refunds.refund-not-found" });
  const forbidden = forbidHand(refund, caller.personId, app.clock.now());
  return forbidden ? refuse(forbidden) : ok(refund);
}

/** The number may be erased one day, the log never (decision 101). */
const masked = (phone: string | null) => phone && maskPhone(phone);

/**
 * An agent says that he sends it: for a quarter of an hour nobody else does. `lane`: what the provider
 * said just now, since a bank may have returned the money while the number was awaited.
 */
export async function takeIn(
  app: App,
  tx: Db,
  hand: Hand & { readonly lane: ChosenLane["lane"] | null },
): Outcome {
  const refund = await open(app, tx, hand);
  if (!refund.ok) return refund;
  if (hand.lane === "partly") return refuse({ kind: "refunds.partly-returned" });
  if (hand.lane === "unclear") return refuse({ kind: "refunds.unclear-there" });
  if (hand.lane === "returned") return refuse({ kind: "refunds.returned-there" });
  const now = app.clock.now();
  const { caller, id } = hand;
  await writeTaken(tx, { id, by: caller.personId, until: addMs(now, CLAIM_MS) });
  await tellScreens(tx, refund.value, { tellings: [], now });
  const deed = { action: "refund.take", subject: `refund:${id}` };
  await audit(tx, { ...deed, actor: actorOf(caller) }, now);
  return ok(null);
}

/** An agent has sent it: the operator's reference proves it, once. */
export async function paidIn(
  app: App,
  tx: Db,
  paid: Hand & { readonly reference: unknown },
): Outcome {
  const refund = await open(app, tx, paid);
  if (!refund.ok) return refund;
  const reference = readOperatorReference(paid.reference);
  if (!reference.ok) return reference;
  if (await isReferenceUsed(tx, reference.value)) return refuse({ kind: "refunds.reference-used" });
  const { caller, id } = paid;
  const done = { reference: reference.value, by: caller.personId };
  await finishRefund(app, tx, { refund: refund.value, done });
  const now = app.clock.now();
  const { amount, method, phone } = refund.value;
  const deed = { action: "refund.paid", subject: `refund:${id}` };
  const after = { amount, method, phone: masked(phone), reference: reference.value };
  await audit(tx, { ...deed, actor: actorOf(caller), after }, now);
  return ok(null);
}

/** The operator refuses the number: the buyer gives another one. */
export async function wrongNumberIn(
  app: App,
  tx: Db,
  refused: Hand & { readonly reason: unknown },
): Outcome {
  const found = await open(app, tx, refused);
  if (!found.ok) return found;
  const words = readReason(refused.reason);
  if (!words.ok) return words;
  const { id, caller } = refused;
  const refund = found.value;
  const now = app.clock.now();
  await refuseNumber(tx, id, words.value);
  const { order_id: orderId, buyer_id: personId, method, phone } = refund;
  const isPlan = refund.order_kind === "plan";
  const text = numberRefused(refund, words.value);
  const tellings = [toBuyer(app, { orderId, personId, isPlan, lane: "desk", text })];
  await tellScreens(tx, refund, { tellings, now });
  const deed = { action: "refund.wrong-number", subject: `refund:${id}`, reason: words.value };
  await audit(
    tx,
    { ...deed, actor: actorOf(caller), before: { method, phone: masked(phone) } },
    now,
  );
  return ok(null);
}

/** A seller sent it from the account that collected it: its reference proves it, once. */
export async function givenBackBySellerIn(
  app: App,
  tx: Db,
  given: { readonly id: bigint; readonly sellerId: bigint; readonly reference: unknown },
): Outcome {
  const refund = await lockRefund(tx, given.id);
  // His own keys were tried by the seller himself.
  const sellerId = refund?.order_kind === "trial" ? refund.buyer_id : refund?.seller_id;
  if (!refund || sellerId !== given.sellerId) {
    return refuse({ kind: "refunds.refund-not-found" });
  }
  if (refund.lane !== "seller" || refund.status === "done") {
    return refuse({ kind: "refunds.nothing-to-pay" });
  }
  const reference = readOperatorReference(given.reference);
  if (!reference.ok) return reference;
  if (await isReferenceUsed(tx, reference.value)) return refuse({ kind: "refunds.reference-used" });
  const done = { reference: reference.value, by: given.sellerId };
  await finishRefund(app, tx, { refund, done });
  return ok(null);
}

function tellScreens(
  tx: Db,
  refund: LockedRefund,
  said: Parameters<typeof announce>[2],
): Promise<void> {
  const { id, order_id: orderId, order_status: status, buyer_id, seller_id } = refund;
  const changed = { refundId: id, orderId, status, persons: [buyer_id, seller_id] };
  return announce(tx, changed, said);
}
