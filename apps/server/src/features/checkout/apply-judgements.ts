import { MISMATCH_SUSPENSE_MS, type OrderKind } from "@sesame/contract/checkout";
import { addMs, type Fcfa, fcfaToJson } from "@sesame/kernel";
import { postBetween } from "@sesame/ledger";
import { publish, type RealtimeEvent } from "../../realtime/events.store.ts";
import type { Db } from "../../postgres/database.ts";
import { type DueCheck, dropChecks, keepChecks, type Unfinished } from "./check.store.ts";
import type { MismatchReason } from "./judge-payment.ts";
import { REOPENED_FOR_MS } from "./notice.store.ts";
import { raiseAlert } from "./order.store.ts";
import {
  type ChangedOrder,
  closePayments,
  insertSurplus,
  isBesideReturned,
  noteMismatch,
  noteSuspended,
  noteTransactionIds,
  type SettledPayment,
  type Settling,
  settle,
  type SurplusPayment,
} from "./settle.store.ts";

export type Confirmed = Settling & {
  /** What a refund would name, when the provider told it. */
  readonly transactionId?: string | null;
  /** Of its order; a product when absent. */
  readonly kind?: OrderKind;
  /** What may be left of it to write or to ask; null: nothing. */
  readonly unfinished?: Omit<Unfinished, "paymentId"> | null;
};

/**
 * Confirmed payments become sales: all of a kind in one transaction, with one NOTIFY. A change of plan
 * holds posting for itself.
 */
export async function settleConfirmed(
  db: Db,
  confirmed: readonly Confirmed[],
  now: Date,
): Promise<SettledPayment[]> {
  const settled: SettledPayment[] = [];
  for (const [kind, batch] of Map.groupBy(confirmed, (each) => each.kind ?? "product")) {
    const sold = await db.transaction().execute(async (tx) => {
      const rows = await settle(tx, kind, { confirmed: batch, now });
      await noteTransactionIds(tx, batch);
      const left = batch.flatMap(({ paymentId, unfinished }) =>
        unfinished ? [{ paymentId, ...unfinished }] : [],
      );
      await keepChecks(tx, left, { now, giveUpAt: addMs(now, REOPENED_FOR_MS) });
      await publish(tx, rows.flatMap(eventsOfSale));
      return rows;
    });
    settled.push(...sold);
  }
  return settled;
}

/**
 * What was paid once more is a payment of its own, which finds its order paid: see settle_payments.
 * → false where it finds none: beside what was given back.
 */
export async function settleSurplus(
  db: Db,
  beside: SurplusPayment,
  sale: { kind: OrderKind; occurredAt: Date; cost: Fcfa | null; now: Date },
): Promise<boolean> {
  const { kind, occurredAt, cost, now } = sale;
  return db.transaction().execute(async (tx) => {
    const paymentId = await insertSurplus(tx, beside, now);
    if (paymentId === null) return !(await isBesideReturned(tx, beside));
    await settle(tx, kind, { confirmed: [{ paymentId, occurredAt, cost }], now });
    return true;
  });
}

export function eventsOfSale(sale: SettledPayment): RealtimeEvent[] {
  const status = eventsOfStatus({ id: sale.order_id, buyer_id: sale.buyer_id }, "paid");
  if (sale.outcome === "surplus") return [];
  if (sale.seller_id === null || sale.net === null) return status;
  const body = {
    order_id: String(sale.order_id),
    title: sale.title,
    amount: fcfaToJson(sale.price),
    net: fcfaToJson(sale.net),
  };
  return [{ room: `person:${sale.seller_id}`, name: "payment_received", body }, ...status];
}

export function eventsOfStatus(order: ChangedOrder, status: string): RealtimeEvent[] {
  const room = [`person:${order.buyer_id}`, `order:${order.id}`];
  return [{ room, name: "payment:status", body: { id: String(order.id), status } }];
}

/** The provider said no: not for ever, so asking goes on. */
export async function failRefused(db: Db, paymentIds: readonly bigint[], now: Date): Promise<void> {
  if (paymentIds.length === 0) return;
  await db.transaction().execute(async (tx) => {
    const failed = await closePayments(tx, paymentIds, { status: "refused", now });
    await publish(
      tx,
      failed.flatMap((order) => eventsOfStatus(order, "failed")),
    );
  });
}

/** The time to pay is over: asking ends, and only a notice begins it again. */
export async function giveUp(
  db: Db,
  paymentIds: readonly bigint[],
  at: { now: Date; leaseEnd: Date },
): Promise<void> {
  if (paymentIds.length === 0) return;
  await db.transaction().execute(async (tx) => {
    const failed = await closePayments(tx, paymentIds, { status: "expired", now: at.now });
    await dropChecks(tx, paymentIds, at.leaseEnd);
    await publish(
      tx,
      failed.flatMap((order) => eventsOfStatus(order, "failed")),
    );
  });
}

export type Mismatch = {
  readonly check: DueCheck;
  readonly reason: MismatchReason;
  readonly received: Fcfa | null;
  /** By what a refund names it. */
  readonly transactionId: string | null;
  /** What the provider keeps of it; null: it does not say. */
  readonly cost: Fcfa | null;
};

/** The desk hears at once; after 24 h without a decision the money stands aside (decision 85). */
export async function noteMismatched(db: Db, mismatch: Mismatch, now: Date): Promise<void> {
  const { check, reason, received, transactionId, cost } = mismatch;
  await db.transaction().execute(async (tx) => {
    const noted = await noteMismatch(tx, check.payment_id, now);
    if (!noted) return;
    await raiseAlert(tx, {
      kind: "payment.mismatch",
      subject: `payment:${check.payment_id}`,
      details: {
        reason,
        order_id: String(check.order_id),
        provider: check.provider,
        provider_payment_id: check.provider_payment_id,
        expected: String(check.amount),
        received: received === null ? null : String(received),
        transaction: transactionId,
        // Of francs alone: what was received in something else says nothing of them.
        cost: received === null || cost === null ? null : String(cost),
      },
      renews: noted.is_new ? "any" : "open",
      now,
    });
    const due = addMs(noted.mismatched_since, MISMATCH_SUSPENSE_MS) <= now;
    if (!due || received === null || received === 0n || noted.suspended_amount !== null) return;
    // On a seller's own account: no francs of ours.
    if (check.key_id !== null) return;
    const { payment_id: id, provider } = check;
    await suspend(tx, { id, received, since: noted.mismatched_since, provider }, now);
  });
}

/** What came in stands aside, in the account of what is nobody's yet. */
export async function suspend(
  tx: Db,
  money: {
    readonly id: bigint;
    readonly received: Fcfa;
    readonly since: Date;
    readonly provider: string;
  },
  now: Date,
): Promise<void> {
  const { id, received, since, provider } = money;
  const between = { from: `provider:${provider}`, to: "suspense" };
  const move = { ...between, amount: received, occurredAt: since, now };
  await postBetween(tx, `suspense:${id}`, move);
  await noteSuspended(tx, id, received);
}
