import { afterAll, describe, expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { orderProduct, paymentIdOf, publishProduct } from "../sales.ts";
import {
  botIdOf,
  BUYER_TOKEN,
  linkGroup,
  openOutside,
  pay,
  seeOrder,
  signIn,
  untilLink,
} from "./stranger.ts";

type Thing = Readonly<Record<string, unknown>>;

const CHAT = -1_001_000_000_888;

const out = await openOutside();
const seller = await signIn(out, 701, "vendeur");
const channel = await linkGroup(out, seller, CHAT);
const product = await publishProduct(out, { seller, group: { id: String(CHAT) } });
const buyer = await signIn(out, 702, "acheteur");
const made = await orderProduct(out, buyer, product.reference);
await pay(out, made);
out.telegram.ask(CHAT, 702, await untilLink(out, buyer, made.id));
await eventually(async () => {
  expect((await seeOrder(out, buyer, made.id)).access?.status).toBe("inside");
});
afterAll(() => out.close());

async function get<T = Thing>(path: string, token?: string): Promise<T> {
  const answer = await out.call<T>("GET", path, { token });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

/** Each named field exists, and is null only where allowed. */
function expectFields(thing: unknown, names: string, nullable = ""): void {
  const found = thing as Thing;
  for (const name of names.split(" ")) {
    expect(Object.keys(found)).toContain(name);
    if (!nullable.split(" ").includes(name)) expect(found[name], name).not.toBeNull();
  }
}

const first = (list: unknown): Thing => (list as Thing[])[0] ?? {};

describe("the fields of WIRE §2", () => {
  test.each(["GET", "POST"])("%s /api/auth/vendeur", async (method) => {
    const answer = await out.call<Thing>(method, "/api/auth/vendeur?telegram_id=999&username=x", {
      headers: { "x-telegram-init-data": out.initData(701) },
      ...(method === "POST" ? { body: { telegram_id: 999 } } : {}),
    });
    expect(answer.status).toBe(200);
    const lists = "channels products vendorSubscriptions withdrawalRequests";
    expectFields(answer.body, `success token user ${lists}`);
    const user = answer.body["user"] as Thing;
    const money = "balanceGratuit balancePayant soldeDisponible retrait_auto retraitAuto";
    const maybe = "username payment_method transfer_number whatsapp_number";
    expectFields(
      user,
      `id telegram_id nom deja plan type_plan updated_at ${money} ${maybe}`,
      maybe,
    );
    const automatic = "modePaiement numeroTransfert";
    expectFields(user["retraitAuto"], `active ${automatic}`, automatic);
    expect(user).toMatchObject({ id: seller.id, telegram_id: 701, deja: false, plan: false });
    expect(user).toMatchObject({ balanceGratuit: 4_100, balancePayant: 0, soldeDisponible: 4_100 });
    const theirs = first(answer.body["channels"]);
    expectFields(theirs, "id name type telegram_group_id details");
    expect(theirs).toMatchObject({ id: channel.id, type: "groupe", telegram_group_id: CHAT });
    expectFields(theirs["details"], "rights missing_rights members state", "members");
    expectFields(first(answer.body["vendorSubscriptions"]), SUBSCRIPTION);
    expectFields(first(answer.body["products"]), PRODUCT, "stock");
    expect(answer.body["withdrawalRequests"]).toEqual([]);
  });

  test("POST /api/auth/acheteur", async () => {
    const answer = await out.call<Thing>("POST", "/api/auth/acheteur", {
      headers: { "x-telegram-init-data": out.initData(702, "buyer") },
    });
    expectFields(answer.body, "success token user");
    expect(answer.body["user"]).toMatchObject({ id: buyer.id, telegram_id: 702 });
  });

  test("GET /api/users/{id}", async () => {
    const body = await get(`/api/users/${seller.id}`, seller.token);
    expectFields(body, "success user");
    expect(body["user"]).toMatchObject({ id: seller.id, soldeDisponible: 4_100 });
  });

  test("GET /api/config/subscription_durations", async () => {
    const options = await get<Thing[]>("/api/config/subscription_durations");
    const names = "id value minutes label display_name description discount price_tier active";
    for (const option of options) expectFields(option, names);
    const minutes = options.map((option) => option["minutes"]);
    expect(minutes).toEqual([1_440, 10_080, 43_200, 129_600, 525_600]);
    expect(options.map((option) => option["price_tier"])).not.toContain("test");
  });

  test("products, to their seller", async () => {
    const list = await get<Thing[]>(`/api/products/seller/${seller.id}`, seller.token);
    expect(list).toHaveLength(1);
    expectFields(list[0], PRODUCT, "stock");
    const bot = `bot_${botIdOf(BUYER_TOKEN)}`;
    expect(list[0]).toMatchObject({
      id: product.id,
      price: 5_000,
      duration: 43_200,
      sales: 1,
      reference: expect.stringMatching(/^[A-Za-z0-9_-]{6,32}$/),
      share_link: `https://t.me/${bot}?startapp=${product.reference}`,
    });
    const one = await get(`/api/products/${product.id}`, seller.token);
    expectFields(one, "success product");
    expect(one["product"]).toEqual(list[0]);
  });

  test("the public product, by reference and by ids", async () => {
    const shown = await get(`/api/public/products/${product.reference}`);
    const names =
      "id reference title price description image_url duration seller group status providers";
    expectFields(shown, names);
    expect(shown).toMatchObject({ status: "active", providers: ["moneroo"], price: 5_000 });
    expect(await get(`/api/products/${seller.id}/${product.id}`, buyer.token)).toEqual(shown);
    const image = await fetch(new URL(String(shown["image_url"]), out.url));
    expect(image.status).toBe(200);
    expect(image.headers.get("content-type")).toBe("image/jpeg");
  });

  test("subscriptions and transactions, with cursors", async () => {
    const subscriptions = await get(`/api/subscriptions?product=${product.id}`, seller.token);
    expectFields(first(subscriptions["subscriptions"]), SUBSCRIPTION);
    const transactions = await get("/api/transactions", seller.token);
    const names =
      "id amount type date status duration idProduit idClient nomClient produitNom renouvellement";
    expectFields(first(transactions["transactions"]), names);
    expect(first(transactions["transactions"])).toMatchObject({
      id: made.id,
      amount: 5_000,
      type: "income",
      status: "success",
      duration: 43_200,
      idProduit: product.id,
      idClient: buyer.id,
      renouvellement: "Nouveau",
    });
    for (const cursor of ["-1", "x", "99999999999999999999", "0", "%00", "a".repeat(64)]) {
      for (const list of ["transactions", "subscriptions"]) {
        const path = `/api/${list}?cursor=${cursor}`;
        const answer = await out.call("GET", path, seller);
        expect([200, 400], `${path}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
      }
    }
  });

  test("aggregators, and the seller's own", async () => {
    const known = await get("/api/payment-aggregators", seller.token);
    const aggregator = first(known["aggregators"]);
    expectFields(aggregator, "key name description apiUrl countries requiredKeys open");
    const own = await get(`/api/user-aggregators/${seller.id}`, seller.token);
    expectFields(
      first(own["aggregators"]),
      "key name isActive selling own updatedAt",
      "own updatedAt",
    );
  });

  test("orders", async () => {
    // WIRE's five, and how the address is opened.
    const named = ["amount", "currency", "id", "opens", "payment_url", "status"];
    expect(Object.keys(made).sort()).toEqual(named);
    expect(made).toMatchObject({ status: "pending", amount: 5_000, currency: "XOF" });
    const seen = await get(`/api/orders/${made.id}`, buyer.token);
    expectFields(seen, "id status amount currency provider access duration created_at seller");
    expect(seen).toMatchObject({
      status: "paid",
      provider: "moneroo",
      amount: 5_000,
      duration: 43_200,
      seller: { id: seller.id },
    });
    expectFields(seen["access"], "status expires_at invite_link links", "invite_link");
    const links = (seen["access"] as Thing)["links"];
    expect(links).toEqual([{ group: "Club des strangers", invite_link: null }]);
    const mine = await get("/api/me/access", buyer.token);
    expect(JSON.stringify(mine)).toContain('"inside"');
  });

  test("the compatibility calls of B §7", async () => {
    const { token } = buyer;
    const { id } = made;
    const named = await out.call<Thing>("POST", "/api/transactions", { token, body: { id } });
    expect(named.body).toMatchObject({ id, status: "paid" });
    const paymentId = paymentIdOf(made.payment_url);
    const verified = await get(`/api/payment/moneroo/verify/${paymentId}`, token);
    expect(verified).toMatchObject({ status: "success", payment: { status: "succeeded" } });
    const paid = { success: true, data: { success: true } };
    expect(await get(`/api/verify/${made.id}`, token)).toMatchObject(paid);
    expect(await get(`/api/verify-abonnement-fedapay/${made.id}`, token)).toMatchObject(paid);
    const plan = await out.call<Thing>("POST", "/api/payment/moneroo/create", {
      token: seller.token,
      body: { amount: 1, type_requete: "abonnement_mensuel", user_id: "1" },
    });
    expect(plan.status, JSON.stringify(plan.body)).toBe(201);
    expectFields(plan.body, "status message payment_url payment_id transaction_id");
    expect(plan.body).toMatchObject({ status: "success" });
    // The price is the server's, whatever was sent.
    const premium = await get(`/api/orders/${plan.body["payment_id"]}`, seller.token);
    expect(premium).toMatchObject({ kind: "plan", status: "pending", amount: 5_000 });
  });
});

const PRODUCT =
  "id title price description image_url duration group_id idGroup reference status views sales " +
  "category stock created_at updated_at";
const SUBSCRIPTION =
  "id groupId group_id typeAbonnement prix dateCreation dateRenouvellement userId estRenouvellement";

describe("the addresses beside the API", () => {
  test("one address for Telegram: with a start parameter it is the product's page", async () => {
    const page = await fetch(`${out.url}/?tgWebAppStartParam=${product.reference}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Recettes du mois");
    const shell = await fetch(`${out.url}/`);
    expect(shell.status).toBe(200);
    expect(await shell.text()).not.toContain("Recettes du mois");
    const old = await fetch(`${out.url}/achats?idVendeur=${seller.id}&idProduit=${product.id}`);
    expect(await old.text()).toContain("Recettes du mois");
    const policy = shell.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-ancestors 'self' https://web.telegram.org");
    expect(shell.headers.get("x-frame-options")).toBeNull();
  });

  test("every kind of update is requested by name", () => {
    const asked = out.telegram.called("getUpdates")[0]?.args["allowed_updates"];
    const least = "message callback_query my_chat_member chat_member chat_join_request";
    for (const kind of `${least} pre_checkout_query`.split(" ")) expect(asked).toContain(kind);
  });
});
