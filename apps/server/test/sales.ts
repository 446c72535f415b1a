import type { DurationOnWire, ProductOnWire } from "@sesame/contract/catalogue";
import type { CreateOrderAnswer } from "@sesame/contract/checkout";
import type { AnswerOf } from "@sesame/contract/routes";
import { assert } from "@sesame/kernel";
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
export function publishDonation(app: TestApp, seller: SignedInSeller, suggestions = "1000, 5000") {
  const words = { title: "Soutenez la chaîne", description: "Merci" };
  return publish(app, seller, { kind: "donation", ...words, price: "500", suggestions });
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

export type Shelf = Awaited<ReturnType<typeof openShelf>>;
export type Shop = Awaited<ReturnType<typeof openShopIn>>;

/** A product in a new group of the seller's; `ids`: the form of the emulators' functions. */
export async function openShelf(
  app: TestApp,
  seller: SignedInSeller,
  { kind, ...choice }: ProductChoice & { readonly kind?: "supergroup" | "channel" } = {},
) {
  const group = await app.linkGroup(seller, { kind });
  const product = await publishProduct(app, { seller, group }, choice);
  const ids = { personId: seller.person.id, chatId: group.chatId };
  return { seller, group, product, reference: product.reference, ids };
}

export const openShop = async (choice?: ProductChoice, options?: TestAppOptions) =>
  openShopIn(await startTestApp(options), choice);

/** A seller with a group and a product, and a buyer: on an application with others. */
export async function openShopIn(app: TestApp, choice?: ProductChoice) {
  const shelf = await openShelf(app, await app.signInSeller(), choice);
  return { app, ...shelf, buyer: await app.signInBuyer() };
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
export const sellerHas = ({ app, seller }: Shop) => app.balance(`seller:${seller.id}:free`);
