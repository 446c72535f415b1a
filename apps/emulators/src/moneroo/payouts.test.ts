import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AWA, callers } from "../testing/callers.ts";
import { type Receiver, startReceiver } from "../testing/receiver.ts";
import {
  FEDAPAY,
  testEmulators,
  type TestEmulators,
  WEBHOOK_SECRET,
} from "../testing/test-emulators.ts";
import { sign } from "./moneroo.ts";

let emulators: TestEmulators;
let receiver: Receiver;
const { moneroo: call, byKey } = callers(() => emulators);

beforeEach(async () => {
  receiver = await startReceiver();
  emulators = await testEmulators({
    notifyUrl: `${receiver.url}/webhooks/moneroo`,
    announceInitiated: true,
  });
});

afterEach(async () => {
  await emulators.close();
  await receiver.close();
});

const ORDER = {
  amount: 1000,
  currency: "XOF",
  description: "Retrait #17",
  method: "orange_ci",
  customer: { email: "awa@example.com", first_name: "Awa", last_name: "Koné" },
  recipient: { msisdn: "2250700000001" },
  metadata: { withdrawal_id: "17", reference: "wd-17-1" },
};

const initialize = (change: object = {}) =>
  call("POST", "/payouts/initialize", { ...ORDER, ...change });
const idOf = (body: Record<string, unknown>) => String((body.data as { id: string }).id);
const verify = async (id: string) =>
  (await call("GET", `/payouts/${id}/verify`)).body.data as Record<string, unknown>;

describe("a payout by Moneroo", () => {
  test("is taken in one step, and its answer tells no status", async () => {
    const { status, body } = await initialize();
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
      metadata: ORDER.metadata,
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
    const id = idOf((await initialize({ metadata: undefined })).body);
    expect(await verify(id)).toMatchObject({ id, metadata: [] });
    expect((await byKey(FEDAPAY.secretKey)("GET", `/payouts/${id}/verify`)).status).toBe(401);
    expect((await byKey("other")("GET", `/payouts/${id}/verify`)).status).toBe(401);
    expect((await call("GET", "/payouts/po_none/verify")).status).toBe(404);
  });

  test("is sent again when it is asked again: it has no reference of ours", async () => {
    await initialize();
    await initialize();
    emulators.clock.advance(5_000);
    expect(emulators.mobileMoney.sms(AWA)).toHaveLength(2);
    expect(emulators.moneroo.payouts.list().map(({ reference }) => reference)).toEqual([
      "wd-17-1",
      "wd-17-1",
    ]);
  });

  test.each([
    [{ amount: "1000" }, "amount"],
    [{ currency: "XAF" }, "currency"],
    [{ description: "" }, "description"],
    [{ method: "orange_bf" }, "method"],
    [{ recipient: { msisdn: "+2250700000001" } }, "recipient.msisdn"],
    [{ recipient: { msisdn: "2210700000001" } }, "recipient.msisdn"],
    [{ customer: { ...ORDER.customer, last_name: "" } }, "customer.last_name"],
    [{ metadata: { withdrawal_id: 17 } }, "metadata.withdrawal_id"],
  ])("is refused 422 with the field: %#", async (change, field) => {
    const { status, body } = await initialize(change);
    expect([status, body.data, Object.keys(body.errors as object)]).toEqual([422, null, [field]]);
    expect(emulators.moneroo.payouts.list()).toEqual([]);
  });

  test("takes the number as a number too, and Benin's old ones of eight digits", async () => {
    expect((await initialize({ recipient: { msisdn: 2_250_700_000_001 } })).status).toBe(201);
    const old = { method: "mtn_bj", recipient: { msisdn: "22951345020" } };
    expect((await initialize(old)).status).toBe(201);
  });

  test("goes wrong as told", async () => {
    const { payouts } = emulators.moneroo;
    payouts.setFloat(999);
    expect(await initialize()).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("Insufficient balance"), data: null },
    });
    expect(payouts.list()).toEqual([]);
    payouts.setFloat(10_000);
    payouts.fault("timeout-before");
    await expect(initialize()).rejects.toThrow();
    expect(payouts.list()).toEqual([]);
    payouts.fault("timeout-after");
    await expect(initialize()).rejects.toThrow();
    expect(payouts.list()).toMatchObject([{ status: "queued", amount: 1000 }]);
    payouts.fault("429");
    expect((await initialize()).status).toBe(429);
    payouts.fault("down");
    expect((await initialize()).status).toBe(503);
    payouts.clearFaults();
    payouts.fault("refuse");
    expect((await initialize()).status).toBe(400);
    const [payout] = payouts.list();
    payouts.settle(payout?.id ?? "", "failed", "Wallet closed");
    expect(await verify(payout?.id ?? "")).toMatchObject({
      status: "failed",
      disburse: { failure_message: "Wallet closed", gateway: { transaction_status: "FAILED" } },
    });
    expect(payouts.floats()).toEqual({ main: 10_000 });
  });

  test("is told by the notices that tell of payments, without its metadata", async () => {
    const id = idOf((await initialize()).body);
    emulators.clock.advance(5_000);
    await receiver.until(2);
    const bodies = receiver.received.map(({ body }) => body);
    const success = bodies.find((body) => body.includes("payout.success")) ?? "";
    expect(bodies.some((body) => body.includes("payout.initiated"))).toBe(true);
    expect(JSON.parse(success)).toEqual({
      event: "payout.success",
      data: {
        id,
        amount: 1000,
        currency: "XOF",
        status: "success",
        customer: {
          firstName: "Awa",
          lastName: "Koné",
          email: "awa@example.com",
          phone: "2250700000001",
        },
      },
    });
    const headers = receiver.received[bodies.indexOf(success)]?.headers;
    expect(headers?.["x-moneroo-signature"]).toBe(sign(success, WEBHOOK_SECRET));
  });
});
