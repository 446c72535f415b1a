import { createHash } from "node:crypto";
import type { AggregatorKey } from "@sesame/contract/payment-accounts";
import { one } from "../src/postgres/database.ts";
import {
  MONEROO_WEBHOOK_SECRET,
  type SignedInBuyer,
  type SignedInSeller,
  type TestApp,
  EMULATED_KEYS,
} from "./harness.ts";
import { hmac } from "./http.ts";
import { openShelf } from "./sales.ts";

/** Makes the seller sell with every provider: KkiaPay is off until the seller switches it on (decision 3). */
export const sellByAll = (app: TestApp, seller: SignedInSeller) =>
  app.done("PUT /api/user-aggregators/:userId/:key", seller, {
    userId: seller.id,
    key: "kkiapay",
    isActive: true,
  });

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

/** What sellers do with their own accounts at providers. */
export function createOwnAccountFixtures(app: TestApp) {
  const pathOf = (seller: SignedInSeller, key: string) =>
    `/api/user-aggregators/${seller.id}/${key}`;
  /** An account that the seller opens at the emulated provider. */
  const openAccount = (provider: AggregatorKey): { id: string; keys: Keys } => {
    const { id, keys } = app.emulators.merchants[provider].open();
    return { id, keys: { ...keys } };
  };
  const put = (seller: Pick<SignedInSeller, "id" | "token">, key: string, body: object) =>
    app.send("PUT /api/user-aggregators/:userId/:key", seller, { userId: seller.id, key, ...body });
  return {
    pathOf,
    openAccount,
    put,
    order: (who: SignedInBuyer, reference: string, provider: string) =>
      app.send("POST /api/orders", who, { reference, provider }),
    /** A seller with a product, whose own account sends us webhooks of its payments. */
    async sellerCollecting(provider: AggregatorKey) {
      const seller = await app.seller({ plan: "premium" });
      const { product } = await openShelf(app, seller, { minutes: 1_440 });
      const { id, keys } = openAccount(provider);
      const { own } = (await put(seller, provider, { keys })).body.aggregator;
      const webhookUrl = own?.webhookUrl ?? "";
      app.emulators.merchants[provider].pointWebhooks(id, webhookUrl);
      return { seller, product, keys, webhookUrl };
    },
  };
}

type Headers = Readonly<Record<string, string>>;

type Source = {
  /** A valid body about a payment, by the provider's id of it. */
  sampleOf(paymentId: string): object;
  /** The provider's proof of the body; absent: it is a field of the body. */
  proofOf?(body: string, now: Date): Headers;
};

const SOURCES: Readonly<Record<string, Source>> = {
  moneroo: {
    sampleOf: (id) => ({
      event: "payment.success",
      data: { id, status: "success", amount: 5_000, currency: "XOF", metadata: {} },
    }),
    proofOf: (body) => ({ "x-moneroo-signature": hmac(MONEROO_WEBHOOK_SECRET, body) }),
  },
  fedapay: {
    sampleOf: (id) => ({
      name: "transaction.approved",
      object: "transaction",
      entity: { id: Number(id), reference: "trx", status: "approved", amount: 5_000 },
    }),
    proofOf(body, now) {
      const seconds = Math.floor(now.getTime() / 1_000);
      const signature = hmac(EMULATED_KEYS.fedapay.webhookSecret, `${seconds}.${body}`);
      return { "x-fedapay-signature": `t=${seconds},s=${signature}` };
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
    proofOf: () => ({ "x-kkiapay-secret": EMULATED_KEYS.kkiapay.webhookSecret }),
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
  },
  cryptopay: {
    sampleOf: (id) => ({
      update_id: 1,
      update_type: "invoice_paid",
      request_date: "2026-11-16T09:00:00.000Z",
      payload: { invoice_id: Number(id), status: "paid", hash: "h", payload: id, amount: "5" },
    }),
    proofOf(body) {
      const key = createHash("sha256").update(EMULATED_KEYS.cryptopay.token).digest();
      return { "crypto-pay-api-signature": hmac(key, body) };
    },
  },
};

const signedBy = ({ sampleOf, proofOf }: Source) => ({
  sampleOf,
  /** The body with the provider's proof. */
  sign: (body: string, now: Date) => ({
    headers: { "content-type": "application/json", ...proofOf?.(body, now) } as Headers,
    body,
  }),
});

/** Each provider's webhook, signed as by the provider, with any content. */
export const WEBHOOKS: Readonly<Record<string, ReturnType<typeof signedBy>>> = Object.fromEntries(
  Object.entries(SOURCES).map(([provider, source]) => [provider, signedBy(source)]),
);
