import { HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { AWA, callers } from "../testing/callers.ts";
import { type Receiver, startReceiver } from "../testing/receiver.ts";
import { PAYDUNYA, testEmulators, type TestEmulators } from "../testing/test-emulators.ts";
import { callbackHash } from "./shapes.ts";

let emulators: TestEmulators;
let receiver: Receiver;
const { paydunya: call } = callers(() => emulators);

beforeEach(async () => {
  receiver = await startReceiver();
  emulators = await testEmulators();
});

afterEach(async () => {
  await emulators.close();
  await receiver.close();
});

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
    "wants all three keys: %o",
    async (keys) => {
      const { status, body } = await call("get-invoice", order(), keys);
      expect([status, body.response_code]).toEqual([200, "1001"]);
    },
  );

  test("is unknown under another token", async () => {
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

describe("PayDunya made to go wrong", () => {
  test("says no, and nothing was sent", async () => {
    emulators.paydunya.fault("refuse");
    const token = await newToken();
    expect((await submit(token)).body.response_code).not.toBe("00");
    expect((await check(token)).status).toBe("created");
    expect((await submit(token)).body.response_code).toBe("00");
  });

  test("ends hours later, or never", async () => {
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

  test("is down, asked too often or unreadable until it is well again", async () => {
    const token = await newToken();
    emulators.paydunya.fault("down");
    expect((await call("check-status", { disburse_invoice: token })).status).toBe(503);
    expect((await call("get-invoice", order())).status).toBe(503);
    emulators.paydunya.clearFaults();
    emulators.paydunya.fault("429");
    expect((await call("get-invoice", order())).status).toBe(429);
    emulators.paydunya.fault("nonsense");
    await expect(check(token)).rejects.toThrow();
    emulators.paydunya.clearFaults();
    emulators.paydunya.fault("unknown-word");
    expect((await check(token)).status).toBe("on_hold_for_review");
    emulators.paydunya.clearFaults();
    emulators.paydunya.fault("wrong-amount");
    expect((await check(token)).amount).toBe("4999.00");
    emulators.paydunya.clearFaults();
    emulators.paydunya.fault("no-word", { call: "submit" });
    const taken = (await submit(token)).body;
    expect([taken.response_code, "status" in taken]).toEqual(["00", false]);
  });
});

describe("PayDunya's callback", () => {
  test("is a form whose hash is the reference's own vector", async () => {
    await submit(await newToken());
    emulators.clock.advance(5_000);
    await receiver.until(1);
    const form = new URLSearchParams(receiver.received[0]?.body);
    expect(receiver.received[0]?.headers["content-type"]).toContain(
      "application/x-www-form-urlencoded",
    );
    const told = JSON.parse(form.get("data") ?? "") as Record<string, string>;
    expect(told).toMatchObject({ status: "success", disburse_id: "wd-17-1", amount: "5000.00" });
    expect(told.hash).toBe(
      "1f242d13fca84cf537ff47cd47971de7ad6d4dd244340c5d53815cef06464f0a" +
        "111ec5dfc692ec7eb68d4265f55af149a3776969c3a1faba695b6b1c36358ede",
    );
    await eventually(() => emulators.paydunya.noticeViews()[0]?.state === "delivered");
  });

  test("is tried three times more, then given up; lost or forged when told", async () => {
    receiver.answer = () => ({ status: 500 });
    await submit(await newToken());
    emulators.clock.advance(5_000);
    const notice = () => emulators.paydunya.noticeViews()[0];
    for (const tries of [1, 2, 3]) {
      await eventually(() => notice()?.state === "held" && notice()?.tries === tries);
      emulators.clock.advance(5 * MINUTE_MS);
      await receiver.until(tries + 1);
    }
    await eventually(() => notice()?.state === "failed");
    emulators.panel.setPaymentNotices({ provider: "paydunya", drop: true });
    await submit(await newToken(), "lost");
    emulators.clock.advance(5_000);
    expect(emulators.paydunya.noticeViews()[1]?.state).toBe("dropped");
    emulators.panel.setPaymentNotices({ provider: "paydunya", drop: false, forgeSignature: true });
    await submit(await newToken(), "forged");
    emulators.clock.advance(5_000);
    await receiver.until(5);
    expect(receiver.received[4]?.body).not.toContain(callbackHash(PAYDUNYA.masterKey));
  });
});
