import { DAY_MS, HOUR_MS } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { ask, AWA, callers, type CallAnswer } from "../testing/callers.ts";
import { lastReceived } from "../testing/receiver.ts";
import { emulatorsEach, FEDAPAY, SECRET_KEY } from "../testing/test-emulators.ts";
import { feeOf } from "./fedapay.ts";

const { emulators, receiver } = emulatorsEach();
const { fedapay: call, byKey } = callers(() => emulators);

const PAYOUT = {
  amount: 5000,
  currency: { iso: "XOF" },
  mode: "orange_ci",
  description: "Retrait <17>",
  merchant_reference: "wd-17-1",
  custom_metadata: { withdrawal_id: "17" },
  customer: {
    firstname: "Awa",
    lastname: "Koné",
    email: "awa@example.com",
    phone_number: { number: AWA, country: "ci" },
  },
};

const to = (change: object) => ({ customer: { ...PAYOUT.customer, ...change } });

type Entity = Record<string, unknown> & { id: number; status: string };
const one = (body: Record<string, unknown>) => body["v1/payout"] as Entity;
const many = (body: Record<string, unknown>) => body["v1/payouts"] as Entity[];
const create = (change: object = {}) => call("POST", "/payouts", { ...PAYOUT, ...change });
const newId = async (change: object = {}) => one((await create(change)).body).id;
const start = (id: number) => call("PUT", "/payouts/start", { payouts: [{ id }] });
const read = async (id: number) => one((await call("GET", `/payouts/${id}`)).body);

describe("a payout by FedaPay", () => {
  test("is created, then started, and each step has a webhook of its own", async () => {
    const created = await create();
    expect(created.status).toBe(200);
    const { id } = one(created.body);
    expect(one(created.body)).toMatchObject({
      klass: "v1/payout",
      amount: 5000,
      status: "pending",
      mode: "orange_ci",
      merchant_reference: "wd-17-1",
      fees: 150,
      amount_debited: 5150,
      sent_at: null,
    });
    emulators.clock.advance(60_000);
    expect((await read(id)).status).toBe("pending");
    const started = await start(id);
    expect([started.status, many(started.body)[0]?.status]).toEqual([200, "started"]);
    emulators.clock.advance(1_000);
    expect((await read(id)).status).toBe("processing");
    emulators.clock.advance(3_000);
    expect(await read(id)).toMatchObject({ status: "sent", sent_at: "2026-03-02T08:01:04.000Z" });
    expect(emulators.mobileMoney.sms(AWA)).toHaveLength(1);
    expect(emulators.fedapay.floats()).toMatchObject({ orange_ci: 1_994_850, mtn_ci: 2_000_000 });
  });

  test("is started by the bare list too, and once only", async () => {
    const id = await newId();
    expect((await call("PUT", "/payouts/start", [{ id }])).status).toBe(200);
    emulators.clock.advance(5_000);
    expect(many((await start(id)).body)[0]?.status).toBe("sent");
    expect(emulators.mobileMoney.sms(AWA)).toHaveLength(1);
  });

  test.each([
    [{ amount: 1_000_001 }, "amount"],
    [{ amount: 50.5 }, "amount"],
    [{ currency: { iso: "XAF" } }, "currency"],
    [{ mode: "e_money_sn" }, "mode"],
    [to({ phone_number: { number: AWA, country: "CI" } }), "customer.phone_number.country"],
    [to({ phone_number: { number: "123", country: "ci" } }), "customer.phone_number.number"],
    [to({ email: "" }), "customer.email"],
  ])("is refused 422 with the field: %#", async (change, field) => {
    const { status, body } = await create(change);
    expect([status, Object.keys(body.errors as object)]).toEqual([422, [field]]);
    expect(emulators.fedapay.list()).toEqual([]);
  });

  test("answers 500 without a word when the mode is missing", async () => {
    expect(await create({ mode: undefined })).toEqual({ status: 500, body: {} });
  });

  test("does not take a merchant_reference twice", async () => {
    await create();
    const { status, body } = await create();
    expect([status, Object.keys(body.errors as object)]).toEqual([422, ["merchant_reference"]]);
  });

  test("is refused without its key; another provider's is not its own", async () => {
    expect((await byKey("sk_other")("POST", "/payouts", PAYOUT)).status).toBe(401);
    const id = await newId();
    expect((await byKey(SECRET_KEY)("GET", `/payouts/${id}`)).status).toBe(401);
    expect((await byKey(SECRET_KEY)("GET", "/payouts")).status).toBe(401);
  });

  test("reaches a number three times a day at most", async () => {
    for (const merchant_reference of ["a", "b", "c"]) {
      expect((await start(await newId({ merchant_reference }))).status).toBe(200);
    }
    const fourth = await newId({ merchant_reference: "d" });
    expect((await start(fourth)).status).toBe(422);
    expect((await read(fourth)).status).toBe("pending");
    emulators.clock.advance(DAY_MS);
    expect((await start(fourth)).status).toBe(200);
  });

  test("draws on the balance of its mode, its fee too", async () => {
    emulators.fedapay.setFloat(5_149, "orange_ci");
    const id = await newId();
    const { status, body } = await start(id);
    expect([status, body.message]).toEqual([400, expect.stringContaining("Solde insuffisant")]);
    expect((await read(id)).status).toBe("pending");
    emulators.fedapay.setFloat(5_150, "orange_ci");
    expect((await start(id)).status).toBe(200);
    expect(emulators.fedapay.floats()).toMatchObject({ orange_ci: 0, moov_ci: 2_000_000 });
  });

  test.each([
    [10_000, 150],
    [10_001, 300],
    [50_000, 300],
    [75_000, 800],
    [200_000, 2_000],
    [500_000, 2_000],
  ])("of %i costs %i", (amount, fee) => {
    expect(feeOf(amount)).toBe(fee);
  });

  test("is listed by pages, the newest first, and found by our reference", async () => {
    const ids = [];
    for (const merchant_reference of ["a", "b", "c"]) ids.push(await newId({ merchant_reference }));
    const { body } = await call("GET", "/payouts?page=2&per_page=2");
    expect(many(body).map(({ id }) => id)).toEqual([ids[0]]);
    expect(body.meta).toEqual({
      current_page: 2,
      next_page: null,
      prev_page: 1,
      total_pages: 2,
      total_count: 3,
      per_page: 2,
    });
    expect(one((await call("GET", "/payouts/merchant/b")).body).id).toBe(ids[1]);
    expect((await call("GET", "/payouts/1")).status).toBe(404);
  });

  test("can be planted, altered and forgotten in its list", async () => {
    const id = await newId();
    const planted = emulators.fedapay.plant({ amount: 7_000, reference: "nobody" });
    expect(many((await call("GET", "/payouts")).body).map(({ amount }) => amount)).toEqual([
      7_000, 5_000,
    ]);
    emulators.fedapay.alter(String(id), { amount: 4_000 });
    expect((await read(id)).amount).toBe(4_000);
    emulators.fedapay.forget(planted.id);
    expect((await call("GET", `/payouts/${planted.id}`)).status).toBe(404);
  });
});

describe("FedaPay made to go wrong", () => {
  test("refuses at either step in its own words", async () => {
    emulators.fedapay.fault("refuse", { call: "prepare" });
    expect(await create()).toEqual({ status: 403, body: { message: "Opération non autorisée" } });
    const id = await newId();
    emulators.fedapay.fault("refuse");
    expect((await start(id)).status).toBe(400);
    expect((await read(id)).status).toBe("pending");
  });

  test("breaks the connection after it created", async () => {
    emulators.fedapay.fault("timeout-after", { call: "prepare" });
    await expect(create()).rejects.toThrow();
    expect((await create()).status).toBe(422);
  });

  test("says why a payout failed", async () => {
    const id = await newId();
    await start(id);
    emulators.fedapay.settle(String(id), "failed", "Compte inexistant");
    expect(await read(id)).toMatchObject({
      status: "failed",
      last_error_code: "PAYOUT_FAILED",
      last_error_message: "Compte inexistant",
    });
    expect(emulators.fedapay.floats().orange_ci).toBe(2_000_000);
  });
});

test("an event of FedaPay's is signed anew at each of ten tries; then FedaPay sends no more webhooks", async () => {
  receiver.answer = () => ({ status: 500 });
  await create();
  const webhook = () => emulators.fedapay.webhookViews()[0];
  for (let tries = 1; tries <= 9; tries++) {
    await eventually(() => webhook()?.state === "held" && webhook()?.tries === tries);
    emulators.clock.advance(120_000);
  }
  await eventually(() => webhook()?.state === "failed");
  const signatures = receiver.received.map(({ headers }) => headers["x-fedapay-signature"]);
  expect(new Set(signatures).size).toBe(10);
  expect(emulators.fedapay.webhookDisabled()).toBe(true);
  await create({ merchant_reference: "other" });
  expect(emulators.fedapay.webhookViews()).toHaveLength(1);
  emulators.fedapay.enableWebhook();
  await create({ merchant_reference: "third" });
  expect(emulators.fedapay.webhookViews()).toHaveLength(2);
});

const PAYMENT = {
  amount: 5000,
  description: "Club <VIP>",
  currency: { iso: "XOF" },
  callback_url: "https://sesame.test/retour/1?a=b",
  custom_metadata: { order_id: "1" },
  ...to({ phone_number: { number: "0700000001", country: "ci" } }),
};

const transactionOf = ({ body }: CallAnswer) =>
  body["v1/transaction"] as Entity & { payment_token: string };
let made = 0;
const open = async (change: object = {}) => {
  made += 1;
  const body = { ...PAYMENT, merchant_reference: `ord-${made}`, ...change };
  return transactionOf(await call("POST", "/transactions", body));
};
const readPayment = async (id: number) => transactionOf(await call("GET", `/transactions/${id}`));
const page = (token: string, body?: object) =>
  ask(emulators, `/emulators/pay/fedapay/${token}`, { body });

describe("a payment by FedaPay", () => {
  test("is made, shown by its page, and sends the customer back with its state", async () => {
    const created = await open();
    expect(created).toMatchObject({
      klass: "v1/transaction",
      status: "pending",
      amount: 5000,
      currency_id: 1,
      mode: null,
      amount_debited: null,
      payment_url: `${emulators.url}/fedapay/pay/${created.payment_token}`,
    });
    const again = await call("POST", `/transactions/${created.id}/token`, {});
    expect(again.body).toEqual({ token: created.payment_token, url: created.payment_url });
    const { body: view } = await page(created.payment_token);
    expect(view).toMatchObject({ provider: "fedapay", status: "initiated", over: false });
    const paid = await page(created.payment_token, { action: "success", method: "mtn_open" });
    const back = `https://sesame.test/retour/1?a=b&id=${created.id}&status=approved`;
    expect(paid.body.returnUrl).toBe(back);
    const after = await readPayment(created.id);
    expect(after).toMatchObject({ status: "approved", mode: "mtn_open", amount: 5000 });
    // The customer pays the fee on top.
    expect(after).toMatchObject({ amount_debited: 5200, fees: 200, amount_transferred: 5000 });
    expect((await page(created.payment_token, { action: "success" })).status).toBe(422);
    expect((await page("unknown")).status).toBe(404);
  });

  test("may be tried again for a day after a refusal, and reaches the merchant after three days", async () => {
    const created = await open();
    emulators.collectors.fedapay.settle(String(created.id), "failure", { silent: true });
    expect(await readPayment(created.id)).toMatchObject({
      status: "declined",
      last_error_code: "PAYMENT_DECLINED",
    });
    emulators.collectors.fedapay.settle(String(created.id), "cancel", { silent: true });
    expect((await readPayment(created.id)).status).toBe("canceled");
    const late = await open();
    emulators.clock.advance(DAY_MS - 1_000);
    emulators.collectors.fedapay.settle(String(created.id), "success", { silent: true });
    emulators.clock.advance(1_000);
    expect((await readPayment(late.id)).status).toBe("expired");
    expect((await page(late.payment_token, { action: "success" })).status).toBe(422);
    emulators.clock.advance(72 * HOUR_MS);
    expect(await readPayment(created.id)).toMatchObject({ status: "transferred" });
  });

  test("needs whole francs, a new reference, and the right key", async () => {
    const reference = "taken";
    await open({ merchant_reference: reference });
    const complaints = async (change: object) => {
      const { status, body } = await call("POST", "/transactions", { ...PAYMENT, ...change });
      return [status, ...Object.keys((body.errors ?? {}) as object)];
    };
    for (const [change, ...fields] of [
      [{ merchant_reference: reference }, "merchant_reference"],
      [{ amount: 50.5 }, "amount"],
      [{ amount: 0, currency: { iso: "EUR" } }, "amount", "currency"],
      [{ description: "" }, "description"],
      [{ callback_url: "nowhere" }, "callback_url"],
    ] as const) {
      expect(await complaints(change)).toEqual([422, ...fields]);
    }
    const stranger = byKey("sk_sandbox_other");
    expect((await stranger("POST", "/transactions", PAYMENT)).status).toBe(401);
    const found = await call("GET", `/transactions/merchant/${reference}`);
    expect(transactionOf(found).merchant_reference).toBe(reference);
  });

  test("charged back, and given up by the bank, has a webhook each time, with words of its own", async () => {
    const { fedapay } = emulators.collectors;
    const { id } = await open();
    fedapay.settle(String(id), "success", { silent: true });
    const bankSays = async (status: string | null) => {
      emulators.clock.advance(1_000);
      const count = receiver.received.length;
      const view = fedapay.alter(String(id), { status }, { announced: true });
      await receiver.until(count + 1);
      const { body } = lastReceived(receiver);
      const { name, entity } = JSON.parse(body) as { name: string; entity: Entity };
      const whole = { currency: { iso: "XOF" }, custom_metadata: { order_id: "1" } };
      expect(entity).toMatchObject({ id, status: (await readPayment(id)).status, ...whole });
      expect(body).toContain("Club \\u003cVIP\\u003e");
      return [name, entity.status, view.status];
    };
    expect(await bankSays("refunded")).toEqual(["transaction.updated", "refunded", "refunded"]);
    expect(await bankSays(null)).toEqual(["transaction.updated", "approved", "paid"]);
    expect(await bankSays("refunded")).toEqual(["transaction.updated", "refunded", "refunded"]);
    const bodies = receiver.received.map(({ body }) => body);
    expect(new Set(bodies).size).toBe(3);
  });

  test("is opened by the widget, by its id and the public key of its account", async () => {
    const widget = (options: Record<string, string>) => {
      const query = new URLSearchParams({ key: FEDAPAY.publicKey, ...options });
      return ask(emulators, `/emulators/fedapay/widget?${query}`);
    };
    const created = await open();
    const known = await widget({ id: String(created.id) });
    expect(known.body).toMatchObject({
      id: created.payment_token,
      reported: { id: created.id, status: "pending" },
    });
    expect((await widget({ id: "1" })).status).toBe(422);
    expect((await widget({ key: "pk_sandbox_other", id: String(created.id) })).status).toBe(422);
  });
});
