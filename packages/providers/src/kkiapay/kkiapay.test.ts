import { fcfa } from "@sesame/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  hostEach,
  nobodyListening,
  outageOf,
  PAYMENT,
  paymentName,
  recordedBy,
  type ScriptedAnswer,
} from "../provider.test-host.ts";
import { createKkiapay } from "./index.ts";

const { hosting, calls } = hostEach();

const OPTIONS = {
  publicKey: "pub",
  privateKey: "priv",
  secretKey: "sec",
  webhookSecret: "a-webhook-secret",
  apiRoot: nobodyListening(),
  widgetUrl: "https://cdn.kkiapay.me/k.js",
  sandbox: true,
};

const RECORDED = recordedBy("kkiapay")("status");

const { transactionId: _, ...UNNAMED } = RECORDED;

/** An answer about whichever id is requested. */
const answer = (change: object = {}): ScriptedAnswer => ({ body: { ...UNNAMED, ...change } });

const UNKNOWN: ScriptedAnswer = { status: 404, body: { message: "TRANSACTION_NOT_FOUND" } };

/** Answers by the requested id; of several answers, one after the other. */
async function answering(
  byName: Record<string, ScriptedAnswer | ScriptedAnswer[]>,
  revert: ScriptedAnswer = { status: 500, body: "" },
) {
  const apiRoot = await hosting(({ call, body }) => {
    if (call === "POST /api/v1/transactions/revert") return revert;
    const { transactionId } = body as { transactionId: string };
    const said = byName[transactionId] ?? UNKNOWN;
    return Array.isArray(said) ? (said.shift() ?? UNKNOWN) : said;
  });
  return createKkiapay({ ...OPTIONS, apiRoot });
}

const name = (...reportedTransactionIds: string[]) => ({
  ...paymentName("17-2"),
  reportedTransactionIds,
});

describe("a payment", () => {
  test("is found by the transaction id reported for it, and keeps our id", async () => {
    const kkiapay = await answering({ AbCdEf123: { body: RECORDED } });
    expect(await kkiapay.fetchPayment(name("AbCdEf123"))).toEqual({
      providerPaymentId: "17-2",
      status: "paid",
      word: "SUCCESS",
      amount: fcfa(5000),
      cost: fcfa(95),
      currency: "XOF",
      environment: "sandbox",
      reference: "17-2",
      transactionId: "AbCdEf123",
    });
    expect(calls()[0]).toMatchObject({
      call: "POST /api/v1/transactions/status",
      headers: { "x-api-key": "pub", "x-private-key": "priv", "x-secret-key": "sec" },
      body: { transactionId: "AbCdEf123" },
    });
  });

  test.each([
    { state: '"17-2"' },
    { state: '{"reference":"17-2"}' },
    { state: JSON.stringify('{"order_id":"17-2"}') },
    { state: { reference: "17-2" }, partnerId: "" },
    { state: null, stateData: "17-2", partnerId: null },
    { state: "", partnerId: "17-2" },
    { state: {}, partnerId: "17-2" },
  ])("is ours by the values with which the widget was opened: %j", async (change) => {
    const kkiapay = await answering({ a: answer(change) });
    expect(await kkiapay.fetchPayment(name("a"))).toMatchObject({ reference: "17-2" });
  });

  test.each([
    { state: "17-3", partnerId: "17-2" },
    { state: "17-2 ", partnerId: "" },
    { state: null, partnerId: null },
    { state: undefined, partnerId: undefined },
    { state: { reference: "99" } },
  ])("of a stranger is not ours, whatever amount was paid: %j", async (change) => {
    const kkiapay = await answering({ a: answer(change) });
    expect(await kkiapay.fetchPayment(name("a"))).toBeNull();
  });

  test("that is unknown is not refused", async () => {
    for (const said of [
      UNKNOWN,
      { status: 400, body: { status: 4003, message: "INVALID_TRANSACTION" } },
      { status: 404, body: "" },
      { body: { status: "TRANSACTION_NOT_FOUND" } },
      { body: { error: { code: "INVALID_TRANSACTION" } } },
    ]) {
      const kkiapay = await answering({ a: said });
      expect(await kkiapay.fetchPayment(name("a"))).toBeNull();
    }
  });

  test("with several ids is the one that paid, preferably the exact amount; the others are reported too", async () => {
    const kkiapay = await answering({
      a: answer({ status: "FAILED" }),
      b: answer({ amount: 100 }),
      c: answer(),
      d: answer({ state: "17-9" }),
      e: answer({ status: "REVERTED" }),
    });
    const asked = await kkiapay.fetchPayment(name("a", "b", "c", "c", "d", "e", "f", "not a name"));
    expect(asked).toMatchObject({ status: "paid", transactionId: "c", amount: fcfa(5000) });
    expect(asked?.extraTransactionIds).toEqual(["b"]);
    expect(calls()).toHaveLength(6);
    expect(await kkiapay.fetchPayment(name("a", "b"))).toMatchObject({ amount: fcfa(100) });
    expect(await kkiapay.fetchPayment(name("a", "e"))).toMatchObject({ status: "refunded" });
    expect(await kkiapay.fetchPayment(name("a", "f"))).toMatchObject({ status: "refused" });
  });

  test("uses the booked id, whatever its state, and reports the others that paid", async () => {
    const kkiapay = await answering({
      a: answer({ amount: 100 }),
      b: answer(),
      c: answer({ status: "REVERTED" }),
      d: "hang-up",
    });
    const booked = (paidAs: string, ...reportedTransactionIds: string[]) =>
      kkiapay.fetchPayment({ ...name(...reportedTransactionIds), paidAs });
    const taken = { status: "refunded", transactionId: "c", extraTransactionIds: ["b", "a"] };
    expect(await booked("c", "a", "b", "c")).toMatchObject(taken);
    const little = { amount: fcfa(100), extraTransactionIds: ["b"] };
    expect(await booked("a", "a", "b")).toMatchObject(little);
    await outageOf(booked("d", "b", "d"));
    const partly = { status: "refunded", extraTransactionIds: ["a"], unanswered: true };
    expect(await booked("c", "a", "c", "d")).toMatchObject(partly);
    await outageOf(booked("f", "b", "d"));
  });

  test("is pending while an id is unanswered, unless another one paid", async () => {
    const kkiapay = await answering({ a: answer({ status: "FAILED" }), b: "hang-up", c: answer() });
    await outageOf(kkiapay.fetchPayment(name("a", "b")));
    const paid = { status: "paid", unanswered: true };
    expect(await kkiapay.fetchPayment(name("a", "b", "c"))).toMatchObject(paid);
  });

  test("has another currency only when it is named", async () => {
    const kkiapay = await answering({ a: answer({ currency: "USD" }) });
    expect(await kkiapay.fetchPayment(name("a"))).toMatchObject({ currency: "USD" });
  });

  test("answered under another id is an outage", async () => {
    const kkiapay = await answering({ a: answer({ transactionId: "b" }) });
    await outageOf(kkiapay.fetchPayment(name("a")));
  });
});

test.each([
  ["pk_1", false, false],
  ["pk_1", true, true],
  ["tpk_1", false, true],
])("the key %s at a sandbox host or not (%s) moves no franc: %s", async (key, said, sandbox) => {
  const kkiapay = createKkiapay({ ...OPTIONS, privateKey: key, sandbox: said });
  const made = await kkiapay.createPayment(PAYMENT);
  expect(made).toMatchObject({ ok: true, value: { widget: { sandbox } } });
});

test("wrong keys may be refused in words", async () => {
  const said = { status: 400, body: { message: "Invalid API key" } };
  const kkiapay = await answering({ "sesame-verifies-its-keys": said, a: said });
  expect(await kkiapay.verifyKeys()).toBe("refused");
  await outageOf(kkiapay.fetchPayment(name("a")));
});

describe("refunding", () => {
  const booked = { providerPaymentId: "17-2", transactionId: "a", amount: fcfa(5000) };
  const refund = { ...booked, telegramId: 1n };
  const [paid, reverted] = [answer(), answer({ status: "REVERTED" })];
  const reverts = () => calls().filter(({ call }) => call.endsWith("/revert"));

  test("is requested once, and done when the transaction reports it", async () => {
    const kkiapay = await answering({ a: [paid, reverted, reverted] }, { body: { status: "ok" } });
    expect(await kkiapay.refund?.(refund)).toEqual({ kind: "done" });
    expect(await kkiapay.refund?.(refund)).toEqual({ kind: "done" });
    expect(reverts().map(({ body }) => body)).toEqual([{ transactionId: "a" }]);
  });

  test("is done when it was refused but the transaction reports it", async () => {
    const no = { status: 400, body: { message: "TRANSACTION_NOT_ELIGIBLE" } };
    const kkiapay = await answering({ a: [paid, reverted] }, no);
    expect(await kkiapay.refund?.(refund)).toEqual({ kind: "done" });
  });

  test.each([
    [{ status: 400, body: { message: "INSUFFICIENT_FUND" } }, "INSUFFICIENT_FUND"],
    [{ body: { status: "TRANSACTION_NOT_ELIGIBLE" } }, "TRANSACTION_NOT_ELIGIBLE"],
    [{ status: 404, body: "" }, null],
  ])("is refused in KkiaPay's words, with nothing moved: %j", async (said, message) => {
    const kkiapay = await answering({ a: paid }, said);
    expect(await kkiapay.refund?.(refund)).toEqual({ kind: "refused", message });
  });

  test("of an unpaid payment, or one without a transaction id, is refused without a call", async () => {
    const kkiapay = await answering({ a: answer({ status: "FAILED" }) });
    expect(await kkiapay.refund?.(refund)).toEqual({ kind: "refused", message: "FAILED" });
    const unnamed = { ...refund, transactionId: null };
    expect(await kkiapay.refund?.(unnamed)).toEqual({ kind: "refused", message: null });
    const unknown = { ...refund, transactionId: "zz" };
    expect(await kkiapay.refund?.(unknown)).toEqual({ kind: "refused", message: null });
    expect(reverts()).toEqual([]);
  });

  test("is not requested while the transaction is pending", async () => {
    const kkiapay = await answering({ a: answer({ status: "REVERTING" }) });
    await outageOf(kkiapay.refund?.(refund) ?? Promise.resolve());
    expect(reverts()).toEqual([]);
  });

  test("is uncertain after a lost answer, or a success that the transaction does not show", async () => {
    for (const said of ["hang-up", { status: 502, body: "" }, { body: {} }] as const) {
      const kkiapay = await answering({ a: paid }, said);
      await outageOf(kkiapay.refund?.(refund) ?? Promise.resolve());
      expect(reverts()).toHaveLength(1);
    }
  });
});

describe("KkiaPay's webhook", () => {
  const { webhookSecret } = OPTIONS;
  const kkiapay = createKkiapay(OPTIONS);
  const read = (body: string, header: string | string[] | undefined = webhookSecret) =>
    kkiapay.readWebhook({ "x-kkiapay-secret": header }, Buffer.from(body));
  const reading = {
    trusted: true,
    providerPaymentId: "17-2",
    reportedTransaction: { reference: "17-2", transactionId: "AbC1" },
  };

  test("is read as it was recorded: our reference is in a JSON text, and the partner is empty", () => {
    const named = { ...reading, reportedTransaction: { transactionId: "AbCdEf123" } };
    expect(read(JSON.stringify(recordedBy("kkiapay")("notice")))).toMatchObject(named);
  });

  test.each([
    { stateData: "17-2", partnerId: "" },
    { stateData: '"17-2"', partnerId: null },
    { stateData: '{"reference":"17-2"}' },
    { stateData: { reference: "17-2" }, partnerId: "18" },
    { stateData: null, partnerId: "17-2" },
    { stateData: {}, partnerId: "17-2" },
    { partnerId: "17-2", event: "moon.landed" },
  ])("gives KkiaPay's id for our reference: %j", (said) => {
    expect(read(JSON.stringify({ transactionId: "AbC1", ...said }))).toEqual(reading);
  });

  test("without both ids is acknowledged, and starts no lookup", () => {
    for (const said of [
      { transactionId: "AbC1" },
      { stateData: "17-2" },
      { transactionId: "a b", stateData: "17-2" },
      { transactionId: "AbC1", stateData: "a b" },
      null,
      [],
    ]) {
      const nothing = { trusted: true, providerPaymentId: null, reportedTransaction: null };
      expect(read(JSON.stringify(said))).toEqual(nothing);
    }
    expect(read("no json")).toMatchObject({ trusted: true, providerPaymentId: null });
  });

  test("is refused without the exact secret", () => {
    const body = Buffer.from(JSON.stringify({ transactionId: "AbC1", stateData: "17-2" }));
    const refused = { trusted: false };
    const wrong = [undefined, "", "another", `${webhookSecret} `, webhookSecret.toUpperCase()];
    for (const header of [...wrong, [webhookSecret, webhookSecret], [webhookSecret]]) {
      expect(kkiapay.readWebhook({ "x-kkiapay-secret": header }, body)).toEqual(refused);
    }
    const unset = createKkiapay({ ...OPTIONS, webhookSecret: "" });
    expect(unset.readWebhook({ "x-kkiapay-secret": "" }, body)).toEqual(refused);
  });

  test("of any shape throws nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(read(JSON.stringify(value)).trusted).toBe(true);
        read(JSON.stringify({ transactionId: "a", stateData: value }));
        read(JSON.stringify({ transactionId: "a", stateData: JSON.stringify(value) }));
      }),
    );
  });
});
