import {
  MISMATCH_RECEIVED_TIMES,
  type MismatchOutcome,
  type RefundsRefusal,
} from "@sesame/contract/refunds";
import { assert, type Fcfa, fcfa, ok, type Result, refuse } from "@sesame/kernel";
import { post } from "@sesame/ledger";
import { actorOf, audit } from "../../audit/audit.store.ts";
import type { Principal } from "../../http/principal.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import type { Db } from "../../postgres/database.ts";
import { publish } from "../../realtime/events.store.ts";
import { eventsOfSale, eventsOfStatus, suspend } from "./apply-judgements.ts";
import {
  closeMismatch,
  findAccounts,
  lockMismatch,
  type Mismatched,
  writeReceived,
} from "./mismatch.store.ts";
import { settle, settlementOf } from "./settle.store.ts";

export type MismatchDecision = {
  readonly paymentId: bigint;
  readonly caller: Principal;
  readonly outcome: MismatchOutcome;
  /** The operator's word, where the provider did not say what came in. */
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
  const received = payment.told ?? decision.received;
  const forbidden = forbid(payment, decision, received);
  if (forbidden) return refuse(forbidden);
  assert(received !== null, "what was received is known");
  if (outcome === "honour") await honour(tx, payment, { received, now });
  else await giveUpOrder(tx, payment, { received, isReturned: outcome === "returned", now });
  const deed = { action: `payment.${outcome}`, subject: `order:${payment.order_id}`, reason };
  const after = { payment_id: paymentId, received };
  await audit(tx, { ...deed, actor: actorOf(caller), after }, now);
  return ok({ orderId: payment.order_id });
}

function forbid(
  payment: Mismatched,
  { caller, outcome }: MismatchDecision,
  received: Fcfa | null,
): RefundsRefusal | null {
  const { personId } = caller;
  if (payment.buyer_id === personId || payment.seller_id === personId)
    return { kind: "refunds.own-case" };
  const isOpen = payment.order_status === "pending" || payment.order_status === "failed";
  if (outcome === "honour" && !isOpen) return { kind: "refunds.paid-otherwise" };
  const max = fcfa(payment.amount * MISMATCH_RECEIVED_TIMES);
  // Nothing may have come in, of a payment that was none.
  const isAmount =
    received !== null && received <= max && (received > 0n || outcome === "returned");
  return payment.told === null && !isAmount ? { kind: "refunds.received-missing", max } : null;
}

type Decided = { readonly received: Fcfa; readonly now: Date };

/** The order is paid as ordered; what was received more or less is the platform's. */
async function honour(tx: Db, payment: Mismatched, { received, now }: Decided): Promise<void> {
  const { id, kind, amount, since } = payment;
  await writeReceived(tx, id, received);
  const confirmed = [{ paymentId: id, occurredAt: since }];
  const settled = await settle(tx, settlementOf(kind), { confirmed, now });
  await publish(tx, settled.flatMap(eventsOfSale));
  const more = fcfa(received - amount);
  if (payment.direct || more === 0n) return;
  const { provider, mismatches } = await findAccounts(tx, id);
  const legs = [
    { account: provider, amount: fcfa(-more) },
    { account: mismatches, amount: more },
  ];
  const [outcome] = await post(tx, [{ id: `mismatch:${id}`, legs, occurredAt: since }], now);
  assert(outcome === "posted", `the mismatch ${id} was honoured before`);
}

/** Nothing was bought: what came in is given back, or noted as returned, by the job of surpluses. */
async function giveUpOrder(
  tx: Db,
  payment: Mismatched,
  { received, isReturned, now }: Decided & { isReturned: boolean },
): Promise<void> {
  const { id, order_id: orderId, buyer_id: buyerId, direct, is_suspended: isSuspended } = payment;
  if (received > 0n && !direct && !isSuspended) {
    const accounts = await findAccounts(tx, id);
    await suspend(tx, { id, received, since: payment.since, ...accounts }, now);
  }
  const failed = await closeMismatch(tx, id, { received, now });
  if (failed) await publish(tx, eventsOfStatus({ id: orderId, buyer_id: buyerId }, "failed"));
  if (received === 0n) return;
  const payload = { returned: isReturned };
  await enqueue(tx, [{ topic: "refunds.surplus", ref: id, payload, dueAt: now }]);
}
