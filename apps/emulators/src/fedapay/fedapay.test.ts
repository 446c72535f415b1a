import { DAY_MS } from "@sesame/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { AWA, callers } from "../testing/callers.ts";
import { type Receiver, startReceiver } from "../testing/receiver.ts";
import {
  FEDAPAY,
  SECRET_KEY,
  testEmulators,
  type TestEmulators,
} from "../testing/test-emulators.ts";

import { feeOf, signatureHeader } from "./fedapay.ts";

let emulators: TestEmulators;
let receiver: Receiver;
const { fedapay: call, byKey } = callers(() => emulators);

beforeEach(async () => {
  receiver = await startReceiver();
  emulators = await testEmulators({ appUrl: receiver.url });
});

afterEach(async () => {
  await emulators.close();
  await receiver.close();
});

const ORDER = {
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

type Entity = Record<string, unknown> & { id: number; status: string };
const one = (body: Record<string, unknown>) => body["v1/payout"] as Entity;
const many = (body: Record<string, unknown>) => body["v1/payouts"] as Entity[];
const create = (change: object = {}) => call("POST", "/payouts", { ...ORDER, ...change });
const newId = async (change: object = {}) => one((await create(change)).body).id;
const start = (id: number, more: object = {}) =>
  call("PUT", "/payouts/start", { payouts: [{ id, ...more }] });
const read = async (id: number) => one((await call("GET", `/payouts/${id}`)).body);

describe("a payout by FedaPay", () => {
  test("is created, then started, and tells each step by its own word", async () => {
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
    [
      { customer: { ...ORDER.customer, phone_number: { number: AWA, country: "CI" } } },
      "customer.phone_number.country",
    ],
    [
      { customer: { ...ORDER.customer, phone_number: { number: "123", country: "ci" } } },
      "customer.phone_number.number",
    ],
    [{ customer: { ...ORDER.customer, email: "" } }, "customer.email"],
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
    expect((await byKey("sk_other")("POST", "/payouts", ORDER)).status).toBe(401);
    const id = await newId();
    expect((await byKey(SECRET_KEY)("GET", `/payouts/${id}`)).status).toBe(401);
    expect((await byKey(SECRET_KEY)("GET", "/payouts")).status).toBe(401);
  });

  test("reaches a number three times a day at most", async () => {
    for (const reference of ["a", "b", "c"]) {
      expect((await start(await newId({ merchant_reference: reference }))).status).toBe(200);
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
    for (const reference of ["a", "b", "c"]) {
      ids.push(await newId({ merchant_reference: reference }));
    }
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

  test("breaks off before and after it created and started", async () => {
    emulators.fedapay.fault("timeout-after", { call: "prepare" });
    await expect(create()).rejects.toThrow();
    expect((await create()).status).toBe(422);
    const id = Number(emulators.fedapay.list()[0]?.id);
    emulators.fedapay.fault("timeout-before");
    await expect(start(id)).rejects.toThrow();
    expect((await read(id)).status).toBe("pending");
    emulators.fedapay.fault("500-after");
    expect((await start(id)).status).toBe(500);
    expect((await read(id)).status).toBe("started");
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

describe("an event of FedaPay's", () => {
  test("is signed as in the reference's own vector", () => {
    const body =
      '{"name":"transaction.approved","object":"transaction","entity":{"klass":"v1/transaction",' +
      '"id":1001,"status":"approved","amount":5000}}';
    expect(signatureHeader(body, FEDAPAY.webhookSecret, new Date(1_700_000_000_000))).toBe(
      "t=1700000000,s=e964e24e3219f1bb6f632db14842e0a6ddec8d2c6d539708eb2c27e52af59a9b",
    );
  });

  test("carries the payout under `entity`, signed over its raw bytes", async () => {
    const id = await newId();
    await start(id);
    emulators.clock.advance(5_000);
    await receiver.until(3);
    const bodies = receiver.received.map(({ body }) => body);
    const sent = bodies.find((body) => body.includes("payout.sent")) ?? "";
    expect(JSON.parse(sent)).toMatchObject({
      name: "payout.sent",
      object: "payout",
      entity: { id, status: "sent", amount: 5000, merchant_reference: "wd-17-1" },
    });
    expect(sent).toContain("\\u003c17\\u003e");
    const headers = receiver.received[bodies.indexOf(sent)]?.headers;
    const at = emulators.clock.now();
    expect(headers?.["x-fedapay-signature"]).toBe(signatureHeader(sent, FEDAPAY.webhookSecret, at));
  });

  test("is signed afresh at each of ten tries; then FedaPay tells nothing more", async () => {
    receiver.answer = () => ({ status: 500 });
    await create();
    const notice = () => emulators.fedapay.noticeViews()[0];
    for (let tries = 1; tries <= 9; tries++) {
      await eventually(() => notice()?.state === "held" && notice()?.tries === tries);
      emulators.clock.advance(120_000);
    }
    await eventually(() => notice()?.state === "failed");
    const signatures = receiver.received.map(({ headers }) => headers["x-fedapay-signature"]);
    expect(new Set(signatures).size).toBe(10);
    expect(emulators.fedapay.webhookDisabled()).toBe(true);
    await create({ merchant_reference: "other" });
    expect(emulators.fedapay.noticeViews()).toHaveLength(1);
    emulators.fedapay.enableWebhook();
    await create({ merchant_reference: "third" });
    expect(emulators.fedapay.noticeViews()).toHaveLength(2);
  });
});
