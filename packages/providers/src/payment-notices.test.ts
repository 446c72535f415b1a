import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCryptopay } from "./cryptopay/index.ts";
import { createFedapay } from "./fedapay/index.ts";
import { createMoneroo } from "./moneroo/index.ts";
import type { NoticeReading } from "./port.ts";

/** Who wrote a notice, and which payment it makes us ask about (reference §13). */

const apiRoot = "http://nobody.invalid";
const widget = { publicKey: "pk_1", widgetUrl: "https://cdn.example/w.js" };
/** When the published FedaPay vector was signed. */
const FEDAPAY_AT_S = 1_700_000_000;
const CRYPTOPAY_AT = new Date("2024-01-01T00:00:00.000Z");

const hmac = (key: string | Buffer, body: string | Uint8Array) =>
  createHmac("sha256", key).update(body).digest("hex");
const bytes = (body: string | Uint8Array) => (typeof body === "string" ? Buffer.from(body) : body);
const asked = (providerPaymentId: string | null): NoticeReading => ({
  trusted: true,
  providerPaymentId,
});
const REFUSED: NoticeReading = { trusted: false };

const MONEROO_SECRET = "test-moneroo-secret";
const FEDAPAY_SECRET = "test-fedapay-secret";
const CRYPTOPAY_TOKEN = "12345:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

const fedapayAt = (seconds: number) =>
  createFedapay({
    secretKey: "k",
    webhookSecret: FEDAPAY_SECRET,
    now: () => new Date(seconds * 1_000),
    apiRoot,
    ...widget,
  });
const cryptopayAt = (now: Date) =>
  createCryptopay({ token: CRYPTOPAY_TOKEN, now: () => now, apiRoot });

type Signed = {
  readonly header: string;
  readonly provider: ReturnType<typeof createMoneroo>;
  readonly vector: { readonly body: string; readonly hex: string; readonly id: string };
  sign(body: string | Uint8Array, secret?: string): string;
  /** What stands in the header, for a signature. */
  spell(hex: string): string;
};

const SIGNED: Record<string, Signed> = {
  moneroo: {
    header: "x-moneroo-signature",
    provider: createMoneroo({ secretKey: "k", webhookSecret: MONEROO_SECRET, apiRoot }),
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
    provider: fedapayAt(FEDAPAY_AT_S),
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
};

describe.each(Object.entries(SIGNED))("a notice signed as %s does", (_name, lane) => {
  const { vector, provider, header } = lane;
  const read = (body: string | Uint8Array, value: string | readonly string[] | undefined) =>
    provider.readNotice({ [header]: value }, bytes(body));
  const signed = (body: string) => read(body, lane.spell(lane.sign(body)));

  test("is theirs by the published vector", () => {
    expect(lane.sign(vector.body)).toBe(vector.hex);
    expect(read(vector.body, lane.spell(vector.hex))).toEqual(asked(vector.id));
  });

  test("is refused with any byte flipped, of the body or of the signature", () => {
    const body = Buffer.from(vector.body);
    for (let at = 0; at < body.length; at += 1) {
      const flipped = Uint8Array.from(body);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(read(flipped, lane.spell(vector.hex))).toEqual(REFUSED);
    }
    for (let at = 0; at < vector.hex.length; at += 1) {
      const digit = vector.hex[at] === "0" ? "1" : "0";
      const hex = vector.hex.slice(0, at) + digit + vector.hex.slice(at + 1);
      expect(read(vector.body, lane.spell(hex))).toEqual(REFUSED);
    }
  });

  test("is refused once re-serialised, and taken with unusual spacing when signed so", () => {
    const spaced = JSON.stringify(JSON.parse(vector.body), null, 2);
    expect(read(spaced, lane.spell(vector.hex))).toEqual(REFUSED);
    expect(signed(spaced)).toEqual(asked(vector.id));
  });

  test("is refused with another secret, no header, two of them, upper-case or longer hex", () => {
    const spelt = lane.spell(vector.hex);
    for (const value of [
      lane.spell(lane.sign(vector.body, "another")),
      lane.spell(lane.sign(vector.body, "")),
      undefined,
      "",
      [spelt, spelt],
      [spelt],
      lane.spell(vector.hex.toUpperCase()),
      lane.spell(`${vector.hex}00`),
      lane.spell(vector.hex.slice(2)),
      lane.spell(""),
    ]) {
      expect(read(vector.body, value)).toEqual(REFUSED);
    }
  });

  test("is acknowledged whatever it says, and asks nothing unless it names a payment", () => {
    for (const body of [
      '{"event":"moon.landed","name":"moon.landed","update_type":"moon_landed"}',
      "not json",
      "",
      "[]",
      "null",
      '{"event":"payment.success","name":"transaction.approved","update_type":"invoice_paid"}',
    ]) {
      expect(signed(body)).toEqual(asked(null));
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

describe("FedaPay's signature", () => {
  const { vector } = SIGNED["fedapay"] as Signed;
  const at = (seconds: number, header: string) =>
    fedapayAt(seconds).readNotice({ "x-fedapay-signature": header }, bytes(vector.body));
  const header = `t=${FEDAPAY_AT_S},s=${vector.hex}`;

  test("lives five minutes, before and after", () => {
    for (const off of [-300, 0, 300]) {
      expect(at(FEDAPAY_AT_S + off, header)).toEqual(asked("1001"));
    }
    for (const off of [-301, 301, -86_400]) {
      expect(at(FEDAPAY_AT_S + off, header)).toEqual(REFUSED);
    }
  });

  test("has one scheme, and may stand among others", () => {
    expect(at(FEDAPAY_AT_S, `t=${FEDAPAY_AT_S},v1=${vector.hex}`)).toEqual(REFUSED);
    expect(at(FEDAPAY_AT_S, vector.hex)).toEqual(REFUSED);
    expect(at(FEDAPAY_AT_S, `s=${vector.hex}`)).toEqual(REFUSED);
    expect(at(FEDAPAY_AT_S, `t=${FEDAPAY_AT_S},s=${"0".repeat(64)},s=${vector.hex}`)).toEqual(
      asked("1001"),
    );
  });

  test("stands over a notice as it was captured, escapes and all", () => {
    const { sign, spell, provider } = SIGNED["fedapay"] as Signed;
    const file = new URL("./fedapay/recorded/answers.json", import.meta.url);
    const notice = JSON.parse(readFileSync(file, "utf8"))["transaction-notice"];
    notice.entity.callback_url += "?a=1&b=2";
    const body = JSON.stringify(notice).replaceAll("&", String.raw`\u0026`);
    const headers = { "x-fedapay-signature": spell(sign(body)) };
    expect(provider.readNotice(headers, bytes(body))).toEqual(asked("1001"));
    const again = JSON.stringify(JSON.parse(body));
    expect(provider.readNotice(headers, bytes(again))).toEqual(REFUSED);
  });

  test("is a payout's too: that one asks about no payment", () => {
    const { sign, spell, provider } = SIGNED["fedapay"] as Signed;
    for (const body of [
      '{"name":"payout.sent","object":"payout","entity":{"klass":"v1/payout","id":55}}',
      '{"name":"customer.created","entity":{"klass":"v1/customer","id":77}}',
      '{"entity":{"id":77}}',
    ]) {
      const headers = { "x-fedapay-signature": spell(sign(body)) };
      expect(provider.readNotice(headers, bytes(body))).toEqual(asked(null));
    }
  });
});

describe("Crypto Pay's notice", () => {
  const { vector } = SIGNED["cryptopay"] as Signed;
  const at = (now: Date) =>
    cryptopayAt(now).readNotice({ "crypto-pay-api-signature": vector.hex }, bytes(vector.body));

  test("is acknowledged for ever, and asks for a week", () => {
    const days = (count: number) => new Date(CRYPTOPAY_AT.getTime() + count * 86_400_000);
    for (const off of [-7, 0, 7]) expect(at(days(off))).toEqual(asked("42"));
    for (const off of [-7.1, 7.1, 400]) expect(at(days(off))).toEqual(asked(null));
  });
});
