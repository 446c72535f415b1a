import {
  MISMATCH_RECEIVED_TIMES,
  type MismatchOutcome,
  type RefundsRefusal,
} from "@sesame/contract/refunds";
import { addMs, assert, type Fcfa, fcfa, ok, type Result, refuse, ZERO_FCFA } from "@sesame/kernel";
import { postBetween } from "@sesame/ledger";
import { sql } from "kysely";
import { actorOf, audit } from "../../audit/audit.store.ts";
import type { Principal } from "../../http/principal.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import type { Db } from "../../postgres/database.ts";
import { publish } from "../../realtime/events.store.ts";
import { eventsOfSale, eventsOfStatus, suspend } from "./apply-judgements.ts";
import { keepChecks } from "./check.store.ts";
import { closeUnpaid, lockMismatch, type Mismatched, markHonoured } from "./mismatch.store.ts";
import { REOPENED_FOR_MS } from "./notice.store.ts";
import { noteSuspended, noteTransactionIds, settle } from "./settle.store.ts";

export type MismatchDecision = {
  readonly paymentId: bigint;
  readonly caller: Principal;
  readonly outcome: MismatchOutcome;
  /** What the operator counted; null: what the provider said. */
  readonly received: Fcfa | null;
  readonly reason: string;
};

/**
 * An operator ends what the provider says yes to and what is not what was ordered: it pays the order
 * all the same, it goes back to the buyer, or he has it already. In the caller's transaction.
 */
export async function decideMismatchIn(
  tx: Db,
  decision: MismatchDecision,
  now: Date,
): Promise<Result<{ orderId: bigint }, RefundsRefusal>> {
  const { paymentId, caller, outcome, reason } = decision;
  const payment = await lockMismatch(tx, paymentId, now);
  if (!payment) return refuse({ kind: "refunds.no-mismatch" });
  const forbidden = forbid(payment, decision);
  if (forbidden) return refuse(forbidden);
  const received = decision.received ?? payment.reported;
  assert(received !== null, "what was received is known");
  const { transaction } = payment;
  // Of what never came in there is no name: the next one that comes is what was asked for.
  if (received > ZERO_FCFA)
    await noteTransactionIds(tx, [{ paymentId, transactionId: transaction }]);
  const decided = { received, isCounted: received !== payment.reported, now };
  if (outcome === "honour") await honour(tx, payment, decided);
  else await giveUpOrder(tx, payment, { ...decided, isReturned: outcome === "returned" });
  // What was paid beside it, and is heard of already, is asked about.
  const unfinished = { paymentId, more: false, names: transaction === null ? [] : [transaction] };
  const giveUpAt = addMs(now, REOPENED_FOR_MS);
  if (received > ZERO_FCFA)
    await keepChecks(tx, [{ ...unfinished, leaseEnd: now }], { now, giveUpAt });
  const deed = { action: `payment.${outcome}`, subject: `order:${payment.order_id}`, reason };
  const after = { payment_id: paymentId, received };
  await audit(tx, { ...deed, actor: actorOf(caller), after }, now);
  return ok({ orderId: payment.order_id });
}

function forbid(
  { buyer_id: buyerId, seller_id: sellerId, ...payment }: Mismatched,
  { caller, outcome, received }: MismatchDecision,
): RefundsRefusal | null {
  if (buyerId === caller.personId || sellerId === caller.personId)
    return { kind: "refunds.own-case" };
  const isOpen = payment.order_status === "pending" || payment.order_status === "failed";
  if (outcome === "honour" && !isOpen) return { kind: "refunds.paid-otherwise" };
  // What is left of it pays nothing.
  if (outcome === "honour" && payment.is_part) return { kind: "refunds.partly-returned" };
  const max = payment.suspended ?? fcfa(payment.amount * MISMATCH_RECEIVED_TIMES);
  // Nothing may have come in, of a payment that was none and does not stand aside.
  const least = outcome === "returned" && payment.suspended === null ? 0n : 1n;
  const isKnown =
    received === null ? payment.reported !== null : received >= least && received <= max;
  return isKnown ? null : { kind: "refunds.received-missing", max };
}

type Decided = { readonly received: Fcfa; readonly isCounted: boolean; readonly now: Date };

/** The order is paid as ordered; what was received more or less is the platform's. */
async function honour(tx: Db, payment: Mismatched, decided: Decided): Promise<void> {
  const { id, kind, amount, since, cost, direct, provider } = payment;
  const { received, now } = decided;
  await markHonoured(tx, id, decided);
  const confirmed = [{ paymentId: id, occurredAt: since, cost }];
  const settled = await settle(tx, kind, { confirmed, now });
  await publish(tx, settled.flatMap(eventsOfSale));
  if (direct || received === amount) return;
  const between = { from: `provider:${provider}`, to: "platform:mismatches" };
  await postBetween(tx, `mismatch:${id}`, { ...between, amount: fcfa(received - amount), now });
}

/** Nothing was bought: what came in is given back, or noted as returned, by the job of surpluses. */
async function giveUpOrder(
  tx: Db,
  payment: Mismatched,
  decided: Decided & { isReturned: boolean },
): Promise<void> {
  const { id, order_id: orderId, buyer_id: buyerId } = payment;
  const { received, isReturned, now } = decided;
  if (!payment.direct) await setAside(tx, payment, decided);
  const failed = await closeUnpaid(tx, id, decided);
  if (failed) await publish(tx, eventsOfStatus({ id: orderId, buyer_id: buyerId }, "failed"));
  if (received === 0n) return;
  await sql`SELECT book_costs(array[${id}::bigint], array[${payment.cost}::bigint], ${now})`.execute(
    tx,
  );
  const payload = { returned: isReturned };
  await enqueue(tx, [{ topic: "refunds.surplus", ref: id, payload, dueAt: now }]);
}

/** In suspense stands what came in: of what stood there, the provider has returned the rest. */
async function setAside(
  tx: Db,
  { id, suspended, since, provider }: Mismatched,
  { received, now }: Decided,
): Promise<void> {
  if (suspended === null) {
    if (received > 0n) await suspend(tx, { id, received, since, provider }, now);
    return;
  }
  const rest = fcfa(suspended - received);
  if (rest === ZERO_FCFA) return;
  const between = { from: "suspense", to: `provider:${provider}` };
  await postBetween(tx, `suspense-less:${id}`, { ...between, amount: rest, now });
  await noteSuspended(tx, id, received);
}
