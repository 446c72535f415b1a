import { fcfa } from "@sesame/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  hostEach,
  outageOf,
  PAYMENT,
  paymentName,
  recordedBy,
  type ScriptedAnswer,
} from "../provider.test-host.ts";
import {
  createCryptopay,
  environmentOf,
  isSameAmount,
  quoteInEuros,
  translateInvoice,
  translateMade,
  translateWebhook,
} from "./index.ts";

type Recorded = Record<string, string | number>;
const recorded = recordedBy("cryptopay");
const { answering, calls } = hostEach();
const cryptopayAnswering = async (answer: ScriptedAnswer) =>
  createCryptopay({ token: "1:AA", apiRoot: await answering(answer), now: () => new Date(0) });

const QUOTE = { currency: "EUR", amount: "7.63", rate: "655.957" };
const name = { ...paymentName("42"), quote: QUOTE };

describe("the price in euros", () => {
  test.each([
    [1, "0.01"],
    [100, "0.16"],
    [656, "1.01"],
    [5_000, "7.63"],
    [655_957, "1000.00"],
    [655_958, "1000.01"],
    [1_000_000, "1524.50"],
  ])("of %i francs is %s", (francs, amount) => {
    expect(quoteInEuros(fcfa(francs))).toEqual({ currency: "EUR", amount, rate: "655.957" });
  });

  test("is never less than the price, and never a cent too much", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (francs) => {
        const { amount } = quoteInEuros(fcfa(francs));
        expect(amount).toMatch(/^\d+\.\d\d$/);
        const cents = BigInt(amount.replace(".", ""));
        // A cent is 6.55957 francs; both sides in hundred-thousandths of a franc.
        expect(cents * 655_957n >= BigInt(francs) * 100_000n).toBe(true);
        expect((cents - 1n) * 655_957n < BigInt(francs) * 100_000n).toBe(true);
      }),
    );
  });

  test("is equal in each way of writing it, and to no other", () => {
    for (const same of ["7.63", "7.630", "07.63", 7.63, "7.63000000"]) {
      expect(isSameAmount(same, "7.63")).toBe(true);
    }
    expect(isSameAmount("1000", "1000.00")).toBe(true);
    for (const other of ["7.62", "7.64", "7.631", "763", "7,63", "", null, undefined, [], -7.63]) {
      expect(isSameAmount(other, "7.63")).toBe(false);
    }
    expect(isSameAmount("x", "x")).toBe(false);
  });
});

describe("making an invoice", () => {
  const made = (redirectUrl: string) => ({
    ok: true,
    value: { providerPaymentId: "42", redirectUrl, widget: null, quote: QUOTE },
  });

  test("sends the price in euros, our reference, the return address, and the token", async () => {
    const cryptopay = await cryptopayAnswering({ body: recorded("created") });
    const { mini_app_invoice_url: page } = recorded("created")["result"] as Recorded;
    expect(await cryptopay.createPayment(PAYMENT)).toEqual(made(String(page)));
    const headers = { "crypto-pay-api-token": "1:AA" };
    expect(calls()).toMatchObject([{ call: "POST /api/createInvoice", headers }]);
    expect(calls()[0]?.body).toMatchObject({
      currency_type: "fiat",
      fiat: "EUR",
      amount: "7.63",
      description: "Accès au groupe",
      payload: "17-2",
      allow_comments: false,
      expires_in: 86_400,
      paid_btn_name: "callback",
      paid_btn_url: "https://app.example/paiement/retour/abc",
    });
  });

  test("gives no return address that Crypto Pay would refuse", async () => {
    const cryptopay = await cryptopayAnswering({ body: recorded("created") });
    await cryptopay.createPayment({ ...PAYMENT, returnUrl: "http://localhost:3000/x" });
    expect(calls()[0]?.body).not.toHaveProperty("paid_btn_url");
  });

  test("reads the page's address under each of its field names", () => {
    const result = recorded("created")["result"] as Recorded;
    const { mini_app_invoice_url: _mini, ...bot } = result;
    const { bot_invoice_url: _bot, web_app_invoice_url: _web, ...none } = bot;
    const pageOf = (invoice: object) => translateMade({ ok: true, result: invoice })?.pageUrl;
    expect(pageOf(bot)).toBe("https://t.me/CryptoBot?start=IVabc123");
    expect(pageOf({ ...none, pay_url: "https://t.me/x" })).toBe("https://t.me/x");
    expect(pageOf({ ...none, pay_url: "tg://x" })).toBeUndefined();
    expect(translateMade({ ok: false, result })).toBeNull();
    expect(translateMade({ ok: true, result: { ...result, invoice_id: 4.2 } })).toBeNull();
  });
});

describe("an invoice", () => {
  const { items } = recorded("invoices")["result"] as { items: Recorded[] };
  const [item] = items;
  const read = (change: object) =>
    translateInvoice({ ok: true, result: { items: [{ ...item, ...change }] } }, name, "live");

  test("that was paid as quoted was paid at its price", async () => {
    const cryptopay = await cryptopayAnswering({ body: recorded("invoices") });
    expect(await cryptopay.fetchPayment(name)).toEqual({
      providerPaymentId: "42",
      status: "paid",
      word: "paid",
      amount: fcfa(5000),
      currency: "XOF",
      environment: "live",
      reference: "17-2",
    });
    expect(calls()[0]?.call).toBe("GET /api/getInvoices?invoice_ids=42");
  });

  test.each([
    [{ amount: "7.62" }, null, "XOF"],
    [{ amount: 7.63 }, fcfa(5000), "XOF"],
    [{ amount: "5000" }, null, "XOF"],
    [{ fiat: "USD" }, null, "USD"],
    [{ fiat: undefined, asset: "TON" }, null, "TON"],
    [{ currency_type: "crypto", asset: "USDT" }, null, "USDT"],
    [{ fiat: null }, null, null],
  ])("that was paid otherwise is reported as paid: %j", (change, amount, currency) => {
    expect(read(change)).toMatchObject({ status: "paid", amount, currency });
  });

  test("that was paid is reported as paid for any order, or for none", () => {
    for (const reference of ["17-9", null]) {
      expect(read({ payload: reference })).toMatchObject({ status: "paid", reference });
    }
  });

  test("without a quote has no known price", () => {
    const unquoted = translateInvoice(recorded("invoices"), { ...name, quote: null }, "live");
    expect(unquoted).toMatchObject({ amount: null, currency: "EUR" });
  });

  test("is found in a list or alone, and is unknown when it is absent", () => {
    const both = [{ ...item, invoice_id: 41 }, item];
    for (const result of [{ items: both }, both]) {
      expect(translateInvoice({ ok: true, result }, name, "live")).toMatchObject({ word: "paid" });
    }
    expect(read({ invoice_id: 43 })).toBe("unknown");
    expect(read({ invoice_id: "42" })).toMatchObject({ word: "paid" });
    expect(translateInvoice({ ok: true, result: { items: [] } }, name, "live")).toBe("unknown");
    expect(read({ status: undefined })).toBeNull();
  });
});

test("Crypto Pay's test network is identified by its host, and moves no money", () => {
  expect(environmentOf("https://testnet-pay.crypt.bot")).toBe("sandbox");
  expect(environmentOf("https://pay.crypt.bot")).toBe("live");
  expect(environmentOf("http://127.0.0.1:4000")).toBe("live");
});

test.each([
  [404, null],
  [400, { ok: false, error: { code: 400, name: "INVOICE_NOT_FOUND" } }],
])("an answer without the invoice is unknown: %i %j", async (status, body) => {
  expect(await (await cryptopayAnswering({ status, body })).fetchPayment(name)).toBeNull();
});

test("a call about the account says whether the token is valid", async () => {
  const yes = { ok: true, result: { app_id: 1, name: "Sésame" } };
  expect(await (await cryptopayAnswering({ body: yes })).verifyKeys()).toBe("accepted");
  expect(calls()[0]?.call).toBe("GET /api/getMe");
  const no = { ok: false, error: { code: 401, name: "UNAUTHORIZED" } };
  expect(await (await cryptopayAnswering({ body: no })).verifyKeys()).toBe("refused");
  const odd = { ok: false, error: { code: 400, name: "METHOD_DISABLED" } };
  await outageOf((await cryptopayAnswering({ body: odd })).verifyKeys());
});

test("a webhook is read as it was recorded", () => {
  const body = Buffer.from(JSON.stringify(recorded("notice")));
  expect(translateWebhook(body, new Date("2026-11-02T10:03:02Z"))).toBe("42");
});
