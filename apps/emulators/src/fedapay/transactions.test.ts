import { DAY_MS, HOUR_MS } from "@sesame/kernel";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callers } from "../testing/callers.ts";
import { lastReceived, type Receiver, startReceiver } from "../testing/receiver.ts";
import { FEDAPAY, testEmulators, type TestEmulators } from "../testing/test-emulators.ts";
import type { CheckoutView } from "../wire.ts";
import { signatureHeader } from "./fedapay.ts";

let emulators: TestEmulators;
let receiver: Receiver;
const { fedapay: call, byKey } = callers(() => emulators);

beforeAll(async () => {
  receiver = await startReceiver();
  emulators = await testEmulators({ appUrl: receiver.url });
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = () => ({ status: 200 });
});
afterAll(async () => {
  await emulators.close();
  await receiver.close();
});

const ORDER = {
  amount: 5000,
  description: "Club <VIP>",
  currency: { iso: "XOF" },
  callback_url: "https://sesame.test/retour/1?a=b",
  custom_metadata: { order_id: "1" },
  customer: {
    firstname: "Awa",
    lastname: "Koné",
    email: "awa@example.com",
    phone_number: { number: "0700000001", country: "ci" },
  },
};

type Entity = Record<string, unknown> & { id: number; status: string; payment_token: string };
const one = (body: Record<string, unknown>) => body["v1/transaction"] as Entity;
let made = 0;
const open = async (change: object = {}) => {
  made += 1;
  const body = { ...ORDER, merchant_reference: `ord-${made}`, ...change };
  return one((await call("POST", "/transactions", body)).body);
};
const read = async (id: number) => one((await call("GET", `/transactions/${id}`)).body);
const page = async (token: string, action?: object) => {
  const answer = await fetch(`${emulators.apiRoot}/emulators/pay/fedapay/${token}`, {
    ...(action && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(action),
    }),
  });
  return { status: answer.status, view: (await answer.json()) as CheckoutView };
};

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
    const { view } = await page(created.payment_token);
    expect(view).toMatchObject({ provider: "fedapay", status: "initiated", over: false });
    const paid = await page(created.payment_token, { action: "success", method: "mtn_open" });
    expect(paid.view.returnUrl).toBe(
      `https://sesame.test/retour/1?a=b&id=${created.id}&status=approved`,
    );
    const after = await read(created.id);
    expect(after).toMatchObject({ status: "approved", mode: "mtn_open", amount: 5000 });
    // The customer pays the fee on top.
    expect(after).toMatchObject({ amount_debited: 5200, fees: 200, amount_transferred: 5000 });
    expect((await page(created.payment_token, { action: "success" })).status).toBe(422);
    expect((await page("unknown")).status).toBe(404);
  });

  test("may be tried again after a refusal, for a day, and reaches the merchant in three", async () => {
    const created = await open();
    emulators.collectors.fedapay.settle(String(created.id), "failure", { silent: true });
    expect(await read(created.id)).toMatchObject({
      status: "declined",
      last_error_code: "PAYMENT_DECLINED",
    });
    emulators.collectors.fedapay.settle(String(created.id), "cancel", { silent: true });
    expect((await read(created.id)).status).toBe("canceled");
    const late = await open();
    emulators.clock.advance(DAY_MS - 1_000);
    emulators.collectors.fedapay.settle(String(created.id), "success", { silent: true });
    emulators.clock.advance(1_000);
    expect((await read(late.id)).status).toBe("expired");
    expect((await page(late.payment_token, { action: "success" })).status).toBe(422);
    emulators.clock.advance(72 * HOUR_MS);
    expect(await read(created.id)).toMatchObject({ status: "transferred" });
  });

  test("is asked for in whole francs, by a reference used once, and by the right key", async () => {
    const reference = "taken";
    await open({ merchant_reference: reference });
    const complaints = async (change: object) => {
      const { status, body } = await call("POST", "/transactions", { ...ORDER, ...change });
      return [status, ...Object.keys((body.errors ?? {}) as object)];
    };
    expect(await complaints({ merchant_reference: reference })).toEqual([
      422,
      "merchant_reference",
    ]);
    expect(await complaints({ amount: 50.5 })).toEqual([422, "amount"]);
    expect(await complaints({ amount: 0, currency: { iso: "EUR" } })).toEqual([
      422,
      "amount",
      "currency",
    ]);
    expect(await complaints({ description: "" })).toEqual([422, "description"]);
    expect(await complaints({ callback_url: "nowhere" })).toEqual([422, "callback_url"]);
    const stranger = byKey("sk_sandbox_other");
    expect((await stranger("POST", "/transactions", ORDER)).status).toBe(401);
    const found = await call("GET", `/transactions/merchant/${reference}`);
    expect(one(found.body).merchant_reference).toBe(reference);
  });

  test("is told, signed at that instant, with all that belongs to it", async () => {
    const created = await open();
    emulators.collectors.fedapay.settle(String(created.id), "success");
    await receiver.until(1);
    const { body, headers } = lastReceived(receiver);
    const event = JSON.parse(body) as { name: string; object: string; entity: Entity };
    expect([event.name, event.object]).toEqual(["transaction.approved", "transaction"]);
    expect(event.entity).toMatchObject({
      currency: { iso: "XOF" },
      custom_metadata: { order_id: "1" },
    });
    expect(body).toContain("Club \\u003cVIP\\u003e");
    expect(headers["x-fedapay-signature"]).toBe(
      signatureHeader(body, FEDAPAY.webhookSecret, emulators.clock.now()),
    );
  });

  test("taken back by a bank, and given up, is told each time, in words of its own", async () => {
    const { fedapay } = emulators.collectors;
    const { id } = await open();
    fedapay.settle(String(id), "success", { silent: true });
    const tell = async (status: string | null) => {
      emulators.clock.advance(1_000);
      const count = receiver.received.length;
      const view = fedapay.alter(String(id), { status }, { announced: true });
      await receiver.until(count + 1);
      const { body } = lastReceived(receiver);
      const { name, entity } = JSON.parse(body) as { name: string; entity: Entity };
      expect(entity).toMatchObject({ id, status: (await read(id)).status });
      return [name, entity.status, view.status];
    };
    expect(await tell("refunded")).toEqual(["transaction.updated", "refunded", "refunded"]);
    expect(await tell(null)).toEqual(["transaction.updated", "approved", "paid"]);
    expect(await tell("refunded")).toEqual(["transaction.updated", "refunded", "refunded"]);
    const bodies = receiver.received.map(({ body }) => body);
    expect(new Set(bodies).size).toBe(3);
  });

  test("tells a seller's own account at its own address, by its own secret", async () => {
    const seller = emulators.merchants.fedapay.open();
    const own = byKey(seller.keys.secretKey);
    const { body } = await own("POST", "/transactions", { ...ORDER, merchant_reference: "own" });
    emulators.collectors.fedapay.settle("own", "failure");
    expect(receiver.received).toEqual([]);
    emulators.merchants.fedapay.pointNotices(seller.id, `${receiver.url}/webhooks/fedapay/7`);
    emulators.collectors.fedapay.settle("own", "success");
    await receiver.until(1);
    const { body: told, headers } = lastReceived(receiver);
    expect(told).toContain(`"id":${one(body).id}`);
    const expected = signatureHeader(told, seller.keys.webhookSecret, emulators.clock.now());
    expect(headers["x-fedapay-signature"]).toBe(expected);
  });

  test("is opened by the widget, by its id and the public key of its account", async () => {
    const widget = async (options: Record<string, string>) => {
      const query = new URLSearchParams({ key: FEDAPAY.publicKey, ...options });
      const answer = await fetch(`${emulators.apiRoot}/emulators/fedapay/widget?${query}`);
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const created = await open();
    const known = await widget({ id: String(created.id) });
    expect(known.body).toMatchObject({
      id: created.payment_token,
      told: { id: created.id, status: "pending" },
    });
    expect((await widget({ id: "1" })).status).toBe(422);
    expect((await widget({ key: "pk_sandbox_other", id: String(created.id) })).status).toBe(422);
  });
});
