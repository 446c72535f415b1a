import {
  ASKED_FOR_MS,
  type CheckoutRefusal,
  type CreateOrderBody,
  type OpensOnWire,
  PAGE_SERVES_MS,
  PAYMENT_PROVIDERS,
  PLACE_RESERVED_MS,
  PLAN_TITLE,
  SAME_ORDER_MS,
  TRIAL_PRICE,
  TRIAL_TITLE,
} from "@sesame/contract/checkout";
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
import type { App } from "../../app.ts";
import type { Db } from "../../postgres/database.ts";
import { offersOf } from "../aggregators/index.ts";
import { type Caller, judgeAmount, judgeChoice, judgeSale, payerOf } from "./judge-sale.ts";
import { chooseOffer } from "./offers.ts";
import { opensOf, type PaymentWish, startPayment } from "./open-payment.ts";
import type { Account } from "./opening.store.ts";
import {
  findFreshOrder,
  findOrderByKey,
  findOrderToPay,
  findReopenable,
  type IdempotencyKey,
  insertOrder,
  isSameContent,
  lockUnpaidOrders,
  lockPlaces,
  type NewOrder,
  type OrderToPay,
  type PaymentPage,
  rememberKey,
} from "./order.store.ts";
import { hasPlaceFor, viewSellerForPlan } from "./order.view.ts";

type OrderRequest = {
  readonly buyer: Caller;
  readonly body: CreateOrderBody;
  readonly key: IdempotencyKey | null;
};

export type OrderToOpen = {
  readonly id: bigint;
  readonly status: OrderToPay["status"];
  readonly amount: Fcfa;
  readonly paymentUrl: string;
  readonly opens: OpensOnWire;
  /** Another unpaid order of the person's, in place of one too many (WIRE §4). */
  readonly reopened?: boolean;
};

export function openedOrder(order: OrderToPay, page: PaymentPage): OrderToOpen {
  return {
    id: order.id,
    status: order.status,
    amount: order.price,
    paymentUrl: page.url,
    opens: opensOf(page),
  };
}

/**
 * Makes an order at the price of this instant and opens its payment at the provider (decision 7).
 * The order is written first: when the provider does not answer, the same call with the same key
 * goes on with the same order, and so does another provider (change-payment.ts).
 */
export async function makeOrder(
  app: App,
  request: OrderRequest,
): Promise<Result<OrderToOpen, CheckoutRefusal>> {
  const known = await findKnownOrder(app, request);
  if (known && !known.ok) return known;
  const payer = payerOf(request.buyer.personId, request.body.customer);
  if (known) {
    const order = known.value;
    const reopened = order.by_other_key;
    const renews = isPageDead(order, app.clock.now());
    if (order.page && !renews && !reopened) return ok(openedOrder(order, order.page));
    if (order.page && !isUnpaid(order)) return ok({ ...openedOrder(order, order.page), reopened });
    const offers = await offersOf(app, order.seller_id);
    const provider = reopened ? textOf(request.body.provider) : order.provider;
    const account = chooseOffer(offers, provider);
    if (!account.ok) return account;
    const repeats = !renews && !reopened;
    return startIt(app, { order, account: account.value, payer, repeats, reopened });
  }
  const written = await writeOrder(app, request);
  if (!written.ok) return written;
  return startIt(app, { ...written.value, payer, repeats: !written.value.reopened });
}

function isUnpaid({ status }: OrderToPay): boolean {
  return status === "pending" || status === "failed";
}

/** Nobody can pay by it any more, and the order still may be paid: it is given another page. */
function isPageDead(order: OrderToPay, now: Date): boolean {
  const { page, created_at: made } = order;
  if (!page || !isUnpaid(order) || addMs(made, ASKED_FOR_MS) <= now) return false;
  if (page.status === "refused" || page.status === "expired") return true;
  const served = now.getTime() - new Date(page.created_at).getTime();
  return page.status === "pending" && served >= PAGE_SERVES_MS;
}

async function startIt(
  app: App,
  wish: PaymentWish & { readonly reopened?: boolean },
): Promise<Result<OrderToOpen, CheckoutRefusal>> {
  const { reopened = false } = wish;
  const started = await startPayment(app, wish);
  if (!started.ok) return started;
  // One that had failed waits again.
  const status = reopened && wish.order.status === "failed" ? "pending" : wish.order.status;
  return ok({ ...openedOrder({ ...wish.order, status }, started.value), reopened });
}

async function findKnownOrder(
  app: App,
  { buyer, key }: OrderRequest,
): Promise<Result<OrderToPay, CheckoutRefusal> | null> {
  if (!key) return null;
  const order = await findOrderByKey(app.db, buyer.personId, key.key);
  if (!order) return null;
  return isSameContent(order, key) ? ok(order) : refuse({ kind: "checkout.key-reused" });
}

type Written = Placed & { readonly account: Account };

async function writeOrder(
  app: App,
  request: OrderRequest,
): Promise<Result<Written, CheckoutRefusal>> {
  const chosen = judgeChoice(request.body);
  if (!chosen.ok) return chosen;
  const drafted = await (request.body.reference === undefined
    ? draftPlan(app, request, chosen.value)
    : draftSale(app, { ...request, reference: request.body.reference }, chosen.value));
  if (!drafted.ok) return drafted;
  const { order, stock, account } = drafted.value;
  const placed = await app.db.transaction().execute((tx) => placeOrder(tx, order, stock));
  if (placed) return placed.ok ? ok({ ...placed.value, account }) : placed;
  // The same key came twice at once: the other call wrote the order.
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
): Promise<Result<Draft, CheckoutRefusal>> {
  const judged = await judgeSale(app, reference, caller);
  if (!judged.ok) return judged;
  const { product, buyer } = judged.value;
  const amount = judgeAmount(product, body.amount);
  if (!amount.ok) return amount;
  const offers = await offersOf(app, product.sellerId);
  const account = chooseOffer(offers, providerId);
  if (!account.ok) return account;
  const now = app.clock.now();
  const rate = (await app.settings.current()).feeRates[buyer.seller_plan ?? "free"];
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
    reservedUntil: stock === null ? null : addMs(now, PLACE_RESERVED_MS),
    createdAt: now,
  };
  return ok({ order, account: account.value, stock });
}

const DAY_MINUTES = 1_440;
const NO_FEE = fcfa(0n);

/** A seller's own premium plan: what it costs and how long it lasts are the operator's to say. */
async function draftPlan(
  app: App,
  { buyer: caller, body, key }: OrderRequest,
  providerId: string,
): Promise<Result<Draft, CheckoutRefusal>> {
  if (body.amount !== undefined) return refuse({ kind: "checkout.amount-not-free" });
  const seller =
    caller.audience === "seller" ? await viewSellerForPlan(app.db, caller.personId) : null;
  if (!seller) return refuse({ kind: "checkout.seller-unknown" });
  if (seller.closed) return refuse({ kind: "checkout.account-closed" });
  const account = chooseOffer(await offersOf(app, null), providerId);
  if (!account.ok) return account;
  const { price, periodDays } = (await app.settings.current()).premium;
  const order: NewOrder = {
    kind: "plan",
    buyerId: caller.personId,
    sold: null,
    title: PLAN_TITLE,
    price,
    fee: NO_FEE,
    durationMinutes: periodDays * DAY_MINUTES,
    provider: account.value.provider,
    key,
    reservedUntil: null,
    createdAt: app.clock.now(),
  };
  return ok({ order, account: account.value, stock: null });
}

export type TrialRequest = { readonly sellerId: bigint } & Account;

/** 100 francs from a seller to himself by his own keys (decision 95): nothing of ours moves. */
export async function createTrial(
  app: App,
  { sellerId, provider, keyId }: TrialRequest,
): Promise<Result<OrderToOpen, CheckoutRefusal>> {
  const order: NewOrder = {
    kind: "trial",
    buyerId: sellerId,
    sold: null,
    title: `${TRIAL_TITLE} : ${PAYMENT_PROVIDERS[provider].name}`,
    price: TRIAL_PRICE,
    fee: NO_FEE,
    durationMinutes: 1,
    provider,
    key: null,
    reservedUntil: null,
    createdAt: app.clock.now(),
  };
  const placed = await app.db.transaction().execute((tx) => placeOrder(tx, order, null));
  if (!placed) return refuse({ kind: "checkout.opening" });
  if (!placed.ok) return placed;
  const payer = payerOf(sellerId, undefined);
  const account = { provider, keyId };
  // Other keys may have been given since the trial a moment ago.
  return startIt(app, { ...placed.value, account, payer, repeats: false });
}

type Placed = { readonly order: OrderToPay; readonly reopened: boolean };

/** Null when another call has written the order of this key meanwhile. */
async function placeOrder(
  tx: Db,
  order: NewOrder,
  stock: number | null,
): Promise<Result<Placed, CheckoutRefusal> | null> {
  const roomAt = await lockUnpaidOrders(tx, order);
  if (!order.key) {
    const since = addMs(order.createdAt, -SAME_ORDER_MS);
    const fresh = await findFreshOrder(tx, order, since);
    if (fresh) return ok({ order: fresh, reopened: false });
  }
  if (roomAt) return reopenInstead(tx, order, roomAt);
  if (stock !== null && order.sold) {
    const { productId } = order.sold;
    await lockPlaces(tx, productId);
    const { buyerId, createdAt: now } = order;
    const free = await hasPlaceFor(tx, { productId, buyerId, stock, now });
    if (!free) return refuse({ kind: "checkout.sold-out" });
  }
  const id = await insertOrder(tx, order);
  return id === null ? null : ok({ order: await findOrderToPay(tx, id), reopened: false });
}

/** The person has too many unpaid orders: the newest one on the same terms is given in its place. */
async function reopenInstead(
  tx: Db,
  order: NewOrder,
  roomAt: Date,
): Promise<Result<Placed, CheckoutRefusal> | null> {
  if (order.key && (await findOrderByKey(tx, order.buyerId, order.key.key))) return null;
  const open = await findReopenable(tx, order);
  if (!open) {
    const waitMs = roomAt.getTime() - order.createdAt.getTime();
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
    return refuse({ kind: "checkout.too-many-unpaid", retryAfterSeconds });
  }
  await rememberKey(tx, open.id, order);
  return ok({ order: open, reopened: true });
}
