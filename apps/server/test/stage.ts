import type { DurationOnWire, ProductOnWire } from "@sesame/contract/catalogue";
import type { AnswerOf } from "@sesame/contract/routes";
import type { CreateOrderAnswer } from "@sesame/contract/checkout";
import { assert } from "@sesame/kernel";
import type { LinkedGroup, SignedInBuyer, SignedInSeller, TestApp } from "./harness.ts";
import { picture } from "./pictures.ts";

export type ProductChoice = {
  readonly title?: string;
  readonly price?: number;
  /** One of the offered durations; 30 days when absent. */
  readonly minutes?: number;
  readonly stock?: number;
};

/** Publishes a product in the group, as its seller would. */
export async function publishProduct(
  app: TestApp,
  shelf: { seller: SignedInSeller; group: LinkedGroup },
  choice: ProductChoice = {},
): Promise<ProductOnWire> {
  const { title = "Recettes du mois", price = 5_000, minutes = 43_200, stock } = choice;
  const durations = await app.call<DurationOnWire[]>("GET", "/api/config/subscription_durations");
  const duration = durations.body.find((option) => option.minutes === minutes);
  assert(duration, `no duration of ${minutes} minutes is offered`);
  const answer = await app.call<AnswerOf<"POST /api/products">>("POST", "/api/products", {
    token: shelf.seller.token,
    form: {
      title,
      price: String(price),
      description: "",
      duration: duration.id,
      group_id: shelf.group.id,
      image: await picture({ width: 40, height: 30 }),
      ...(stock === undefined ? {} : { stock: String(stock) }),
    },
  });
  assert(answer.status === 201, `publishing answered ${answer.status}`);
  return answer.body.product;
}

/** Orders it, up to the provider's page: nothing is paid yet. */
export async function orderProduct(
  app: TestApp,
  buyer: SignedInBuyer,
  reference: string,
): Promise<CreateOrderAnswer> {
  const answer = await app.call<CreateOrderAnswer>("POST", "/api/orders", {
    token: buyer.token,
    body: { reference, provider: "moneroo" },
  });
  assert(answer.status === 201, `ordering answered ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Orders it, pays on the provider's page, and lets everything happen. → the order's id */
export async function buyProduct(
  app: TestApp,
  buyer: SignedInBuyer,
  reference: string,
): Promise<string> {
  const order = await orderProduct(app, buyer, reference);
  const paymentId = new URL(order.payment_url).pathname.split("/").at(-1) ?? "";
  app.emulators.collectors.moneroo.settle(paymentId, "success");
  await app.drain();
  return order.id;
}
