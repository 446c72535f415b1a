import { MISMATCH_SUSPENSE_MS, type OrderKind } from "@sesame/contract/checkout";
import { addMs, type Fcfa, fcfaToJson } from "@sesame/kernel";
import { postBetween } from "@sesame/ledger";
import { sql } from "kysely";
import { raiseAlert, resolveAlerts } from "../../alerts/alerts.ts";
import { type Db, many, maybe, PREPARED } from "../../postgres/database.ts";
import { publish, type RealtimeEvent } from "../../realtime/events.store.ts";
import * as checks from "./checks.ts";
import { eventsOfStatus, failOrdersOf, reopenOrder, IS_GIVEN_BACK } from "./orders.ts";

type SettledPayment = {
  readonly payment_id: bigint;
  readonly order_id: bigint;
  readonly outcome: "settled" | "overpayment";
  readonly buyer_id: bigint;
  /** Null for a sale of the platform. */
  readonly seller_id: bigint | null;
  readonly title: string;
  readonly price: Fcfa;
  readonly net: Fcfa;
};

type Settling = {
  readonly paymentId: bigint;
  readonly occurredAt: Date;
  /** The provider's fee, in francs; null or absent: unknown. */
  readonly cost?: Fcfa | null;
};

export type Confirmed = Settling & {
  /** The id for a refund, if the provider reported it. */
  readonly transactionId?: string | null;
  /** The kind of its order; absent: a product. */
  readonly kind?: OrderKind;
  /** What must still be written or looked up about it; null: nothing. */
  readonly unfinished?: Omit<checks.Unfinished, "paymentId"> | null;
};

/**
 * Turns confirmed payments into sales: all of a kind in one transaction, with one NOTIFY. A change of
 * plan locks posting alone.
 */
export async function settleConfirmed(db: Db, confirmed: readonly Confirmed[], now: Date) {
  const settled: SettledPayment[] = [];
  for (const [kind, batch] of Map.groupBy(confirmed, (each) => each.kind ?? "product")) {
    const sold = await db.transaction().execute(async (tx) => {
      const rows = await settle(tx, kind, { confirmed: batch, now });
      await noteTransactionIds(tx, batch);
      const left = batch.flatMap(({ paymentId, unfinished }) =>
        unfinished ? [{ paymentId, ...unfinished }] : [],
      );
      await checks.keepChecks(tx, left, { now, giveUpAt: addMs(now, checks.REOPENED_FOR_MS) });
      await publish(tx, rows.flatMap(eventsOfSale));
      return rows;
    });
    settled.push(...sold);
  }
  return settled;
}

/**
 * Turns confirmed payments of orders of one kind into money and purchases, and notifies the outbox
 * (OUTBOX_CHANNEL) at the commit. Throws if one is not the price of its order: nothing is changed.
 */
export const settle = (
  tx: Db,
  kind: OrderKind,
  { confirmed, now }: { confirmed: readonly Settling[]; now: Date },
) => many<SettledPayment>(tx)`${PREPARED}
  SELECT payment_id, order_id, outcome, buyer_id, seller_id, title, price, net
  FROM settle_payments(
    ${kind},
    ${confirmed.map(({ paymentId }) => paymentId)}::bigint[],
    ${confirmed.map(({ occurredAt }) => occurredAt)}::timestamptz[],
    ${now},
    ${confirmed.map(({ cost = null }) => cost)}::bigint[]
  )
`;

/** Stores the transaction ids of payments, for a refund. */
export async function noteTransactionIds(
  tx: Db,
  payments: readonly { paymentId: bigint; transactionId?: string | null }[],
): Promise<void> {
  const named = payments.filter(({ transactionId = null }) => transactionId !== null);
  if (named.length === 0) return;
  await sql`
    UPDATE payments p SET transaction_id = named.transaction_id
    FROM unnest(
      ${named.map(({ paymentId }) => paymentId)}::bigint[],
      ${named.map(({ transactionId }) => transactionId)}::text[]
    ) AS named(payment_id, transaction_id)
    WHERE p.id = named.payment_id AND p.transaction_id IS NULL
  `.execute(tx);
}

/**
 * An additional transaction, `transactionId`, paid with the reference of a paid payment, becomes a payment
 * of its own, whose order is paid already: see settle_payments. Nothing is done if it is known, is the
 * payment itself, or that payment is not paid: then it is reported again with it. → false if that payment
 * was refunded and this is another transaction: an alert is due.
 */
export async function settleOverpayment(
  db: Db,
  overpayment: { paymentId: bigint; transactionId: string; amount: Fcfa },
  sale: { kind: OrderKind; occurredAt: Date; cost: Fcfa | null; now: Date },
): Promise<boolean> {
  const { paymentId: besideId, transactionId, amount } = overpayment;
  const { kind, occurredAt, cost, now } = sale;
  return db.transaction().execute(async (tx) => {
    await lockOrdersOf(tx, [besideId]);
    const made = await maybe<{ id: bigint }>(tx)`
      INSERT INTO payments (order_id, provider, key_id, provider_payment_id, reference,
        checkout_url, return_secret_hash, amount, transaction_id, created_at)
      SELECT p.order_id, p.provider, p.key_id, ${transactionId}, p.reference,
        -- A secret that nobody has: there is no page of it.
        p.checkout_url, sha256(convert_to(gen_random_uuid()::text, 'UTF8')), ${amount},
        ${transactionId}, ${now}
      FROM payments p
      WHERE p.id = ${besideId} AND p.status = 'paid'
        AND NOT ${IS_GIVEN_BACK}
        AND p.transaction_id IS DISTINCT FROM ${transactionId}
      ON CONFLICT DO NOTHING
      RETURNING id
    `;
    if (made) {
      await settle(tx, kind, { confirmed: [{ paymentId: made.id, occurredAt, cost }], now });
      return true;
    }
    const besideReturned = await many(tx)`
      SELECT FROM payments p WHERE p.id = ${besideId} AND ${IS_GIVEN_BACK}
        AND p.transaction_id IS DISTINCT FROM ${transactionId}
    `;
    return besideReturned.length === 0;
  });
}

export function eventsOfSale(sale: SettledPayment): RealtimeEvent[] {
  // The seller has an event of his own for the sale.
  const order = { id: sale.order_id, buyer_id: sale.buyer_id, seller_id: null };
  const status = eventsOfStatus(order, "paid");
  if (sale.outcome === "overpayment") return [];
  if (sale.seller_id === null) return status;
  const body = {
    order_id: String(sale.order_id),
    title: sale.title,
    amount: fcfaToJson(sale.price),
    net: fcfaToJson(sale.net),
  };
  return [{ room: `person:${sale.seller_id}`, name: "payment_received", body }, ...status];
}

/**
 * Ends payments, never a paid one, and fails orders without another payment that may succeed. `refused`:
 * the provider refused, not finally, so lookups continue. `expired`: the time to pay is over; lookups
 * end, and only a webhook starts them again.
 */
export async function closePayments(
  db: Db,
  status: "refused" | "expired",
  payments: { ids: readonly bigint[]; now: Date; leaseEnd: Date },
): Promise<void> {
  const { now, leaseEnd } = payments;
  const ids = [...payments.ids];
  if (ids.length === 0) return;
  await db.transaction().execute(async (tx) => {
    await lockOrdersOf(tx, ids);
    await sql`
      UPDATE payments SET status = ${status}, decided_at = ${now},
        -- A refused payment may be tried again on its page.
        widget = CASE WHEN ${status === "expired"} THEN widget - 'customer' ELSE widget END
      WHERE id = ANY(${ids}::bigint[]) AND status = 'pending'
    `.execute(tx);
    await failOrdersOf(tx, ids);
    if (status === "expired") await checks.dropChecks(tx, ids, leaseEnd);
  });
}

export type Mismatch = {
  readonly check: checks.DueCheck;
  readonly reason: string;
  readonly received: Fcfa | null;
  /** The id for a refund. */
  readonly transactionId: string | null;
  /** The provider's fee; null: unknown. */
  readonly cost: Fcfa | null;
};

/**
 * The provider confirms something else than what was ordered: the order stays, or becomes again, pending.
 * An alert is raised at once; after 24 h without a decision the money goes to suspense (decision 85).
 */
export async function noteMismatched(db: Db, mismatch: Mismatch, now: Date): Promise<void> {
  const { check, reason, received, transactionId, cost } = mismatch;
  const { payment_id: id, provider } = check;
  await db.transaction().execute(async (tx) => {
    await lockOrdersOf(tx, [id]);
    type Noted = { mismatched_since: Date; suspended_amount: Fcfa | null };
    const noted = await maybe<Noted>(tx)`
      UPDATE payments p SET status = 'mismatched',
        mismatched_since = coalesce(p.mismatched_since, ${now}), widget = p.widget - 'customer'
      WHERE p.id = ${id} AND p.status <> 'paid'
      RETURNING p.mismatched_since, p.suspended_amount
    `;
    // Paid meanwhile.
    if (!noted) return;
    await reopenOrder(tx, check.order_id);
    await raiseAlert(tx, {
      kind: "payment.mismatch",
      subject: `payment:${id}`,
      details: {
        reason,
        order_id: String(check.order_id),
        provider,
        provider_payment_id: check.provider_payment_id,
        expected: String(check.amount),
        received: received === null ? null : String(received),
        transaction: transactionId,
        // For francs only: an amount in another unit gives no cost in francs.
        cost: received === null || cost === null ? null : String(cost),
      },
      whenOpen: "updated",
      now,
    });
    const due = addMs(noted.mismatched_since, MISMATCH_SUSPENSE_MS) <= now;
    if (!due || received === null || received === 0n || noted.suspended_amount !== null) return;
    // On a seller's own account: outside the ledger.
    if (check.key_id !== null) return;
    await suspend(tx, { id, received, since: noted.mismatched_since, provider }, now);
  });
}

/** Puts received money in the suspense account. */
export async function suspend(
  tx: Db,
  { id, received, since, provider }: { id: bigint; received: Fcfa; since: Date; provider: string },
  now: Date,
): Promise<void> {
  const between = { from: `provider:${provider}`, to: "suspense" };
  const move = { ...between, amount: received, occurredAt: since, now };
  await postBetween(tx, `suspense:${id}`, move);
  await noteSuspended(tx, id, received);
}

export const noteSuspended = (tx: Db, paymentId: bigint, amount: Fcfa) =>
  sql`UPDATE payments SET suspended_amount = ${amount} WHERE id = ${paymentId}`.execute(tx);

/** Every decision about a payment locks its order first, in id order. */
export const lockOrdersOf = (tx: Db, paymentIds: readonly bigint[]) =>
  sql`
    SELECT FROM orders
    WHERE id IN (SELECT order_id FROM payments WHERE id = ANY(${[...paymentIds]}::bigint[]))
    ORDER BY id FOR NO KEY UPDATE
  `.execute(tx);

/**
 * Money of a payment that sold something was returned, in whole or in part, by the provider. A new alert
 * when the rest is returned too, or when it is returned again, even after the alert was resolved.
 */
export async function alertRefundThere(
  db: Db,
  of: ({ paymentId: bigint } | { starCharge: string }) & { partly: boolean },
  now: Date,
): Promise<void> {
  const isMeant =
    "paymentId" in of
      ? sql`p.id = ${of.paymentId}`
      : sql`p.provider = 'stars' AND p.transaction_id = ${of.starCharge}`;
  const payments = await many<{
    readonly subject: string;
    readonly details: Record<string, unknown>;
    readonly is_news: boolean;
  }>(db)`
    SELECT 'payment:' || p.id AS subject,
      jsonb_build_object('order_id', p.order_id, 'provider', p.provider,
        'provider_payment_id', p.provider_payment_id, 'amount', p.amount,
        'partly', ${of.partly}::boolean) AS details,
      coalesce(d.details ? 'paid_again', false) OR (coalesce((d.details->>'partly')::boolean, true)
        AND NOT ${of.partly}::boolean) AS is_news
    FROM payments p
    LEFT JOIN alerts d
      ON d.kind = 'payment.refunded-there' AND d.subject = 'payment:' || p.id
    WHERE ${isMeant} AND p.status = 'paid'
      AND NOT EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id
        AND r.rail IN ('provider', 'returned'))
  `;
  for (const { is_news: isNews, ...matter } of payments) {
    const whenOpen = isNews ? "anew" : "stays";
    await raiseAlert(db, { kind: "payment.refunded-there", ...matter, whenOpen, now });
  }
}

/**
 * The provider has the money of these payments again: the bank gave up the chargeback. `transactionId`
 * is the transaction reported as paid: another one with the same reference is not this money.
 */
export async function resolveRefundsThere(
  db: Db,
  paid: readonly { paymentId: bigint; transactionId: string | null }[],
  now: Date,
): Promise<void> {
  if (paid.length === 0) return;
  const subjects = sql<string[]>`array(
    SELECT d.subject
    FROM unnest(${paid.map(({ paymentId }) => paymentId)}::bigint[],
      ${paid.map(({ transactionId }) => transactionId)}::text[]) AS reported(id, transaction_id)
    JOIN alerts d ON d.kind = 'payment.refunded-there' AND d.subject = 'payment:' || reported.id
    WHERE NOT d.details ? 'paid_again'
      AND NOT EXISTS (SELECT FROM payments p
        WHERE p.id = reported.id AND p.transaction_id <> reported.transaction_id)
  )`;
  const noted = { paid_again: true };
  await resolveAlerts(db, { kinds: ["payment.refunded-there"], subjects, noted, now });
}
