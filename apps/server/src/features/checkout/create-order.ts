import { PLAN_TITLE, TRIAL_TITLE } from "./messages.fr.ts";
import { hashOf } from "../../secrets/vault.ts";
import * as contract from "@sesame/contract/checkout";
import { feeOf } from "@sesame/contract/plans";
import {
  addMs,
  type Fcfa,
  fcfa,
  ok,
  type Result,
  refuse,
  splitPrice,
  textOf,
} from "@sesame/kernel";
import { sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { type Db, maybe, one, takeTurn } from "../../postgres/database.ts";
import { offersOf } from "../payment-accounts/index.ts";
import * as checks from "./check-sale.ts";
import {
  type OpenedOrder,
  openedOrder,
  type PaymentRequest,
  startPayment,
} from "./open-payment.ts";
import { type Account, hasPlaceFor, lockPlaces } from "./opening.ts";
import { findToPay, getOrderToPay, isUnpaid, type OrderToPay } from "./orders.ts";

type NewOrder = {
  readonly kind: contract.OrderKind;
  readonly buyerId: bigint;
  /** The product; null for a plan or a trial of the platform. */
  readonly sold: SoldProduct | null;
  readonly title: string;
  readonly price: Fcfa;
  readonly fee: Fcfa;
  readonly durationMinutes: number;
  readonly provider: string;
  readonly key: IdempotencyKey | null;
  readonly reservedUntil: Date | null;
  readonly createdAt: Date;
};

type SoldProduct = {
  readonly sellerId: bigint;
  readonly productId: bigint;
  /** Null for a donation. */
  readonly groupId: bigint | null;
};

type IdempotencyKey = { readonly key: string; readonly content: string };

type OrderRequest = {
  readonly buyer: checks.Caller;
  readonly body: z.output<typeof contract.createOrder.body>;
  readonly key: IdempotencyKey | null;
};

/** `reopened`: another unpaid order of the person, when there are too many (WIRE §4). */
type MadeOrder = OpenedOrder & { readonly reopened?: boolean };

/**
 * Creates an order at the current price and opens its payment at the provider (decision 7). The
 * order is written first: if the provider does not answer, the same call with the same key
 * continues with the same order, and so does another provider (`changePayment`).
 */
export async function makeOrder(
  app: App,
  request: OrderRequest,
): Promise<Result<MadeOrder, contract.CheckoutRefusal>> {
  const known = await findKnownOrder(app, request);
  if (known && !known.ok) return known;
  const payer = checks.payerOf(request.buyer.personId, request.body.customer);
  if (known) {
    const order = known.value;
    const reopened = order.by_other_key;
    const renews = isPageDead(order, app.clock.now());
    if (order.page && !renews && !reopened) return ok(openedOrder(order, order.page));
    if (order.page && !isUnpaid(order)) return ok({ ...openedOrder(order, order.page), reopened });
    const offers = await offersOf(app, order.seller_id);
    const provider = reopened ? textOf(request.body.provider) : order.provider;
    const account = checks.chooseOffer(offers, provider);
    if (!account.ok) return account;
    const repeats = !renews && !reopened;
    return startIt(app, { order, account: account.value, payer, repeats, reopened });
  }
  const written = await writeOrder(app, request);
  if (!written.ok) return written;
  return startIt(app, { ...written.value, payer, repeats: !written.value.reopened });
}

/** The page is dead but the order may still be paid: it needs another page. */
function isPageDead(order: OrderToPay, now: Date): boolean {
  const { page, created_at: made } = order;
  if (!page || !isUnpaid(order) || addMs(made, contract.ASKED_FOR_MS) <= now) return false;
  if (page.status === "refused" || page.status === "expired") return true;
  const served = now.getTime() - new Date(page.created_at).getTime();
  return page.status === "pending" && served >= contract.PAGE_SERVES_MS;
}

async function startIt(app: App, paymentRequest: PaymentRequest & { readonly reopened?: boolean }) {
  const { order, reopened = false } = paymentRequest;
  const started = await startPayment(app, paymentRequest);
  if (!started.ok) return started;
  // A failed order is pending again.
  const status = order.status === "failed" ? "pending" : order.status;
  return ok({ ...openedOrder({ ...order, status }, started.value), reopened });
}

async function findKnownOrder(app: App, { buyer, key }: OrderRequest) {
  if (!key) return null;
  const order = await findOrderByKey(app.db, buyer.personId, key.key);
  if (!order) return null;
  const isSame = order.idempotency_hash?.equals(hashOf(key.content)) ?? false;
  return isSame ? ok(order) : refuse({ kind: "checkout.key-reused" });
}

/** Finds the order of its own key, or of another call's key to which it was given. One statement. */
function findOrderByKey(db: Db, buyerId: bigint, key: string): Promise<OrderToPay | null> {
  const other = sql`order_keys k WHERE k.buyer_id = ${buyerId} AND k.idempotency_key = ${key}`;
  const where = sql`o.id = coalesce(
    (SELECT own.id FROM orders own
      WHERE own.buyer_id = ${buyerId} AND own.idempotency_key = ${key}),
    (SELECT k.order_id FROM ${other}))`;
  const isOther = sql`o.idempotency_key IS DISTINCT FROM ${key}`;
  const hash = sql`CASE WHEN ${isOther} THEN (SELECT k.idempotency_hash FROM ${other})
    ELSE o.idempotency_hash END`;
  return findToPay(db, where, { hash, isOther });
}

async function writeOrder(app: App, request: OrderRequest) {
  const chosen = checks.checkChoice(request.body);
  if (!chosen.ok) return chosen;
  const drafted = await (request.body.reference === undefined
    ? draftPlan(app, request, chosen.value)
    : draftSale(app, { ...request, reference: request.body.reference }, chosen.value));
  if (!drafted.ok) return drafted;
  const { order, stock, account } = drafted.value;
  const placed = await app.db.transaction().execute((tx) => placeOrder(tx, order, stock));
  if (placed) return placed.ok ? ok({ ...placed.value, account }) : placed;
  // Two calls with the same key at once: the other one wrote the order.
  const known = await findKnownOrder(app, request);
  if (known?.ok) {
    return ok({ order: known.value, reopened: known.value.by_other_key, account });
  }
  if (known) return known;
  return writeOrder(app, request);
}

type Draft = {
  readonly order: NewOrder;
  readonly account: Account;
  /** Places; null without limit. */
  readonly stock: number | null;
};

async function draftSale(
  app: App,
  { buyer: caller, body, key, reference }: OrderRequest & { readonly reference: string },
  providerId: string,
): Promise<Result<Draft, contract.CheckoutRefusal>> {
  const sale = await checks.checkSale(app, reference, caller);
  if (!sale.ok) return sale;
  const { product, buyer } = sale.value;
  const amount = checks.checkAmount(product, body.amount);
  if (!amount.ok) return amount;
  const offers = await offersOf(app, product.sellerId);
  const account = checks.chooseOffer(offers, providerId);
  if (!account.ok) return account;
  const now = app.clock.now();
  const rate = feeOf({ plan: buyer.seller_plan }, await app.settings.current());
  const { sellerId, id: productId, groupId, title, stock } = product;
  const price = amount.value;
  const order: NewOrder = {
    kind: product.kind === "donation" ? "donation" : "product",
    buyerId: caller.personId,
    sold: { sellerId, productId, groupId },
    title,
    price,
    fee: splitPrice(price, rate).fee,
    durationMinutes: product.durationMinutes,
    provider: account.value.provider,
    key,
    reservedUntil: stock === null ? null : addMs(now, contract.PLACE_RESERVED_MS),
    createdAt: now,
  };
  return ok({ order, account: account.value, stock });
}

const DAY_MINUTES = 1_440;
/** For a plan and a trial: no fee, and no reserved place. */
const OURS = { sold: null, fee: fcfa(0n), reservedUntil: null } as const;

/** A seller's own premium plan: price and duration are the operator's settings. */
async function draftPlan(app: App, { buyer: caller, body, key }: OrderRequest, providerId: string) {
  if (body.amount !== undefined) return refuse({ kind: "checkout.amount-not-free" });
  if (caller.audience !== "seller") return refuse({ kind: "checkout.seller-unknown" });
  const forbidden = await checks.checkPlanBuyer(app.db, caller.personId);
  if (forbidden) return refuse(forbidden);
  const account = checks.chooseOffer(await offersOf(app, null), providerId);
  if (!account.ok) return account;
  const { price, period_days } = (await app.settings.current()).premium;
  const order: NewOrder = {
    ...OURS,
    kind: "plan",
    buyerId: caller.personId,
    title: PLAN_TITLE,
    price,
    durationMinutes: period_days * DAY_MINUTES,
    provider: account.value.provider,
    key,
    createdAt: app.clock.now(),
  };
  return ok({ order, account: account.value, stock: null });
}

/** 100 francs from a seller to himself with his own keys (decision 95): no money of the platform moves. */
export async function createTrial(
  app: App,
  { sellerId, provider, keyId }: Account & { readonly sellerId: bigint },
) {
  const order: NewOrder = {
    ...OURS,
    kind: "trial",
    buyerId: sellerId,
    title: `${TRIAL_TITLE} : ${contract.PROVIDERS[provider].name}`,
    price: contract.TRIAL_PRICE,
    durationMinutes: 1,
    provider,
    key: null,
    createdAt: app.clock.now(),
  };
  const placed = await app.db.transaction().execute((tx) => placeOrder(tx, order, null));
  if (!placed) return refuse({ kind: "checkout.opening" } as const);
  if (!placed.ok) return placed;
  const payer = checks.payerOf(sellerId, undefined);
  const account = { provider, keyId };
  // The keys may have changed since the last trial.
  return startIt(app, { ...placed.value, account, payer, repeats: false });
}

/** Null when another call has written the order of this key meanwhile. */
async function placeOrder(tx: Db, order: NewOrder, stock: number | null) {
  const { buyerId, sold, key, createdAt: now } = order;
  const roomAt = await lockUnpaidOrders(tx, order);
  if (!key) {
    // The same purchase, a moment ago: still unpaid, at the same provider.
    const fresh = await findLike(tx, order)`o.provider = ${order.provider}
      AND o.status = 'pending' AND o.idempotency_key IS NULL
      AND o.created_at > ${addMs(now, -contract.SAME_ORDER_MS)}`;
    if (fresh) return ok({ order: fresh, reopened: false });
  }
  if (roomAt) return reopenInstead(tx, order, roomAt);
  if (stock !== null && sold) {
    const { productId } = sold;
    await lockPlaces(tx, productId);
    const free = await hasPlaceFor(tx, { productId, buyerId, stock, now });
    if (!free) return refuse({ kind: "checkout.sold-out" });
  }
  const inserted = await maybe<{ id: bigint }>(tx)`
    INSERT INTO orders (kind, buyer_id, seller_id, product_id, group_id, title, price, fee,
      duration_minutes, provider, idempotency_key, idempotency_hash, stock_reserved_until,
      created_at)
    VALUES (${order.kind}, ${buyerId}, ${sold?.sellerId ?? null}, ${sold?.productId ?? null},
      ${sold?.groupId ?? null}, ${order.title}, ${order.price}, ${order.fee},
      ${order.durationMinutes}, ${order.provider}, ${key?.key ?? null},
      ${key ? hashOf(key.content) : null}, ${order.reservedUntil}, ${now})
    ON CONFLICT (buyer_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
    RETURNING id
  `;
  return inserted && ok({ order: await getOrderToPay(tx, inserted.id), reopened: false });
}

/**
 * Serializes the orders of one buyer until the transaction ends. → when the buyer may have one more
 * unpaid order (WIRE §4); null: now.
 */
async function lockUnpaidOrders(tx: Db, order: NewOrder): Promise<Date | null> {
  const { buyerId, kind, sold, provider } = order;
  await takeTurn(tx, `order:${buyerId}`);
  const since = addMs(order.createdAt, -contract.UNPAID_WINDOW_MS);
  // A separate statement: it sees what earlier transactions wrote.
  const { same, total } = await one<{ same: Date | null; total: Date | null }>(tx)`
    SELECT (array_agg(o.created_at ORDER BY o.created_at DESC) FILTER (WHERE o.kind = ${kind}
        AND o.product_id IS NOT DISTINCT FROM ${sold?.productId ?? null}
        AND (o.kind <> 'trial' OR o.provider = ${provider})))[${contract.UNPAID_SAME_MAX}::int] AS same,
      (array_agg(o.created_at ORDER BY o.created_at DESC))[${contract.UNPAID_ALL_MAX}::int] AS total
    FROM orders o
    WHERE o.buyer_id = ${buyerId} AND o.status IN ('pending', 'failed') AND o.created_at > ${since}
  `;
  const last = same && total ? (same > total ? same : total) : (same ?? total);
  return last && addMs(last, contract.UNPAID_WINDOW_MS);
}

/** The buyer's newest order of the same thing on the same terms that meets the condition. */
function findLike(tx: Db, order: NewOrder) {
  return (...more: Parameters<typeof sql>): Promise<OrderToPay | null> => {
    const where = sql`o.buyer_id = ${order.buyerId} AND o.kind = ${order.kind}
      AND o.product_id IS NOT DISTINCT FROM ${order.sold?.productId ?? null}
      AND o.price = ${order.price} AND o.duration_minutes = ${order.durationMinutes}
      AND ${sql(...more)}`;
    return findToPay(tx, where);
  };
}

/** The maximum of other keys of an order: beyond it a repeated call is checked again, and still finds the order. */
const KEYS_PER_ORDER_MAX = 20;

/**
 * With too many unpaid orders the newest of the last day, on the same terms and payable at a
 * provider, is given instead, and again for the same key.
 */
async function reopenInstead(tx: Db, order: NewOrder, roomAt: Date) {
  const { buyerId, key, createdAt: now } = order;
  if (key && (await findOrderByKey(tx, buyerId, key.key))) return null;
  const open = await findLike(tx, order)`(o.kind <> 'trial' OR o.provider = ${order.provider})
    AND o.status IN ('pending', 'failed')
    AND o.created_at > ${addMs(now, -contract.UNPAID_WINDOW_MS)}
    AND o.payments_opened < ${contract.PAYMENTS_PER_ORDER_MAX}
    AND NOT EXISTS (SELECT FROM payments m WHERE m.order_id = o.id AND m.status = 'mismatched')`;
  if (!open) {
    const waitMs = roomAt.getTime() - now.getTime();
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
    return refuse({ kind: "checkout.too-many-unpaid", retryAfterSeconds });
  }
  if (key) {
    await sql`
      INSERT INTO order_keys (buyer_id, idempotency_key, idempotency_hash, order_id)
      SELECT ${buyerId}, ${key.key}, ${hashOf(key.content)}, ${open.id}
      WHERE (SELECT count(*) FROM order_keys WHERE order_id = ${open.id}) < ${KEYS_PER_ORDER_MAX}
      ON CONFLICT DO NOTHING
    `.execute(tx);
  }
  return ok({ order: open, reopened: true });
}
