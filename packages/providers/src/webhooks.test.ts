import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCryptopay } from "./cryptopay/index.ts";
import { createFedapay, createFedapayPayouts } from "./fedapay/index.ts";
import { createMoneroo, createMonerooPayouts } from "./moneroo/index.ts";
import type { WebhookHeaders, WebhookReading, PayoutWebhook } from "./port.ts";
import { recordedBy } from "./provider.test-host.ts";

/** The sender of a webhook, and the payment or payout that it makes us look up. */

const apiRoot = "http://nobody.invalid";
const widget = { publicKey: "pk_1", widgetUrl: "https://cdn.example/w.js" };
/** When the published FedaPay vector was signed. */
const FEDAPAY_AT_S = 1_700_000_000;
const CRYPTOPAY_AT = new Date("2024-01-01T00:00:00.000Z");

const hmac = (key: string | Buffer, body: string | Uint8Array) =>
  createHmac("sha256", key).update(body).digest("hex");
const bytes = (body: string | Uint8Array) => (typeof body === "string" ? Buffer.from(body) : body);
const asked = (providerPaymentId: string | null): WebhookReading => ({
  trusted: true,
  providerPaymentId,
});
const REFUSED: WebhookReading = { trusted: false };
/** What a payout adapter reads in a webhook about something else. */
const NO_PAYOUT = { trusted: true, providerPayoutId: null, handle: null, reference: null };

const MONEROO_SECRET = "test-moneroo-secret";
const FEDAPAY_SECRET = "test-fedapay-secret";
const CRYPTOPAY_TOKEN = "12345:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

const fedapayAt = (seconds: number) => ({
  secretKey: "k",
  webhookSecret: FEDAPAY_SECRET,
  now: () => new Date(seconds * 1_000),
  apiRoot,
  ...widget,
});
const MONEROO = { secretKey: "k", webhookSecret: MONEROO_SECRET, apiRoot };
const cryptopayAt = (now: Date) =>
  createCryptopay({ token: CRYPTOPAY_TOKEN, now: () => now, apiRoot });

type Signed = {
  readonly header: string;
  readonly provider: {
    readWebhook(headers: WebhookHeaders, body: Uint8Array): WebhookReading | PayoutWebhook;
  };
  readonly vector: { readonly body: string; readonly hex: string; readonly id: string };
  sign(body: string | Uint8Array, secret?: string): string;
  /** The header's value for a signature. */
  spell(hex: string): string;
};

const SIGNED = {
  moneroo: {
    header: "x-moneroo-signature",
    provider: createMoneroo(MONEROO),
    vector: {
      body: '{"event":"payment.success","data":{"id":"py_test000000001","status":"success","amount":5000,"currency":"XOF"}}',
      hex: "6ce656b0dc67cb2947bdb249d10aa4747802fdca1fb2ea0e2f431ec29c2754a3",
      id: "py_test000000001",
    },
    sign: (body, secret = MONEROO_SECRET) => hmac(secret, body),
    spell: (hex) => hex,
  },
  fedapay: {
    header: "x-fedapay-signature",
    provider: createFedapay(fedapayAt(FEDAPAY_AT_S)),
    vector: {
      body: '{"name":"transaction.approved","object":"transaction","entity":{"klass":"v1/transaction","id":1001,"status":"approved","amount":5000}}',
      hex: "e964e24e3219f1bb6f632db14842e0a6ddec8d2c6d539708eb2c27e52af59a9b",
      id: "1001",
    },
    sign: (body, secret = FEDAPAY_SECRET) =>
      hmac(secret, Buffer.concat([Buffer.from(`${FEDAPAY_AT_S}.`), bytes(body)])),
    spell: (hex) => `t=${FEDAPAY_AT_S},s=${hex}`,
  },
  cryptopay: {
    header: "crypto-pay-api-signature",
    provider: cryptopayAt(CRYPTOPAY_AT),
    vector: {
      body: '{"update_id":1,"update_type":"invoice_paid","request_date":"2024-01-01T00:00:00.000Z","payload":{"invoice_id":42,"status":"paid","currency_type":"fiat","fiat":"EUR","amount":"7.62"}}',
      hex: "ebd622901bd888852abd7553ef4145cc2a3c8de0ddf4341cb7772982d8e486a9",
      id: "42",
    },
    sign: (body, secret = CRYPTOPAY_TOKEN) =>
      hmac(createHash("sha256").update(secret).digest(), body),
    spell: (hex) => hex,
  },
} satisfies Record<string, Signed>;

const { moneroo, fedapay, cryptopay }: Record<keyof typeof SIGNED, Signed> = SIGNED;

const monerooPayouts = { ...moneroo, provider: createMonerooPayouts(MONEROO) };
const fedapayPayouts = { ...fedapay, provider: createFedapayPayouts(fedapayAt(FEDAPAY_AT_S)) };

const READERS: readonly (readonly [string, Signed, about: (id: string | null) => object])[] = [
  ["moneroo's payments", moneroo, asked],
  ["moneroo's payouts", monerooPayouts, () => NO_PAYOUT],
  ["fedapay's payments", fedapay, asked],
  ["fedapay's payouts", fedapayPayouts, () => NO_PAYOUT],
  ["cryptopay's payments", cryptopay, asked],
];

describe.each(READERS)("a webhook read by %s", (_name, sender, about) => {
  const { vector, provider, header } = sender;
  const read = (body: string | Uint8Array, value: string | readonly string[] | undefined) =>
    provider.readWebhook({ [header]: value }, bytes(body));
  const signed = (body: string) => read(body, sender.spell(sender.sign(body)));

  test("is accepted with the published vector", () => {
    expect(sender.sign(vector.body)).toBe(vector.hex);
    expect(read(vector.body, sender.spell(vector.hex))).toEqual(about(vector.id));
  });

  test("is refused with any byte flipped, of the body or of the signature", () => {
    const body = Buffer.from(vector.body);
    for (let at = 0; at < body.length; at += 1) {
      const flipped = Uint8Array.from(body);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(read(flipped, sender.spell(vector.hex))).toEqual(REFUSED);
    }
    for (let at = 0; at < vector.hex.length; at += 1) {
      const digit = vector.hex[at] === "0" ? "1" : "0";
      const hex = vector.hex.slice(0, at) + digit + vector.hex.slice(at + 1);
      expect(read(vector.body, sender.spell(hex))).toEqual(REFUSED);
    }
  });

  test("is refused when its JSON was written again, and accepted with unusual spacing when that was signed", () => {
    const spaced = JSON.stringify(JSON.parse(vector.body), null, 2);
    expect(read(spaced, sender.spell(vector.hex))).toEqual(REFUSED);
    expect(signed(spaced)).toEqual(about(vector.id));
  });

  test("is refused with another secret, no header, two of them, upper-case or longer hex", () => {
    const spelt = sender.spell(vector.hex);
    for (const value of [
      sender.spell(sender.sign(vector.body, "another")),
      sender.spell(sender.sign(vector.body, "")),
      undefined,
      "",
      [spelt, spelt],
      [spelt],
      sender.spell(vector.hex.toUpperCase()),
      sender.spell(`${vector.hex}00`),
      sender.spell(vector.hex.slice(2)),
      sender.spell(""),
    ]) {
      expect(read(vector.body, value)).toEqual(REFUSED);
    }
  });

  test("is acknowledged whatever it contains, and starts a lookup only when it names a payment", () => {
    for (const body of [
      '{"event":"moon.landed","name":"moon.landed","update_type":"moon_landed"}',
      "not json",
      "",
      "[]",
      "null",
      '{"event":"payment.success","name":"transaction.approved","update_type":"invoice_paid"}',
    ]) {
      expect(signed(body)).toEqual(about(null));
    }
  });

  test("of any shape throws nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(signed(JSON.stringify(value)).trusted).toBe(true);
        expect(read(JSON.stringify(value), JSON.stringify(value)).trusted).toBe(false);
      }),
    );
  });
});

describe.each([
  ["payments", (at: number) => createFedapay(fedapayAt(at)), asked("1001")],
  ["payouts", (at: number) => createFedapayPayouts(fedapayAt(at)), NO_PAYOUT],
] as const)("FedaPay's signature, read by its %s,", (_what, open, theirs) => {
  const { hex, body } = fedapay.vector;
  const T = FEDAPAY_AT_S;
  const at = (seconds: number, header: string) =>
    open(seconds).readWebhook({ "x-fedapay-signature": header }, bytes(body));

  test("is valid for five minutes before and after", () => {
    for (const off of [-300, 0, 300]) expect(at(T + off, `t=${T},s=${hex}`)).toEqual(theirs);
    for (const off of [-301, 301, -86_400, 86_400]) {
      expect(at(T + off, `t=${T},s=${hex}`)).toEqual(REFUSED);
    }
  });

  test("has one scheme and one time", () => {
    for (const header of [
      `t=${T},v1=${hex}`,
      hex,
      `s=${hex}`,
      `t=${T}`,
      `t=${T},s=${hex}=`,
      `t=${T},t=${T},s=${hex}`,
      `t=-${T},s=${hex}`,
      `t=1e9,s=${hex}`,
      `t=${T},s=${"0".repeat(64)},s=${"0".repeat(64)}`,
    ]) {
      expect(at(T, header)).toEqual(REFUSED);
    }
  });

  test("may come with others, in either order, with spaces between", () => {
    expect(at(T, `t=${T},s=${"0".repeat(64)},s=${hex}`)).toEqual(theirs);
    expect(at(T, `s=${hex}, t=${T}`)).toEqual(theirs);
  });
});

const readSigned = (sender: Signed, body: string) =>
  sender.provider.readWebhook({ [sender.header]: sender.spell(sender.sign(body)) }, bytes(body));

test("FedaPay's signature is valid for a captured webhook with its escapes", () => {
  const webhook = recordedBy("fedapay")("transaction-notice");
  (webhook["entity"] as Record<string, unknown>)["callback_url"] += "?a=1&b=2";
  const body = JSON.stringify(webhook).replaceAll("&", String.raw`\u0026`);
  expect(readSigned(fedapay, body)).toEqual(asked("1001"));
  const { provider, header, spell, sign } = fedapay;
  const again = bytes(JSON.stringify(JSON.parse(body)));
  expect(provider.readWebhook({ [header]: spell(sign(body)) }, again)).toEqual(REFUSED);
});

test("a webhook of FedaPay about a payout, or anything else, names no payment", () => {
  for (const body of [
    '{"name":"payout.sent","object":"payout","entity":{"klass":"v1/payout","id":55}}',
    '{"name":"customer.created","entity":{"klass":"v1/customer","id":77}}',
    '{"entity":{"id":77}}',
  ]) {
    expect(readSigned(fedapay, body)).toEqual(asked(null));
  }
});

test("a webhook of FedaPay names its payout, each time it comes", () => {
  const about55 = { ...NO_PAYOUT, providerPayoutId: "55", handle: "55" };
  const body = JSON.stringify(recordedBy("fedapay")("notice"));
  const named = { ...about55, reference: "wd-17-1" };
  for (let time = 0; time < 2; time += 1) {
    expect(readSigned(fedapayPayouts, body)).toEqual(named);
  }
  const entity = { id: 55 };
  for (const other of [
    { name: "payout.failed", entity },
    { object: "payout", entity },
    { entity: { ...entity, klass: "v1/payout" } },
    { name: "payout.sent", data: entity },
    { name: "payout.sent", entity: { "v1/payout": entity } },
  ]) {
    expect(readSigned(fedapayPayouts, JSON.stringify(other))).toEqual(about55);
  }
  const payment = '{"name":"transaction.approved","entity":{"id":55}}';
  expect(readSigned(fedapayPayouts, payment)).toEqual(NO_PAYOUT);
});

test("a webhook of Moneroo about a payout names no payment, and the reverse", () => {
  const write = (name: string) => JSON.stringify(recordedBy("moneroo")(name), null, 2);
  const [payout, payment] = [write("payout-notice"), write("notice")];
  const theirs = { ...NO_PAYOUT, providerPayoutId: "po_5r4e3w2q1a0z" };
  expect(readSigned(monerooPayouts, payout)).toEqual(theirs);
  expect(readSigned(monerooPayouts, payment)).toEqual(NO_PAYOUT);
  expect(readSigned(moneroo, payout)).toEqual(asked(null));
  expect(readSigned(moneroo, payment)).toEqual(asked("py_295vbecp06z7"));
  const unheardOf = '{"event":"payment.unheard-of","data":{"id":"py_1"}}';
  expect(readSigned(moneroo, unheardOf)).toEqual(asked("py_1"));
  for (const odd of [7, "a\u0000b", null]) {
    const body = (event: string) => JSON.stringify({ event, data: { id: odd } });
    expect(readSigned(moneroo, body("payment.success"))).toEqual(asked(null));
    expect(readSigned(monerooPayouts, body("payout.success"))).toEqual(NO_PAYOUT);
  }
  expect(readSigned(monerooPayouts, '{"event":7,"data":{"id":"po_1"}}')).toEqual(NO_PAYOUT);
});

test("a webhook of Crypto Pay is always acknowledged, and starts a lookup for a week", () => {
  const { hex, body } = cryptopay.vector;
  const at = (now: Date) =>
    cryptopayAt(now).readWebhook({ "crypto-pay-api-signature": hex }, bytes(body));
  const days = (count: number) => new Date(CRYPTOPAY_AT.getTime() + count * 86_400_000);
  for (const off of [-7, 0, 7]) expect(at(days(off))).toEqual(asked("42"));
  for (const off of [-7.1, 7.1, 400]) expect(at(days(off))).toEqual(asked(null));
});
