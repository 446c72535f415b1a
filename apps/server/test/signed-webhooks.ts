import { createHash, createHmac } from "node:crypto";
import {
  CRYPTOPAY_KEYS,
  FEDAPAY_KEYS,
  KKIAPAY_KEYS,
  MONEROO_WEBHOOK_SECRET,
  PAYDUNYA_KEYS,
} from "./harness.ts";

type Signed = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

export type WebhookSource = {
  /** What an honest one says of a payment, by the provider's id of it. */
  sampleOf(paymentId: string): object;
  /** The same of a payment nobody knows. */
  readonly sample: object;
  /** The body as the provider sends it, with the proof that it is the provider's. */
  sign(body: string, now: Date): Signed;
};

const JSON_TYPE = { "content-type": "application/json" };
const hmac = (key: string | Buffer, text: string) =>
  createHmac("sha256", key).update(text).digest("hex");

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
      const signature = hmac(FEDAPAY_KEYS.webhookSecret, `${seconds}.${body}`);
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
      headers: { ...JSON_TYPE, "x-kkiapay-secret": KKIAPAY_KEYS.webhookSecret },
      body,
    }),
  },
  paydunya: {
    sampleOf: (id) => ({
      data: {
        hash: createHash("sha512").update(PAYDUNYA_KEYS.masterKey).digest("hex"),
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
      payload: {
        invoice_id: Number(id),
        status: "paid",
        hash: "h",
        payload: id,
        amount: "5",
      },
    }),
    sign(body) {
      const key = createHash("sha256").update(CRYPTOPAY_KEYS.token).digest();
      return { headers: { ...JSON_TYPE, "crypto-pay-api-signature": hmac(key, body) }, body };
    },
  },
};

/** Each provider's webhook, signed as by the provider: what is inside it is the test's. */
export const WEBHOOKS: Readonly<Record<string, WebhookSource>> = Object.fromEntries(
  Object.entries(SOURCES).map(([provider, source]) => [
    provider,
    { ...source, sample: source.sampleOf("1") },
  ]),
);
