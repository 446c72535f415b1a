import { fcfa } from "@sesame/kernel";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createCryptopay } from "./cryptopay/index.ts";
import { createFedapay } from "./fedapay/index.ts";
import { createKkiapay } from "./kkiapay/index.ts";
import { createMoneroo } from "./moneroo/index.ts";
import { createPaydunya } from "./paydunya/index.ts";
import type { CreateRefusal, PaymentName, PaymentProvider } from "./port.ts";
import {
  hostProvider,
  nobodyListening,
  outageOf,
  PAYMENT,
  paymentName,
  type ProviderHost,
  type ScriptedAnswer,
} from "./provider.test-host.ts";

/** Rules for every call of every provider, whatever fails. */

const PROVIDER_IDS = ["moneroo", "fedapay", "paydunya", "kkiapay", "cryptopay"] as const;
type ProviderId = (typeof PROVIDER_IDS)[number];

const SECRET = "canary-secret-key-0123456789";

function providersAt(apiRoot: string, timeoutMs: number): Record<ProviderId, PaymentProvider> {
  const now = () => new Date(0);
  const at = { apiRoot, timeoutMs };
  const widget = { publicKey: "pk_1", widgetUrl: "https://cdn.example/w.js" };
  return {
    moneroo: createMoneroo({ secretKey: SECRET, webhookSecret: "w", ...at }),
    fedapay: createFedapay({ secretKey: SECRET, webhookSecret: "w", now, ...widget, ...at }),
    paydunya: createPaydunya({ masterKey: SECRET, privateKey: SECRET, token: SECRET, ...at }),
    kkiapay: createKkiapay({
      privateKey: SECRET,
      secretKey: SECRET,
      webhookSecret: SECRET,
      sandbox: false,
      ...widget,
      ...at,
    }),
    cryptopay: createCryptopay({ token: SECRET, now, ...at }),
  };
}

let host: ProviderHost;
let answer: ScriptedAnswer;
let providers: Record<ProviderId, PaymentProvider>;
/** With short timeouts, only for the test without answers: no other test waits for a timeout. */
let impatient: Record<ProviderId, PaymentProvider>;
let closed: Record<ProviderId, PaymentProvider>;
let before = 0;

beforeAll(async () => {
  host = await hostProvider(() => answer);
  providers = providersAt(host.apiRoot, 60_000);
  impatient = providersAt(host.apiRoot, 3_000);
  closed = providersAt(nobodyListening(), 60_000);
});
beforeEach(() => {
  before = host.calls.length;
});
afterAll(() => host.close());

const nameOf = (providerId: ProviderId): PaymentName => ({
  ...paymentName(providerId === "kkiapay" ? "17-2" : "42"),
  quote: providerId === "cryptopay" ? { currency: "EUR", amount: "7.63", rate: "655.957" } : null,
  reportedTransactionIds: providerId === "kkiapay" ? ["42"] : [],
});

const paid = { providerPaymentId: "17-2", transactionId: "42", amount: fcfa(5000) };
const CALLS = {
  create: (provider: PaymentProvider) => provider.createPayment(PAYMENT),
  fetch: (provider: PaymentProvider) => provider.fetchPayment(nameOf(provider.id as ProviderId)),
  "verify keys": (provider: PaymentProvider) => provider.verifyKeys(),
  refund: async (provider: PaymentProvider) => provider.refund?.({ ...paid, telegramId: 1n }),
};

type CallName = keyof typeof CALLS;

const MADE = PROVIDER_IDS.flatMap((providerId) => {
  const made: CallName = providerId === "kkiapay" ? "refund" : "create";
  return ([made, "fetch", "verify keys"] as const).map((call) => [providerId, call] as const);
});

const FAULTS: readonly ScriptedAnswer[] = [
  { status: 500, body: "{}" },
  { status: 503, body: "<html>maintenance</html>" },
  "hang-up",
  { body: "<html>ok</html>" },
  { body: "" },
  { status: 418, body: { message: "teapot" } },
  { status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } },
];

/** FedaPay's lost transaction is looked up by our reference, and never made again. */
const makings = () =>
  host.calls.slice(before).filter(({ call }) => !call.includes("/merchant/")).length;

describe.each(MADE)("%s, %s", (providerId, call) => {
  test("is an outage after one call, on every invalid answer", async () => {
    for (const fault of FAULTS) {
      answer = fault;
      before = host.calls.length;
      const outage = await outageOf(CALLS[call](providers[providerId]));
      expect(outage).toMatchObject({ party: providerId, retryable: true });
      expect(makings()).toBe(1);
      expect(`${outage.message} ${JSON.stringify(outage)}`).not.toContain(SECRET);
    }
  });

  test("waits as long as a 429 requires, a minute when it names no time", async () => {
    answer = { status: 429, body: {}, headers: { "retry-after": "7" } };
    expect((await outageOf(CALLS[call](providers[providerId]))).retryAfterMs).toBe(7_000);
    answer = { status: 429, body: {} };
    expect((await outageOf(CALLS[call](providers[providerId]))).retryAfterMs).toBe(60_000);
    expect(makings()).toBe(2);
  });

  test("is an outage without a required wait when the connection is refused", async () => {
    const outage = await outageOf(CALLS[call](closed[providerId]));
    expect(outage).toMatchObject({ party: providerId, retryable: true, retryAfterMs: undefined });
  });
});

test("every call without an answer ends by its timeout, and is made once", async () => {
  answer = "silent";
  await Promise.all(MADE.map(([providerId, call]) => outageOf(CALLS[call](impatient[providerId]))));
  expect(makings()).toBe(MADE.length);
});

describe.each(PROVIDER_IDS)("%s", (providerId) => {
  test("refuses its keys on 401 and 403: a refusal when keys are verified or a payment is made, an outage elsewhere", async () => {
    for (const status of [401, 403]) {
      answer = { status, body: { message: "no" } };
      expect(await providers[providerId].verifyKeys()).toBe("refused");
      await outageOf(providers[providerId].fetchPayment(nameOf(providerId)));
      if (providerId === "kkiapay") {
        await outageOf(CALLS.refund(providers[providerId]));
        continue;
      }
      const refused = { ok: false, refusal: { kind: "keys" } };
      expect(await providers[providerId].createPayment(PAYMENT)).toEqual(refused);
    }
  });

  test("does not find an absent payment, and its keys are accepted", async () => {
    const gone: Record<ProviderId, ScriptedAnswer> = {
      moneroo: { status: 404, body: { message: "Not found" } },
      fedapay: { status: 404, body: { message: "Not found" } },
      paydunya: { body: { response_code: "42", response_text: "Invoice not found" } },
      kkiapay: { status: 404, body: { status: 404, message: "TRANSACTION_NOT_FOUND" } },
      cryptopay: { body: { ok: true, result: { items: [] } } },
    };
    answer = gone[providerId];
    expect(await providers[providerId].fetchPayment(nameOf(providerId))).toBeNull();
    expect(await providers[providerId].verifyKeys()).toBe("accepted");
  });

  test("ignores undocumented shapes", async () => {
    for (const body of [null, [], 0, "{}", {}, { data: [] }, { result: {} }, { ok: true }]) {
      answer = { body };
      await outageOf(providers[providerId].fetchPayment(nameOf(providerId)));
      if (providerId !== "kkiapay") await outageOf(providers[providerId].createPayment(PAYMENT));
    }
  });
});

const asked = (message: string | null): CreateRefusal => ({ kind: "request", message });

test.each<[ProviderId, number, unknown, CreateRefusal]>([
  ["moneroo", 422, { message: "The amount is too small." }, asked("The amount is too small.")],
  ["fedapay", 400, { message: "Montant invalide" }, asked("Montant invalide")],
  ["fedapay", 422, { errors: { amount: ["b"] } }, asked('{"amount":["b"]}')],
  ["fedapay", 404, "no", asked(null)],
  ["fedapay", 403, null, { kind: "keys" }],
  ["paydunya", 200, { response_code: "1001", response_text: "Invalid" }, { kind: "keys" }],
  ["paydunya", 200, { response_code: "4001", response_text: "Trop petit" }, asked("Trop petit")],
  ["paydunya", 422, { description: "no" }, asked("no")],
  ["paydunya", 200, { response_code: 50 }, asked(null)],
  ["cryptopay", 401, { ok: false, error: { code: 401, name: "UNAUTHORIZED" } }, { kind: "keys" }],
  ["cryptopay", 200, { ok: false, error: { code: 401, name: "UNAUTHORIZED" } }, { kind: "keys" }],
  ["cryptopay", 403, null, { kind: "keys" }],
  ["cryptopay", 400, { ok: false, error: { code: 400, name: "TOO_SMALL" } }, asked("TOO_SMALL")],
  ["cryptopay", 200, { ok: false, error: "no" }, asked("no")],
  ["cryptopay", 200, { ok: false }, asked(null)],
])("%s refuses a payment in its own words: %i %j", async (providerId, status, body, refusal) => {
  answer = { status, body };
  expect(await providers[providerId].createPayment(PAYMENT)).toEqual({ ok: false, refusal });
});

test("only KkiaPay and the Stars refund by a call", () => {
  const refunding = PROVIDER_IDS.filter((providerId) => providers[providerId].refund !== null);
  expect(refunding).toEqual(["kkiapay"]);
});

test("KkiaPay creates nothing before the widget, and makes no lookup before a transaction id is reported", async () => {
  const scriptUrl = "https://cdn.example/w.js";
  const widget = { kind: "kkiapay", scriptUrl, publicKey: "pk_1", sandbox: false };
  const value = { providerPaymentId: "17-2", redirectUrl: null, widget, quote: null };
  expect(await providers.kkiapay.createPayment(PAYMENT)).toEqual({ ok: true, value });
  const unreported = { ...nameOf("kkiapay"), reportedTransactionIds: [] };
  expect(await providers.kkiapay.fetchPayment(unreported)).toBeNull();
  expect(host.calls).toHaveLength(before);
});
