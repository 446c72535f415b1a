import type { CreateOrderAnswer } from "@sesame/contract/checkout";
import type { Page } from "@playwright/test";
import type { Rooms, Screen } from "./rooms.ts";
import {
  type Actor,
  buy,
  call,
  castPhones,
  enrolBuyer,
  type Order,
  type Scene,
  emulatorsOf,
} from "./scene.ts";

export type Payments = {
  readonly claimed: Buyer;
  readonly byWidget: CreateOrderAnswer;
  readonly unsure: Buyer;
  readonly open: CreateOrderAnswer;
  readonly refunded: Buyer;
  readonly bought: Order;
};

/** A payment claimed, one that waits, and one to give back. */
export async function startPayments(rooms: Rooms, scene: Scene): Promise<Payments> {
  const { product } = rooms;
  const claimed = await newBuyer(rooms, scene);
  const unsure = await newBuyer(rooms, scene);
  const refunded = await newBuyer(rooms, scene);
  const byWidget = await openOrder(claimed, "fedapay");
  await call(product, `POST /api/orders/${byWidget.id}/claim`, {
    token: claimed.token,
    json: { motif: "paid-not-confirmed", message: LONG_WORDS },
  });
  const open = await openOrder(unsure, "paydunya");
  const bought = await buy(product, refunded.scene);
  await call(product, `POST /api/orders/${bought.id}/refund`, {
    token: scene.seller.token,
    json: { motif: LONG_WORDS },
  });
  return { claimed, byWidget, unsure, open, refunded, bought };
}

/** What a buyer sees of a payment beyond the ordinary: other ways, claims, refunds. */
export function payScreens({
  rooms,
  scene,
  payments: { claimed, byWidget, unsure, open, refunded, bought },
}: {
  readonly rooms: Rooms;
  readonly scene: Scene;
  readonly payments: Payments;
}): Screen[] {
  const { product } = rooms;
  const { reference } = scene.product;
  const headed = (name: string | RegExp) => async (page: Page) => {
    await page.getByRole("heading", { name }).waitFor();
  };
  return [
    rooms.buyer(
      "payment sheet, chosen",
      unsure.person,
      `/PaymentSelector?reference=${reference}`,
      chosen,
    ),
    rooms.buyer(
      "status, claimed",
      claimed.person,
      `/commande/${byWidget.id}`,
      headed(/^Votre récl/),
    ),
    rooms.buyer("claim", unsure.person, `/PaymentStatus?paymentId=${open.id}`, async (page) => {
      await page.getByRole("button", { name: "J'ai payé, mais rien ne vient" }).click();
      await page.getByRole("dialog").waitFor();
    }),
    rooms.buyer("status, refunding", refunded.person, `/commande/${bought.id}`, async (page) => {
      await page.getByRole("combobox", { name: "Opérateur" }).waitFor();
    }),
    rooms.plain(
      "status, no payment",
      `${product.appUrl}/PaymentStatus`,
      headed("ID de paiement manquant"),
    ),
    // First: once a payment's page was open here, this address goes back to it.
    rooms.plain(
      "widget page, gone",
      `${product.appUrl}/paiement/page`,
      headed(/n'est plus ouvert ici/),
    ),
    rooms.plain("widget page", byWidget.payment_url, async (page) => {
      await page.getByRole("button", { name: "Payer", exact: true, disabled: false }).waitFor();
    }),
  ];
}

const LONG_WORDS =
  "J'ai reçu le message de l'opérateur, et le montant a quitté mon compte deux fois. ".repeat(3);

async function chosen(page: Page): Promise<void> {
  await page.getByRole("radio", { name: /FedaPay/ }).check();
  await page.getByRole("textbox").first().waitFor();
}

type Buyer = {
  readonly rooms: Rooms;
  readonly scene: Scene;
  readonly person: Actor;
  readonly token: string;
};

async function newBuyer(rooms: Rooms, scene: Scene): Promise<Buyer> {
  const cast = await castPhones(emulatorsOf(rooms.product));
  const own = { ...scene, cast };
  return { rooms, scene: own, person: cast.buyer, token: await enrolBuyer(rooms.product, own) };
}

function openOrder({ rooms, scene, token }: Buyer, provider: string): Promise<CreateOrderAnswer> {
  return call(rooms.product, "POST /api/orders", {
    token,
    json: { reference: scene.product.reference, provider },
  });
}
