import { fcfa } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import {
  hostEach,
  outageOf,
  PAYMENT,
  paymentName,
  PAYOUT,
  recordedBy,
  type ScriptedAnswer,
} from "../provider.test-host.ts";
import { createFedapay, createFedapayPayouts, translatePayout, translatePayouts } from "./index.ts";
import { environmentOf, theirCustomer, translateTransaction } from "./payments.ts";

const recorded = recordedBy("fedapay");
const { answering, calls } = hostEach();

const RECORDED = recorded("transaction")["v1/transaction"] as Record<string, unknown>;
const transaction = (change: object) => ({
  body: { "v1/transaction": { ...RECORDED, ...change } },
});
const PAGE = String(RECORDED["payment_url"]);

const KEYS = {
  secretKey: "sk_sandbox_1",
  publicKey: null,
  webhookSecret: "wh",
  widgetUrl: "https://cdn.fedapay.com/checkout.js?v=1.1.7",
  now: () => new Date(0),
  timeoutMs: 60_000,
};

type Answers = Record<string, ScriptedAnswer>;

const collecting = async (answers: Answers, options: object = {}) =>
  createFedapay({ ...KEYS, apiRoot: await answering(answers), ...options });
const paying = async (answers: Answers, options: object = {}) => {
  const apiRoot = await answering(answers);
  return createFedapayPayouts({ ...KEYS, secretKey: "sk_live_1", apiRoot, ...options });
};

const TAKEN = { status: 422, body: { errors: { merchant_reference: ["taken"] } } };

/** Answers after which our reference may be in use. */
const MAYBE_MADE = [
  ["a second use said with 422", TAKEN],
  ["a second use said with 409", { status: 409, body: {} }],
  ["an answer cut", "hang-up"],
  ["500 once it was made", { status: 500, body: "" }],
] as const;

const request = { ...PAYMENT, customer: { ...PAYMENT.customer, phone: "+2290197000000" } };
const name = paymentName("1001");

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
  test("sends whole francs, our reference and the return address; one call gives its page", async () => {
    const fedapay = await collecting({ [CREATE]: { body: recorded("transaction") } });
    expect(await fedapay.createPayment(request)).toEqual(made(PAGE));
    const body = {
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
    };
    const headers = { authorization: "Bearer sk_sandbox_1" };
    expect(calls()).toMatchObject([{ call: CREATE, headers, body }]);
  });

  test("requests the page when the answer has none", async () => {
    const token = { body: recorded("transaction-token") };
    const fedapay = await collecting({ [CREATE]: bare, [TOKEN]: token });
    expect(await fedapay.createPayment(request)).toEqual(made(PAGE));
  });

  test.each(["hang-up", { status: 500, body: "" }, { body: { url: "javascript:1" } }] as const)(
    "never creates a second transaction when the page's answer is lost: %j",
    async (lost) => {
      const fedapay = await collecting({ [CREATE]: bare, [TOKEN]: lost, [BY_ID]: transaction({}) });
      expect(await fedapay.createPayment(request)).toEqual(made(PAGE));
      expect(calls().filter(({ call }) => call === CREATE)).toHaveLength(1);
      const silent = await collecting({ [CREATE]: bare, [TOKEN]: lost });
      await outageOf(silent.createPayment(request));
    },
  );

  test("with a public key also gives FedaPay's widget, and needs no page", async () => {
    const answers = { [CREATE]: bare, [TOKEN]: "hang-up", [BY_ID]: bare } as const;
    const fedapay = await collecting(answers, { publicKey: "pk_sandbox_1" });
    const widget = { kind: "fedapay", scriptUrl: KEYS.widgetUrl };
    const sandboxed = { ...widget, publicKey: "pk_sandbox_1", sandbox: true };
    expect(await fedapay.createPayment(request)).toEqual(made(null, sandboxed));
    const keys = { publicKey: "pk_live_1", secretKey: "sk_live_1" };
    const live = await collecting({ [CREATE]: transaction({}) }, keys);
    const lived = { ...widget, publicKey: "pk_live_1", sandbox: false };
    expect(await live.createPayment(request)).toEqual(made(PAGE, lived));
  });

  test.each(MAYBE_MADE)("finds the transaction of an earlier call: %s", async (_why, answer) => {
    const fedapay = await collecting({ [CREATE]: answer, [BY_REFERENCE]: transaction({}) });
    expect(await fedapay.createPayment(request)).toEqual(made(PAGE));
    for (const change of [{ amount: 4_000 }, { status: "approved" }, { status: "declined" }]) {
      const other = { [CREATE]: answer, [BY_REFERENCE]: transaction(change) };
      const outcome = await (await collecting(other)).createPayment(request).catch(() => null);
      expect(outcome === null || !outcome.ok).toBe(true);
    }
  });

  test("omits a number of another country: FedaPay's page asks for it", () => {
    const phones = ["+33612345678", "0197000000", "+229abc", ""].map((phone) => ({ phone }));
    for (const phone of [{}, ...phones]) {
      const customer = { ...PAYMENT.customer, ...phone };
      expect(theirCustomer(customer)).not.toHaveProperty("phone_number");
    }
  });
});

describe("a transaction", () => {
  const read = (change: object) => translateTransaction(transaction(change).body, "live");

  test("has the price as its amount, without the customer's fee", () => {
    expect(read({ status: "approved", amount_debited: 5200 })).toEqual({
      providerPaymentId: "1001",
      status: "paid",
      word: "approved",
      amount: fcfa(5000),
      cost: null,
      currency: "XOF",
      environment: "live",
      reference: "17-2",
    });
  });

  test("has a cost: the difference to the amount that FedaPay passes on", () => {
    const kept = (passedOn: unknown) => read({ amount_transferred: passedOn })?.cost;
    expect(kept(5000)).toBe(0n);
    expect(kept("4905")).toBe(95n);
    // A cost is rounded up to the franc.
    expect(kept(4904.75)).toBe(96n);
    expect([null, "", 5001, -1, "much"].map(kept)).toEqual([null, null, null, null, null]);
  });

  test("has a currency by its number, or by its code, which has priority", () => {
    expect(read({ currency_id: 2 })?.currency).toBeNull();
    expect(read({ currency_id: undefined })?.currency).toBeNull();
    expect(read({ currency: { iso: "XOF", code: 952 } })?.currency).toBe("XOF");
    expect(read({ currency: { iso: "GNF" } })?.currency).toBe("GNF");
    expect(read({ currency: "USD" })?.currency).toBe("USD");
  });

  test("is invalid without an id or a status", () => {
    expect(read({ id: null })).toBeNull();
    expect(read({ status: 3 })).toBeNull();
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

test("checking a transaction uses its id, and the answer of another transaction is an outage", async () => {
  const fedapay = await collecting({ [BY_ID]: transaction({ status: "approved" }) });
  expect(await fedapay.fetchPayment(name)).toMatchObject({ status: "paid", reference: "17-2" });
  expect(await fedapay.fetchPayment({ ...name, providerPaymentId: "2" })).toBeNull();
  const another = await collecting({ [BY_ID]: transaction({ id: 7 }) });
  await outageOf(another.fetchPayment(name));
});

const MAKE = "POST /v1/payouts";
const START = "PUT /v1/payouts/start";
const PAYOUT_BY_ID = "GET /v1/payouts/55";
const PAYOUT_BY_REFERENCE = "GET /v1/payouts/merchant/wd-17-1";
const LIST = "GET /v1/payouts?";

const payout = (change: object) => {
  const { "v1/payout": made } = recorded("created");
  return { body: { "v1/payout": { ...(made as object), ...change } } };
};

const prepared = { ok: true, value: { handle: "55" } };

describe("creating the payout", () => {
  test("sends the mode, the number with its country, whole francs and our reference", async () => {
    const fedapay = await paying({ [MAKE]: { body: recorded("created") } });
    expect(await fedapay.prepare(PAYOUT)).toEqual(prepared);
    expect(calls()[0]).toMatchObject({
      call: MAKE,
      headers: { authorization: "Bearer sk_live_1" },
      body: {
        amount: 5000,
        currency: { iso: "XOF" },
        mode: "mtn_open",
        description: "Retrait 17",
        merchant_reference: "wd-17-1",
        custom_metadata: { withdrawal_id: "17", reference: "wd-17-1" },
        customer: {
          firstname: "Awa",
          lastname: "Diop",
          email: "17@app.example",
          phone_number: { number: "+2290197000000", country: "bj" },
        },
      },
    });
  });

  test("writes Orange in Burkina with a hyphen, or as this account does", async () => {
    const burkina = { ...PAYOUT, method: "orange-money-burkina", phone: "+22607010203" };
    for (const [options, mode] of [
      [{}, "orange-bf"],
      [{ modeSpellings: { "orange-money-burkina": "orange_bf" } }, "orange_bf"],
    ] as const) {
      const fedapay = await paying({ [MAKE]: { body: recorded("created") } }, options);
      await fedapay.prepare(burkina);
      expect(calls()[0]?.body).toMatchObject({ mode });
    }
  });

  test.each(MAYBE_MADE)("finds the payout of an earlier call: %s", async (_why, answer) => {
    const fedapay = await paying({ [MAKE]: answer, [PAYOUT_BY_REFERENCE]: payout({}) });
    expect(await fedapay.prepare(PAYOUT)).toEqual(prepared);
    const older = await paying({ [MAKE]: answer, [LIST]: { body: recorded("list") } });
    expect(await older.prepare(PAYOUT)).toEqual(prepared);
  });

  test("refuses a payout of another amount under our reference", async () => {
    const other = payout({ amount: 4000 });
    const fedapay = await paying({ [MAKE]: TAKEN, [PAYOUT_BY_REFERENCE]: other });
    const refused = { ok: false, refusal: { kind: "request" } };
    expect(await fedapay.prepare(PAYOUT)).toMatchObject(refused);
  });

  test("is an outage without an answer when nothing is found", async () => {
    const fedapay = await paying({ [MAKE]: { status: 503, body: "" }, [LIST]: { body: [] } });
    await outageOf(fedapay.prepare(PAYOUT));
    const odd = await paying({ [MAKE]: { body: { "v1/payout": {} } } });
    await outageOf(odd.prepare(PAYOUT));
  });
});

describe("starting a payout", () => {
  const OF_55 = { id: 55, status: "started" };

  test.each([
    ["as they answer", recorded("started")],
    ["a bare list", recorded("started")["v1/payouts"]],
    ["one payout", { "v1/payout": { id: 55, status: "processing" } }],
    ["a bare payout, not yet started in their words", { id: "55", status: "pending" }],
    ["among others", { data: [{ ...OF_55, id: 54, status: "failed" }, OF_55] }],
  ])("is sent: %s", async (_shape, answer) => {
    const fedapay = await paying({ [START]: { body: answer } });
    const sent = { ok: true, value: { status: "sent", providerPayoutId: "55" } };
    expect(await fedapay.submit(PAYOUT, "55")).toMatchObject(sent);
    const said = calls().map(({ call, body }) => [call, body]);
    expect(said).toEqual([[START, { payouts: [{ id: 55 }] }]]);
  });

  test("is uncertain when the answer is about another payout", async () => {
    const another = { body: [{ id: 54, status: "started" }] };
    const fedapay = await paying({ [START]: another, [PAYOUT_BY_ID]: payout({}) });
    await outageOf(fedapay.submit(PAYOUT, "55"));
  });
});

describe("looking a payout up", () => {
  const name = { reference: "wd-17-1", handle: null, providerPayoutId: null };

  test("uses its id, and reads amount, fees, reference and status", async () => {
    const fedapay = await paying({ [PAYOUT_BY_ID]: payout({ status: "sent", fees: 150.0 }) });
    expect(await fedapay.lookup({ ...name, handle: "55" })).toMatchObject({
      status: "succeeded",
      providerPayoutId: "55",
      word: "sent",
      cost: fcfa(150),
      amount: fcfa(5000),
      reference: "wd-17-1",
      environment: "live",
    });
  });

  test("uses our reference when there is no id, and the list when FedaPay has no such call", async () => {
    const fedapay = await paying({ [LIST]: { body: recorded("list") } });
    expect(await fedapay.lookup(name)).toMatchObject({ providerPayoutId: "55", currency: "XOF" });
    const page = "GET /v1/payouts?page=1&per_page=100";
    expect(calls().map(({ call }) => call)).toEqual([PAYOUT_BY_REFERENCE, page]);
    expect(await fedapay.lookup({ ...name, reference: "wd-18-1" })).toBeNull();
  });

  test("is an outage when the answer is about another payout, or incomplete", async () => {
    for (const answer of [payout({ id: 56 }), { body: { "v1/payout": { id: 55 } } }]) {
      const fedapay = await paying({ [PAYOUT_BY_ID]: answer });
      await outageOf(fedapay.lookup({ ...name, handle: "55" }));
    }
  });
});

describe("the list of payouts", () => {
  const line = (id: number, createdAt: string) => ({
    id,
    status: "sent",
    amount: 1000,
    merchant_reference: `wd-${id}-1`,
    created_at: createdAt,
  });
  const SINCE = new Date("2026-11-01T00:00:00Z");

  test("is read page after page until the requested instant", async () => {
    const pages = [
      [line(5, "2026-11-03T00:00:00Z"), line(4, "2026-11-02T00:00:00Z")],
      [line(3, "2026-11-01T00:00:00Z"), line(2, "2026-10-31T00:00:00Z")],
      [line(1, "2026-10-30T00:00:00Z"), line(0, "2026-10-29T00:00:00Z")],
      [line(9, "2026-11-03T00:00:00Z")],
    ];
    const answers = pages.map((page, at) => {
      const body = { "v1/payouts": page, meta: { total_pages: 4 } };
      return [`${LIST}page=${at + 1}&`, { body }] as const;
    });
    const fedapay = await paying(Object.fromEntries(answers));
    const listed = await fedapay.list?.(SINCE);
    expect(listed?.map(({ reference }) => reference)).toEqual(["wd-5-1", "wd-4-1", "wd-3-1"]);
    expect(calls()).toHaveLength(3);
  });

  test("is read whole when the oldest comes first, and once when page numbers are ignored", async () => {
    const page = [line(1, "2026-10-30T00:00:00Z"), line(2, "2026-11-02T00:00:00Z")];
    const fedapay = await paying({ [LIST]: { body: page } });
    expect(await fedapay.list?.(SINCE)).toMatchObject([{ providerPayoutId: "2" }]);
    expect(calls()).toHaveLength(2);
  });

  test("with an unreadable line proves nothing: an outage", async () => {
    const body = { "v1/payouts": [line(1, "2026-11-02T00:00:00Z"), { id: null }] };
    const fedapay = await paying({ [LIST]: { body } });
    await outageOf(Promise.resolve(fedapay.list?.(SINCE)));
  });
});

describe("a payout in FedaPay's answers", () => {
  const wrapped = recorded("created");
  const bare = wrapped["v1/payout"] as Record<string, unknown>;
  const changed = (change: object) => translatePayout({ ...bare, ...change }, "live");

  test("is the same wrapped under its key with a slash, or bare", () => {
    const read = translatePayout(wrapped, "live");
    expect(read).toEqual(translatePayout(bare, "live"));
    expect(read).toEqual({
      status: "not-started",
      providerPayoutId: "55",
      word: "pending",
      operatorReference: null,
      failure: null,
      cost: null,
      environment: "live",
      amount: fcfa(5000),
      currency: null,
      reference: "wd-17-1",
      createdAt: new Date("2026-11-02T10:00:00.000Z"),
    });
  });

  test("costs its fees, or what was debited above the amount; else the cost is unknown", () => {
    expect(changed({ fees: 150 })?.cost).toBe(fcfa(150));
    expect(changed({ fees: "300.0" })?.cost).toBe(fcfa(300));
    expect(changed({ amount_debited: 5150 })?.cost).toBe(fcfa(150));
    expect(changed({ fees: 0, amount_debited: 5150 })?.cost).toBe(fcfa(0));
    for (const odd of [{ amount_debited: 4000 }, { fees: 1.5 }, { fees: -1 }, {}]) {
      expect(changed(odd)?.cost).toBeNull();
    }
  });

  test("has a failure only when it failed, by sentence or by code", () => {
    const failed = { status: "failed", last_error_code: "E1", last_error_message: "Compte fermé" };
    expect(changed(failed)?.failure).toBe("Compte fermé");
    expect(changed({ ...failed, last_error_message: null })?.failure).toBe("E1");
    expect(changed({ ...failed, status: "sent" })?.failure).toBeNull();
  });

  test("carries our reference in its own field, or in its metadata", () => {
    expect(changed({ merchant_reference: null })?.reference).toBe("wd-17-1");
    expect(changed({ merchant_reference: null, custom_metadata: [] })?.reference).toBeNull();
  });

  test("is invalid without an id or a status", () => {
    for (const change of [{ id: null }, { id: "../1" }, { status: 3 }]) {
      expect(changed(change)).toBeNull();
    }
  });

  test("is read from a list with its pages", () => {
    const page = translatePayouts(recorded("list"), "live");
    expect(page).toMatchObject({ unread: 0, pages: 1 });
    const failed = { status: "failed", failure: "Le numéro n'a pas de compte" };
    expect(page?.payouts).toMatchObject([failed, { status: "succeeded", failure: null }]);
  });
});
