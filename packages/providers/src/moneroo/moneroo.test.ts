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
import {
  createMoneroo,
  createMonerooPayouts,
  translateCreated,
  translateWebhook,
  translatePayment,
  translateRefusal,
} from "./index.ts";

const recorded = recordedBy("moneroo");
const { answering, calls } = hostEach();

const KEYS = { secretKey: "sk_sandbox_0123456789", webhookSecret: "w", timeoutMs: 60_000 };
const HEADERS = { authorization: `Bearer ${KEYS.secretKey}` };
const collecting = async (answer: ScriptedAnswer) =>
  createMoneroo({ ...KEYS, apiRoot: await answering(answer) });
const paying = async (answer: ScriptedAnswer) =>
  createMonerooPayouts({ ...KEYS, apiRoot: await answering(answer) });

const changed = (change: Record<string, unknown>) => ({
  data: { ...(recorded("verify")["data"] as object), ...change },
});

describe("making a payment", () => {
  test("sends whole francs, our reference as text, and the key as bearer", async () => {
    const moneroo = await collecting({ status: 201, body: recorded("initialize") });
    const redirectUrl = "https://checkout.moneroo.io/py_295vbecp06z7";
    const value = { providerPaymentId: "py_295vbecp06z7", redirectUrl, widget: null, quote: null };
    expect(await moneroo.createPayment(PAYMENT)).toEqual({ ok: true, value });
    expect(calls()).toMatchObject([{ call: "POST /v1/payments/initialize", headers: HEADERS }]);
    expect(calls()[0]?.body).toEqual({
      amount: 5000,
      currency: "XOF",
      description: "Accès au groupe",
      return_url: "https://app.example/paiement/retour/abc",
      customer: { email: "awa@example.com", first_name: "Awa", last_name: "Diop" },
      metadata: { order_id: "17-2" },
    });
  });

  test("is refused in Moneroo's words, whatever the errors beside them", () => {
    const message = "The given data was invalid.";
    for (const errors of [null, [], [{ field: "amount" }], { amount: ["too small"] }]) {
      expect(translateRefusal({ message, data: null, errors })).toBe(message);
    }
    expect(translateRefusal({ message: " " })).toBeNull();
    expect(translateRefusal("oops")).toBeNull();
  });

  test("has failed without a web address of its page", async () => {
    const { data } = recorded("initialize") as { data: object };
    for (const body of [
      { data: { id: "py_1" } },
      { data: { id: "py_1", checkout_url: "" } },
      { data: { ...data, checkout_url: "javascript:alert(1)" } },
      { message: "ok", data: null },
      { checkout_url: "https://x.example", id: "py_1" },
    ]) {
      expect(translateCreated(body)).toBeNull();
      await outageOf((await collecting({ status: 201, body })).createPayment(PAYMENT));
    }
    // An address counts only with the status of a success.
    const failed = await collecting({ status: 500, body: recorded("initialize") });
    await outageOf(failed.createPayment(PAYMENT));
  });
});

describe("an answer to verify", () => {
  test("is read in the shape of the verify page", () => {
    expect(translatePayment(recorded("verify"))).toEqual({
      providerPaymentId: "k4su1ii7abdz",
      status: "paid",
      word: "success",
      amount: fcfa(5000),
      currency: "XOF",
      environment: "sandbox",
      reference: "17",
    });
  });

  test("is read in the flatter shape of the retrieve page, with an empty array of metadata", async () => {
    const moneroo = await collecting({ body: recorded("retrieve") });
    expect(await moneroo.fetchPayment(paymentName("py_1"))).toEqual({
      providerPaymentId: "py_295vbecp06z7",
      status: "pending",
      word: "pending",
      amount: fcfa(5000),
      currency: "XOF",
      environment: "live",
      reference: null,
    });
  });

  test("is live only by the documented words", () => {
    const read = (environment?: string) => translatePayment(changed({ environment }))?.environment;
    expect(["live", "production"].map(read)).toEqual(["live", "live"]);
    expect([read("test"), read(undefined)]).toEqual(["unknown", "unknown"]);
  });

  test("is invalid without an id or a status", () => {
    for (const change of [{ id: null }, { id: "../other" }, { status: 1 }]) {
      expect(translatePayment(changed(change))).toBeNull();
    }
  });
});

test("a webhook whose bytes are no text is about no payment", () => {
  const texts = ["", "{", "null", "[]"].map((text) => Buffer.from(text));
  for (const bytes of [...texts, Uint8Array.from([0xff, 0xfe, 0x00])]) {
    expect(translateWebhook(bytes)).toBeNull();
  }
});

describe("sending a payout", () => {
  test("has one step: there is no call before it", async () => {
    const moneroo = await paying({ body: {} });
    expect(await moneroo.prepare(PAYOUT)).toEqual({ ok: true, value: { handle: null } });
    expect(calls()).toHaveLength(0);
  });

  test.each([200, 201])("sends digits, whole francs and texts; %i is a success", async (status) => {
    const moneroo = await paying({ status, body: recorded("payout-initialize") });
    expect(await moneroo.submit(PAYOUT, null)).toEqual({
      ok: true,
      value: {
        status: "sent",
        providerPayoutId: "po_5r4e3w2q1a0z",
        word: "initiated",
        operatorReference: null,
        failure: null,
        cost: null,
        environment: "unknown",
      },
    });
    expect(calls()).toMatchObject([{ call: "POST /v1/payouts/initialize", headers: HEADERS }]);
    expect(calls()[0]?.body).toEqual({
      amount: 5000,
      currency: "XOF",
      description: "Retrait 17",
      method: "mtn_bj",
      customer: { email: "17@app.example", first_name: "Awa", last_name: "Diop" },
      recipient: { msisdn: "2290197000000" },
      metadata: { withdrawal_id: "17", reference: "wd-17-1" },
    });
  });
});

describe("looking a payout up", () => {
  const name = { reference: "wd-17-1", handle: null, providerPayoutId: "po_5r4e3w2q1a0z" };

  test("uses Moneroo's id only", async () => {
    const moneroo = await paying({ body: recorded("payout-verify") });
    expect(await moneroo.lookup({ ...name, providerPayoutId: null })).toBeNull();
    expect(calls()).toHaveLength(0);
    expect(await moneroo.lookup(name)).toEqual({
      status: "succeeded",
      providerPayoutId: "po_5r4e3w2q1a0z",
      word: "success",
      operatorReference: "7402951186",
      failure: null,
      cost: null,
      environment: "sandbox",
      amount: fcfa(5000),
      currency: "XOF",
      reference: "wd-17-1",
    });
    expect(calls()[0]?.call).toBe("GET /v1/payouts/po_5r4e3w2q1a0z/verify");
    expect(moneroo.list).toBeNull();
  });

  test("reads the flatter shape, with an empty array of metadata", async () => {
    const moneroo = await paying({ body: recorded("payout-retrieve") });
    expect(await moneroo.lookup(name)).toMatchObject({
      status: "failed",
      failure: "RECIPIENT_NOT_FOUND",
      amount: fcfa(5000),
      currency: "XOF",
      environment: "live",
      reference: null,
    });
  });

  test("is an outage for an id of no payout", async () => {
    const { data } = recorded("payout-verify") as { data: object };
    await outageOf((await paying({ body: { data: { ...data, id: 7 } } })).lookup(name));
  });
});
