import { beforeEach, describe, expect, test } from "vitest";
import { kkiapayCallers } from "../testing/callers.ts";
import { emulatorsEach, KKIAPAY } from "../testing/test-emulators.ts";
import type { Kkiapay } from "./kkiapay.ts";

const { emulators, receiver } = emulatorsEach();
let kkiapay: Kkiapay;
const { keys, opened, paid, ask } = kkiapayCallers(() => emulators);

beforeEach(() => {
  kkiapay = emulators.collectors.kkiapay;
});

describe("a transaction", () => {
  test("is answered with the values that the widget was opened with, and no currency", async () => {
    const { reference, id } = paid();
    const { status, body } = await ask("status", id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      transactionId: id,
      status: "SUCCESS",
      amount: 5_000,
      fees: 95,
      income: 4_905,
      type: "DEBIT",
      state: reference,
      partnerId: reference,
      feeSupportedBy: "merchant",
    });
    expect(body).not.toHaveProperty("currency");
  });

  test("is known by its id only once somebody tried to pay", async () => {
    const reference = opened();
    expect(kkiapay.find(reference)).toMatchObject({ status: "pending", transactionId: null });
    expect(await ask("status", reference)).toEqual({
      status: 404,
      body: expect.objectContaining({ reason: "TRANSACTION_NOT_FOUND" }),
    });
  });

  test("that failed may be tried again, as another transaction of the same state", async () => {
    const { reference, id } = paid("failure");
    expect((await ask("status", id)).body).toMatchObject({
      status: "FAILED",
      failureCode: "payment_declined",
    });
    const second = kkiapay.settle(reference, "success").transactionId;
    expect(second).not.toBe(id);
    expect((await ask("status", second)).body).toMatchObject({ status: "SUCCESS" });
    expect((await ask("status", id)).body).toMatchObject({ status: "FAILED" });
    expect(() => kkiapay.settle(reference, "success")).toThrow("already paid");
  });

  test("that is pending keeps its id when it ends", () => {
    const reference = opened();
    const { transactionId, status } = kkiapay.settle(reference, "pending");
    expect(status).toBe("pending");
    expect(kkiapay.settle(reference, "success")).toMatchObject({ transactionId, status: "paid" });
  });

  test("does not exist when the widget is closed", () => {
    const reference = opened();
    const view = kkiapay.settle(reference, "cancel");
    expect(view).toMatchObject({ status: "cancelled", transactionId: null });
    expect(kkiapay.settle(reference, "success").status).toBe("paid");
  });

  test("can be altered", async () => {
    const { reference, id } = paid();
    kkiapay.alter(reference, { amount: 100, reference: "stranger", status: "ON_HOLD" });
    expect((await ask("status", id)).body).toMatchObject({
      amount: 100,
      state: "stranger",
      partnerId: "stranger",
      status: "ON_HOLD",
    });
    kkiapay.alter(reference, { amount: null, reference: null, status: null });
    expect((await ask("status", id)).body).toMatchObject({ amount: 5_000, state: reference });
  });
});

describe("keys", () => {
  test.each(["x-api-key", "x-private-key", "x-secret-key"])("are all needed: %s", async (name) => {
    const { id } = paid();
    const other = await ask("status", id, { ...keys, [name]: "another" });
    expect([other.status, (await ask("revert", id, {})).status]).toEqual([401, 401]);
    expect((await ask("status", id)).body.status).toBe("SUCCESS");
  });

  test("of a seller open that seller's transactions alone", async () => {
    const seller = emulators.merchants.kkiapay.open();
    const headers = {
      "x-api-key": seller.keys.publicKey,
      "x-private-key": seller.keys.privateKey,
      "x-secret-key": seller.keys.secretKey,
    };
    const own = opened({ key: seller.keys.publicKey });
    const { transactionId } = kkiapay.settle(own, "success");
    expect((await ask("status", transactionId, headers)).body).toMatchObject({ state: own });
    expect(await ask("status", transactionId)).toMatchObject({
      status: 400,
      body: { reason: "INVALID_TRANSACTION" },
    });
    expect((await ask("revert", paid().id, headers)).body.reason).toBe("INVALID_TRANSACTION");
  });
});

describe("a refund", () => {
  test("gives all of it back, once", async () => {
    const { reference, id } = paid();
    expect(await ask("revert", id)).toMatchObject({ status: 200, body: { status: "REVERTED" } });
    expect((await ask("status", id)).body.status).toBe("REVERTED");
    expect(kkiapay.find(reference)?.status).toBe("refunded");
    expect(await ask("revert", id)).toMatchObject({
      status: 400,
      body: { reason: "TRANSACTION_NOT_ELIGIBLE" },
    });
  });

  test("is refused for what was not paid, and without the money for it", async () => {
    const { id } = paid("failure");
    expect((await ask("revert", id)).body.reason).toBe("TRANSACTION_NOT_ELIGIBLE");
    expect((await ask("revert", "unknown")).body.reason).toBe("TRANSACTION_NOT_FOUND");
    const good = paid();
    kkiapay.fault("refund", "refuse");
    expect((await ask("revert", good.id)).body.reason).toBe("INSUFFICIENT_FUND");
    expect((await ask("status", good.id)).body.status).toBe("SUCCESS");
  });
});

describe("a webhook", () => {
  test("carries the secret in plain text and is not signed", async () => {
    const reference = opened();
    const { transactionId } = kkiapay.settle(reference, "success");
    await receiver.until(1);
    expect(receiver.received[0]?.headers["x-kkiapay-secret"]).toBe(KKIAPAY.webhookSecret);
    expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({
      transactionId,
      isPaymentSucces: true,
      event: "transaction.success",
      amount: 5_000,
      stateData: reference,
      partnerId: reference,
    });
  });

  test("is also sent for a failure, and not for a pending payment or a closed widget", async () => {
    kkiapay.settle(opened(), "pending");
    kkiapay.settle(opened(), "cancel");
    kkiapay.settle(opened(), "failure");
    await receiver.until(1);
    expect(receiver.received.map(({ body }) => JSON.parse(body).event)).toEqual([
      "transaction.failed",
    ]);
    expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({ isPaymentSucces: false });
  });

  test("may have lost the partner's number, and carry the state as a text of JSON", async () => {
    Object.assign(kkiapay.modes, { emptyPartnerId: true, stateAsText: true });
    const reference = opened();
    kkiapay.settle(reference, "success");
    await receiver.until(1);
    const sent = JSON.parse(receiver.received[0]?.body ?? "") as Record<string, string>;
    expect(sent.partnerId).toBe("");
    expect(JSON.parse(sent.stateData ?? "")).toBe(reference);
  });
});

test.each([
  ["timeout-before", "SUCCESS"],
  ["timeout-after", "REVERTED"],
] as const)("the fault %s leaves a refund %s", async (kind, word) => {
  const { id } = paid();
  kkiapay.fault("refund", kind);
  await expect(ask("revert", id)).rejects.toThrow();
  expect((await ask("status", id)).body.status).toBe(word);
});
