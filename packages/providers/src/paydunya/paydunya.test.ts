import { createHash } from "node:crypto";
import { fcfa } from "@sesame/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  hostEach,
  nobodyListening,
  outageOf,
  PAYMENT,
  paymentName,
  PAYOUT,
  recordedBy,
  type ScriptedAnswer,
} from "../provider.test-host.ts";
import { environmentOfKey, isNo, isYes } from "./client.ts";
import {
  createPaydunya,
  createPaydunyaPayouts,
  translateInvoice,
  translateStatus,
} from "./index.ts";
import { translateInvoicePayment, translateMade } from "./payments.ts";

const recorded = recordedBy("paydunya");
const { answering, calls } = hostEach();

const KEYS = { masterKey: "test-master-key", privateKey: "live_private_1", token: "tk-1" };
const THEIR_HEADERS = {
  "paydunya-master-key": "test-master-key",
  "paydunya-private-key": "live_private_1",
  "paydunya-token": "tk-1",
};

const collecting = async (answer: ScriptedAnswer, privateKey = KEYS.privateKey) =>
  createPaydunya({ ...KEYS, privateKey, apiRoot: await answering(answer) });
/** Answers by the last part of the path. */
const paying = async (answers: Record<string, ScriptedAnswer>) =>
  createPaydunyaPayouts({ ...KEYS, apiRoot: await answering(answers), timeoutMs: 60_000 });

const request = { ...PAYMENT, customer: { ...PAYMENT.customer, phone: "+221770000000" } };
const name = paymentName("aB3dE5fG7h");

describe("making an invoice", () => {
  test("sends francs, our reference, the return address and the webhook's; the answer's text is the page", async () => {
    const paydunya = await collecting({ body: recorded("invoice-created") });
    const redirectUrl = "https://app.paydunya.com/checkout/invoice/aB3dE5fG7h";
    const value = { providerPaymentId: "aB3dE5fG7h", redirectUrl, widget: null, quote: null };
    expect(await paydunya.createPayment(request)).toEqual({ ok: true, value });
    expect(calls()).toMatchObject([
      {
        call: "POST /api/v1/checkout-invoice/create",
        headers: THEIR_HEADERS,
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
            callback_url: "https://app.example/webhooks/x",
            return_url: "https://app.example/paiement/retour/abc",
            cancel_url: "https://app.example/paiement/retour/abc",
          },
        },
      },
    ]);
  });

  test("with a test key is sent to PayDunya's sandbox", async () => {
    const paydunya = await collecting({ body: recorded("invoice-created") }, "test_private_1");
    await paydunya.createPayment(request);
    await paydunya.fetchPayment(name).catch(() => null);
    expect(calls().map(({ call }) => call)).toEqual([
      "POST /sandbox-api/v1/checkout-invoice/create",
      "GET /sandbox-api/v1/checkout-invoice/confirm/aB3dE5fG7h",
    ]);
  });

  test("is invalid without a token or a web address", () => {
    const made = recorded("invoice-created");
    expect(translateMade({ ...made, token: null })).toBeNull();
    expect(translateMade({ ...made, response_text: "Checkout Invoice Created" })).toBeNull();
    expect(translateMade({ ...made, response_code: "01" })).toBeNull();
  });
});

describe("confirming an invoice", () => {
  const asked = { token: "aB3dE5fG7h", byKey: "live" } as const;
  const read = (change: object) =>
    translateInvoicePayment({ ...recorded("invoice-completed"), ...change }, asked);

  test("reads what was paid, in francs although no currency is named", async () => {
    const paydunya = await collecting({ body: recorded("invoice-completed") });
    expect(await paydunya.fetchPayment(name)).toEqual({
      providerPaymentId: "aB3dE5fG7h",
      status: "paid",
      word: "completed",
      amount: fcfa(5000),
      currency: "XOF",
      environment: "live",
      reference: "17-2",
    });
    const pending = { status: "pending", amount: fcfa(5000), environment: "sandbox" };
    expect(translateInvoicePayment(recorded("invoice-pending"), asked)).toMatchObject(pending);
  });

  test("is live or of the sandbox by its mode, else by our key", () => {
    expect(read({ mode: "test" })?.environment).toBe("sandbox");
    expect(read({ mode: undefined })?.environment).toBe("live");
    const byKey = { ...asked, byKey: "sandbox" } as const;
    expect(translateInvoicePayment(recorded("invoice-completed"), byKey)?.environment).toBe("live");
  });

  test("has another currency, id or reference only when it is named", () => {
    const { invoice } = recorded("invoice-completed");
    const changed = (change: object) => read({ invoice: { ...(invoice as object), ...change } });
    expect(changed({ currency: "GNF" })?.currency).toBe("GNF");
    expect(changed({ token: "other" })?.providerPaymentId).toBe("other");
    expect(changed({ token: undefined })?.providerPaymentId).toBe("aB3dE5fG7h");
    expect(read({ currency: "USD" })?.currency).toBe("USD");
    expect(read({ custom_data: [] })?.reference).toBeNull();
  });

  test("is unknown after a refusal that is not about the keys", async () => {
    const paydunya = await collecting({ body: { response_code: "42", status: "completed" } });
    expect(await paydunya.fetchPayment(name)).toBeNull();
    expect(await paydunya.verifyKeys()).toBe("accepted");
    const refused = await collecting({ body: { response_code: "1001" } });
    expect(await refused.verifyKeys()).toBe("refused");
    await expect(refused.fetchPayment(name)).rejects.toThrow("refuses the keys");
  });
});

const no = (response_code: string, response_text: string) => ({
  body: { response_code, response_text },
});

describe("the first step", () => {
  test("sends the local number, whole francs and our reference, and keeps the token", async () => {
    const paydunya = await paying({ "get-invoice": { body: recorded("get-invoice") } });
    expect(await paydunya.prepare(PAYOUT)).toEqual({ ok: true, value: { handle: "Zk3pQ9sWx1" } });
    const call = "POST /api/v2/disburse/get-invoice";
    expect(calls()).toMatchObject([{ call, headers: THEIR_HEADERS }]);
    expect(calls()[0]?.body).toEqual({
      account_alias: "0197000000",
      amount: 5000,
      withdraw_mode: "mtn-benin",
      callback_url: "https://app.example/webhooks/x",
      disburse_id: "wd-17-1",
    });
  });

  test.each([
    { body: "<html>" },
    { body: {} },
    { body: { response_code: "00" } },
    { body: { response_code: "00", disburse_token: { a: 1 } } },
    { status: 500, body: {} },
    { status: 409, body: {} },
  ])("is an outage on an invalid answer: %j", async (answer) => {
    const paydunya = await paying({ "get-invoice": answer });
    expect((await outageOf(paydunya.prepare(PAYOUT))).party).toBe("paydunya");
  });
});

describe("the second step", () => {
  test("submits the token under our reference", async () => {
    const paydunya = await paying({ "submit-invoice": { body: recorded("submit-invoice") } });
    expect(await paydunya.submit(PAYOUT, "Zk3pQ9sWx1")).toEqual({
      ok: true,
      value: {
        status: "sent",
        providerPayoutId: "TFA-000451237",
        word: "pending",
        operatorReference: null,
        failure: null,
        cost: null,
        environment: "live",
      },
    });
    expect(calls()[0]?.body).toEqual({ disburse_invoice: "Zk3pQ9sWx1", disburse_id: "wd-17-1" });
  });

  test("has ended when its answer is final, and is only sent when it is not", async () => {
    for (const [word, status] of [
      ["success", "succeeded"],
      ["failed", "failed"],
      ["created", "sent"],
      ["moon", "sent"],
      [undefined, "sent"],
    ]) {
      const body = { ...recorded("submit-invoice"), status: word };
      const paydunya = await paying({ "submit-invoice": { body } });
      expect(await paydunya.submit(PAYOUT, "tok")).toMatchObject({ ok: true, value: { status } });
    }
  });
});

describe("looking a payout up", () => {
  const name = { reference: "wd-17-1", handle: "Zk3pQ9sWx1", providerPayoutId: null };

  test("uses the token, and reads amount, reference and the operator's reference", async () => {
    const paydunya = await paying({ "check-status": { body: recorded("check-status") } });
    expect(await paydunya.lookup(name)).toEqual({
      status: "succeeded",
      providerPayoutId: "TFA-000451237",
      word: "success",
      operatorReference: "7402951186",
      failure: null,
      cost: null,
      environment: "live",
      amount: fcfa(5000),
      currency: null,
      reference: "wd-17-1",
    });
    expect(calls()[0]?.body).toEqual({ disburse_invoice: "Zk3pQ9sWx1" });
  });

  test("finds nothing without a token, or by an unknown one", async () => {
    const paydunya = await paying({ "check-status": no("4004", "Token introuvable") });
    expect(await paydunya.lookup({ ...name, handle: null })).toBeNull();
    expect(calls()).toHaveLength(0);
    expect(await paydunya.lookup(name)).toBeNull();
  });

  test("ignores a failure without PayDunya's code of success", async () => {
    const body = { response_code: "4000", status: "failed" };
    const paydunya = await paying({ "check-status": { body } });
    expect(await paydunya.lookup(name)).toBeNull();
  });

  test("is an outage on refused keys, and on a success without a status", async () => {
    for (const answer of [no("1001", "keys"), { body: { response_code: "00" } }]) {
      const paydunya = await paying({ "check-status": answer });
      expect((await outageOf(paydunya.lookup(name))).retryable).toBe(true);
    }
  });
});

test("an answer is a success by the code 00 alone, in each form PayDunya writes it", () => {
  expect(isYes({ response_code: "00" })).toBe(true);
  for (const code of ["0", 0, "000", "", null, undefined, ["00"]]) {
    expect(isYes({ response_code: code })).toBe(false);
  }
  expect(isNo({ response_code: 1001 })).toBe(true);
  for (const body of [{}, { response_code: null }, null, "no", []]) expect(isNo(body)).toBe(false);
});

describe("an answer to check-status", () => {
  const changed = (change: object) =>
    translateStatus({ ...recorded("check-status"), ...change }, "live");

  test("has a failure only when it failed", () => {
    const failureOf = (status: string) => changed({ status, response_text: "Inconnu" })?.failure;
    expect([failureOf("failed"), failureOf("pending")]).toEqual(["Inconnu", null]);
  });

  test("is invalid without a status", () => {
    for (const status of [undefined, 1]) expect(changed({ status })).toBeNull();
  });

  test("refuses a token of a wrong form", () => {
    for (const disburse_token of ["", "a b", "../x", 7, null, "x".repeat(201)]) {
      expect(translateInvoice({ response_code: "00", disburse_token })).toBeNull();
    }
  });
});

test("the private key identifies its environment: live or sandbox", () => {
  expect(environmentOfKey("live_private_x")).toBe("live");
  expect(environmentOfKey("test_private_x")).toBe("sandbox");
  expect(environmentOfKey("private")).toBe("unknown");
});

const HASH =
  "1f242d13fca84cf537ff47cd47971de7ad6d4dd244340c5d53815cef06464f0a111ec5dfc692ec7eb68d4265f55af149a3776969c3a1faba695b6b1c36358ede";

describe("PayDunya's webhook", () => {
  const { masterKey } = KEYS;
  const payments = createPaydunya({ ...KEYS, apiRoot: nobodyListening() });
  const payouts = createPaydunyaPayouts({ ...KEYS, apiRoot: nobodyListening() });
  const read = (body: string) => payments.readWebhook({}, Buffer.from(body));
  const readPayout = (body: string) => payouts.readWebhook({}, Buffer.from(body));
  const expectRefused = (body: string) => {
    expect([read(body), readPayout(body)]).toEqual([{ trusted: false }, { trusted: false }]);
  };
  const asked = (providerPaymentId: string | null) => ({ trusted: true, providerPaymentId });
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
  const inner = (hash: unknown) =>
    JSON.stringify({ hash, status: "completed", invoice: { token: "aB3dE5fG7h" } });
  const SHAPES: Record<string, (hash: string) => string> = {
    "JSON in a form's data": (hash) => form({ data: inner(hash) }),
    "bracketed fields": (hash) =>
      form({
        "data[hash]": hash,
        "data[status]": "completed",
        "data[invoice][token]": "aB3dE5fG7h",
        "data[invoice][items][item_1][name]": "Accès",
      }),
    "JSON under data": (hash) => `{"data":${inner(hash)}}`,
    "JSON alone": (hash) => inner(hash),
  };

  test.each(Object.entries(SHAPES))("is read in %s", (_shape, write) => {
    expect(createHash("sha512").update(masterKey).digest("hex")).toBe(HASH);
    expect(read(write(HASH))).toEqual(asked("aB3dE5fG7h"));
    const another = createHash("sha512").update("another").digest("hex");
    for (const hash of [another, HASH.toUpperCase(), HASH.slice(1), `${HASH}0`, "", masterKey]) {
      expectRefused(write(hash));
    }
    for (let at = 0; at < HASH.length; at += 1) {
      const digit = HASH[at] === "0" ? "1" : "0";
      expectRefused(write(HASH.slice(0, at) + digit + HASH.slice(at + 1)));
    }
  });

  test("without a hash is refused; about an unknown subject it is acknowledged", () => {
    for (const hash of [undefined, null, 7, [HASH], ["x"]]) expectRefused(inner(hash));
    for (const body of ["", "{}", "[]", "{", "null", "data=", "data=%7B", "hash", "x"]) {
      expectRefused(body);
    }
    for (const rest of [{}, { event: "moon" }, { invoice: [] }, { invoice: { token: "a b" } }]) {
      expect(read(JSON.stringify({ hash: HASH, ...rest }))).toEqual(asked(null));
    }
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        const body = JSON.stringify({ hash: HASH, data: value });
        expect([read(body).trusted, readPayout(body).trusted]).toEqual([true, true]);
        expectRefused(text);
        expectRefused(JSON.stringify(value));
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        for (const adapter of [payments, payouts]) {
          expect(adapter.readWebhook({}, bytes)).toEqual({ trusted: false });
        }
      }),
    );
  });

  test("about a payout names no payment, and one about a payment names no payout", () => {
    const payout = { hash: HASH, disburse_invoice: "Zk3pQ9sWx1", token: "Zk3pQ9sWx1" };
    const written = JSON.stringify(payout);
    for (const body of [written, form({ data: written })]) expect(read(body)).toEqual(asked(null));
    for (const write of Object.values(SHAPES)) {
      expect(readPayout(write(HASH))).toMatchObject({ reference: null });
    }
  });

  const NOTHING = { trusted: true, providerPayoutId: null, handle: null, reference: null };
  const payout17 = { token: "Zk3pQ9sWx1", disburse_id: "wd-17-1", transaction_id: "TFA-1" };
  const reported = { hash: HASH, status: "success", ...payout17 };
  const named = { providerPayoutId: "TFA-1", handle: "Zk3pQ9sWx1", reference: "wd-17-1" };
  test("about a payout is read in every known shape, with the published vector", () => {
    const bracketed = Object.fromEntries(
      Object.entries(reported).map(([name, value]) => [`data[${name}]`, value]),
    );
    for (const body of [
      form({ data: JSON.stringify(reported) }),
      form(bracketed),
      form(reported),
      JSON.stringify(reported),
      JSON.stringify({ data: reported }),
      JSON.stringify({ hash: HASH, data: { ...reported, hash: undefined } }),
      form({ data: JSON.stringify({ data: reported }) }),
    ]) {
      expect(readPayout(body)).toEqual({ trusted: true, ...named });
    }
  });

  test("about a payout has the token under each of its names", () => {
    for (const name of ["disburse_invoice", "disburse_token", "token"]) {
      const read = readPayout(JSON.stringify({ hash: HASH, [name]: "Zk3" }));
      expect(read).toEqual({ ...NOTHING, handle: "Zk3" });
    }
  });

  test("about a payout is trusted whatever else it contains, the same each time it comes", () => {
    const odd = JSON.stringify({ hash: HASH, token: "../x", disburse_id: "a b", more: [[[[1]]]] });
    expect([readPayout(odd), readPayout(odd)]).toEqual([NOTHING, NOTHING]);
  });
});
