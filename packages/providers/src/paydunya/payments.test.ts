import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fcfa } from "@sesame/kernel";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { NoticeReading } from "../port.ts";
import { hostProvider, type ProviderHost, type ScriptedAnswer } from "../provider.test-host.ts";
import { createPaydunya, createPaydunyaPayouts } from "./index.ts";
import { translateInvoicePayment, translateMade, translateRefusal, verdictOf } from "./payments.ts";

const recorded = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL("./recorded/answers.json", import.meta.url), "utf8"))[name];

let host: ProviderHost | null = null;

afterEach(async () => {
  await host?.close();
  host = null;
});

async function answering(answer: ScriptedAnswer, privateKey = "live_private_1") {
  const started = await hostProvider(() => answer);
  host = started;
  return createPaydunya({ masterKey: "m", privateKey, token: "t", apiRoot: started.apiRoot });
}

const request = {
  reference: "17-2",
  amount: fcfa(5000),
  description: "Accès au groupe",
  returnUrl: "https://app.example/paiement/retour/abc",
  noticeUrl: "https://app.example/webhooks/paydunya",
  customer: {
    email: "awa@example.com",
    firstName: "Awa",
    lastName: "Diop",
    phone: "+221770000000",
  },
};

const name = {
  providerPaymentId: "aB3dE5fG7h",
  reference: "17-2",
  amount: fcfa(5000),
  quote: null,
  heard: [],
};

describe("making an invoice", () => {
  test("sends francs, our reference, where to come back and where to tell; the answer's text is the page", async () => {
    const paydunya = await answering({ body: recorded("invoice-created") });
    expect(await paydunya.createPayment(request)).toEqual({
      ok: true,
      value: {
        providerPaymentId: "aB3dE5fG7h",
        redirectUrl: "https://app.paydunya.com/checkout/invoice/aB3dE5fG7h",
        widget: null,
        quote: null,
      },
    });
    expect(host?.calls).toMatchObject([
      {
        call: "POST /api/v1/checkout-invoice/create",
        headers: {
          "paydunya-master-key": "m",
          "paydunya-private-key": "live_private_1",
          "paydunya-token": "t",
        },
        body: {
          invoice: {
            total_amount: 5000,
            description: "Accès au groupe",
            items: { item_1: { name: "Accès au groupe", quantity: 1, total_price: 5000 } },
            customer: { name: "Awa Diop", email: "awa@example.com", phone: "+221770000000" },
          },
          store: { name: "Sésame" },
          custom_data: { order_id: "17-2" },
          actions: {
            callback_url: "https://app.example/webhooks/paydunya",
            return_url: "https://app.example/paiement/retour/abc",
            cancel_url: "https://app.example/paiement/retour/abc",
          },
        },
      },
    ]);
  });

  test("with a test key is rehearsed at their other address", async () => {
    const paydunya = await answering({ body: recorded("invoice-created") }, "test_private_1");
    await paydunya.createPayment(request);
    await paydunya.fetchPayment(name).catch(() => null);
    expect(host?.calls.map(({ call }) => call)).toEqual([
      "POST /sandbox-api/v1/checkout-invoice/create",
      "GET /sandbox-api/v1/checkout-invoice/confirm/aB3dE5fG7h",
    ]);
  });

  test.each([
    [200, { response_code: "1001", response_text: "Invalid Masterkey" }, { kind: "keys" }],
    [401, {}, { kind: "keys" }],
    [
      200,
      { response_code: "4001", response_text: "Montant trop petit" },
      { kind: "request", message: "Montant trop petit" },
    ],
    [422, { description: "no" }, { kind: "request", message: "no" }],
    [200, { response_code: 50 }, { kind: "request", message: null }],
  ])("is refused with %i in their words: %j", async (status, body, refusal) => {
    const paydunya = await answering({ status, body });
    expect(await paydunya.createPayment(request)).toEqual({ ok: false, refusal });
  });

  test("is nonsense without a token or a web address", () => {
    const made = recorded("invoice-created");
    expect(translateMade({ ...made, token: null })).toBeNull();
    expect(translateMade({ ...made, response_text: "Checkout Invoice Created" })).toBeNull();
    expect(translateMade({ ...made, response_code: "01" })).toBeNull();
  });
});

describe("the word of an invoice", () => {
  test.each([
    ["pending", "pending"],
    ["completed", "paid"],
    ["cancelled", "refused"],
    ["failed", "refused"],
    ["expired", "refused"],
    ["refunded", "refunded"],
    ["success", "pending"],
    ["COMPLETED", "pending"],
    ["", "pending"],
  ])("%s is %s", (word, verdict) => {
    expect(verdictOf(word)).toBe(verdict);
  });
});

describe("confirming it", () => {
  const asked = { token: "aB3dE5fG7h", byKey: "live" } as const;
  const read = (change: object) =>
    translateInvoicePayment({ ...recorded("invoice-completed"), ...change }, asked);

  test("tells what was paid, in francs that they do not name", async () => {
    const paydunya = await answering({ body: recorded("invoice-completed") });
    expect(await paydunya.fetchPayment(name)).toEqual({
      providerPaymentId: "aB3dE5fG7h",
      verdict: "paid",
      word: "completed",
      amount: fcfa(5000),
      currency: "XOF",
      environment: "live",
      reference: "17-2",
    });
    expect(translateInvoicePayment(recorded("invoice-pending"), asked)).toMatchObject({
      verdict: "pending",
      amount: fcfa(5000),
      environment: "sandbox",
    });
  });

  test("says by its mode whether a franc moved, else by our key", () => {
    expect(read({ mode: "test" })?.environment).toBe("sandbox");
    expect(read({ mode: undefined })?.environment).toBe("live");
    const byKey = { ...asked, byKey: "sandbox" } as const;
    expect(translateInvoicePayment(recorded("invoice-completed"), byKey)?.environment).toBe("live");
  });

  test("has no amount that is not whole, and another currency when it is named", () => {
    const { invoice } = recorded("invoice-completed");
    const changed = (change: object) => read({ invoice: { ...(invoice as object), ...change } });
    expect(changed({ total_amount: 5000.5 })?.amount).toBeNull();
    expect(changed({ total_amount: "5 000" })?.amount).toBeNull();
    expect(changed({ currency: "GNF" })?.currency).toBe("GNF");
    expect(changed({ token: "other" })?.providerPaymentId).toBe("other");
    expect(changed({ token: undefined })?.providerPaymentId).toBe("aB3dE5fG7h");
    expect(read({ currency: "USD" })?.currency).toBe("USD");
    expect(read({ custom_data: [] })?.reference).toBeNull();
  });

  test("of a no that is not about the keys knows nothing", async () => {
    const paydunya = await answering({ body: { response_code: "42", status: "completed" } });
    expect(await paydunya.fetchPayment(name)).toBeNull();
    expect(await paydunya.verifyKeys()).toBe("accepted");
    await host?.close();
    const refused = await answering({ body: { response_code: "1001" } });
    expect(await refused.verifyKeys()).toBe("refused");
    await expect(refused.fetchPayment(name)).rejects.toThrow("refuses the keys");
  });

  test("of any shape throws nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        translateInvoicePayment(value, asked);
        translateInvoicePayment(
          { response_code: "00", status: "completed", invoice: value },
          asked,
        );
        translateMade(value);
        translateRefusal(200, value);
        translateRefusal(200, { response_code: value });
      }),
    );
  });
});

const apiRoot = "http://nobody.invalid";

const bytes = (body: string) => Buffer.from(body);

const REFUSED: NoticeReading = { trusted: false };

const asked = (providerPaymentId: string | null): NoticeReading => ({
  trusted: true,
  providerPaymentId,
});

describe("PayDunya's notice", () => {
  const masterKey = "test-master-key";
  const HASH =
    "1f242d13fca84cf537ff47cd47971de7ad6d4dd244340c5d53815cef06464f0a111ec5dfc692ec7eb68d4265f55af149a3776969c3a1faba695b6b1c36358ede";
  const keys = { masterKey, privateKey: "live_private_1", token: "t", apiRoot };
  const paydunya = createPaydunya(keys);
  const read = (body: string) => paydunya.readNotice({}, bytes(body));
  const inner = (hash: unknown) =>
    JSON.stringify({ hash, status: "completed", invoice: { token: "aB3dE5fG7h" } });
  const SHAPES: Record<string, (hash: string) => string> = {
    "JSON in a form's data": (hash) => new URLSearchParams({ data: inner(hash) }).toString(),
    "bracketed fields": (hash) =>
      new URLSearchParams({
        "data[hash]": hash,
        "data[status]": "completed",
        "data[invoice][token]": "aB3dE5fG7h",
        "data[invoice][items][item_1][name]": "Accès",
      }).toString(),
    "JSON under data": (hash) => `{"data":${inner(hash)}}`,
    "JSON alone": (hash) => inner(hash),
  };

  test.each(Object.entries(SHAPES))("is read in %s", (_shape, write) => {
    expect(createHash("sha512").update(masterKey).digest("hex")).toBe(HASH);
    expect(read(write(HASH))).toEqual(asked("aB3dE5fG7h"));
    const another = createHash("sha512").update("another").digest("hex");
    for (const hash of [another, HASH.toUpperCase(), HASH.slice(1), `${HASH}0`, "", masterKey]) {
      expect(read(write(hash))).toEqual(REFUSED);
    }
    for (let at = 0; at < HASH.length; at += 1) {
      const digit = HASH[at] === "0" ? "1" : "0";
      expect(read(write(HASH.slice(0, at) + digit + HASH.slice(at + 1)))).toEqual(REFUSED);
    }
  });

  test("without a hash is nobody's; of nothing we know, it is acknowledged", () => {
    for (const body of ["", "{}", "null", "data=", "x", '{"hash":null}', '{"hash":["x"]}']) {
      expect(read(body)).toEqual(REFUSED);
    }
    for (const rest of [{}, { event: "moon" }, { invoice: [] }, { invoice: { token: "a b" } }]) {
      expect(read(JSON.stringify({ hash: HASH, ...rest }))).toEqual(asked(null));
    }
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        expect(read(JSON.stringify({ hash: HASH, data: value })).trusted).toBe(true);
        expect(read(text).trusted).toBe(false);
      }),
    );
  });

  test("of a payout asks about no payment, and one of a payment finds no payout", () => {
    const payout = { hash: HASH, disburse_invoice: "Zk3pQ9sWx1", token: "Zk3pQ9sWx1" };
    expect(read(JSON.stringify(payout))).toEqual(asked(null));
    expect(read(new URLSearchParams({ data: JSON.stringify(payout) }).toString())).toEqual(
      asked(null),
    );
    const payouts = createPaydunyaPayouts(keys);
    for (const write of Object.values(SHAPES)) {
      expect(payouts.readNotice({}, bytes(write(HASH)))).toMatchObject({ reference: null });
    }
  });
});
