import type { OrderKind, OrderStatus } from "@sesame/contract/checkout";
import {
  MISMATCH_RECEIVED_TIMES,
  type MismatchOutcome,
  type RefundsRefusal,
} from "@sesame/contract/refunds";
import { addMs, assert, type Fcfa, fcfa, ok, refuse, ZERO_FCFA } from "@sesame/kernel";
import { postBetween } from "@sesame/ledger";
import { type RawBuilder, sql } from "kysely";
import { resolveAlerts } from "../../alerts/alerts.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import type { Principal } from "../../http/server.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { type Db, maybe } from "../../postgres/database.ts";
import { publish } from "../../realtime/events.store.ts";
import { keepChecks, REOPENED_FOR_MS } from "./checks.ts";
import { failOrdersOf } from "./orders.ts";
import {
  eventsOfSale,
  lockOrdersOf,
  noteSuspended,
  noteTransactionIds,
  settle,
  suspend,
} from "./settle.ts";

/** A payment that its provider confirms, but not as ordered. */
type Mismatched = {
  readonly id: bigint;
  readonly order_id: bigint;
  readonly kind: OrderKind;
  readonly order_status: OrderStatus;
  readonly buyer_id: bigint;
  readonly seller_id: bigint | null;
  readonly amount: Fcfa;
  readonly direct: boolean;
  readonly suspended: Fcfa | null;
  readonly since: Date;
  /** The provider has returned a part of it. */
  readonly is_part: boolean;
  /** The received amount that the provider reported; null: none reported, or a part was returned. */
  readonly reported: Fcfa | null;
  /** The id for a refund. */
  readonly transaction: string | null;
  /** The provider's fee; null: unknown. */
  readonly cost: Fcfa | null;
  readonly provider: string;
};

const isPart = (details: RawBuilder<unknown>) =>
  sql`(${details}->>'reason' IS NOT DISTINCT FROM 'partly-refunded')`;

/**
 * The received amount of `payments p` that the provider reported, from the details of its alert; null:
 * none reported, or a part was returned.
 */
export const reportedReceived = (details: RawBuilder<unknown>) => sql<Fcfa | null>`
  CASE WHEN NOT ${isPart(details)}
    THEN coalesce(p.suspended_amount, nullif((${details}->>'received')::bigint, 0)) END`;

type MismatchDecision = {
  readonly paymentId: bigint;
  readonly caller: Principal;
  readonly outcome: MismatchOutcome;
  /** The amount the operator counted; null: the amount the provider reported. */
  readonly received: Fcfa | null;
  readonly reason: string;
};

/**
 * An operator's decision about a mismatched payment: it pays the order, it is given back, or the
 * buyer has it already. In the caller's transaction.
 */
export async function decideMismatchIn(tx: Db, decision: MismatchDecision, now: Date) {
  const { paymentId, caller, outcome, reason } = decision;
  await lockOrdersOf(tx, [paymentId]);
  const payment = await findMismatched(tx, paymentId);
  if (!payment) return refuse({ kind: "refunds.no-mismatch" });
  const forbidden = forbid(payment, decision);
  if (forbidden) return refuse(forbidden);
  const subjects = [`payment:${paymentId}`];
  await resolveAlerts(tx, { kinds: ["payment.mismatch"], subjects, now });
  const received = decision.received ?? payment.reported;
  assert(received !== null, "what was received is known");
  const { transaction } = payment;
  // If nothing was received there is no transaction: the next one may be the right one.
  if (received > ZERO_FCFA)
    await noteTransactionIds(tx, [{ paymentId, transactionId: transaction }]);
  const decided = { received, isCounted: received !== payment.reported, now };
  if (outcome === "honour") await honour(tx, payment, decided);
  else await giveUpOrder(tx, payment, { ...decided, isReturned: outcome === "returned" });
  // Other transactions already reported are looked up.
  const unfinished = { paymentId, more: false, names: transaction === null ? [] : [transaction] };
  const giveUpAt = addMs(now, REOPENED_FOR_MS);
  if (received > ZERO_FCFA)
    await keepChecks(tx, [{ ...unfinished, leaseEnd: now }], { now, giveUpAt });
  const auditEntry = { action: `payment.${outcome}`, subject: `order:${payment.order_id}`, reason };
  const after = { payment_id: paymentId, received };
  await audit(tx, { ...auditEntry, actor: actorOf(caller), after }, now);
  return ok({ orderId: payment.order_id });
}

/** Null: no decision is needed. */
const findMismatched = (tx: Db, id: bigint): Promise<Mismatched | null> => maybe<Mismatched>(tx)`
    SELECT p.id, p.order_id, o.kind, o.status AS order_status, o.buyer_id, o.seller_id, p.amount,
      p.key_id IS NOT NULL AS direct, p.suspended_amount AS suspended,
      p.mismatched_since AS since, e.details->>'transaction' AS transaction,
      (e.details->>'cost')::bigint AS cost,
      ${isPart(sql`e.details`)} AS is_part, ${reportedReceived(sql`e.details`)} AS reported,
      p.provider
    FROM payments p JOIN orders o ON o.id = p.order_id
    LEFT JOIN alerts e ON e.kind = 'payment.mismatch' AND e.subject = 'payment:' || p.id
    WHERE p.id = ${id} AND p.status = 'mismatched'
  `;

function forbid(
  { buyer_id: buyerId, seller_id: sellerId, ...payment }: Mismatched,
  { caller, outcome, received }: MismatchDecision,
): RefundsRefusal | null {
  if (buyerId === caller.personId || sellerId === caller.personId)
    return { kind: "refunds.own-case" };
  const isOpen = payment.order_status === "pending" || payment.order_status === "failed";
  if (outcome === "honour" && !isOpen) return { kind: "refunds.paid-otherwise" };
  // The remaining part pays nothing.
  if (outcome === "honour" && payment.is_part) return { kind: "refunds.partly-returned" };
  const max = payment.suspended ?? fcfa(payment.amount * MISMATCH_RECEIVED_TIMES);
  // The received amount may be zero for a payment that is not in suspense.
  const least = outcome === "returned" && payment.suspended === null ? 0n : 1n;
  const isKnown =
    received === null ? payment.reported !== null : received >= least && received <= max;
  return isKnown ? null : { kind: "refunds.received-missing", max };
}

type Decided = { readonly received: Fcfa; readonly isCounted: boolean; readonly now: Date };

/** The order is paid as ordered; a difference is the platform's. */
async function honour(tx: Db, payment: Mismatched, decided: Decided): Promise<void> {
  const { id, kind, amount, since, cost, direct, provider } = payment;
  const { received, isCounted, now } = decided;
  await sql`
    UPDATE payments SET received = ${received}, decided_as = 'honoured', counted = ${isCounted}
    WHERE id = ${id}
  `.execute(tx);
  const confirmed = [{ paymentId: id, occurredAt: since, cost }];
  const settled = await settle(tx, kind, { confirmed, now });
  await publish(tx, settled.flatMap(eventsOfSale));
  if (direct || received === amount) return;
  const between = { from: `provider:${provider}`, to: "platform:mismatches" };
  await postBetween(tx, `mismatch:${id}`, { ...between, amount: fcfa(received - amount), now });
}

/**
 * Nothing was bought: the order waits for another payment, or fails. The job of overpayments gives the received
 * amount back, or records it as returned. A last lookup finds other transactions.
 */
async function giveUpOrder(
  tx: Db,
  payment: Mismatched,
  decided: Decided & { isReturned: boolean },
): Promise<void> {
  const { id } = payment;
  const { received, isCounted, isReturned, now } = decided;
  if (!payment.direct) await setAside(tx, payment, decided);
  if (received === 0n) {
    await sql`
      UPDATE payments SET status = 'expired', decided_at = ${now}, mismatched_since = NULL
      WHERE id = ${id}
    `.execute(tx);
    await sql`DELETE FROM payment_checks WHERE payment_id = ${id}`.execute(tx);
  } else {
    await sql`
      UPDATE payments SET status = 'paid', decided_at = ${now}, received = ${received},
        decided_as = 'given-back', counted = ${isCounted}
      WHERE id = ${id}
    `.execute(tx);
    await sql`UPDATE payment_checks SET due_at = ${now} WHERE payment_id = ${id}`.execute(tx);
    await sql`
      SELECT raise_alerts('payment.overpayment', array['payment:' || p.id],
        array[jsonb_build_object('order_id', p.order_id, 'provider', p.provider,
          'provider_payment_id', p.provider_payment_id, 'amount', p.received)], ${now})
      FROM payments p WHERE p.id = ${id}
    `.execute(tx);
  }
  await failOrdersOf(tx, [id]);
  if (received === 0n) return;
  await sql`SELECT book_costs(array[${id}::bigint], array[${payment.cost}::bigint], ${now})`.execute(
    tx,
  );
  const payload = { returned: isReturned };
  await enqueue(tx, [{ topic: "refunds.return-overpayment", ref: id, payload, dueAt: now }]);
}

/** Suspense must hold what was received: the provider returned the rest of what is there. */
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
