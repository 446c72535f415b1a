import {
  ASSIGNMENT_MS,
  type StaffRefusal,
  readOperatorReference,
  readReason,
} from "@sesame/contract/treasury";
import { type RefundsRefusal, readProviderFee } from "@sesame/contract/refunds";
import * as contract from "@sesame/contract/withdrawals";
import { addMs, assert, ok, type Result, refuse } from "@sesame/kernel";
import { postBetween } from "@sesame/ledger";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { actorOf, audit, type AuditEntry } from "../../audit/audit.store.ts";
import { notify } from "../../bot/message.ts";
import type { Principal } from "../../http/server.ts";
import { type Db, many, maybe } from "../../postgres/database.ts";
import { type ChosenRail, findPayment, handRailOf } from "./give-back.ts";
import { numberRefused, stopSending } from "./messages.fr.ts";
import * as refunds from "./refunds.ts";

/** The facts that decide whether an agent may send a refund now. */
export type HandFacts = Pick<
  refunds.LockedRefund,
  "buyer_id" | "seller_id" | "rail" | "status" | "taken_by" | "taken_until" | "taker_name"
>;

/** Null when allowed. Used for the screen's buttons too. */
export function forbidHand(facts: HandFacts, personId: bigint, now: Date): RefundsRefusal | null {
  if (isParty(facts, personId)) return { kind: "refunds.own-case" };
  if (facts.rail !== "staff" || facts.status !== "to-pay")
    return { kind: "refunds.nothing-to-pay" };
  return forbidTaken(facts, personId, now);
}

const isParty = (facts: Pick<HandFacts, "buyer_id" | "seller_id">, personId: bigint): boolean =>
  facts.buyer_id === personId || facts.seller_id === personId;

function forbidTaken(facts: HandFacts, personId: bigint, now: Date): RefundsRefusal | null {
  const taken = facts.taken_by !== null && facts.taken_until !== null && facts.taken_until > now;
  if (taken && facts.taken_by !== personId) {
    return { kind: "refunds.taken-by-other", name: facts.taker_name };
  }
  return null;
}

type OperatorCaller = Pick<Principal, "personId" | "isOperator">;

/** Whether the operator may end a refund by hand, once its provider confirms that it returned the money. */
export function forbidReturned(
  facts: HandFacts,
  { personId, isOperator }: OperatorCaller,
  now: Date,
): RefundsRefusal | null {
  if (!isOperator) return { kind: "refunds.operator-only" };
  if (isParty(facts, personId)) return { kind: "refunds.own-case" };
  const byHand = facts.rail === "staff" || facts.rail === "seller";
  if (!byHand || facts.status === "done") return { kind: "refunds.nothing-to-pay" };
  return forbidTaken(facts, personId, now);
}

type FeeFacts = Pick<
  refunds.LockedRefund,
  "buyer_id" | "seller_id" | "rail" | "direct" | "provider_fee"
>;

/** Whether the operator may enter the provider's fee. */
export function forbidFee(
  facts: FeeFacts,
  { personId, isOperator }: OperatorCaller,
): RefundsRefusal | null {
  if (!isOperator) return { kind: "refunds.operator-only" };
  if (isParty(facts, personId)) return { kind: "refunds.own-case" };
  if (facts.rail !== "returned" || facts.direct) return { kind: "refunds.not-returned" };
  return facts.provider_fee > 0n ? { kind: "refunds.fee-noted" } : null;
}

export type Hand = { readonly id: bigint; readonly caller: Principal };
/** The provider's answer just now. */
type Said = ChosenRail["rail"] | null;
export type Outcome = Promise<Result<null, RefundsRefusal | StaffRefusal>>;

/** The refund under its lock, for a person who may act on it now: by hand, unless another rail is given. */
async function open(
  app: App,
  tx: Db,
  { id, caller }: Hand,
  forbid = (refund: refunds.LockedRefund, now: Date) => forbidHand(refund, caller.personId, now),
): Promise<Result<refunds.LockedRefund, RefundsRefusal>> {
  const refund = await refunds.lockRefund(tx, id);
  if (!refund) return refuse({ kind: "refunds.refund-not-found" });
  const forbidden = forbid(refund, app.clock.now());
  return forbidden ? refuse(forbidden) : ok(refund);
}

/** An action of staff on a refund. */
const noteStep = (
  tx: Db,
  { id, caller }: Hand,
  what: Pick<AuditEntry, "action" | "before" | "after" | "reason">,
  now: Date,
) => audit(tx, { ...what, subject: `refund:${id}`, actor: actorOf(caller) }, now);

/** The number may be erased later, the log never (decision 101). */
const masked = (phone: string | null) => phone && contract.maskPhone(phone);

/**
 * An agent will send it: for a quarter of an hour nobody else may. The provider was asked before,
 * since a bank may have returned the money while the number was awaited.
 */
export async function takeIn(app: App, tx: Db, hand: Hand, rail: Said): Outcome {
  const refund = await open(app, tx, hand);
  if (!refund.ok) return refund;
  if (rail === "partly") return refuse({ kind: "refunds.partly-returned" });
  if (rail === "unclear") return refuse({ kind: "refunds.unclear-there" });
  if (rail === "returned") return refuse({ kind: "refunds.returned-there" });
  const now = app.clock.now();
  await sql`
    UPDATE refunds SET taken_by = ${hand.caller.personId},
      taken_until = ${addMs(now, ASSIGNMENT_MS)}
    WHERE id = ${hand.id}
  `.execute(tx);
  await refunds.announce(app, tx, refund.value, { said: null, now });
  await noteStep(tx, hand, { action: "refund.take" }, now);
  return ok(null);
}

/** An agent has sent it, with the operator's reference as proof, used once. */
export async function paidIn(app: App, tx: Db, hand: Hand, given: unknown): Outcome {
  const refund = await open(app, tx, hand);
  if (!refund.ok) return refund;
  const reference = readOperatorReference(given);
  if (!reference.ok) return reference;
  if (await refunds.isReferenceUsed(tx, reference.value))
    return refuse({ kind: "refunds.reference-used" });
  const done = { reference: reference.value, by: hand.caller.personId };
  await refunds.finishRefund(app, tx, refund.value, done);
  const now = app.clock.now();
  const { amount, method, phone } = refund.value;
  const after = { amount, method, phone: masked(phone), reference: reference.value };
  await noteStep(tx, hand, { action: "refund.paid", after }, now);
  return ok(null);
}

/** The operator refuses the number: the buyer enters another one. */
export async function wrongNumberIn(app: App, tx: Db, hand: Hand, reason: unknown): Outcome {
  const found = await open(app, tx, hand);
  if (!found.ok) return found;
  const words = readReason(reason);
  if (!words.ok) return words;
  const refund = found.value;
  const now = app.clock.now();
  // The buyer must enter another number.
  await sql`
    UPDATE refunds SET status = 'needs-number', method = NULL, phone = NULL, taken_by = NULL,
      taken_until = NULL
    WHERE id = ${hand.id}
  `.execute(tx);
  const said = { rail: "staff", text: numberRefused(refund, words.value) } as const;
  await refunds.announce(app, tx, refund, { said, now });
  const before = { method: refund.method, phone: masked(refund.phone) };
  const what = { action: "refund.wrong-number", reason: words.value, before };
  await noteStep(tx, hand, what, now);
  return ok(null);
}

/** A seller sent it from the account that collected it, with its reference as proof, used once. */
export async function givenBackBySellerIn(
  app: App,
  tx: Db,
  given: { readonly id: bigint; readonly sellerId: bigint; readonly reference: unknown },
): Outcome {
  const refund = await refunds.lockRefund(tx, given.id);
  // A trial's keys belong to its buyer, the seller himself.
  const sellerId = refund?.order_kind === "trial" ? refund.buyer_id : refund?.seller_id;
  if (!refund || sellerId !== given.sellerId) {
    return refuse({ kind: "refunds.refund-not-found" });
  }
  if (refund.rail !== "seller" || refund.status === "done") {
    return refuse({ kind: "refunds.nothing-to-pay" });
  }
  const reference = readOperatorReference(given.reference);
  if (!reference.ok) return reference;
  if (await refunds.isReferenceUsed(tx, reference.value))
    return refuse({ kind: "refunds.reference-used" });
  const done = { reference: reference.value, by: given.sellerId };
  await refunds.finishRefund(app, tx, refund, done);
  return ok(null);
}

/** The provider's current answer about a refund by hand; null: it no longer waits. */
export async function askRail(app: App, id: bigint): Promise<ChosenRail["rail"] | null> {
  const refund = await maybe<{ payment_id: bigint }>(app.db)`
    SELECT payment_id FROM refunds WHERE id = ${id} AND status <> 'done'
  `;
  const payment = refund && (await findPayment(app.db, refund.payment_id));
  return payment && handRailOf(app, payment);
}

/** The buyer has the money of a refund by hand: nobody sends it again. */
export async function returnedIn(app: App, tx: Db, hand: Hand, rail: Said): Outcome {
  const { id, caller } = hand;
  const now = app.clock.now();
  const found = await open(app, tx, hand, (waits) => forbidReturned(waits, caller, now));
  if (!found.ok) return found;
  const refund = found.value;
  if (rail === "partly") return refuse({ kind: "refunds.partly-returned" });
  // An operator decided about it: the decision counts where the provider's answer is unclear.
  const isSaid = rail === "unclear" && refund.decided_as === "given-back";
  if (rail !== "returned" && !isSaid) return refuse({ kind: "refunds.not-returned" });
  await refunds.changeRail(tx, id, "returned");
  const done = { reference: null, by: caller.personId };
  await refunds.finishRefund(app, tx, { ...refund, rail: "returned" }, done);
  if (refund.rail === "seller" && refund.seller_id !== null) {
    await notify(tx, [refunds.toSeller(app, refund.seller_id, stopSending(refund))], now);
  }
  const before = { rail: refund.rail, status: refund.status };
  await noteStep(tx, hand, { action: "refund.returned", before }, now);
  return ok(null);
}

/** The provider's fee for a chargeback: the platform's loss, entered once. */
export async function noteFeeIn(app: App, tx: Db, hand: Hand, given: unknown): Outcome {
  const { id, caller } = hand;
  const found = await open(app, tx, hand, (refund) => forbidFee(refund, caller));
  if (!found.ok) return found;
  const fee = readProviderFee(given);
  if (!fee.ok) return fee;
  const now = app.clock.now();
  await sql`UPDATE refunds SET provider_fee = ${fee.value} WHERE id = ${id}`.execute(tx);
  // Paid from our balance at the provider.
  const to = `provider:${found.value.provider}`;
  const move = { from: "platform:chargebacks", to, amount: fee.value, now };
  await postBetween(tx, `chargeback:${id}`, move);
  await noteStep(tx, hand, { action: "refund.fee", after: { fee: fee.value } }, now);
  return ok(null);
}

/**
 * The buyer's number: for every refund of the order that waits for one, or that no agent has taken
 * yet. → the first of them
 */
export async function takeNumberIn(
  app: App,
  tx: Db,
  given: { orderId: bigint; buyerId: bigint; method: unknown; number: unknown },
): Promise<Result<bigint, RefundsRefusal | contract.WithdrawalsRefusal>> {
  const { orderId, buyerId } = given;
  const order = await refunds.findOrder(tx, orderId);
  if (order?.buyer_id !== buyerId) return refuse({ kind: "refunds.order-not-found" });
  const { methods } = await app.settings.current();
  const method = contract.checkMethod(given.method, methods);
  if (!method.ok) return method;
  const written = contract.readNumber(given.number);
  if (written === null) return refuse({ kind: "refunds.number-missing" });
  const phone = contract.normalisePhone(written, method.value);
  if (!phone.ok) return phone;
  const now = app.clock.now();
  const awaiting = await many<{ id: bigint }>(tx)`
    SELECT r.id FROM refunds r
    WHERE r.order_id = ${orderId} AND r.buyer_id = ${buyerId}
      AND r.rail IN ('staff', 'seller') AND r.status IN ('needs-number', 'to-pay')
      AND coalesce(r.taken_until <= ${now}, true)
    ORDER BY r.id FOR NO KEY UPDATE
  `;
  const [first] = awaiting;
  if (!first) return refuse({ kind: "refunds.number-not-awaited" });
  for (const { id } of awaiting) {
    // The refund waits for a person.
    await sql`
      UPDATE refunds SET status = 'to-pay', method = ${method.value}, phone = ${phone.value}
      WHERE id = ${id}
    `.execute(tx);
    const refund = await refunds.lockRefund(tx, id);
    assert(refund, "a refund that is locked is there");
    await refunds.announce(app, tx, refund, { said: null, now });
  }
  return ok(first.id);
}
