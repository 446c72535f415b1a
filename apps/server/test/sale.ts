import type { OrderAnswer } from "@sesame/contract/checkout";
import type { ProductOnWire } from "@sesame/contract/catalogue";
import { balanceOf } from "@sesame/ledger";
import { sql } from "kysely";
import {
  type LinkedGroup,
  type SignedInBuyer,
  type SignedInSeller,
  startTestApp,
  type TestApp,
  type TestAppOptions,
} from "./harness.ts";
import { orderProduct, type ProductChoice, publishProduct } from "./stage.ts";

/** A seller with a group and a product, and a buyer in front of it. */
export type Shop = {
  readonly app: TestApp;
  readonly seller: SignedInSeller;
  readonly group: LinkedGroup;
  readonly product: ProductOnWire;
  readonly buyer: SignedInBuyer;
};

export async function openShop(
  choice: ProductChoice = {},
  options: TestAppOptions = {},
): Promise<Shop> {
  return openShopIn(await startTestApp(options), choice);
}

/** One more shop, on an application that has others. */
export async function openShopIn(app: TestApp, choice: ProductChoice = {}): Promise<Shop> {
  const seller = await app.signInSeller();
  const group = await app.linkGroup(seller);
  const product = await publishProduct(app, { seller, group }, choice);
  return { app, seller, group, product, buyer: await app.signInBuyer() };
}

export type OpenOrder = { readonly id: string; readonly paymentId: string };

/** An order with its payment open at the provider. */
export async function openOrder(shop: Shop, buyer = shop.buyer): Promise<OpenOrder> {
  const order = await orderProduct(shop.app, buyer, shop.product.reference);
  return { id: order.id, paymentId: paymentIdOf(order.payment_url) };
}

export function paymentIdOf(paymentUrl: string): string {
  return new URL(paymentUrl).pathname.split("/").at(-1) ?? "";
}

export async function readOrder(
  shop: Shop,
  orderId: string,
  reader: { readonly token: string } = shop.buyer,
): Promise<OrderAnswer> {
  const answer = await shop.app.call<OrderAnswer>("GET", `/api/orders/${orderId}`, {
    token: reader.token,
  });
  return answer.body;
}

/** Francs the seller of the shop has on the free plan's account. */
export async function sellerHas(shop: Shop): Promise<bigint | undefined> {
  return (await balanceOf(shop.app.db, `seller:${shop.seller.id}:free`))?.posted;
}

/** Sum of all entries of the ledger: zero, always. */
export async function sumOfBooks(shop: Shop): Promise<bigint | undefined> {
  const { rows } = await sql<{ sum: bigint }>`
    SELECT coalesce(sum(amount), 0)::bigint AS sum FROM ledger_entries`.execute(shop.app.db);
  return rows[0]?.sum;
}

export async function alertsOf(shop: Shop): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    SELECT kind FROM desk_alerts ORDER BY id`.execute(shop.app.db);
  return rows.map(({ kind }) => kind);
}

/** The last alert of the desk: what a test raised itself comes after it. */
export async function lastAlert(app: TestApp): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT coalesce(max(id), 0)::bigint AS id FROM desk_alerts`.execute(app.db);
  return rows[0]?.id ?? 0n;
}

export async function alertsAfter(app: TestApp, last: bigint): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    SELECT kind FROM desk_alerts WHERE id > ${last} ORDER BY id`.execute(app.db);
  return rows.map(({ kind }) => kind);
}
