import { eventually } from "../tools/testing/eventually.ts";
import type { ChannelOnWire } from "@sesame/contract/groups";
import type { DurationOnWire, ProductOnWire } from "@sesame/contract/catalogue";
import type { CreateOrderAnswer, OrderAnswer } from "@sesame/contract/checkout";
import type { BuyerSignInAnswer, SellerSignInAnswer } from "@sesame/contract/identity";
import type { ActorCalls, CheckoutView, ChatKind, PhoneId } from "../apps/emulators/src/wire.ts";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { act, control, peopleInside, readEmulators } from "./outside.ts";
import { photograph } from "./photograph.ts";

/**
 * People, a group and a product of a journey's own, made by the doors people use, so that no
 * journey depends on what another left behind.
 */

export type Actor = { readonly id: number; readonly firstName: string };

/** Who holds the three phones from now on: nobody another journey knows. */
export type Cast = Readonly<Record<PhoneId, Actor>>;

export type Seller = {
  readonly person: Actor;
  readonly token: string;
  readonly userId: string;
};

export type Scene = {
  readonly emulators: string;
  readonly app: string;
  readonly cast: Cast;
  readonly seller: Seller;
  readonly group: string;
  readonly chatId: number;
  readonly product: ProductOnWire;
  /** Opens the product in the buyers' mini app. */
  readonly link: string;
};

export type SceneChoice = {
  readonly names?: Partial<Record<PhoneId, string>>;
  readonly kind?: ChatKind;
  readonly group?: string;
  readonly title?: string;
  readonly description?: string;
  readonly price?: number;
  readonly image?: Buffer;
};

/** Three digits: no name is the beginning of another. */
let scenes = 100;

export async function setScene(product: StartedProduct, choice: SceneChoice = {}): Promise<Scene> {
  scenes += 1;
  const emulators = emulatorsOf(product);
  const cast = await castPhones(emulators, choice.names);
  const seller = await enrolSeller(product, cast.seller);
  const group = choice.group ?? `Cercle ${scenes}`;
  const channel = await linkGroup(product, seller, { title: group, kind: choice.kind });
  const published = await publish(product, seller, channel, choice);
  return {
    emulators,
    app: product.appUrl,
    cast,
    seller,
    group,
    chatId: channel.telegram_group_id ?? 0,
    product: published,
    link: await shareLink(emulators, published.reference),
  };
}

export function emulatorsOf(product: StartedProduct): string {
  if (product.emulatorUrl === null) throw new Error("journeys need the demo's emulators");
  return product.emulatorUrl;
}

export async function castPhones(
  emulators: string,
  names: SceneChoice["names"] = {},
): Promise<Cast> {
  scenes += 1;
  const hold = async (phone: PhoneId, otherwise: string): Promise<Actor> => {
    const firstName = names[phone] ?? `${otherwise} ${scenes}`;
    const { id } = await act(emulators, "createPerson", { firstName });
    await act(emulators, "switchPerson", { phone, personId: id });
    return { id, firstName };
  };
  return {
    seller: await hold("seller", "Aminata"),
    buyer: await hold("buyer", "Koffi"),
    agent: await hold("agent", "Ibrahim"),
  };
}

/** Signs a person in as a seller on the free plan, onboarding seen. */
export async function enrolSeller(product: StartedProduct, person: Actor): Promise<Seller> {
  const { url } = await launchOf(product, { personId: person.id, bot: "seller" });
  const { token, user } = await call<SellerSignInAnswer>(product, "POST /api/auth/vendeur", {
    headers: { "x-telegram-init-data": initDataIn(url) },
    json: {},
  });
  await call(product, `PUT /api/users/${user.id}`, {
    token,
    json: { deja: true, plan: true, type_plan: "gratuit" },
  });
  return { person, token, userId: user.id };
}

export function launchOf(
  product: StartedProduct,
  options: ActorCalls["openMiniApp"]["takes"],
): Promise<ActorCalls["openMiniApp"]["gives"]> {
  return act(emulatorsOf(product), "openMiniApp", options);
}

export async function linkGroup(
  product: StartedProduct,
  { person, token }: Seller,
  { title, kind = "supergroup" }: { title: string; kind?: ChatKind | undefined },
): Promise<ChannelOnWire> {
  const emulators = emulatorsOf(product);
  const { chatId } = await act(emulators, "createChat", { ownerId: person.id, kind, title });
  await act(emulators, "addBot", {
    personId: person.id,
    chatId,
    bot: "seller",
    rights: ["manage_chat", "invite_users", "restrict_members"],
  });
  const linked = async () => {
    const { channels } = await call<{ channels: ChannelOnWire[] }>(product, "GET /api/channels", {
      token,
    });
    return channels.find((channel) => channel.telegram_group_id === chatId);
  };
  return until(linked, `${title} was not linked`);
}

export async function publish(
  product: StartedProduct,
  seller: Seller,
  channel: Pick<ChannelOnWire, "id" | "name">,
  choice: SceneChoice = {},
): Promise<ProductOnWire> {
  const durations = await call<DurationOnWire[]>(
    product,
    "GET /api/config/subscription_durations",
    {},
  );
  const form = new FormData();
  form.set("group_id", channel.id);
  form.set("title", choice.title ?? `Accès au ${channel.name}`);
  form.set("price", String(choice.price ?? 5_000));
  form.set("description", choice.description ?? "Analyses du matin et salon d'entraide.");
  form.set("duration", durations.find(({ minutes }) => minutes === 43_200)?.id ?? "");
  const image = choice.image ?? (await photograph());
  form.set("image", new Blob([new Uint8Array(image)], { type: "image/jpeg" }), "photo.jpg");
  const answer = await call<{ product: ProductOnWire }>(product, "POST /api/products", {
    token: seller.token,
    form,
  });
  return answer.product;
}

async function shareLink(emulators: string, reference: string): Promise<string> {
  const { bots } = await readEmulators(emulators);
  const buyerBot = bots.find(({ role }) => role === "buyer");
  return `https://t.me/${buyerBot?.username}?startapp=${reference}`;
}

export type Order = { readonly id: string; readonly inviteLink: string };

/** The buyer's purchase, paid, by the doors his phone uses: his link waits for him. */
export async function buy(product: StartedProduct, scene: Scene): Promise<Order> {
  const token = await enrolBuyer(product, scene);
  const { id, payment_url } = await call<CreateOrderAnswer>(product, "POST /api/orders", {
    token,
    json: { reference: scene.product.reference, provider: "moneroo" },
  });
  const paymentId = new URL(payment_url).pathname.split("/").at(-1) ?? "";
  await control(scene.emulators, "settleCollected", {
    provider: "moneroo",
    paymentId,
    outcome: "success",
  });
  const opened = async () => {
    const order = await call<OrderAnswer>(product, `GET /api/orders/${id}`, { token });
    return order.access?.invite_link ?? undefined;
  };
  return { id, inviteLink: await until(opened, `order ${id} was not opened`) };
}

/** Bought, and in the group. */
export async function buyAndJoin(product: StartedProduct, scene: Scene): Promise<Order> {
  const order = await buy(product, scene);
  const { id: personId, firstName } = scene.cast.buyer;
  await act(scene.emulators, "join", { personId, link: order.inviteLink });
  const inside = async () =>
    (await peopleInside(scene.emulators, scene.group)).includes(firstName) || undefined;
  await until(inside, `${firstName} was not let in`);
  return order;
}

export async function enrolBuyer(product: StartedProduct, scene: Scene): Promise<string> {
  const { url } = await launchOf(product, { personId: scene.cast.buyer.id, bot: "buyer" });
  const { token } = await call<BuyerSignInAnswer>(product, "POST /api/auth/acheteur", {
    headers: { "x-telegram-init-data": initDataIn(url) },
    json: {},
  });
  return token;
}

function initDataIn(url: string): string {
  return new URLSearchParams(new URL(url).hash.slice(1)).get("tgWebAppData") ?? "";
}

/** The proof Telegram gives a person's web view. */
export async function initDataOf(
  product: StartedProduct,
  options: ActorCalls["openMiniApp"]["takes"],
): Promise<string> {
  return initDataIn((await launchOf(product, options)).url);
}

/** The newest payment of the scene's buyer, as the provider knows it. */
export async function paymentOf(scene: Scene): Promise<CheckoutView> {
  const { collectors } = await readEmulators(scene.emulators);
  const buyer = scene.cast.buyer.firstName;
  for (const { id } of collectors.find(({ name }) => name === "moneroo")?.payments ?? []) {
    const answer = await fetch(`${scene.emulators}/emulators/pay/moneroo/${id}`);
    const payment = (await answer.json()) as CheckoutView;
    const { firstName, lastName } = payment.customer;
    if (`${firstName} ${lastName}`.includes(buyer)) return payment;
  }
  throw new Error(`${buyer} has started no payment`);
}

type Sent = {
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly form?: FormData;
};

/** `call(product, "GET /api/…", { token })`: the answer, or an error that says what came. */
export async function call<T>(product: StartedProduct, what: string, sent: Sent): Promise<T> {
  const [method = "GET", path = "/"] = what.split(" ");
  const answer = await fetch(product.appUrl + path, {
    method,
    headers: {
      ...sent.headers,
      ...(sent.token ? { authorization: `Bearer ${sent.token}` } : {}),
      ...(sent.json === undefined ? {} : { "content-type": "application/json" }),
    },
    body: sent.form ?? (sent.json === undefined ? null : JSON.stringify(sent.json)),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
}

/** Asks again until there is an answer. */
export function until<T>(ask: () => Promise<T | undefined>, failure: string) {
  return eventually(async () => {
    const found = await ask();
    if (found === undefined) throw new Error(failure);
    return found;
  });
}
