import {
  type CheckoutRefusal,
  type CreateOrderBody,
  isEmail,
  KNOWN_PROVIDERS,
  PLACE_RESERVED_MS,
  SAME_ORDER_MS,
} from "@sesame/contract/checkout";
import { addMs, type Fcfa, ok, type Result, refuse, splitPrice } from "@sesame/kernel";
import type { PaymentProvider } from "@sesame/providers";
import type { CheckoutDeps, ProductForSale } from "./needs.ts";
import {
  findFreshOrder,
  findOrderByKey,
  findOrderToPay,
  type IdempotencyKey,
  insertOrder,
  isSameContent,
  lockBuyerAndProduct,
  lockPlaces,
  type NewOrder,
  type OrderToPay,
} from "./order.store.ts";
import { type BuyerRow, hasPlaceFor, viewBuyer } from "./order.view.ts";
import type { Payer, PaymentStarter } from "./start-payment.ts";

export type OrderRequest = {
  readonly buyer: { readonly personId: bigint; readonly telegramId: bigint };
  readonly body: CreateOrderBody;
  readonly key: IdempotencyKey | null;
};

export type OrderToOpen = {
  readonly id: bigint;
  readonly status: OrderToPay["status"];
  readonly amount: Fcfa;
  readonly paymentUrl: string;
};

/**
 * Makes an order at the price of this instant and opens its payment at the provider (decision 7).
 * The order is written first: when the provider does not answer, the same call with the same key
 * goes on with the same order.
 */
export async function createOrder(
  deps: CheckoutDeps,
  starter: PaymentStarter,
  request: OrderRequest,
): Promise<Result<OrderToOpen, CheckoutRefusal>> {
  const email = readEmail(request.body);
  const known = await findKnownOrder(deps, request);
  if (known && !known.ok) return known;
  const made = known ?? (await writeOrder(deps, request));
  if (!made.ok) return made;
  const order = made.value;
  const opened = { id: order.id, status: order.status, amount: order.price };
  if (order.checkout_url) return ok({ ...opened, paymentUrl: order.checkout_url });
  const payer: Payer = {
    personId: request.buyer.personId,
    email,
    firstName: request.body.customer?.first_name ?? null,
    lastName: request.body.customer?.last_name ?? null,
    phone: request.body.customer?.phone ?? null,
  };
  const started = await starter.start(order, payer);
  return started.ok ? ok({ ...opened, paymentUrl: started.value }) : started;
}

async function findKnownOrder(
  deps: CheckoutDeps,
  { buyer, key }: OrderRequest,
): Promise<Result<OrderToPay, CheckoutRefusal> | null> {
  const order = key ? await findOrderByKey(deps.db, buyer.personId, key.key) : null;
  if (!order || !key) return null;
  return isSameContent(order, key) ? ok(order) : refuse({ kind: "checkout.key-reused" });
}

async function writeOrder(
  deps: CheckoutDeps,
  request: OrderRequest,
): Promise<Result<OrderToPay, CheckoutRefusal>> {
  const judged = await judgeRequest(deps, request);
  if (!judged.ok) return judged;
  const { product, buyer, provider } = judged.value;
  const now = deps.clock.now();
  const rate = await deps.feeRateOf(buyer.seller_plan ?? "free");
  const order: NewOrder = {
    buyerId: request.buyer.personId,
    sellerId: product.sellerId,
    productId: product.id,
    groupId: product.groupId,
    title: product.title,
    price: product.price,
    fee: splitPrice(product.price, rate).fee,
    durationMinutes: product.durationMinutes,
    provider: provider.id,
    key: request.key,
    reservedUntil: product.stock === null ? null : addMs(now, PLACE_RESERVED_MS),
    createdAt: now,
  };
  const placed = await deps.db.transaction().execute((tx) => placeOrder(tx, order, product.stock));
  if (placed) return placed;
  // The same key came twice at once: the other call wrote the order.
  return (await findKnownOrder(deps, request)) ?? writeOrder(deps, request);
}

/** Null when another call has written the order of this key meanwhile. */
async function placeOrder(
  tx: CheckoutDeps["db"],
  order: NewOrder,
  stock: number | null,
): Promise<Result<OrderToPay, CheckoutRefusal> | null> {
  if (!order.key) {
    await lockBuyerAndProduct(tx, order.buyerId, order.productId);
    const since = addMs(order.createdAt, -SAME_ORDER_MS);
    const fresh = await findFreshOrder(tx, order, since);
    if (fresh) return ok(fresh);
  }
  if (stock !== null) {
    await lockPlaces(tx, order.productId);
    const { productId, buyerId, createdAt: now } = order;
    const free = await hasPlaceFor(tx, { productId, buyerId, stock, now });
    if (!free) return refuse({ kind: "checkout.sold-out" });
  }
  const id = await insertOrder(tx, order);
  return id === null ? null : ok(await findOrderToPay(tx, id));
}

type Judged = {
  readonly product: ProductForSale;
  readonly buyer: BuyerRow;
  readonly provider: PaymentProvider;
};

/** Every reason to say no, in the order of the contract. */
async function judgeRequest(
  deps: CheckoutDeps,
  { buyer: caller, body }: OrderRequest,
): Promise<Result<Judged, CheckoutRefusal>> {
  const providerId = body.provider;
  if (typeof providerId !== "string" || providerId.trim() === "") {
    return refuse({ kind: "checkout.method-missing" });
  }
  const email = body.customer?.email;
  if (!isBlank(email) && !(typeof email === "string" && isEmail(email.trim()))) {
    return refuse({ kind: "checkout.email-invalid" });
  }
  if (body.reference === undefined) return refuse({ kind: "checkout.plan-not-sold" });
  const product = await deps.shelf.productForSale(deps.db, body.reference);
  if (!product) return refuse({ kind: "checkout.product-not-found" });
  if (product.sellerId === caller.personId) return refuse({ kind: "checkout.own-product" });
  if (product.suspended) return refuse({ kind: "checkout.suspended" });
  if (product.archived || !product.switchedOn) return refuse({ kind: "checkout.product-closed" });
  const closed = await judgeGroup(deps, product, caller);
  if (closed) return refuse(closed);
  const { personId } = caller;
  const { sellerId, groupId } = product;
  const buyer = await viewBuyer(deps.db, { personId, sellerId, groupId });
  if (!buyer) return refuse({ kind: "checkout.product-not-found" });
  if (buyer.banned) return refuse({ kind: "checkout.banned" });
  const provider = chooseProvider(deps.providers, providerId);
  return provider.ok ? ok({ product, buyer, provider: provider.value }) : provider;
}

async function judgeGroup(
  deps: CheckoutDeps,
  product: ProductForSale,
  caller: OrderRequest["buyer"],
): Promise<CheckoutRefusal | null> {
  const group = await deps.groups.groupForSale(deps.db, product.groupId);
  if (!group) return { kind: "checkout.group-unhealthy" };
  if (group.state === "over_quota") return { kind: "checkout.group-over-quota" };
  if (group.state !== "connected") return { kind: "checkout.group-unhealthy" };
  const admin = await deps.groups.isAdminOf(deps.db, product.groupId, caller.telegramId);
  return admin ? { kind: "checkout.group-admin" } : null;
}

function chooseProvider(
  open: readonly PaymentProvider[],
  id: string,
): Result<PaymentProvider, CheckoutRefusal> {
  if (open.length === 0) return refuse({ kind: "checkout.no-method" });
  const provider = open.find((candidate) => candidate.id === id);
  if (provider) return ok(provider);
  const known = KNOWN_PROVIDERS.some((name) => name === id);
  return refuse({ kind: known ? "checkout.method-closed" : "checkout.method-unknown" });
}

function readEmail(body: CreateOrderBody): string | null {
  const email = body.customer?.email;
  return typeof email === "string" && !isBlank(email) ? email.trim() : null;
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && !value.trim());
}
