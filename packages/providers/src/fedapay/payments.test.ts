import { readFileSync } from "node:fs";
import { fcfa } from "@sesame/kernel";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import {
  hostProvider,
  outageOf,
  type ProviderHost,
  type ScriptedAnswer,
} from "../provider.test-host.ts";
import { createFedapay } from "./index.ts";
import {
  environmentOf,
  theirCustomer,
  translateMade,
  translateNotice,
  translateRefusal,
  translateToken,
  translateTransaction,
  verdictOf,
} from "./payments.ts";

const recorded = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL("./recorded/answers.json", import.meta.url), "utf8"))[name];

const RECORDED = recorded("transaction")["v1/transaction"] as Record<string, unknown>;

const transaction = (change: object) => ({
  body: { "v1/transaction": { ...RECORDED, ...change } },
});

const PAGE = String(RECORDED["payment_url"]);

let host: ProviderHost | null = null;

afterEach(async () => {
  await host?.close();
  host = null;
});

const KEYS = {
  secretKey: "sk_sandbox_1",
  publicKey: null,
  webhookSecret: "wh",
  widgetUrl: "https://cdn.fedapay.com/checkout.js?v=1.1.7",
  now: () => new Date(0),
};

/** By the longest beginning of the call that is named. */
async function answering(answers: Record<string, ScriptedAnswer>, options: object = {}) {
  const starts = Object.keys(answers).sort((one, other) => other.length - one.length);
  const started = await hostProvider(({ call }) => {
    const start = starts.find((name) => call.startsWith(name));
    return (start && answers[start]) || { status: 404, body: { message: "Not found" } };
  });
  host = started;
  return createFedapay({ ...KEYS, apiRoot: started.apiRoot, timeoutMs: 60_000, ...options });
}

const request = {
  reference: "17-2",
  amount: fcfa(5000),
  description: "Accès au groupe",
  returnUrl: "https://app.example/paiement/retour/abc",
  noticeUrl: "https://app.example/webhooks/fedapay",
  customer: {
    email: "awa@example.com",
    firstName: "Awa",
    lastName: "Diop",
    phone: "+2290197000000",
  },
};

const CREATE = "POST /v1/transactions";

const TOKEN = "POST /v1/transactions/1001/token";

const BY_ID = "GET /v1/transactions/1001";

const BY_REFERENCE = "GET /v1/transactions/merchant/17-2";

const made = (redirectUrl: string | null, widget: object | null = null) => ({
  ok: true,
  value: { providerPaymentId: "1001", redirectUrl, widget, quote: null },
});

const bare = transaction({ payment_url: undefined, payment_token: undefined });

describe("making a transaction", () => {
  test("sends whole francs, our reference, the return address; one call gives its page", async () => {
    const fedapay = await answering({ [CREATE]: { body: recorded("transaction") } });
    expect(await fedapay.createPayment(request)).toEqual(made(PAGE));
    expect(host?.calls).toHaveLength(1);
    expect(host?.calls[0]).toMatchObject({
      call: CREATE,
      headers: { authorization: "Bearer sk_sandbox_1" },
      body: {
        description: "Accès au groupe",
        amount: 5000,
        currency: { iso: "XOF" },
        callback_url: "https://app.example/paiement/retour/abc",
        customer: {
          firstname: "Awa",
          lastname: "Diop",
          email: "awa@example.com",
          phone_number: { number: "+2290197000000", country: "bj" },
        },
        merchant_reference: "17-2",
        custom_metadata: { reference: "17-2" },
      },
    });
  });

  test("asks for the page where the answer has none", async () => {
    const token = { body: recorded("transaction-token") };
    const fedapay = await answering({ [CREATE]: bare, [TOKEN]: token });
    expect(await fedapay.createPayment(request)).toEqual(made(PAGE));
  });

  test.each(["hang-up", { status: 500, body: "" }, { body: { url: "javascript:1" } }] as const)(
    "never makes a second one when the page's answer is lost: %j",
    async (lost) => {
      const fedapay = await answering({ [CREATE]: bare, [TOKEN]: lost, [BY_ID]: transaction({}) });
      expect(await fedapay.createPayment(request)).toEqual(made(PAGE));
      expect(host?.calls.filter(({ call }) => call === CREATE)).toHaveLength(1);
      await host?.close();
      const silent = await answering({ [CREATE]: bare, [TOKEN]: lost });
      await outageOf(silent.createPayment(request));
    },
  );

  test("with a public key gives their widget too, and does without a page", async () => {
    const answers = { [CREATE]: bare, [TOKEN]: "hang-up", [BY_ID]: bare } as const;
    const fedapay = await answering(answers, { publicKey: "pk_sandbox_1" });
    const widget = {
      kind: "fedapay",
      scriptUrl: KEYS.widgetUrl,
      publicKey: "pk_sandbox_1",
      sandbox: true,
    };
    expect(await fedapay.createPayment(request)).toEqual(made(null, widget));
    await host?.close();
    const live = await answering(
      { [CREATE]: transaction({}) },
      { publicKey: "pk_live_1", secretKey: "sk_live_1" },
    );
    expect(await live.createPayment(request)).toEqual(
      made(PAGE, { ...widget, publicKey: "pk_live_1", sandbox: false }),
    );
  });

  test.each([
    ["a second use said with 422", { status: 422, body: { errors: { merchant_reference: [] } } }],
    ["a second use said with 409", { status: 409, body: {} }],
    ["an answer cut", "hang-up"],
    ["500 once it was made", { status: 500, body: "" }],
  ] as const)("finds the one an earlier call made: %s", async (_why, answer) => {
    const fedapay = await answering({ [CREATE]: answer, [BY_REFERENCE]: transaction({}) });
    expect(await fedapay.createPayment(request)).toEqual(made(PAGE));
    for (const change of [{ amount: 4_000 }, { status: "approved" }, { status: "declined" }]) {
      await host?.close();
      const other = { [CREATE]: answer, [BY_REFERENCE]: transaction(change) };
      const outcome = await (await answering(other)).createPayment(request).catch(() => null);
      expect(outcome === null || !outcome.ok).toBe(true);
    }
  });

  test.each([
    [401, { message: "Opération non autorisée" }, { kind: "keys" }],
    [403, null, { kind: "keys" }],
    [400, { message: "Montant invalide" }, { kind: "request", message: "Montant invalide" }],
    [422, { errors: { amount: ["b"] } }, { kind: "request", message: '{"amount":["b"]}' }],
    [404, "no", { kind: "request", message: null }],
  ])("is refused on %i in their words: %j", async (status, body, refusal) => {
    const fedapay = await answering({ [CREATE]: { status, body } });
    expect(await fedapay.createPayment(request)).toEqual({ ok: false, refusal });
  });

  test("leaves out a number of another country: their page asks for it", () => {
    for (const phone of [undefined, "+33612345678", "0197000000", "+229abc", ""]) {
      const customer = { ...request.customer, ...(phone === undefined ? {} : { phone }) };
      if (phone === undefined) Reflect.deleteProperty(customer, "phone");
      expect(theirCustomer(customer)).not.toHaveProperty("phone_number");
    }
  });
});

describe("the word of a transaction", () => {
  test.each([
    ["pending", "pending"],
    ["approved", "paid"],
    ["transferred", "paid"],
    ["approved_partially_refunded", "partly-refunded"],
    ["transferred_partially_refunded", "partly-refunded"],
    ["declined", "refused"],
    ["canceled", "refused"],
    ["expired", "refused"],
    ["refunded", "refunded"],
    ["APPROVED", "pending"],
    ["", "pending"],
    ["constructor", "pending"],
  ])("%s is %s", (word, verdict) => {
    expect(verdictOf(word)).toBe(verdict);
  });

  test("any other one is pending", () => {
    const known = /^(approved|transferred|declined|canceled|expired|refunded)/;
    fc.assert(
      fc.property(fc.string(), (word) => {
        if (!known.test(word)) expect(verdictOf(word)).toBe("pending");
      }),
    );
  });
});

describe("a transaction", () => {
  const read = (change: object) => translateTransaction(transaction(change).body, "live");

  test("is told with the price, not with what the customer's fee makes of it", () => {
    expect(read({ status: "approved", amount_debited: 5200 })).toEqual({
      providerPaymentId: "1001",
      verdict: "paid",
      word: "approved",
      amount: fcfa(5000),
      cost: null,
      currency: "XOF",
      environment: "live",
      reference: "17-2",
    });
  });

  test("says what it keeps by what it passes on", () => {
    const kept = (passedOn: unknown) => read({ amount_transferred: passedOn })?.cost;
    expect(kept(5000)).toBe(0n);
    expect(kept("4905")).toBe(95n);
    // A part of a franc is kept.
    expect(kept(4904.75)).toBe(96n);
    expect([null, "", 5001, -1, "much"].map(kept)).toEqual([null, null, null, null, null]);
  });

  test("has a currency by its number, or spelt out, and then only that", () => {
    expect(read({ currency_id: 2 })?.currency).toBeNull();
    expect(read({ currency_id: undefined })?.currency).toBeNull();
    expect(read({ currency: { iso: "XOF", code: 952 } })?.currency).toBe("XOF");
    expect(read({ currency: { iso: "GNF" } })?.currency).toBe("GNF");
    expect(read({ currency: "USD" })?.currency).toBe("USD");
  });

  test("has no amount that is not whole", () => {
    expect(read({ amount: 5000.5 })?.amount).toBeNull();
    expect(read({ amount: "5000.00" })?.amount).toBe(fcfa(5000));
    expect(read({ amount: -5000 })?.amount).toBeNull();
    expect(read({ amount: null })?.amount).toBeNull();
  });

  test("has our reference in either place, or none", () => {
    expect(read({ merchant_reference: null })?.reference).toBe("17-2");
    expect(read({ merchant_reference: null, custom_metadata: [] })?.reference).toBeNull();
    expect(read({ merchant_reference: 17 })?.reference).toBe("17");
  });

  test("is nonsense without an id or a status, and nothing makes reading throw", () => {
    expect(read({ id: null })).toBeNull();
    expect(read({ status: 3 })).toBeNull();
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        translateTransaction(body, "live");
        translateTransaction({ "v1/transaction": body }, "live");
        translateMade(body);
        translateToken(body);
        translateRefusal(422, body);
        translateNotice(Buffer.from(JSON.stringify(body)));
        translateNotice(Buffer.from(JSON.stringify({ name: "transaction.x", entity: body })));
      }),
    );
  });
});

test.each([
  ["sk_live_1", "https://sandbox-api.fedapay.com", "live"],
  ["sk_sandbox_1", "https://api.fedapay.com", "sandbox"],
  ["another", "https://api.fedapay.com", "live"],
  ["another", "https://sandbox-api.fedapay.com", "sandbox"],
  ["another", "http://127.0.0.1:1", "unknown"],
  ["another", "nowhere", "unknown"],
])("the key %s at %s is of the environment: %s", (secretKey, apiRoot, environment) => {
  expect(environmentOf(secretKey, apiRoot)).toBe(environment);
});

const name = {
  providerPaymentId: "1001",
  reference: "17-2",
  amount: fcfa(5000),
  quote: null,
  heard: ["9"],
};

describe("asking about it", () => {
  test("goes by its id, and another one's answer is nonsense", async () => {
    const fedapay = await answering({ [BY_ID]: transaction({ status: "approved" }) });
    expect(await fedapay.fetchPayment(name)).toMatchObject({ verdict: "paid", reference: "17-2" });
    expect(await fedapay.fetchPayment({ ...name, providerPaymentId: "2" })).toBeNull();
    await host?.close();
    const another = await answering({ [BY_ID]: transaction({ id: 7 }) });
    await outageOf(another.fetchPayment(name));
  });

  test("they give no money back by a call", async () => {
    expect((await answering({})).refund).toBeNull();
  });
});
