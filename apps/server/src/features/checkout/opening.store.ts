import {
  ASKED_FOR_MS,
  askAfterMs,
  callsToOpen,
  divideRate,
  OPENING_REFILL_MS,
  OPENINGS_PER_PERSON_MAX,
  PAGE_SERVES_MS,
  PAYMENTS_PER_ORDER_MAX,
  PLACE_RESERVED_MS,
} from "@sesame/contract/checkout";
import { addMs, assert, type Fcfa } from "@sesame/kernel";
import type { ProviderId, Quote } from "@sesame/providers";
import { sql } from "kysely";
import { SKEW_SUSPEND_MS } from "../../database-clock.ts";
import { type Db, many } from "../../postgres/database.ts";
import { hashOf, lockPlaces, type PaymentPage } from "./order.store.ts";
import { hasPlaceFor } from "./order.view.ts";

/** Where a payment is opened: a provider, and whose account there; null: the instance's. */
export type Account = { readonly provider: ProviderId; readonly keyId: bigint | null };

/**
 * Longer than the calls of one opening may last, and no more: a process that dies in it keeps the
 * next one waiting for so long. FedaPay's are up to three, of 8 s each.
 */
const LEASE_MS = 12_000;
const LEASE_FEDAPAY_MS = 26_000;

function leaseEnd({ account, now }: Opening): Date {
  return addMs(now, account.provider === "fedapay" ? LEASE_FEDAPAY_MS : LEASE_MS);
}

/**
 * What there is to do for a payment of an order at an account:
 *   open    nobody else is at it: `number` is its own, and its lease ends by itself
 *   page    one is open there already
 *   busy    another request is at a provider for this order
 *
 * A payment that is opened is taken out of the budget of the person and of the provider's account.
 */
export type Claim =
  | { readonly kind: "open"; readonly number: number }
  | { readonly kind: "page"; readonly page: PaymentPage }
  | { readonly kind: "busy" | "paid" | "under-review" | "too-many" | "sold-out" }
  /** The person opened as many payments as may be for now; all together did, or he had his share. */
  | { readonly kind: "person-budget" | "account-budget" };

export type Opening = {
  readonly orderId: bigint;
  readonly account: Account;
  readonly now: Date;
  /** The order's newest payment is given again, whatever became of it. */
  readonly repeats: boolean;
  /** Calls a minute that the provider allows. */
  readonly rate: number;
};

type LockedOrder = {
  readonly status: string;
  readonly opening: boolean;
  readonly tried: number;
  readonly buyer_id: bigint;
  readonly product_id: bigint | null;
  readonly stock: number | null;
  readonly place_kept: boolean;
};

type KnownPayment = PaymentPage & {
  readonly status: string;
  readonly key_id: bigint | null;
  readonly created_at: Date;
};

/** Takes the order for one opening, in one short transaction. */
export async function claimOpening(db: Db, opening: Opening): Promise<Claim> {
  return db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, opening);
    if (order.status === "paid" || order.status === "refunded") return { kind: "paid" };
    const payments = await readPayments(tx, opening.orderId);
    const page = pageToGive(payments, opening);
    if (page) return { kind: "page", page };
    if (payments.some(({ status }) => status === "mismatched")) return { kind: "under-review" };
    if (order.opening) return { kind: "busy" };
    const tried = Math.max(order.tried, payments.length);
    if (tried >= PAYMENTS_PER_ORDER_MAX) return { kind: "too-many" };
    const { stock, product_id: productId, buyer_id: buyerId } = order;
    if (stock !== null && productId !== null && !order.place_kept) {
      const { now } = opening;
      if (!(await hasPlaceFor(tx, { productId, buyerId, stock, now }))) return { kind: "sold-out" };
    }
    const number = tried + 1;
    const refused = await takeOrder(tx, opening, { number, buyerId, stocked: stock !== null });
    if (refused) return { kind: refused === "person" ? "person-budget" : "account-budget" };
    return { kind: "open", number };
  });
}

/** Takes the order and what its opening costs; null: taken. One statement. */
async function takeOrder(
  tx: Db,
  opening: Opening,
  { number, buyerId, stocked }: { number: number; buyerId: bigint; stocked: boolean },
): Promise<"person" | "account" | null> {
  const { now, rate, account } = opening;
  const { openings, paced } = divideRate(rate);
  const { rows } = await sql<{ refused: "person" | "account" | null }>`
    WITH taken AS MATERIALIZED (
      SELECT take_opening(${account.provider}, ${account.keyId ?? 0n}::bigint, ${buyerId}::bigint,
        ${callsToOpen(account.provider)}::int, ${now}::timestamptz, ${openings}::int,
        ${paced}::int, ${OPENINGS_PER_PERSON_MAX}::int,
        ${OPENING_REFILL_MS / 1_000}::int) AS refused
    ), kept AS (
      UPDATE orders SET payments_opened = ${number},
        opening_until = ${leaseEnd(opening)}::timestamptz,
        stock_reserved_until = CASE WHEN ${stocked}::boolean
          THEN greatest(stock_reserved_until, ${addMs(now, PLACE_RESERVED_MS)}::timestamptz) END
      FROM taken WHERE id = ${opening.orderId} AND taken.refused IS NULL
    )
    SELECT refused FROM taken
  `.execute(tx);
  return rows[0]?.refused ?? null;
}

/** Places first, then the order: as who orders does. */
async function lockOrder(tx: Db, { orderId, now }: Opening): Promise<LockedOrder> {
  const { rows: places } = await sql<{ product_id: bigint }>`
    SELECT p.id AS product_id FROM orders o JOIN products p ON p.id = o.product_id
    WHERE o.id = ${orderId} AND p.stock IS NOT NULL
  `.execute(tx);
  if (places[0]) await lockPlaces(tx, places[0].product_id);
  const { rows } = await sql<LockedOrder>`
    SELECT o.status, o.payments_opened AS tried, o.buyer_id, o.product_id,
      -- A lease longer than any was written by a clock that has been set back since.
      coalesce(o.opening_until > ${now}
        AND o.opening_until <= ${addMs(now, LEASE_FEDAPAY_MS + SKEW_SUSPEND_MS)}, false) AS opening,
      (SELECT p.stock FROM products p WHERE p.id = o.product_id) AS stock,
      o.status = 'pending' AND coalesce(o.stock_reserved_until > ${now}, false) AS place_kept
    FROM orders o WHERE o.id = ${orderId} FOR NO KEY UPDATE
  `.execute(tx);
  assert(rows[0], `no order ${orderId}`);
  return rows[0];
}

async function readPayments(tx: Db, orderId: bigint): Promise<KnownPayment[]> {
  return many<KnownPayment>(tx)`
    SELECT checkout_url AS url, provider, widget IS NOT NULL AS widget, status, key_id, created_at
    FROM payments WHERE order_id = ${orderId} ORDER BY id DESC
  `;
}

function pageToGive(payments: readonly KnownPayment[], opening: Opening): PaymentPage | null {
  if (opening.repeats) return payments[0] ?? null;
  const { provider, keyId } = opening.account;
  const since = addMs(opening.now, -PAGE_SERVES_MS);
  const open = payments.find(
    (payment) =>
      payment.provider === provider &&
      payment.key_id === keyId &&
      payment.status === "pending" &&
      payment.created_at > since,
  );
  return open ?? null;
}

/** Nothing was opened: whoever waits may try now. */
export async function releaseOpening(db: Db, orderId: bigint): Promise<void> {
  await sql`UPDATE orders SET opening_until = NULL WHERE id = ${orderId}`.execute(db);
}

export type NewPayment = {
  readonly orderId: bigint;
  readonly account: Account;
  readonly providerPaymentId: string;
  /** Ours, as the provider knows it. */
  readonly reference: string;
  readonly checkoutUrl: string;
  readonly hostedUrl: string | null;
  readonly widget: StoredWidget | null;
  readonly quote: Quote | null;
  readonly returnSecret: string;
  readonly amount: Fcfa;
  readonly createdAt: Date;
};

/** What the page with the provider's widget on it needs beside the payment; nothing secret. */
export type StoredWidget = {
  readonly kind: "fedapay" | "kkiapay";
  readonly scriptUrl: string;
  readonly publicKey: string;
  readonly sandbox: boolean;
  readonly customer: {
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly phone: string | null;
  };
};

/**
 * Writes a payment the provider has made, and when to ask about it first: also for an order that was
 * paid meanwhile, since this one may be paid too. The order follows its newest payment, and one that
 * had failed waits again. → whether it does, and for whom.
 */
export async function insertPayment(
  tx: Db,
  payment: NewPayment,
): Promise<{ paid: boolean; reopened: boolean; buyerId: bigint }> {
  const { createdAt, account } = payment;
  const { rows: before } = await sql<{ status: string; buyer_id: bigint }>`
    SELECT status, buyer_id FROM orders WHERE id = ${payment.orderId} FOR NO KEY UPDATE
  `.execute(tx);
  assert(before[0], `no order ${payment.orderId}`);
  await sql`
    WITH made AS (
      INSERT INTO payments (order_id, provider, key_id, provider_payment_id, reference,
        checkout_url, hosted_url, widget, quote, return_secret_hash, amount, created_at)
      VALUES (${payment.orderId}, ${account.provider}, ${account.keyId},
        ${payment.providerPaymentId}, ${payment.reference}, ${payment.checkoutUrl},
        ${payment.hostedUrl}, ${json(payment.widget)}::jsonb, ${json(payment.quote)}::jsonb,
        ${hashOf(payment.returnSecret)}, ${payment.amount}, ${createdAt})
      RETURNING id
    ), asked AS (
      INSERT INTO payment_checks (payment_id, due_at, give_up_at)
      SELECT id, ${addMs(createdAt, askAfterMs(0))}::timestamptz,
        ${addMs(createdAt, ASKED_FOR_MS)}::timestamptz
      FROM made
    )
    UPDATE orders SET opening_until = NULL,
      provider = CASE WHEN status IN ('pending', 'failed') THEN ${account.provider}
        ELSE provider END,
      status = CASE status WHEN 'failed' THEN 'pending' ELSE status END
    WHERE id = ${payment.orderId}
  `.execute(tx);
  const { status, buyer_id: buyerId } = before[0];
  return {
    paid: status === "paid" || status === "refunded",
    reopened: status === "failed",
    buyerId,
  };
}

function json(value: object | null): string | null {
  return value && JSON.stringify(value);
}
