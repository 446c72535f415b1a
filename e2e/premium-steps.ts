import type { Browser, Page } from "@playwright/test";
import type { CreateOrderAnswer, OrderAnswer } from "@sesame/contract/checkout";
import type { SellerSignInAnswer, UserOnWire } from "@sesame/contract/identity";
import type { CollectorName } from "../apps/emulators/src/wire.ts";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { control, readEmulators } from "./outside.ts";
import {
  type Actor,
  call,
  enrolBuyer,
  initDataOf,
  launchOf,
  type Scene,
  type Seller,
  until,
} from "./scene.ts";

/** What sellers do about plans, own accounts and refunds, as often as the journeys need it. */

/** The sellers' app as a page of its own, on a phone: opened anew at an address. */
export async function openApp(
  browser: Browser,
  product: StartedProduct,
  at: { readonly person: Actor; readonly path: string },
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    reducedMotion: "reduce",
    locale: "fr-FR",
    timezoneId: "Africa/Abidjan",
  });
  const page = await context.newPage();
  await reopen(page, product, at);
  return page;
}

/** The same app, opened again from Telegram: with a fresh proof, at another address. */
export async function reopen(
  page: Page,
  product: StartedProduct,
  { person, path }: { readonly person: Actor; readonly path: string },
): Promise<void> {
  const { url } = await launchOf(product, { personId: person.id, bot: "seller", path });
  await page.goto("about:blank");
  await page.goto(url);
}

/** A fresh token: that of before the clock was advanced has run out. */
export async function signInAgain(product: StartedProduct, seller: Seller): Promise<Seller> {
  const proof = await initDataOf(product, { personId: seller.person.id, bot: "seller" });
  const { token } = await call<SellerSignInAnswer>(product, "POST /api/auth/vendeur", {
    headers: { "x-telegram-init-data": proof },
    json: {},
  });
  return { ...seller, token };
}

export async function userOf(product: StartedProduct, seller: Seller): Promise<UserOnWire> {
  const path = `GET /api/users/${seller.userId}`;
  return (await call<{ user: UserOnWire }>(product, path, { token: seller.token })).user;
}

/** Pays the newest payment of a provider for an order, as its customer on its page. */
export async function payOrder(
  emulators: string,
  provider: CollectorName,
  order: string,
): Promise<void> {
  const paymentId = await openedPayment(emulators, provider, order);
  await control(emulators, "settleCollected", { provider, paymentId, outcome: "success" });
}

/** As its provider names it. */
export async function openedPayment(
  emulators: string,
  provider: CollectorName,
  order: string,
): Promise<string> {
  const opened = async () => {
    const { collectors } = await readEmulators(emulators);
    const own = collectors.find(({ name }) => name === provider)?.payments ?? [];
    return own.find(({ reference }) => reference === order || reference?.startsWith(`${order}-`));
  };
  return (await until(opened, `${provider} has no payment of the order ${order}`)).id;
}

/** The premium plan, paid; by the doors the app uses. → the order's number. */
export async function buyPremium(
  product: StartedProduct,
  { emulators, seller }: { readonly emulators: string; readonly seller: Seller },
): Promise<string> {
  const { token } = seller;
  const json = { plan: "payant", provider: "moneroo" };
  const { id } = await call<CreateOrderAnswer>(product, "POST /api/orders", { token, json });
  await payOrder(emulators, "moneroo", id);
  const premium = async () =>
    (await userOf(product, seller)).type_plan === "payant" ? true : undefined;
  await until(premium, "the plan is not premium");
  return id;
}

/** An order for the scene's product by its buyer, opened at a provider. */
export async function orderBy(
  product: StartedProduct,
  scene: Scene,
  provider: CollectorName,
): Promise<{ readonly id: string; readonly token: string }> {
  const token = await enrolBuyer(product, scene);
  const json = { reference: scene.product.reference, provider };
  const { id } = await call<CreateOrderAnswer>(product, "POST /api/orders", { token, json });
  return { id, token };
}

/** A purchase of the scene's product by its buyer, paid at a provider. */
export async function buyBy(
  product: StartedProduct,
  scene: Scene,
  provider: CollectorName,
  pay = payOrder,
): Promise<{ readonly id: string; readonly token: string }> {
  const { id, token } = await orderBy(product, scene, provider);
  await pay(scene.emulators, provider, id);
  const paid = async () => {
    const order = await call<OrderAnswer>(product, `GET /api/orders/${id}`, { token });
    return order.status === "paid" || undefined;
  };
  await until(paid, `the order ${id} was not paid`);
  return { id, token };
}
