import { parse } from "node:querystring";
import { DAY_MS, HOUR_MS } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { lastReceived } from "../testing/receiver.ts";
import { ask, AWA, callers, paydunyaHeaders } from "../testing/callers.ts";
import { emulatorsEach, PAYDUNYA } from "../testing/test-emulators.ts";
import { callbackHash } from "./paydunya.ts";

// People reach the app elsewhere: a webhook to that address takes the near way.
const { emulators, receiver } = emulatorsEach({ publicUrl: "https://sesame.test" });
const { paydunya: call } = callers(() => emulators);

const order = () => ({
  account_alias: "0700000001",
  amount: 5000,
  withdraw_mode: "orange-money-ci",
  callback_url: `${receiver.url}/webhooks/paydunya`,
});

async function newToken(change: object = {}): Promise<string> {
  return String((await call("get-invoice", { ...order(), ...change })).body.disburse_token);
}

const submit = (token: string, id = "wd-17-1") =>
  call("submit-invoice", { disburse_invoice: token, disburse_id: id });
const check = async (token: string) =>
  (await call("check-status", { disburse_invoice: token })).body;

describe("a payout by PayDunya", () => {
  test("moves no money at its first step, and is sent at its second", async () => {
    const token = await newToken({ disburse_id: "wd-17-1" });
    expect(await check(token)).toMatchObject({
      response_code: "00",
      status: "created",
      token,
      withdraw_mode: "orange-money-ci",
      amount: "5000.00",
      disburse_id: "wd-17-1",
    });
    const { status, body } = await submit(token);
    expect([status, body.response_code, body.status]).toEqual([200, "00", "pending"]);
    expect(body.transaction_id).toMatch(/^TFA-TX-/);
    emulators.clock.advance(3_999);
    expect((await check(token)).status).toBe("pending");
    expect(emulators.mobileMoney.sms(AWA)).toEqual([]);
    emulators.clock.advance(1);
    const [sms] = emulators.mobileMoney.sms(AWA);
    expect(sms).toMatchObject({ kind: "received", amount: 5000, balance: 5000 });
    expect(await check(token)).toMatchObject({
      status: "success",
      transaction_id: body.transaction_id,
      disburse_tx_id: sms?.reference,
      updated_at: "02/03/2026 08:00:04",
    });
    expect(emulators.paydunya.list()).toMatchObject([
      { handle: token, reference: "wd-17-1", amount: 5000, phone: AWA, status: "success" },
    ]);
    expect(emulators.paydunya.floats()).toEqual({ main: 10_000_000 - 5000 });
  });

  test("is one payout however often its token is submitted", async () => {
    const token = await newToken();
    const first = await submit(token);
    emulators.clock.advance(5_000);
    const second = await submit(token);
    expect(second.body.transaction_id).toBe(first.body.transaction_id);
    expect(second.body.status).toBe("success");
    emulators.clock.advance(5_000);
    expect(emulators.mobileMoney.sms(AWA)).toHaveLength(1);
  });

  test("does not take a reference twice", async () => {
    await submit(await newToken());
    const again = await submit(await newToken());
    expect(again).toMatchObject({ status: 200, body: { response_code: "5000" } });
    emulators.clock.advance(5_000);
    expect(emulators.mobileMoney.sms(AWA)).toHaveLength(1);
  });

  test.each([
    [{ withdraw_mode: "orange_ci" }, "1001"],
    [{ account_alias: "+2250700000001" }, "4004"],
    [{ account_alias: "700000001" }, "4004"],
    [{ amount: 199 }, "4004"],
    [{ amount: 5000.5 }, "4004"],
    [{ amount: "5000" }, "4004"],
    [{ callback_url: "nowhere" }, "4004"],
    [{ callback_url: undefined }, "4004"],
  ])("is refused at its first step with HTTP 200: %#", async (change, code) => {
    const { status, body } = await call("get-invoice", { ...order(), ...change });
    expect([status, body.response_code]).toEqual([200, code]);
    expect(body.disburse_token).toBe(undefined);
    expect(emulators.paydunya.list()).toEqual([]);
  });

  test.each([{ masterKey: "x" }, { privateKey: "x" }, { token: "x" }])(
    "needs all three keys: %o",
    async (keys) => {
      const { status, body } = await call("get-invoice", order(), keys);
      expect([status, body.response_code]).toEqual([200, "1001"]);
    },
  );

  test("is not found by another token", async () => {
    expect((await submit("none")).body.response_code).not.toBe("00");
    expect((await check("none")).response_code).not.toBe("00");
  });

  test("is refused when the float is too short, and may be sent once it is not", async () => {
    emulators.paydunya.setFloat(4_999);
    const token = await newToken();
    expect((await submit(token)).body).toMatchObject({
      response_code: "4002",
      response_text: expect.stringContaining("Insufficient balance"),
    });
    expect((await check(token)).status).toBe("created");
    emulators.paydunya.setFloat(5_000);
    expect((await submit(token)).body.response_code).toBe("00");
    expect(emulators.paydunya.floats()).toEqual({ main: 0 });
  });

  test("gives the float back when it fails", async () => {
    const token = await newToken();
    await submit(token);
    emulators.paydunya.settle(token, "failed", "Compte introuvable");
    emulators.clock.advance(HOUR_MS);
    expect(await check(token)).toMatchObject({
      response_code: "00",
      status: "failed",
      response_text: "Compte introuvable",
    });
    expect(emulators.paydunya.floats()).toEqual({ main: 10_000_000 });
    expect(emulators.mobileMoney.sms(AWA)).toEqual([]);
    expect(() => emulators.paydunya.settle(token, "success")).toThrow("has ended");
  });
});

test("PayDunya made to go wrong ends hours later, or never", async () => {
  const [late, failing, never] = [await newToken(), await newToken(), await newToken()];
  emulators.paydunya.fault("late-success");
  await submit(late, "a");
  emulators.paydunya.fault("late-failure");
  await submit(failing, "b");
  emulators.paydunya.fault("stay-pending");
  await submit(never, "c");
  const statuses = async () =>
    Promise.all([late, failing, never].map(async (token) => (await check(token)).status));
  emulators.clock.advance(5 * HOUR_MS);
  expect(await statuses()).toEqual(["pending", "pending", "pending"]);
  emulators.clock.advance(HOUR_MS);
  expect(await statuses()).toEqual(["success", "failed", "pending"]);
});

test("PayDunya's callback about a payout is a form with one field of JSON", async () => {
  await submit(await newToken());
  emulators.clock.advance(5_000);
  await receiver.until(1);
  const { body, headers } = lastReceived(receiver);
  expect(headers["content-type"]).toContain("application/x-www-form-urlencoded");
  expect(JSON.parse(String(parse(body).data))).toMatchObject({
    status: "success",
    disburse_id: "wd-17-1",
    amount: "5000.00",
    hash: callbackHash(PAYDUNYA.masterKey),
  });
});

const askPayment = (path: string, body?: object, keys: object = {}) =>
  ask(emulators, path, { headers: paydunyaHeaders({ ...PAYDUNYA, ...keys }), body });

const PAYMENT = {
  invoice: {
    total_amount: 5000,
    description: "Club VIP",
    items: { item_0: { name: "Accès", quantity: 1, unit_price: 5000, total_price: 5000 } },
    customer: { name: "Awa Koné", email: "awa@example.com", phone: "0700000001" },
  },
  store: { name: "Sésame", website_url: "https://sesame.test" },
  custom_data: { order_id: "1" },
  actions: {
    callback_url: "https://sesame.test/webhooks/paydunya",
    return_url: "https://sesame.test/retour/1",
    cancel_url: "https://sesame.test/retour/1?annule=1",
  },
};
const createPayment = async (change: object = {}) => {
  const { body } = await askPayment("/api/v1/checkout-invoice/create", { ...PAYMENT, ...change });
  return String(body.token);
};
const confirm = async (token: string) =>
  (await askPayment(`/api/v1/checkout-invoice/confirm/${token}`)).body;

describe("a payment by PayDunya", () => {
  test("is made, paid on its page, and confirmed with who paid", async () => {
    const made = await askPayment("/api/v1/checkout-invoice/create", PAYMENT);
    const token = String(made.body.token);
    expect([made.status, made.body.response_code]).toEqual([200, "00"]);
    expect(made.body.response_text).toBe(`${emulators.url}/paydunya/checkout/${token}`);
    expect(await confirm(token)).toMatchObject({
      response_code: "00",
      hash: callbackHash(PAYDUNYA.masterKey),
      status: "pending",
      mode: "live",
      invoice: { token, total_amount: "5000" },
      custom_data: { order_id: "1" },
    });
    expect(await confirm(token)).not.toHaveProperty("receipt_url");
    const path = `/emulators/pay/paydunya/${token}`;
    const body = { action: "success", method: "wave-ci" };
    expect((await ask(emulators, path, { body })).body.returnUrl).toBe(
      `https://sesame.test/retour/1?token=${token}`,
    );
    expect(await confirm(token)).toMatchObject({
      status: "completed",
      customer: { name: "Awa Koné", payment_method: "wave-ci" },
      provider_reference: expect.any(String),
    });
  });

  test.each([
    [{ invoice: { total_amount: 0 } }, "total_amount"],
    [{ store: {} }, "store name"],
    [{ actions: { callback_url: "nowhere" } }, "callback_url"],
  ])("refuses %j with HTTP 200 and a code", async (change, why) => {
    const path = "/api/v1/checkout-invoice/create";
    const { status, body } = await askPayment(path, { ...PAYMENT, ...change });
    expect([status, body.response_code]).toEqual([200, "4002"]);
    expect(body.response_text).toContain(why);
  });

  test("is of its keys' kind: keys of one are unknown at the other's address", async () => {
    const codeOf = async (path: string, keys: object) =>
      (await askPayment(`${path}/checkout-invoice/create`, PAYMENT, keys)).body.response_code;
    expect(await codeOf("/sandbox-api/v1", {})).toBe("1001");
    expect(await codeOf("/api/v1", { privateKey: "live_private_other" })).toBe("1001");
  });

  test("answers the altered mode, amount and words", async () => {
    const token = await createPayment();
    emulators.collectors.paydunya.alter(token, { environment: "sandbox", amount: 4999 });
    expect(await confirm(token)).toMatchObject({ mode: "test", invoice: { total_amount: "4999" } });
  });

  test("goes back by the other address when cancelled, and expires after a day", async () => {
    const cancelled = await createPayment();
    emulators.collectors.paydunya.settle(cancelled, "cancel", { silent: true });
    const { returnUrl } = emulators.paydunya.collect.page(cancelled) ?? {};
    expect(returnUrl).toBe(`https://sesame.test/retour/1?annule=1&token=${cancelled}`);
    const waiting = await createPayment();
    emulators.clock.advance(DAY_MS);
    expect(await confirm(waiting)).toMatchObject({ status: "expired" });
    expect(() => emulators.collectors.paydunya.settle(waiting, "success")).toThrow("expired");
  });
});
