import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { cryptoSignature } from "../cryptopay/cryptopay.ts";
import { signatureHeader } from "../fedapay/fedapay.ts";
import { sign } from "../moneroo/moneroo.ts";
import { callbackHash } from "../paydunya/paydunya.ts";
import { kkiapayCallers, paymentKits } from "../testing/callers.ts";
import { lastReceived, type Receiver } from "../testing/receiver.ts";
import {
  emulatorsEach,
  CRYPTOPAY,
  FEDAPAY,
  KKIAPAY,
  PAYDUNYA,
  SECRET_KEY,
  WEBHOOK_SECRET,
} from "../testing/test-emulators.ts";

const { emulators, receiver } = emulatorsEach();

const KITS = paymentKits(
  () => emulators,
  () => `${receiver.url}/webhooks/paydunya`,
);
const { opened } = kkiapayCallers(() => emulators);

type Keys = Record<string, string>;
type Received = Receiver["received"][number];

type ProviderCase = {
  /** Makes a payment of that reference. → the name by which a test finds it */
  open(reference: string, keys?: Keys): Promise<string>;
  keys: Keys;
  /** Pauses between tries; after the last try it gives up. */
  pausesMs: readonly number[];
  /** An answer that it does not accept. */
  refusal: number;
  /** The header that proves a webhook, and its value. */
  proof(webhook: Received): unknown;
  proved(webhook: Received, keys: Keys): unknown;
};

const made = (name: keyof typeof KITS) => async (reference: string, keys?: Keys) => {
  await KITS[name].create(reference, keys);
  return reference;
};
const secret = ({ webhookSecret = "" }: Keys) => webhookSecret;
const minutes = (...counts: number[]) => counts.map((count) => count * MINUTE_MS);
const seconds = (...counts: number[]) => counts.map((count) => count * 1_000);

const SPECS: Record<"moneroo" | "fedapay" | "kkiapay" | "paydunya" | "cryptopay", ProviderCase> = {
  moneroo: {
    open: made("moneroo"),
    keys: { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET },
    pausesMs: minutes(10, 10, 10),
    refusal: 201,
    proof: ({ headers }) => headers["x-moneroo-signature"],
    proved: ({ body }, keys) => sign(body, secret(keys)),
  },
  fedapay: {
    open: made("fedapay"),
    keys: FEDAPAY,
    pausesMs: seconds(1, 2, 4, 8, 15, 30, 60, 120, 120),
    refusal: 500,
    proof: ({ headers }) => headers["x-fedapay-signature"],
    proved: ({ body }, keys) => signatureHeader(body, secret(keys), emulators.clock.now()),
  },
  kkiapay: {
    open: async (_reference, keys) => opened(keys ? { key: keys.publicKey } : {}),
    keys: KKIAPAY,
    pausesMs: minutes(1, 2, 5, 15, 60),
    refusal: 500,
    // The secret itself, and no signature.
    proof: ({ headers }) => headers["x-kkiapay-secret"],
    proved: (_webhook, keys) => keys.webhookSecret,
  },
  paydunya: {
    open: made("paydunya"),
    keys: PAYDUNYA,
    pausesMs: minutes(5, 5, 5),
    refusal: 500,
    proof: ({ body }) => JSON.parse(new URLSearchParams(body).get("data") ?? "{}").hash,
    proved: (_webhook, { masterKey = "" }) => callbackHash(masterKey),
  },
  cryptopay: {
    open: made("cryptopay"),
    keys: CRYPTOPAY,
    pausesMs: seconds(10, 60, 300),
    refusal: 500,
    proof: ({ headers }) => headers["crypto-pay-api-signature"],
    proved: ({ body }, { token = "" }) => cryptoSignature(body, token),
  },
};
const NAMES = Object.keys(SPECS) as (keyof typeof SPECS)[];

describe.each(NAMES)("a webhook of %s", (name) => {
  const { open, keys, pausesMs, refusal, proof, proved } = SPECS[name];
  const payments = () => emulators.collectors[name];
  const webhook = () => payments().webhookViews()[0];

  test("is tried again at the provider's pace until it is accepted or given up", async () => {
    receiver.answer = () => ({ status: refusal });
    payments().settle(await open("late"), "success");
    for (const [at, pauseMs] of pausesMs.entries()) {
      await eventually(() => webhook()?.state === "held" && webhook()?.tries === at + 1);
      emulators.clock.advance(pauseMs - 1);
      expect(receiver.received).toHaveLength(at + 1);
      emulators.clock.advance(1);
      await receiver.until(at + 2);
      expect(proof(lastReceived(receiver))).toBe(proved(lastReceived(receiver), keys));
    }
    await eventually(() => webhook()?.state === "failed");
    receiver.answer = () => ({ status: 200 });
    payments().repeatWebhook(webhook()?.id ?? 0);
    await receiver.until(pausesMs.length + 2);
    await eventually(() => payments().webhookViews()[1]?.state === "delivered");
    expect(lastReceived(receiver).body).toBe(receiver.received[0]?.body);
    emulators.clock.advance(DAY_MS);
    expect(receiver.received).toHaveLength(pausesMs.length + 2);
  });

  test("is signed with the secret of its account, and with another one when it is forged", async () => {
    payments().settle(await open("true"), "success");
    await receiver.until(1);
    expect(proof(lastReceived(receiver))).toBe(proved(lastReceived(receiver), keys));
    emulators.panel.setPaymentWebhooks({ provider: name, forgeSignature: true });
    payments().settle(await open("forged"), "success");
    await receiver.until(2);
    expect(proof(lastReceived(receiver))).not.toBe(proved(lastReceived(receiver), keys));
    expect(proof(lastReceived(receiver))).toEqual(expect.any(String));
    // PayDunya's proof is a field of the body, which a repeated webhook keeps.
    if (name === "paydunya") return;
    emulators.panel.setPaymentWebhooks({ provider: name, forgeSignature: false });
    payments().repeatWebhook(payments().webhookViews().at(-1)?.id ?? 0);
    await receiver.until(3);
    expect(proof(lastReceived(receiver))).toBe(proved(lastReceived(receiver), keys));
  });

  test("about a seller's payment goes to his own address, with his own secret", async () => {
    const seller = emulators.merchants[name].open();
    if (name !== "paydunya") {
      payments().settle(await open("unheard", seller.keys), "success");
      expect(payments().webhookViews()).toEqual([]);
    }
    emulators.merchants[name].pointWebhooks(seller.id, `${receiver.url}/webhooks/${name}/7`);
    payments().settle(await open("own", seller.keys), "success");
    await receiver.until(1);
    const sent = lastReceived(receiver);
    expect(proof(sent)).toBe(proved(sent, seller.keys));
    expect(proof(sent)).not.toBe(proved(sent, keys));
  });
});

const provider = "moneroo";
const moneroo = () => emulators.collectors.moneroo;
const payment = () => SPECS.moneroo.open("1");
const eventOf = (index: number) =>
  (JSON.parse(receiver.received[index]?.body ?? "{}") as { event?: string }).event;

/** One payment, paid while Moneroo's webhooks are so. → what came, once so many have */
async function received(count: number, how: object = {}): Promise<Received> {
  emulators.panel.setPaymentWebhooks({ provider, ...how });
  moneroo().settle(await payment(), "success");
  await receiver.until(count);
  return lastReceived(receiver);
}

describe("a webhook", () => {
  test("is compact, and signed over its bytes", async () => {
    const { body } = await received(1);
    expect(body).toBe(JSON.stringify(JSON.parse(body)));
    expect(JSON.parse(body)).toMatchObject({
      event: "payment.success",
      data: { amount: 5000, currency: "XOF", status: "success", customer: { firstName: "Awa" } },
    });
  });

  test("is sent for each failed attempt, and for the success after it", async () => {
    const id = await payment();
    for (const outcome of ["failure", "failure", "success"] as const) moneroo().settle(id, outcome);
    await receiver.until(3);
    const events = ["payment.failed", "payment.failed", "payment.success"];
    expect([0, 1, 2].map(eventOf).sort()).toEqual(events);
  });

  test("is not sent for a change that is silent or dropped", async () => {
    moneroo().settle(await payment(), "success", { silent: true });
    emulators.panel.setPaymentWebhooks({ provider, drop: true });
    moneroo().settle(await payment(), "success");
    const states = moneroo().webhookViews();
    expect(states.map(({ state }) => state)).toEqual(["dropped"]);
    expect(receiver.received.length).toBe(0);
  });

  test("can be late", async () => {
    emulators.panel.setPaymentWebhooks({ provider, delayMs: 60_000 });
    moneroo().settle(await payment(), "success");
    emulators.clock.advance(59_999);
    expect(receiver.received.length).toBe(0);
    emulators.clock.advance(1);
    await receiver.until(1);
  });

  test("can come several times, and again later byte for byte", async () => {
    await received(3, { copies: 3 });
    emulators.panel.repeatPaymentWebhook({ provider, webhookId: 1 });
    await receiver.until(4);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  test("can have a right signature over unusual spaces and escapes", async () => {
    const { body, headers } = await received(1, { unusualSpacing: true });
    expect(headers["x-moneroo-signature"]).toBe(sign(body, WEBHOOK_SECRET));
    expect(body).not.toBe(JSON.stringify(JSON.parse(body)));
    expect(body).toContain("Di\\u00e0llo\\/B");
    expect(JSON.parse(body)).toMatchObject({ data: { customer: { lastName: "Diàllo/Bâ" } } });
  });
});

/** Vectors that the providers publish. */
test.each([
  [
    "Moneroo",
    '{"event":"payment.success","data":{"id":"py_test000000001","status":"success","amount":5000,"currency":"XOF"}}',
    (body: string) => sign(body, "test-moneroo-secret"),
    "6ce656b0dc67cb2947bdb249d10aa4747802fdca1fb2ea0e2f431ec29c2754a3",
  ],
  [
    "FedaPay",
    '{"name":"transaction.approved","object":"transaction","entity":{"klass":"v1/transaction","id":1001,"status":"approved","amount":5000}}',
    (body: string) => signatureHeader(body, FEDAPAY.webhookSecret, new Date(1_700_000_000_000)),
    "t=1700000000,s=e964e24e3219f1bb6f632db14842e0a6ddec8d2c6d539708eb2c27e52af59a9b",
  ],
  [
    "Crypto Pay",
    '{"update_id":1,"update_type":"invoice_paid","request_date":"2024-01-01T00:00:00.000Z","payload":{"invoice_id":42,"status":"paid","currency_type":"fiat","fiat":"EUR","amount":"7.62"}}',
    (body: string) => cryptoSignature(body, CRYPTOPAY.token),
    "ebd622901bd888852abd7553ef4145cc2a3c8de0ddf4341cb7772982d8e486a9",
  ],
  [
    "PayDunya",
    "",
    () => callbackHash(PAYDUNYA.masterKey),
    "1f242d13fca84cf537ff47cd47971de7ad6d4dd244340c5d53815cef06464f0a111ec5dfc692ec7eb68d4265f55af149a3776969c3a1faba695b6b1c36358ede",
  ],
])("a signature of %s is that of the reference's vector", (_name, body, signed, expected) => {
  expect(signed(body)).toBe(expected);
});
