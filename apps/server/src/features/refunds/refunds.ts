import { nameProvider, type OrderKind, type OrderStatus } from "@sesame/contract/checkout";
import type { RefundKind, RefundRail, RefundStatus } from "@sesame/contract/refunds";
import { type Fcfa, addMs, DAY_MS, fcfa } from "@sesame/kernel";
import { openAccount, postBetween, getAccount, type Leg, postNew } from "@sesame/ledger";
import { sql } from "kysely";
import { resolveAlerts } from "../../alerts/alerts.ts";
import type { AlertKind } from "../../alerts/kinds.fr.ts";
import type { App } from "../../app.ts";
import { type Html, type Notification, notify } from "../../bot/message.ts";
import { type Db, many, maybe, one } from "../../postgres/database.ts";
import { staffChanged, publish } from "../../realtime/events.store.ts";
import { noteGivenBackIn } from "../cases/index.ts";
import type { PaymentDecision } from "../checkout/index.ts";
import { BUTTONS, givenBack, returnedThere } from "./messages.fr.ts";

/** The fields of an order that a refund needs. */
export type OrderToRefund = {
  readonly id: bigint;
  readonly kind: OrderKind;
  readonly status: OrderStatus;
  readonly direct: boolean;
  readonly title: string;
  readonly price: Fcfa;
  readonly fee: Fcfa;
  readonly duration_minutes: number;
  readonly access_until: Date | null;
  readonly buyer_id: bigint;
  readonly seller_id: bigint | null;
  readonly group_id: bigint | null;
  readonly group_title: string | null;
};

export const findOrder = (db: Db, orderId: bigint) => maybe<OrderToRefund>(db)`
  SELECT o.id, o.kind, o.status, o.direct, o.title, o.price, o.fee, o.duration_minutes,
    o.access_until, o.buyer_id, o.seller_id, o.group_id, g.title AS group_title
  FROM orders o LEFT JOIN groups g ON g.id = o.group_id WHERE o.id = ${orderId}
`;

/**
 * Waits for other settlements or refunds of an order, and of the orders whose time depends on it:
 * all the buyer's in the group, or all his plans, in the order of their ids.
 */
export const lockOrders = (tx: Db, order: OrderToRefund) =>
  sql`
    SELECT FROM orders o WHERE o.buyer_id = ${order.buyer_id} AND o.kind = ${order.kind}
      AND o.group_id IS NOT DISTINCT FROM ${order.group_id}::bigint
    ORDER BY o.id FOR NO KEY UPDATE
  `.execute(tx);

type NewRefund = Pick<
  LockedRefund,
  "kind" | "payment_id" | "amount" | "direct" | "reason" | "complaint_id" | "rail"
> & {
  readonly advanced: Fcfa;
  readonly asked_by: bigint | null;
  readonly asked_as: "seller" | "operator" | "system";
  readonly now: Date;
};

/** The new refund, locked. Null: this payment is refunded already. */
export async function insertRefund(tx: Db, order: OrderToRefund, refund: NewRefund) {
  const { kind, payment_id, amount, direct, advanced, asked_by, asked_as, rail } = refund;
  const written = await maybe<{ id: bigint }>(tx)`
    INSERT INTO refunds (kind, order_id, payment_id, buyer_id, seller_id, amount, direct, advanced,
      asked_by, asked_as, reason, complaint_id, rail, status, created_at)
    VALUES (${kind}, ${order.id}, ${payment_id}, ${order.buyer_id}, ${order.seller_id}, ${amount},
      ${direct}, ${advanced}, ${asked_by}, ${asked_as}, ${refund.reason}, ${refund.complaint_id}, ${rail},
      ${FIRST_STATUS[rail]}, ${refund.now})
    ON CONFLICT (payment_id) DO NOTHING
    RETURNING id
  `;
  return written && lockRefund(tx, written.id);
}

const FIRST_STATUS: Readonly<Record<RefundRail, RefundStatus>> = {
  provider: "sending",
  // For an instant: it ends in the transaction that creates it.
  returned: "sending",
  staff: "needs-number",
  seller: "to-pay",
};

export type LockedRefund = {
  readonly id: bigint;
  readonly kind: RefundKind;
  readonly order_id: bigint;
  readonly payment_id: bigint;
  readonly buyer_id: bigint;
  readonly seller_id: bigint | null;
  readonly amount: Fcfa;
  readonly direct: boolean;
  readonly reason: string;
  readonly complaint_id: bigint | null;
  readonly rail: RefundRail;
  readonly status: RefundStatus;
  readonly method: string | null;
  readonly phone: string | null;
  readonly taken_by: bigint | null;
  readonly taken_until: Date | null;
  readonly taker_name: string;
  readonly provider_fee: Fcfa;
  readonly order_kind: OrderKind;
  readonly order_status: OrderStatus;
  /** Of its payment: how much more than the price was received, if it was honoured. */
  readonly received_more: Fcfa;
  readonly decided_as: PaymentDecision;
  readonly title: string;
  readonly provider: string;
};

/** Waits for other changes of it. */
export const lockRefund = (tx: Db, id: bigint) => maybe<LockedRefund>(tx)`
  SELECT r.id, r.kind, r.order_id, r.payment_id, r.buyer_id, r.seller_id, r.amount, r.direct,
    r.reason, r.complaint_id, r.rail, r.status, r.method, r.phone, r.taken_by, r.taken_until,
    coalesce(who.name, '') AS taker_name, r.provider_fee,
    coalesce(p.received - p.amount, 0)::bigint AS received_more, p.decided_as,
    o.kind AS order_kind, o.status AS order_status, o.title, p.provider
  FROM refunds r
  JOIN orders o ON o.id = r.order_id
  JOIN payments p ON p.id = r.payment_id
  LEFT JOIN people who ON who.id = r.taken_by
  WHERE r.id = ${id} FOR NO KEY UPDATE OF r
`;

/** The provider does not refund it, so a person must; or it had refunded it before. */
export const changeRail = (tx: Db, id: bigint, rail: Exclude<RefundRail, "provider">) =>
  sql`
    UPDATE refunds SET rail = ${rail}, status = ${FIRST_STATUS[rail]}, check_at = NULL,
      method = NULL, phone = NULL
    WHERE id = ${id}
  `.execute(tx);

/** Whether an operator's reference has proved another payment; the same check elsewhere waits meanwhile. */
export async function isReferenceUsed(tx: Db, reference: string): Promise<boolean> {
  await sql`
    SELECT pg_advisory_xact_lock(1885434473, hashtext(upper(${reference}::text)))
  `.execute(tx);
  const used = await many(tx)`
    SELECT FROM payouts WHERE rail = 'manual' AND upper(operator_reference) = upper(${reference})
    UNION ALL
    SELECT FROM payouts WHERE settled_by IS NOT NULL AND operator_reference IS NOT NULL
      AND upper(operator_reference) = upper(${reference})
    UNION ALL
    SELECT FROM payouts WHERE return_reference IS NOT NULL
      AND upper(return_reference) = upper(${reference})
    UNION ALL
    SELECT FROM refunds WHERE operator_reference IS NOT NULL
      AND upper(operator_reference) = upper(${reference})
  `;
  return used.length > 0;
}

/** The end of a new refund whose money the provider had returned: the buyer gets another message. */
export const RETURNED = { reference: null, by: null, isSaid: true } as const;

/** The buyer has the money. The refund is locked, and was not done. */
export async function finishRefund(
  app: App,
  tx: Db,
  refund: LockedRefund,
  done: { reference: string | null; by: bigint | null; isSaid?: boolean },
): Promise<void> {
  const now = app.clock.now();
  const { id, amount, rail, method, phone, provider } = refund;
  if (!refund.direct) {
    // The money has left: the provider's account, or the cash float of the agent's method.
    const to =
      rail === "staff"
        ? await openAccount(tx, { key: `float:${method}`, guarded: false }, now)
        : `provider:${provider}`;
    await postBetween(tx, `given-back:${id}`, { from: IN_TRANSIT, to, amount, now });
    const more = refund.received_more;
    // The provider returned the received amount: a difference to the price belongs to nobody any more.
    if (rail === "returned" && refund.decided_as === "honoured" && more !== 0n) {
      const move = { from: "platform:mismatches", to, amount: more, now };
      await postBetween(tx, `mismatch-returned:${id}`, move);
    }
  }
  await sql`
    UPDATE refunds SET status = 'done', done_at = ${now}, check_at = NULL, taken_by = NULL,
      taken_until = NULL, operator_reference = ${done.reference}, paid_by = ${done.by}
    WHERE id = ${id}
  `.execute(tx);
  // Alerts of the back office that end with it.
  const resolve = (kind: AlertKind, subject: string) =>
    resolveAlerts(tx, { kinds: [kind], subjects: [subject], now });
  await resolve("refund.delayed", `refund:${id}`);
  const payment = `payment:${refund.payment_id}`;
  if (refund.kind === "overpayment") await resolve("payment.overpayment", payment);
  // Sent by hand, it may have been paid twice: the operator must still check.
  const isThere = rail === "provider" || rail === "returned";
  if (isThere) await resolve("payment.refunded-there", payment);
  if (refund.complaint_id !== null) await noteGivenBackIn(tx, refund.complaint_id, now);
  const to = method !== null && phone !== null ? { method, phone } : null;
  const text =
    rail === "returned"
      ? returnedThere(refund, nameProvider(provider))
      : givenBack(refund, { to, reference: done.reference, rail });
  // Nothing is required of the buyer any more: the button only displays the order.
  const said = done.isSaid ? null : ({ rail: "provider", text } as const);
  await announce(app, tx, refund, { said, now });
}

type Announced = {
  /** The buyer's message, with a button to the order; by hand, for a number. */
  readonly said: { readonly rail: RefundRail; readonly text: Html } | null;
  /** The message of the order's seller. */
  readonly seller?: Html | null;
  readonly now: Date;
};

/** Announces a change of a locked refund: messages, and events that make screens reload. */
export async function announce(app: App, tx: Db, refund: LockedRefund, announced: Announced) {
  const { said, seller = null, now } = announced;
  const { order_id: orderId, buyer_id: personId, seller_id: sellerId } = refund;
  const notifications: Notification[] = [];
  if (said) {
    const byHand = said.rail === "staff" || said.rail === "seller";
    const button = byHand ? BUTTONS.number : BUTTONS.order;
    const message = { text: said.text, buttons: [app.appButton(button, `/commande/${orderId}`)] };
    // Who buys from the platform is a seller, and is notified by the sellers' bot.
    notifications.push({ bot: sellerId === null ? "seller" : "buyer", personId, message });
  }
  if (seller && sellerId !== null) notifications.push(toSeller(app, sellerId, seller));
  await notify(tx, notifications, now);
  const persons = [personId, ...(sellerId === null ? [] : [sellerId])].map((id) => `person:${id}`);
  const body = { id: String(orderId), status: refund.order_status };
  await publish(tx, [
    { room: [...persons, `order:${orderId}`], name: "payment:status", body },
    staffChanged("refund", refund.id),
  ]);
}

export function toSeller({ appButton }: App, sellerId: bigint, text: Html): Notification {
  const buttons = [appButton(BUTTONS.sales, "/transactions/history")];
  return { bot: "seller", personId: sellerId, message: { text, buttons } };
}

export const eraseNumbersRefunded = (tx: Db, id: bigint) =>
  sql`UPDATE refunds SET phone = '' WHERE buyer_id = ${id} AND phone <> ''`.execute(tx);

/** Francs of a refund (decision 83). Each transfer is new: its order, or its refund, is locked. */

export const IN_TRANSIT = "refunds:in-transit";
const ADVANCES = "platform:advances";

/** What a seller can spend now: the account of the plan, locked from here to the commit. */
export type Balance = {
  readonly account: bigint;
  readonly available: Fcfa;
  /** Advanced before, and not recovered. */
  readonly owed: Fcfa;
};

/**
 * Locks the seller's row first, as withdrawals, changes of plan and recoveries do; then the account,
 * as every credit does.
 */
export async function lockBalance(tx: Db, sellerId: bigint): Promise<Balance> {
  const { account } = await one<Pick<Balance, "account">>(tx)`
    SELECT account_id AS account FROM sellers WHERE id = ${sellerId} FOR NO KEY UPDATE
  `;
  await sql`SELECT ledger_enter(), ledger_lock_accounts(ARRAY[${account}::bigint])`.execute(tx);
  return one<Balance>(tx)`
    SELECT a.id AS account, a.posted - a.held AS available, coalesce((
      SELECT d.owed FROM seller_advances d WHERE d.seller_id = ${sellerId}), 0)::bigint AS owed
    FROM ledger_accounts a WHERE a.id = ${account}
  `;
}

/** The whole price leaves the seller, the platform's fee with it, for the transit account. */
export async function postSaleRefund(
  tx: Db,
  refund: {
    readonly id: bigint;
    readonly sellerId: bigint;
    readonly account: bigint;
    readonly net: Fcfa;
    readonly fee: Fcfa;
    /** The part of the net that the platform advances. */
    readonly advanced: Fcfa;
    readonly now: Date;
  },
): Promise<void> {
  const { id, account, net, fee, advanced, now } = refund;
  const legs: Leg[] = [
    { account, amount: fcfa(advanced - net) },
    { account: await getAccount(tx, ADVANCES), amount: fcfa(-advanced) },
    { account: await getAccount(tx, "platform:fees"), amount: fcfa(-fee) },
    { account: await getAccount(tx, IN_TRANSIT), amount: fcfa(net + fee) },
  ].filter(({ amount }) => amount !== 0n);
  await postNew(tx, [{ id: `refund:${id}`, legs, occurredAt: now }], now);
  if (advanced > 0n) await owe(tx, refund.sellerId, advanced, now);
}

/** An advance to a seller: it cannot be withdrawn, and is recovered from sales. */
export const owe = (tx: Db, sellerId: bigint, amount: Fcfa, now: Date) =>
  sql`
    INSERT INTO seller_advances AS a (seller_id, owed, updated_at)
    VALUES (${sellerId}, ${amount}, ${now})
    ON CONFLICT (seller_id) DO UPDATE
      SET owed = a.owed + excluded.owed, updated_at = excluded.updated_at
  `.execute(tx);

/** A request to write off that was not confirmed since then has expired. */
export const writeOffsSince = (now: Date): Date => addMs(now, -7 * DAY_MS);

/**
 * Writes the debt off if that was requested before, else requests it. The seller is locked, and owes.
 * → the amount written off, null when it was requested
 */
export async function askWriteOff(
  tx: Db,
  { sellerId, owed, by }: { sellerId: bigint; owed: Fcfa; by: bigint },
  now: Date,
): Promise<{ amount: Fcfa; alone: boolean } | null> {
  await sql`
    DELETE FROM write_offs WHERE seller_id = ${sellerId} AND decided_at IS NULL
      AND asked_at <= ${writeOffsSince(now)}
  `.execute(tx);
  type Decided = { id: bigint; amount: Fcfa; asked_by: bigint };
  const decided = await maybe<Decided>(tx)`
    UPDATE write_offs SET amount = least(amount, ${owed}), decided_by = ${by}, decided_at = ${now}
    WHERE seller_id = ${sellerId} AND decided_at IS NULL
    RETURNING id, amount, asked_by
  `;
  if (!decided) {
    await sql`
      INSERT INTO write_offs (seller_id, amount, asked_by, asked_at)
      VALUES (${sellerId}, ${owed}, ${by}, ${now})
    `.execute(tx);
    return null;
  }
  const { id, amount } = decided;
  // A debt that the seller will never repay: the platform's loss.
  await sql`
    UPDATE seller_advances SET owed = owed - ${amount}, updated_at = ${now}
    WHERE seller_id = ${sellerId}
  `.execute(tx);
  await postBetween(tx, `write-off:${id}`, { from: "platform:losses", to: ADVANCES, amount, now });
  return { amount, alone: decided.asked_by === by };
}

/** Recovers the debt, as far as the balance allows. → the recovered amount, and the rest */
export async function recover(tx: Db, sellerId: bigint, now: Date) {
  const { account, available, owed } = await lockBalance(tx, sellerId);
  const amount = fcfa(available < owed ? available : owed);
  if (amount <= 0n) return { amount: fcfa(0), rest: owed };
  const { recoveries } = await one<{ recoveries: number }>(tx)`
    UPDATE seller_advances SET owed = owed - ${amount}, recoveries = recoveries + 1,
      updated_at = ${now}
    WHERE seller_id = ${sellerId} RETURNING recoveries
  `;
  const id = `recover:${sellerId}:${recoveries}`;
  await postBetween(tx, id, { from: account, to: ADVANCES, amount, now });
  // A request to write off this debt does not apply to the next one.
  if (amount === owed) {
    await sql`
      DELETE FROM write_offs WHERE seller_id = ${sellerId} AND decided_at IS NULL
    `.execute(tx);
  }
  return { amount, rest: fcfa(owed - amount) };
}
