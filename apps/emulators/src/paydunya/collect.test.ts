import { parse } from "node:querystring";
import { DAY_MS } from "@sesame/kernel";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { lastReceived, type Receiver, startReceiver } from "../testing/receiver.ts";
import { PAYDUNYA, testEmulators, type TestEmulators } from "../testing/test-emulators.ts";
import type { CheckoutView } from "../wire.ts";

/** SHA-512 of the master key, as the reference's vector gives it (§13). */
const HASH =
  "1f242d13fca84cf537ff47cd47971de7ad6d4dd244340c5d53815cef06464f0a" +
  "111ec5dfc692ec7eb68d4265f55af149a3776969c3a1faba695b6b1c36358ede";

let emulators: TestEmulators;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  // People reach the app elsewhere: a notice to that address takes the near way.
  emulators = await testEmulators({ appUrl: receiver.url, publicUrl: "https://sesame.test" });
});
beforeEach(() => {
  receiver.received.length = 0;
});
afterAll(async () => {
  await emulators.close();
  await receiver.close();
});

async function ask(path: string, body?: object, keys: object = {}) {
  const { masterKey, privateKey, token } = { ...PAYDUNYA, ...keys };
  const answer = await fetch(emulators.apiRoot + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      "paydunya-master-key": masterKey,
      "paydunya-private-key": privateKey,
      "paydunya-token": token,
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const ORDER = {
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
const create = async (change: object = {}) => {
  const { body } = await ask("/api/v1/checkout-invoice/create", { ...ORDER, ...change });
  return String(body.token);
};
const confirm = async (token: string) =>
  (await ask(`/api/v1/checkout-invoice/confirm/${token}`)).body;

describe("a payment by PayDunya", () => {
  test("is made, paid on its page, and confirmed with who paid", async () => {
    const { status, body } = await ask("/api/v1/checkout-invoice/create", ORDER);
    const token = String(body.token);
    expect([status, body.response_code]).toEqual([200, "00"]);
    expect(body.response_text).toBe(`${emulators.url}/paydunya/checkout/${token}`);
    expect(await confirm(token)).toMatchObject({
      response_code: "00",
      hash: HASH,
      status: "pending",
      mode: "live",
      invoice: { token, total_amount: "5000" },
      custom_data: { order_id: "1" },
    });
    expect(await confirm(token)).not.toHaveProperty("receipt_url");
    const path = `${emulators.apiRoot}/emulators/pay/paydunya/${token}`;
    const answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ action: "success", method: "wave-ci" }),
    });
    const view = (await answer.json()) as CheckoutView;
    expect(view.returnUrl).toBe(`https://sesame.test/retour/1?token=${token}`);
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
    const { status, body } = await ask(path, { ...ORDER, ...change });
    expect([status, body.response_code]).toEqual([200, "4002"]);
    expect(body.response_text).toContain(why);
  });

  test("is of its keys' kind: keys of one are unknown at the other's address", async () => {
    const codeOf = async (path: string, keys: object) =>
      (await ask(`${path}/checkout-invoice/create`, ORDER, keys)).body.response_code;
    expect(await codeOf("/sandbox-api/v1", {})).toBe("1001");
    expect(await codeOf("/api/v1", { privateKey: "live_private_other" })).toBe("1001");
  });

  test("is told by a form with one field of JSON, with the constant hash", async () => {
    emulators.collectors.paydunya.settle(await create(), "failure");
    await receiver.until(1);
    const { body, headers } = lastReceived(receiver);
    expect(headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(JSON.parse(String(parse(body).data))).toMatchObject({ status: "failed" });
    expect(body).toContain(HASH);
  });

  test("is told with another's hash when the emulators are made to forge", async () => {
    emulators.collectors.paydunya.notices.forgeSignature = true;
    emulators.collectors.paydunya.settle(await create(), "success");
    emulators.collectors.paydunya.notices.forgeSignature = false;
    await receiver.until(1);
    expect(receiver.received[0]?.body).not.toContain(HASH);
  });

  test("says by its mode, its amount and its words what it is made to say", async () => {
    const token = await create();
    emulators.collectors.paydunya.alter(token, { environment: "sandbox", amount: 4999 });
    expect(await confirm(token)).toMatchObject({
      mode: "test",
      invoice: { total_amount: "4999" },
    });
  });

  test("goes back by the other address when cancelled, and expires after a day", async () => {
    const cancelled = await create();
    emulators.collectors.paydunya.settle(cancelled, "cancel", { silent: true });
    const { returnUrl } = emulators.paydunya.collect.page(cancelled) ?? {};
    expect(returnUrl).toBe(`https://sesame.test/retour/1?annule=1&token=${cancelled}`);
    const waiting = await create();
    emulators.clock.advance(DAY_MS);
    expect(await confirm(waiting)).toMatchObject({ status: "expired" });
    expect(() => emulators.collectors.paydunya.settle(waiting, "success")).toThrow("expired");
  });
});
