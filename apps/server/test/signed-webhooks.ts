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
  /** What an honest one says. */
  readonly sample: object;
  /** The body as the provider sends it, with the proof that it is the provider's. */
  sign(body: string, now: Date): Signed;
};

const JSON_TYPE = { "content-type": "application/json" };
const hmac = (key: string | Buffer, text: string) =>
  createHmac("sha256", key).update(text).digest("hex");

/** Each provider's webhook, signed as by the provider: what is inside it is the test's. */
export const WEBHOOKS: Readonly<Record<string, WebhookSource>> = {
  moneroo: {
    sample: {
      event: "payment.success",
      data: { id: "py_1", status: "success", amount: 5_000, currency: "XOF", metadata: {} },
    },
    sign: (body) => ({
      headers: { ...JSON_TYPE, "x-moneroo-signature": hmac(MONEROO_WEBHOOK_SECRET, body) },
      body,
    }),
  },
  fedapay: {
    sample: {
      name: "transaction.approved",
      object: "transaction",
      entity: { id: 1, reference: "trx", status: "approved", amount: 5_000 },
    },
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
    sample: {
      transactionId: "t1",
      isPaymentSucces: true,
      event: "transaction.success",
      stateData: { reference: "r1" },
      partnerId: "",
    },
    sign: (body) => ({
      headers: { ...JSON_TYPE, "x-kkiapay-secret": KKIAPAY_KEYS.webhookSecret },
      body,
    }),
  },
  paydunya: {
    sample: {
      data: {
        hash: createHash("sha512").update(PAYDUNYA_KEYS.masterKey).digest("hex"),
        status: "completed",
        invoice: { token: "test_1", total_amount: 5_000 },
        custom_data: { reference: "r1" },
      },
    },
    // The proof is a field of the body.
    sign: (body) => ({ headers: JSON_TYPE, body }),
  },
  cryptopay: {
    sample: {
      update_id: 1,
      update_type: "invoice_paid",
      request_date: "2026-11-16T09:00:00.000Z",
      payload: { invoice_id: 1, status: "paid", hash: "h", payload: "r1", amount: "5" },
    },
    sign(body) {
      const key = createHash("sha256").update(CRYPTOPAY_KEYS.token).digest();
      return { headers: { ...JSON_TYPE, "crypto-pay-api-signature": hmac(key, body) }, body };
    },
  },
};
