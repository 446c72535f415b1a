import type {
  ActorCalls,
  ChatKind,
  CheckoutView,
  CollectorName,
  PhoneId,
} from "../apps/emulators/src/wire.ts";
import type { ChannelOnWire } from "@sesame/contract/groups";
import type { ProductOnWire } from "@sesame/contract/catalogue";
import type { AnswerOf, CallName, Sent } from "@sesame/contract/routes";
import type { WithdrawalOnWire } from "@sesame/contract/withdrawals";
import sharp from "sharp";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { eventually } from "../tools/testing/eventually.ts";
import { act, control, peopleInside, readEmulators } from "./outside.ts";

/**
 * People, groups, products, orders and withdrawals of a journey's own, made by the doors people use,
 * so that no journey depends on what another left behind.
 */

export type Actor = { readonly id: number; readonly firstName: string };

/** The demonstration's people of the back office: the operator, who is an agent too, and another agent. */
export const FATOU: Actor = { id: 7_100_000_003, firstName: "Fatou" };
export const IBRAHIM: Actor = { id: 7_100_000_005, firstName: "Ibrahim" };

/** Who holds the three phones from now on: nobody another journey knows. */
export type Cast = Readonly<Record<PhoneId, Actor>>;

export type Seller = {
  readonly person: Actor;
  readonly token: string;
  readonly userId: string;
};

export type Fixture = {
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

export type FixtureChoice = {
  readonly names?: Partial<Record<PhoneId, string>>;
  readonly kind?: ChatKind;
  readonly group?: string;
  readonly title?: string;
  readonly description?: string;
  readonly price?: number;
  readonly image?: Buffer;
};

/** Three digits: no name is the beginning of another. */
let fixtures = 100;

export async function setFixture(
  product: StartedProduct,
  choice: FixtureChoice = {},
): Promise<Fixture> {
  fixtures += 1;
  const emulators = emulatorsOf(product);
  const cast = await castPhones(emulators, choice.names);
  const seller = await enrolSeller(product, cast.seller);
  const group = choice.group ?? `Cercle ${fixtures}`;
  const channel = await linkGroup(product, seller, { title: group, kind: choice.kind });
  const published = await publish(product, seller, channel, choice);
  const { bots } = await readEmulators(emulators);
  const bot = bots.find(({ role }) => role === "buyer")?.username;
  return {
    emulators,
    app: product.appUrl,
    cast,
    seller,
    group,
    chatId: channel.telegram_group_id ?? 0,
    product: published,
    link: `https://t.me/${bot}?startapp=${published.reference}`,
  };
}

/** The same product, before other people. */
export async function recast(fixture: Fixture): Promise<Fixture> {
  const cast = await castPhones(fixture.emulators);
  return { ...fixture, cast: { ...cast, seller: fixture.seller.person } };
}

export function emulatorsOf(product: StartedProduct): string {
  if (product.emulatorUrl === null) throw new Error("journeys need the demo's emulators");
  return product.emulatorUrl;
}

export async function castPhones(
  emulators: string,
  names: FixtureChoice["names"] = {},
): Promise<Cast> {
  fixtures += 1;
  const hold = async (phone: PhoneId, otherwise: string): Promise<Actor> => {
    const firstName = names[phone] ?? `${otherwise} ${fixtures}`;
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

type Launch = ActorCalls["openMiniApp"]["takes"];

/** The address Telegram opens a mini app at. */
export async function launchOf(product: StartedProduct, options: Launch): Promise<string> {
  return (await act(emulatorsOf(product), "openMiniApp", options)).url;
}

/** The proof Telegram gives a person's web view, as our calls carry it. */
async function proofOf(product: StartedProduct, options: Launch) {
  const launch = new URLSearchParams(new URL(await launchOf(product, options)).hash.slice(1));
  const headers = { "x-telegram-init-data": launch.get("tgWebAppData") ?? "" };
  return { headers, body: {} };
}

/** Signs a person in as a seller, with a fresh token. */
export async function signIn(product: StartedProduct, person: Actor): Promise<Seller> {
  const proof = await proofOf(product, { personId: person.id, bot: "seller" });
  const { token, user } = await call(product, "POST /api/auth/vendeur", proof);
  return { person, token, userId: user.id };
}

/** Signs a person in as a seller on the free plan, onboarding seen. */
export async function enrolSeller(product: StartedProduct, person: Actor): Promise<Seller> {
  const seller = await signIn(product, person);
  await call(product, "PUT /api/users/:id", {
    token: seller.token,
    params: { id: seller.userId },
    body: { deja: true, plan: true, type_plan: "gratuit" },
  });
  return seller;
}

/** The token of the back office's calls. */
export async function enrolAgent(product: StartedProduct): Promise<string> {
  const proof = await proofOf(product, { personId: FATOU.id, bot: "seller" });
  return (await call(product, "POST /api/auth/acheteur", proof)).token;
}

export async function userOf(product: StartedProduct, { token, userId: id }: Seller) {
  return (await call(product, "GET /api/users/:id", { token, params: { id } })).user;
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
    const { channels } = await call(product, "GET /api/channels", { token });
    return channels.find((channel) => channel.telegram_group_id === chatId);
  };
  return until(linked, `${title} was not linked`);
}

/** A form as pages send it. */
export function formOf(fields: Readonly<Record<string, string | Blob>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

export async function publish(
  product: StartedProduct,
  { token }: Seller,
  channel: Pick<ChannelOnWire, "id" | "name">,
  choice: FixtureChoice = {},
): Promise<ProductOnWire> {
  const durations = await call(product, "GET /api/config/subscription_durations", {});
  const image = choice.image ?? (await photograph());
  const form = formOf({
    group_id: channel.id,
    title: choice.title ?? `Accès au ${channel.name}`,
    price: String(choice.price ?? 5_000),
    description: choice.description ?? "Analyses du matin et salon d'entraide.",
    duration: durations.find(({ minutes }) => minutes === 43_200)?.id ?? "",
    image: new File([new Uint8Array(image)], "photo.jpg", { type: "image/jpeg" }),
  });
  return (await call(product, "POST /api/products", { token, form })).product;
}

/** A small JPEG with something to see, made here: no fixture file to keep. */
export function photograph(): Promise<Buffer> {
  const circles = Array.from({ length: 24 }, (_, at) => {
    const hue = 200 + ((at * 23) % 60);
    return `<circle cx="${(at * 173) % 1200}" cy="${(at * 97) % 750}" r="${40 + ((at * 31) % 120)}"
      fill="hsl(${hue} 60% ${35 + ((at * 7) % 30)}%)" opacity="0.45"/>`;
  }).join("");
  const line = Array.from({ length: 25 }, (_, at) => {
    const y = 560 - at * 14 + ((at * 53) % 90);
    return `${at * 50},${y}`;
  }).join(" ");
  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="750">
      <defs><linearGradient id="sky" x2="0.4" y2="1"><stop stop-color="#123a6b"/>
      <stop offset="1" stop-color="#0b7a75"/></linearGradient></defs>
      <rect width="1200" height="750" fill="url(#sky)"/>${circles}
      <polyline points="${line}" fill="none" stroke="#ffd166" stroke-width="12"
        stroke-linejoin="round" stroke-linecap="round"/></svg>`),
  )
    .jpeg({ quality: 88 })
    .toBuffer();
}

/** With a sensor's noise over it: what a phone takes, and what compresses worst. */
export async function grainyPhotograph(): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 12 } as const;
  const size = { width: 1200, height: 750, channels: 3, background: "#808080" } as const;
  const grain = await sharp({ create: { ...size, noise } })
    .png()
    .toBuffer();
  return sharp(await photograph())
    .composite([{ input: grain, blend: "soft-light" }])
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** An order for the fixture's product by its buyer, opened at a provider; with the buyer's token. */
export async function order(
  product: StartedProduct,
  fixture: Fixture,
  provider: CollectorName = "moneroo",
) {
  const proof = await proofOf(product, { personId: fixture.cast.buyer.id, bot: "buyer" });
  const { token } = await call(product, "POST /api/auth/acheteur", proof);
  const body = { reference: fixture.product.reference, provider };
  return { ...(await call(product, "POST /api/orders", { token, body })), token };
}

/** What the provider says of a payment from now on, as if its customer had done it on its page. */
export function settle(
  emulators: string,
  provider: CollectorName,
  paymentId: string,
  outcome: "success" | "failure" = "success",
): Promise<unknown> {
  return control(emulators, "settleCollected", { provider, paymentId, outcome });
}

/** The newest payment of an order, as its provider names it. */
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

/** Pays the newest payment of a provider for an order, as its customer on its page. */
export async function payOrder(
  emulators: string,
  provider: CollectorName,
  order: string,
): Promise<void> {
  await settle(emulators, provider, await openedPayment(emulators, provider, order));
}

export type Sold = { readonly id: string; readonly token: string };

/** A purchase of the fixture's product by its buyer, paid at a provider. */
export async function sell(
  product: StartedProduct,
  fixture: Fixture,
  provider: CollectorName = "moneroo",
  pay = payOrder,
): Promise<Sold> {
  const { id, token } = await order(product, fixture, provider);
  await pay(fixture.emulators, provider, id);
  const paid = async () =>
    (await call(product, "GET /api/orders/:id", { token, params: { id } })).status === "paid" ||
    undefined;
  await until(paid, `the order ${id} was not paid`);
  return { id, token };
}

type Complaint = Sent<"POST /api/orders/:id/complaint">["body"];

/** What an order's buyer complains of. */
export async function complain(product: StartedProduct, { id, token }: Sold, body: Complaint) {
  const sent = { token, params: { id }, body };
  return (await call(product, "POST /api/orders/:id/complaint", sent)).complaint;
}

/** The fixture's seller gives the money of an order back. */
export async function refund(
  product: StartedProduct,
  { seller: { token } }: Fixture,
  id: string,
  motif: string,
): Promise<void> {
  await call(product, "POST /api/orders/:id/refund", { token, params: { id }, body: { motif } });
}

export type Order = Sold & { readonly inviteLink: string };

/** Paid, and the buyer's link waits for him. */
export async function buy(product: StartedProduct, fixture: Fixture): Promise<Order> {
  const { id, token } = await sell(product, fixture);
  const opened = async () => {
    const { access } = await call(product, "GET /api/orders/:id", { token, params: { id } });
    return access?.invite_link ?? undefined;
  };
  return { id, token, inviteLink: await until(opened, `order ${id} was not opened`) };
}

/** Bought, and in the group. */
export async function buyAndJoin(product: StartedProduct, fixture: Fixture): Promise<Order> {
  const bought = await buy(product, fixture);
  const { id: personId, firstName } = fixture.cast.buyer;
  await act(fixture.emulators, "join", { personId, link: bought.inviteLink });
  const inside = async () =>
    (await peopleInside(fixture.emulators, fixture.group)).includes(firstName) || undefined;
  await until(inside, `${firstName} was not let in`);
  return bought;
}

/** The newest payment of the fixture's product, as the provider knows it. */
export async function paymentOf(fixture: Fixture): Promise<CheckoutView> {
  const { collectors } = await readEmulators(fixture.emulators);
  const { title } = fixture.product;
  for (const { id } of collectors.find(({ name }) => name === "moneroo")?.payments ?? []) {
    const answer = await fetch(`${fixture.emulators}/emulators/pay/moneroo/${id}`);
    const payment = (await answer.json()) as CheckoutView;
    if (payment.description.endsWith(title)) return payment;
  }
  throw new Error(`no payment of ${title} was started`);
}

/** The premium plan, paid; by the doors the app uses. → the order's number. */
export async function buyPremium(
  product: StartedProduct,
  { emulators, seller }: Pick<Fixture, "emulators" | "seller">,
): Promise<string> {
  const body = { plan: "payant", provider: "moneroo" } as const;
  const { id } = await call(product, "POST /api/orders", { token: seller.token, body });
  await payOrder(emulators, "moneroo", id);
  const premium = async () => (await userOf(product, seller)).type_plan === "payant" || undefined;
  await until(premium, "the plan is not premium");
  return id;
}

/** A request for money by the fixture's seller, by Orange Money; a number of his own, or anybody's. */
export async function askForMoney(
  product: StartedProduct,
  { token }: Seller,
  montant: number,
  phone = "+2250701020304",
): Promise<WithdrawalOnWire> {
  const { demande } = await call(product, "POST /api/users/retrait/demande", {
    token,
    body: {
      montant,
      methode_paiement: "orange-money-ci",
      numero_transfert: phone,
      numero_whatsapp: phone,
    },
  });
  return demande;
}

/** Requests of the fixture's seller, the newest first. */
export async function requestsOf(product: StartedProduct, { seller: { token } }: Fixture) {
  return (await call(product, "GET /api/users/retrait/mes-demandes", { token })).demandes;
}

/** The newest request of the fixture's seller, once there is one. */
export function newestRequest(
  product: StartedProduct,
  fixture: Fixture,
): Promise<WithdrawalOnWire> {
  return until(async () => (await requestsOf(product, fixture))[0], "no withdrawal was asked for");
}

export type Decision =
  | { readonly rail: string; readonly reference?: string }
  | { readonly reason_code: string; readonly reason?: string };

/** Takes a request in the back office; then approves it, `{ rail }`, or rejects it, `{ reason_code }`. */
export async function decide(product: StartedProduct, id: string, body?: Decision): Promise<void> {
  const sent = { token: await enrolAgent(product), params: { id } };
  await call(product, "POST /api/desk/withdrawals/:id/assign", { ...sent, body: {} });
  if (body && "rail" in body) {
    await call(product, "POST /api/desk/withdrawals/:id/approve", { ...sent, body });
  } else if (body && "reason_code" in body) {
    await call(product, "POST /api/desk/withdrawals/:id/reject", { ...sent, body });
  }
}

/** A provider has ended a payout by then. */
const PAYOUT_MS = 5_000;

/** Once the provider has it, its seconds pass at once. `phone`: without its country. */
export async function letPayoutEnd(emulators: string, phone: string): Promise<void> {
  const taken = async () =>
    (await readEmulators(emulators)).payouts.some(
      (payout) => payout.phone === `+225${phone}` && payout.status !== "created",
    ) || undefined;
  await until(taken, "no provider has the payout");
  await control(emulators, "advanceClock", { ms: PAYOUT_MS });
}

/** A request that was taken: its provider has it, its answer and its webhook are lost, nobody knows. */
export async function leaveUncertain(product: StartedProduct, id: string): Promise<void> {
  const emulators = emulatorsOf(product);
  const sent = { token: await enrolAgent(product), params: { id } };
  await control(emulators, "setPaymentWebhooks", { provider: "moneroo", drop: true });
  await control(emulators, "setPayoutFault", { provider: "moneroo", kind: "500-after" });
  try {
    const body = { rail: "moneroo" } as const;
    await call(product, "POST /api/desk/withdrawals/:id/approve", { ...sent, body });
    const uncertain = async () => {
      const { withdrawal } = await call(product, "GET /api/desk/withdrawals/:id", sent);
      return withdrawal.stage === "uncertain" || undefined;
    };
    await until(uncertain, "the payout is not uncertain");
    await control(emulators, "advanceClock", { ms: PAYOUT_MS });
    // Its end would be reported otherwise once webhooks arrive again.
    const ended = async () => {
      const { payouts } = await readEmulators(emulators);
      const theirs = payouts.filter(({ provider }) => provider === "moneroo");
      return theirs.every(({ status }) => status === "success") || undefined;
    };
    await until(ended, "the payout has not ended there");
  } finally {
    await control(emulators, "clearFaults", {});
  }
}

let numbers = 0;

/** A number of Orange Money of the seller's own, as he writes it: "07 00 00 01 23". */
export async function holdNumber({ emulators, seller }: Fixture): Promise<string> {
  numbers += 1;
  const phone = `07${40_000_000 + numbers}`;
  const personId = seller.person.id;
  await act(emulators, "addNumber", { personId, network: "orange-money-ci", phone });
  return phone;
}

type Manner = { readonly token?: string; readonly headers?: Record<string, string> };

/** A call as the contract declares it: its answer, or an error that says what came. */
export async function call<C extends CallName>(
  product: StartedProduct,
  name: C,
  { params, query, ...sent }: Sent<C> & Manner,
): Promise<AnswerOf<C>> {
  const [method = "GET", path = "/"] = name.split(" ");
  const { token, headers, form, body } = sent as Manner & { form?: FormData; body?: unknown };
  const named = (params ?? {}) as Readonly<Record<string, string>>;
  const address = path.replaceAll(/:(\w+)/g, (_, key: string) => named[key] ?? "");
  const url = new URL(product.appUrl + address);
  for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, String(value));
  const answer = await fetch(url, {
    method,
    headers: {
      ...headers,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    body: form ?? (body === undefined ? null : JSON.stringify(body)),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${text}`);
  return JSON.parse(text) as AnswerOf<C>;
}

/** Asks again until there is an answer. */
export function until<T>(ask: () => Promise<T | undefined>, failure: string) {
  return eventually(async () => {
    const found = await ask();
    if (found === undefined) throw new Error(failure);
    return found;
  });
}
