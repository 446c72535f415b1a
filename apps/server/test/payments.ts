import { createHash } from "node:crypto";
import type { ProductOnWire } from "@sesame/contract/catalogue";
import { KNOWN_PROVIDERS, type KnownProvider } from "@sesame/contract/checkout";
import type { AggregatorKey, UserAggregatorOnWire } from "@sesame/contract/payment-accounts";
import { assert } from "@sesame/kernel";
import { sql } from "kysely";
import type { PaymentView } from "../../emulators/src/index.ts";
import { one } from "../src/postgres/database.ts";
import {
  MONEROO_WEBHOOK_SECRET,
  type SignedInBuyer,
  type SignedInSeller,
  type TestApp,
  EMULATED_KEYS,
} from "./harness.ts";
import { hmac } from "./http.ts";
import { publishProduct } from "./sales.ts";
import { auditEntriesAbout } from "./tables.ts";

/** An order with a payment at a provider; `reference` is ours, null while none could be opened. */
export type Tried = { provider: KnownProvider; buyer: SignedInBuyer; orderId: string } & Readonly<
  Record<"reference" | "paymentUrl", string | null>
>;

/** Makes the seller sell with every provider: KkiaPay is off until the seller switches it on (decision 3). */
export async function sellByAll(app: TestApp, sellerId: string): Promise<void> {
  await sql`
    INSERT INTO seller_methods (seller_id, provider, active, changed_at)
    VALUES (${sellerId}, 'kkiapay', true, ${app.clock.now()})
  `.execute(app.db);
}

/**
 * `product`: its reference; without it the order's next payment is opened. `amount`: francs, for a
 * donation.
 */
type OrderCall = Pick<Tried, "buyer" | "provider"> &
  Partial<Pick<Tried, "orderId"> & { product: string; amount: number }>;

export function callOrder(app: TestApp, call: OrderCall) {
  const { buyer, provider, product: reference, amount, orderId: id } = call;
  return id === undefined
    ? app.send("POST /api/orders", buyer, { reference, provider, amount })
    : app.send("POST /api/orders/:id/payment", buyer, { id, provider });
}

/** Opens a payment, and the page that a browser would open for it. */
export async function tryAt(app: TestApp, call: OrderCall): Promise<Tried> {
  const answer = await callOrder(app, call);
  const { buyer, provider } = call;
  const orderId = answer.body.id ?? answer.body.order_id;
  assert(orderId, `ordering answered ${JSON.stringify(answer.body)}`);
  if (answer.status !== 201) return { provider, buyer, orderId, reference: null, paymentUrl: null };
  const payment = await one<{ reference: string; amount: bigint }>(app.db)`
    SELECT reference, amount FROM payments WHERE order_id = ${orderId} AND provider = ${provider}
    ORDER BY id DESC LIMIT 1
  `;
  const { reference, amount } = payment;
  if (provider === "kkiapay") {
    app.emulators.kkiapay.open({ amount: Number(amount), data: reference, partnerId: reference });
  }
  return { provider, buyer, orderId, reference, paymentUrl: answer.body.payment_url };
}

type Settling = "success" | "failure" | "cancel" | "silent success";

/** Pays as the customer on the provider's page; silent: no webhook is sent. */
export function settleAt(app: TestApp, tried: Tried, how: Settling): PaymentView {
  assert(tried.reference !== null, "a payment is open");
  const silent = how === "silent success";
  const outcome = silent ? "success" : how;
  const personId = tried.buyer.person.id;
  return app.emulators.collectors[tried.provider].settle(tried.reference, outcome, {
    silent,
    personId,
  });
}

/** Reports the transaction id from the widget, as a browser does. */
export async function reportTransaction(app: TestApp, tried: Tried, transactionId: string) {
  const secret = tried.paymentUrl?.split("/").at(-1);
  const reported = { secret, transaction_id: transactionId };
  return app.send("POST /api/payments/:secret/reported-transactions", undefined, reported);
}

/** Ends the faults of every provider. */
export function mendAll(app: TestApp): void {
  for (const provider of KNOWN_PROVIDERS) {
    const payments = app.emulators.collectors[provider];
    payments.clearFaults();
    Object.assign(payments.webhooks, { copies: 1, drop: false, forgeSignature: false });
  }
}

/** The result for an order: its status, the ledger, the membership and the alerts. */
export type Outcome = { order: string; suspended: bigint; alerts: readonly string[] } & Record<
  "sales" | "accesses",
  number
>;

export const outcomeOf = (app: TestApp, orderId: string) => one<Outcome>(app.db)`
  SELECT o.status AS "order",
    (SELECT count(*) FROM ledger_transfers t WHERE t.id = 'sale:' || o.id)::int AS sales,
    (SELECT coalesce(sum(p.suspended_amount), 0)::bigint FROM payments p
      WHERE p.order_id = o.id) AS suspended,
    (SELECT count(*) FROM accesses a WHERE a.order_id = o.id)::int AS accesses,
    coalesce((SELECT array_agg(DISTINCT d.kind) FROM alerts d
      WHERE d.details->>'order_id' = o.id::text), '{}') AS alerts
  FROM orders o WHERE o.id = ${orderId}
  `;

type Keys = Readonly<Record<string, string>>;

/** What sellers do with their own accounts, and what can be seen of it. */
export function createOwnAccountFixtures(app: TestApp) {
  const pathOf = (seller: SignedInSeller, key = "") =>
    `/api/user-aggregators/${seller.id}${key && `/${key}`}`;
  const setup = {
    pathOf,
    /** An account that the seller opens at the emulated provider. */
    openAccount(provider: AggregatorKey): { id: string; keys: Keys } {
      const { id, keys } = app.emulators.merchants[provider].open();
      return { id, keys: { ...keys } };
    },
    put: (seller: SignedInSeller, key: string, body: object) =>
      app.send("PUT /api/user-aggregators/:userId/:key", seller, {
        userId: seller.id,
        key,
        ...body,
      }),
    takeAway: (seller: SignedInSeller, key: string) =>
      app.send("DELETE /api/user-aggregators/:userId/:key", seller, { userId: seller.id, key }),
    tryOut: (seller: SignedInSeller, key: string) =>
      app.send("POST /api/user-aggregators/:userId/:key/trial", seller, { userId: seller.id, key }),
    /** All texts of the bot: of two messages at once either may come first. */
    saidTo: (seller: SignedInSeller): string => app.textsTo(seller.person.id, "seller").join("\n"),
    async methodsOf(seller: SignedInSeller): Promise<Record<string, UserAggregatorOnWire>> {
      const account = { userId: seller.id };
      const { aggregators } = await app.read("GET /api/user-aggregators/:userId", seller, account);
      return Object.fromEntries(aggregators.map((one) => [one.key, one]));
    },
    async shopOf(seller: SignedInSeller): Promise<ProductOnWire> {
      const group = await app.linkGroup(seller);
      return publishProduct(app, { seller, group }, { minutes: 1_440 });
    },
    order: (who: SignedInBuyer, reference: string, provider: string) =>
      app.send("POST /api/orders", who, { reference, provider }),
    async productOf(reference: string): Promise<{ status: string; providers: string[] }> {
      const path = `/api/public/products/${reference}`;
      return (await app.call<{ status: string; providers: string[] }>("GET", path)).body;
    },
    async auditOf(seller: SignedInSeller): Promise<string[]> {
      const all = await auditEntriesAbout(app.db, `seller:${seller.id}`);
      return all.filter((action) => action.startsWith("aggregator."));
    },
  };
  return {
    ...setup,
    /** A seller with a product, whose own account sends us webhooks of its payments. */
    async sellerCollecting(provider: AggregatorKey) {
      const seller = await app.seller({ plan: "premium" });
      const product = await setup.shopOf(seller);
      const { id, keys } = setup.openAccount(provider);
      const { own } = (await setup.put(seller, provider, { keys })).body.aggregator;
      const webhookUrl = own?.webhookUrl ?? "";
      app.emulators.merchants[provider].pointWebhooks(id, webhookUrl);
      return { seller, product, keys, webhookUrl };
    },
  };
}

type Signed = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

export type WebhookSource = {
  /** A valid body about a payment, by the provider's id of it. */
  sampleOf(paymentId: string): object;
  /** The same about an unknown payment. */
  readonly sample: object;
  /** The body with the provider's proof. */
  sign(body: string, now: Date): Signed;
};

const JSON_TYPE = { "content-type": "application/json" };

const SOURCES: Readonly<Record<string, Omit<WebhookSource, "sample">>> = {
  moneroo: {
    sampleOf: (id) => ({
      event: "payment.success",
      data: { id, status: "success", amount: 5_000, currency: "XOF", metadata: {} },
    }),
    sign: (body) => ({
      headers: { ...JSON_TYPE, "x-moneroo-signature": hmac(MONEROO_WEBHOOK_SECRET, body) },
      body,
    }),
  },
  fedapay: {
    sampleOf: (id) => ({
      name: "transaction.approved",
      object: "transaction",
      entity: { id: Number(id), reference: "trx", status: "approved", amount: 5_000 },
    }),
    sign(body, now) {
      const seconds = Math.floor(now.getTime() / 1_000);
      const signature = hmac(EMULATED_KEYS.fedapay.webhookSecret, `${seconds}.${body}`);
      return {
        headers: { ...JSON_TYPE, "x-fedapay-signature": `t=${seconds},s=${signature}` },
        body,
      };
    },
  },
  kkiapay: {
    sampleOf: (reference) => ({
      transactionId: "t1",
      isPaymentSucces: true,
      event: "transaction.success",
      stateData: { reference },
      partnerId: "",
    }),
    sign: (body) => ({
      headers: { ...JSON_TYPE, "x-kkiapay-secret": EMULATED_KEYS.kkiapay.webhookSecret },
      body,
    }),
  },
  paydunya: {
    sampleOf: (id) => ({
      data: {
        hash: createHash("sha512").update(EMULATED_KEYS.paydunya.masterKey).digest("hex"),
        status: "completed",
        invoice: { token: id, total_amount: 5_000 },
        custom_data: { reference: id },
      },
    }),
    // The proof is a field of the body.
    sign: (body) => ({ headers: JSON_TYPE, body }),
  },
  cryptopay: {
    sampleOf: (id) => ({
      update_id: 1,
      update_type: "invoice_paid",
      request_date: "2026-11-16T09:00:00.000Z",
      payload: { invoice_id: Number(id), status: "paid", hash: "h", payload: id, amount: "5" },
    }),
    sign(body) {
      const key = createHash("sha256").update(EMULATED_KEYS.cryptopay.token).digest();
      return { headers: { ...JSON_TYPE, "crypto-pay-api-signature": hmac(key, body) }, body };
    },
  },
};

/** Each provider's webhook, signed as by the provider, with any content. */
export const WEBHOOKS: Readonly<Record<string, WebhookSource>> = Object.fromEntries(
  Object.entries(SOURCES).map(([provider, source]) => [
    provider,
    { ...source, sample: source.sampleOf("1") },
  ]),
);
