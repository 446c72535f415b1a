import { describe, expect, test } from "vitest";
import { AWA, callers, type CallAnswer } from "../testing/callers.ts";
import { emulatorsEach, FEDAPAY } from "../testing/test-emulators.ts";

const { emulators, receiver } = emulatorsEach({ announceInitiated: true });
const { moneroo: call, byKey } = callers(() => emulators);

const dataOf = ({ body }: CallAnswer) => body.data as Record<string, unknown>;
const idOf = (body: CallAnswer["body"]) => String((body.data as { id: string }).id);

const PAYMENT = {
  amount: 5000,
  currency: "XOF",
  description: "VIP, 30 jours",
  return_url: "https://app.example/commande/7?secret=x",
  customer: { email: "awa@example.com", first_name: "Awa", last_name: "Diop" },
  metadata: { order_id: "7" },
};

const initialize = (change: object = {}) =>
  call("POST", "/payments/initialize", { ...PAYMENT, ...change });
const newPayment = async (change?: object) => idOf((await initialize(change)).body);

describe("a payment", () => {
  test("is initialized with a page to send the customer to", async () => {
    const { status, body } = await initialize();
    const id = idOf(body);
    expect(status).toBe(201);
    expect(id).toMatch(/^py_[a-z0-9]{12}$/);
    expect(body).toEqual({
      message: "Transaction initialized successfully",
      data: { id, checkout_url: `${emulators.url}/moneroo/checkout/${id}` },
      errors: null,
    });
  });

  test("is refused without the key", async () => {
    const { status, body } = await byKey("other")("GET", "/payments/py_1/verify");
    expect([status, body.message]).toEqual([401, "Unauthenticated."]);
  });

  test.each([
    [{ amount: 50.5 }, "amount"],
    [{ amount: "5000" }, "amount"],
    [{ currency: "XAF" }, "currency"],
    [{ description: "" }, "description"],
    [{ return_url: "nowhere" }, "return_url"],
    [{ customer: { email: "awa@example.com", first_name: "Awa" } }, "customer.last_name"],
    [{ customer: { ...PAYMENT.customer, email: "awa" } }, "customer.email"],
    [{ metadata: { order_id: 7 } }, "metadata.order_id"],
  ])("is refused when a field is wrong: %#", async (change, field) => {
    const { status, body } = await initialize(change);
    expect([status, body.data, Object.keys(body.errors as object)]).toEqual([422, null, [field]]);
  });

  test("is verified in each of its states", async () => {
    const id = await newPayment();
    const verify = async () => dataOf(await call("GET", `/payments/${id}/verify`));
    expect(await verify()).toMatchObject({
      id,
      status: "initiated",
      amount: 5000,
      amount_formatted: "XOF 5.000",
      currency: { code: "XOF", decimals: 0 },
      environment: "sandbox",
      metadata: { order_id: "7" },
      customer: { first_name: "Awa" },
      capture: null,
    });
    const tried = { action: "pending", method: "mtn_bj", phone: "+22951345780" } as const;
    emulators.collectors.moneroo.act(id, tried);
    expect((await verify()).status).toBe("pending");
    emulators.collectors.moneroo.settle(id, "failure");
    expect(await verify()).toMatchObject({
      status: "failed",
      capture: { gateway: { transaction_status: "FAILED" } },
    });
    // A later attempt on the same payment may succeed.
    const view = emulators.collectors.moneroo.act(id, { action: "success", method: "mtn_bj" });
    expect(await verify()).toMatchObject({
      status: "success",
      capture: { method: { short_code: "mtn_bj" }, phone_number: "+22951345780" },
    });
    expect(view).toMatchObject({
      returnUrl: `https://app.example/commande/7?secret=x&paymentId=${id}&paymentStatus=success`,
    });
    expect(emulators.collectors.moneroo.act(id, { action: "cancel" })).toBe(null);
  });

  test("is known by its own id alone, and without metadata bears an empty list", async () => {
    const id = await newPayment({ metadata: undefined });
    const { data } = (await call("GET", `/payments/${id}/verify`)).body;
    expect(data).toMatchObject({ id, metadata: [] });
    expect((await call("GET", "/payments/py_none/verify")).status).toBe(404);
  });
});

const PAYOUT = {
  amount: 1000,
  currency: "XOF",
  description: "Retrait #17",
  method: "orange_ci",
  customer: { email: "awa@example.com", first_name: "Awa", last_name: "Koné" },
  recipient: { msisdn: "2250700000001" },
  metadata: { withdrawal_id: "17", reference: "wd-17-1" },
};

const send = (change: object = {}) => call("POST", "/payouts/initialize", { ...PAYOUT, ...change });
const verify = async (id: string) => dataOf(await call("GET", `/payouts/${id}/verify`));

describe("a payout by Moneroo", () => {
  test("is accepted in one step, and its answer has no status", async () => {
    const { status, body } = await send();
    expect(status).toBe(201);
    expect(body).toEqual({
      success: true,
      message: "Payout transaction initialized successfully",
      data: { id: expect.stringMatching(/^po_[a-z0-9]{12}$/) },
    });
    const id = idOf(body);
    expect(await verify(id)).toMatchObject({
      status: "initiated",
      amount: 1000,
      amount_formatted: "XOF 1.000",
      currency: { code: "XOF", decimals: 0 },
      environment: "sandbox",
      metadata: PAYOUT.metadata,
      disburse: { method: { short_code: "orange_ci" }, gateway: { transaction_status: null } },
      success_at: null,
    });
    emulators.clock.advance(1_000);
    expect((await verify(id)).status).toBe("pending");
    emulators.clock.advance(3_000);
    expect(await verify(id)).toMatchObject({
      status: "success",
      disburse: { gateway: { transaction_status: "COMPLETED" } },
      success_at: "2026-03-02T08:00:04.000000Z",
    });
    expect(emulators.mobileMoney.sms(AWA)).toMatchObject([{ amount: 1000 }]);
  });

  test("is known by its own id and key alone", async () => {
    const id = idOf((await send({ metadata: undefined })).body);
    expect(await verify(id)).toMatchObject({ id, metadata: [] });
    expect((await byKey(FEDAPAY.secretKey)("GET", `/payouts/${id}/verify`)).status).toBe(401);
    expect((await byKey("other")("GET", `/payouts/${id}/verify`)).status).toBe(401);
    expect((await call("GET", "/payouts/po_none/verify")).status).toBe(404);
  });

  test("is sent twice when it is requested twice: Moneroo has no reference of ours", async () => {
    await send();
    await send();
    emulators.clock.advance(5_000);
    expect(emulators.mobileMoney.sms(AWA)).toHaveLength(2);
    const references = emulators.moneroo.payouts.list().map(({ reference }) => reference);
    expect(references).toEqual(["wd-17-1", "wd-17-1"]);
  });

  test.each([
    [{ amount: "1000" }, "amount"],
    [{ currency: "XAF" }, "currency"],
    [{ description: "" }, "description"],
    [{ method: "orange_bf" }, "method"],
    [{ recipient: { msisdn: "+2250700000001" } }, "recipient.msisdn"],
    [{ recipient: { msisdn: "2210700000001" } }, "recipient.msisdn"],
    [{ customer: { ...PAYOUT.customer, last_name: "" } }, "customer.last_name"],
    [{ metadata: { withdrawal_id: 17 } }, "metadata.withdrawal_id"],
  ])("is refused 422 with the field: %#", async (change, field) => {
    const { status, body } = await send(change);
    expect([status, body.data, Object.keys(body.errors as object)]).toEqual([422, null, [field]]);
    expect(emulators.moneroo.payouts.list()).toEqual([]);
  });

  test("takes the number as a number too, and Benin's old ones of eight digits", async () => {
    expect((await send({ recipient: { msisdn: 2_250_700_000_001 } })).status).toBe(201);
    const old = { method: "mtn_bj", recipient: { msisdn: "22951345020" } };
    expect((await send(old)).status).toBe(201);
  });

  test("is refused when the float is too short, and says why it failed", async () => {
    const { payouts } = emulators.moneroo;
    payouts.setFloat(999);
    expect(await send()).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("Insufficient balance"), data: null },
    });
    expect(payouts.list()).toEqual([]);
    payouts.setFloat(10_000);
    const id = idOf((await send()).body);
    payouts.settle(id, "failed", "Wallet closed");
    expect(await verify(id)).toMatchObject({
      status: "failed",
      disburse: { failure_message: "Wallet closed", gateway: { transaction_status: "FAILED" } },
    });
    expect(payouts.floats()).toEqual({ main: 10_000 });
  });

  test("is reported by the same webhooks as payments, without its metadata", async () => {
    const id = idOf((await send()).body);
    emulators.clock.advance(5_000);
    await receiver.until(2);
    const webhooks = receiver.received.map(({ body }) => JSON.parse(body));
    const events = webhooks.map(({ event }) => event);
    expect(events.sort()).toEqual(["payout.initiated", "payout.success"]);
    const { email } = PAYOUT.customer;
    const customer = { firstName: "Awa", lastName: "Koné", email, phone: "2250700000001" };
    expect(webhooks).toContainEqual({
      event: "payout.success",
      data: { id, amount: 1000, currency: "XOF", status: "success", customer },
    });
  });
});
