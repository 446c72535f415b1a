import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SECRET_KEY, testEmulators, type TestEmulators } from "../testing/test-emulators.ts";
import { sign } from "./moneroo.ts";

let emulators: TestEmulators;

beforeEach(async () => {
  emulators = await testEmulators();
});

afterEach(() => emulators.close());

const ORDER = {
  amount: 5000,
  currency: "XOF",
  description: "VIP, 30 jours",
  return_url: "https://app.example/commande/7?secret=x",
  customer: { email: "awa@example.com", first_name: "Awa", last_name: "Diop" },
  metadata: { order_id: "7" },
};

type Body = { message: string; data: Record<string, unknown> | null; errors: unknown };

async function ask(path: string, init: RequestInit = {}, key = SECRET_KEY) {
  const answer = await fetch(`${emulators.apiRoot}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  });
  return { status: answer.status, body: (await answer.json()) as Body };
}

const initialize = (order: object = ORDER) =>
  ask("/v1/payments/initialize", { method: "POST", body: JSON.stringify(order) });

async function newPayment(order: object = ORDER): Promise<string> {
  return String((await initialize(order)).body.data?.id);
}

describe("a payment", () => {
  test("is initialized with a page to send the customer to", async () => {
    const { status, body } = await initialize();
    const id = String(body.data?.id);
    expect(status).toBe(201);
    expect(id).toMatch(/^py_[a-z0-9]{12}$/);
    expect(body).toEqual({
      message: "Transaction initialized successfully",
      data: { id, checkout_url: `${emulators.url}/moneroo/checkout/${id}` },
      errors: null,
    });
  });

  test("is refused without the key", async () => {
    const { status, body } = await ask("/v1/payments/py_1/verify", {}, "other");
    expect([status, body.message]).toEqual([401, "Unauthenticated."]);
  });

  test.each([
    [{ ...ORDER, amount: 50.5 }, "amount"],
    [{ ...ORDER, amount: "5000" }, "amount"],
    [{ ...ORDER, currency: "XAF" }, "currency"],
    [{ ...ORDER, description: "" }, "description"],
    [{ ...ORDER, return_url: "nowhere" }, "return_url"],
    [{ ...ORDER, customer: { email: "awa@example.com", first_name: "Awa" } }, "customer.last_name"],
    [{ ...ORDER, customer: { ...ORDER.customer, email: "awa" } }, "customer.email"],
    [{ ...ORDER, metadata: { order_id: 7 } }, "metadata.order_id"],
    [{ ...ORDER, methods: ["orange_xx"] }, "methods.0"],
  ])("is refused when a field is wrong: %#", async (order, field) => {
    const { status, body } = await initialize(order);
    expect(status).toBe(422);
    expect(body.data).toBe(null);
    expect(Object.keys(body.errors as object)).toEqual([field]);
  });

  test("is verified as what it is, step by step", async () => {
    const id = await newPayment();
    const verify = async () => (await ask(`/v1/payments/${id}/verify`)).body.data;
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
    emulators.collectors.moneroo.act(id, {
      action: "pending",
      method: "mtn_bj",
      phone: "+22951345780",
    });
    expect((await verify())?.status).toBe("pending");
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
      attempts: 2,
      returnUrl: `https://app.example/commande/7?secret=x&paymentId=${id}&paymentStatus=success`,
    });
    expect(emulators.collectors.moneroo.act(id, { action: "cancel" })).toBe(null);
  });

  test("is retrieved in the flatter shape, and is known by its own id alone", async () => {
    const id = await newPayment({ ...ORDER, metadata: undefined });
    const { body } = await ask(`/v1/payments/${id}`);
    expect(body).toMatchObject({ success: true, data: { id, currency: "XOF", metadata: [] } });
    expect((await ask("/v1/payments/py_none/verify")).status).toBe(404);
  });

  test("is paid on the hosted page's own calls", async () => {
    const id = await newPayment();
    const path = `${emulators.apiRoot}/emulators/pay/moneroo/${id}`;
    const page = (await (await fetch(path)).json()) as { methods: unknown[]; returnUrl: string };
    expect(page.methods.length).toBeGreaterThan(10);
    expect(page.returnUrl).toBe(ORDER.return_url);
    const pay = () =>
      fetch(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ action: "success", method: "orange_ci", phone: "+2250700000000" }),
      });
    expect(await (await pay()).json()).toMatchObject({ status: "success", method: "orange_ci" });
    expect((await pay()).status).toBe(422);
  });
});

test("notices are signed as in the reference's own vector", () => {
  const body =
    '{"event":"payment.success","data":{"id":"py_test000000001","status":"success",' +
    '"amount":5000,"currency":"XOF"}}';
  const expected = "6ce656b0dc67cb2947bdb249d10aa4747802fdca1fb2ea0e2f431ec29c2754a3";
  expect(sign(body, "test-moneroo-secret")).toBe(expected);
});
