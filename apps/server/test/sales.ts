import type { DurationOnWire, ProductOnWire } from "@sesame/contract/catalogue";
import type { CreateOrderAnswer } from "@sesame/contract/checkout";
import type { AnswerOf } from "@sesame/contract/routes";
import { assert } from "@sesame/kernel";
import { balanceOf } from "@sesame/ledger";
import { many, one } from "../src/postgres/database.ts";
import {
  type SignedInBuyer,
  type SignedInSeller,
  startTestApp,
  type TestApp,
  type TestAppOptions,
} from "./harness.ts";
import type { CallOptions } from "./http.ts";
import { picture } from "./pictures.ts";

/** `minutes`: one of the durations; default 30 days. */
type ProductChoice = Partial<
  Record<"title" | "description", string> & Record<"price" | "minutes" | "stock", number>
>;

type Selling = Pick<TestApp, "call">;
type Caller = { readonly token: string };

async function publish(app: Selling, { token }: Caller, form: CallOptions["form"] = {}) {
  const options = { token, form };
  const answer = await app.call<AnswerOf<"POST /api/products">>("POST", "/api/products", options);
  assert(answer.status === 201, `publishing answered ${JSON.stringify(answer.body)}`);
  return answer.body.product;
}

/** Publishes a product in the group, as its seller would. */
export async function publishProduct(
  app: Selling,
  { seller, group }: { seller: Caller; group: { readonly id: string } },
  choice: ProductChoice = {},
): Promise<ProductOnWire> {
  const { title = "Recettes du mois", description = "", price = 5_000 } = choice;
  const { minutes = 43_200, stock } = choice;
  const durations = await app.call<DurationOnWire[]>("GET", "/api/config/subscription_durations");
  const duration = durations.body.find((option) => option.minutes === minutes);
  assert(duration, `no duration of ${minutes} minutes is offered`);
  return publish(app, seller, {
    title,
    price: String(price),
    description,
    duration: duration.id,
    group_id: group.id,
    image: await picture({ width: 40, height: 30 }),
    ...(stock === undefined ? {} : { stock: String(stock) }),
  });
}

/** Publishes a donation, as its seller would: no group, no image. */
export function publishDonation(
  app: TestApp,
  seller: SignedInSeller,
  { title = "Soutenez la chaîne", minimum = 500, suggestions = "1000, 5000" } = {},
) {
  const price = String(minimum);
  const description = "Merci";
  return publish(app, seller, { kind: "donation", title, price, suggestions, description });
}

/** Orders it, up to the provider's page: nothing is paid yet. */
export async function orderProduct(app: Selling, { token }: Caller, reference: string) {
  const body = { reference, provider: "moneroo" };
  const answer = await app.call<CreateOrderAnswer>("POST", "/api/orders", { token, body });
  assert(answer.status === 201, `ordering answered ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Orders it, pays on the provider's page, and drains. → the order's id */
export async function buyProduct(app: TestApp, buyer: SignedInBuyer, reference: string) {
  const order = await orderProduct(app, buyer, reference);
  await app.pay("moneroo", paymentIdOf(order.payment_url));
  return order.id;
}

export type Shop = Awaited<ReturnType<typeof openShopIn>>;

export const openShop = async (choice?: ProductChoice, options?: TestAppOptions) =>
  openShopIn(await startTestApp(options), choice);

/** A seller with a group and a product, and a buyer: on an application with others. */
export async function openShopIn(app: TestApp, choice: ProductChoice = {}) {
  const seller = await app.signInSeller();
  const group = await app.linkGroup(seller);
  const product = await publishProduct(app, { seller, group }, choice);
  return { app, seller, group, product, buyer: await app.signInBuyer() };
}

export type OpenOrder = Awaited<ReturnType<typeof openOrder>>;

export async function openOrder(shop: Shop, buyer = shop.buyer) {
  const order = await orderProduct(shop.app, buyer, shop.product.reference);
  return { id: order.id, paymentId: paymentIdOf(order.payment_url) };
}

export const paymentIdOf = (paymentUrl: string): string =>
  new URL(paymentUrl).pathname.split("/").at(-1) ?? "";

export const readOrder = (shop: Shop, id: string, reader: Caller = shop.buyer) =>
  shop.app.read("GET /api/orders/:id", reader, { id });

/** The seller's francs on the free plan's account. */
export const sellerHas = async (shop: Shop): Promise<bigint | undefined> =>
  (await balanceOf(shop.app.db, `seller:${shop.seller.id}:free`))?.posted;

/** The sum of all ledger entries: always zero. */
export async function sumOfBooks(shop: Shop): Promise<bigint | undefined> {
  const { sum } = await one<{ sum: bigint }>(shop.app.db)`
    SELECT coalesce(sum(amount), 0)::bigint AS sum FROM ledger_entries`;
  return sum;
}

/** The id of the last alert: a test's own alerts come after it. */
export async function lastAlert(app: TestApp): Promise<bigint> {
  const { id } = await one<{ id: bigint }>(app.db)`
    SELECT coalesce(max(id), 0)::bigint AS id FROM alerts`;
  return id;
}

export async function alertsAfter(app: TestApp, last: bigint): Promise<string[]> {
  const alerts = await many<{ kind: string }>(app.db)`
    SELECT kind FROM alerts WHERE id > ${last} ORDER BY id`;
  return alerts.map(({ kind }) => kind);
}
