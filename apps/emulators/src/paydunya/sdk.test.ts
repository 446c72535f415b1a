import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PAYDUNYA, testEmulators, type TestEmulators } from "../testing/test-emulators.ts";

/** PayDunya's own client, from npm. Its hosts are hard-coded: the test's setup replaces them. */
type Sdk = {
  Setup: new (keys: object) => { baseURL: string };
  Store: new (store: object) => object;
  CheckoutInvoice: new (setup: object, store: object) => SdkInvoice;
};
type SdkInvoice = {
  totalAmount: number | string;
  description: string;
  token: string;
  url: string;
  status: string;
  customData: Record<string, unknown>;
  customer?: Record<string, unknown>;
  receiptURL?: string;
  addItem(name: string, quantity: number, unitPrice: number, totalPrice: number): void;
  addCustomData(title: string, value: string): void;
  create(): Promise<void>;
  confirm(token?: string): Promise<void>;
};

const sdk = createRequire(import.meta.url)("paydunya") as Sdk;

let emulators: TestEmulators;
beforeAll(async () => {
  emulators = await testEmulators();
});
afterAll(() => emulators.close());

function invoice(keys: Partial<typeof PAYDUNYA> = {}, path = "/api/v1"): SdkInvoice {
  const setup = new sdk.Setup({ ...PAYDUNYA, ...keys, mode: "live" });
  setup.baseURL = emulators.apiRoot + path;
  const urls = {
    returnURL: "https://sesame.test/retour/1",
    callbackURL: "https://sesame.test/ipn",
  };
  return new sdk.CheckoutInvoice(setup, new sdk.Store({ name: "Sésame", ...urls }));
}

async function created(reference: string): Promise<SdkInvoice> {
  const made = invoice();
  made.totalAmount = 5000;
  made.description = "Club VIP";
  made.addItem("Accès", 1, 5000, 5000);
  made.addCustomData("order_id", reference);
  await made.create();
  return made;
}

describe("PayDunya's own client", () => {
  test("makes an invoice and is sent to its page", async () => {
    const made = await created("sdk-1");
    expect(made.url).toBe(`${emulators.url}/paydunya/checkout/${made.token}`);
    expect([made.status, made.totalAmount]).toEqual(["pending", "5000"]);
  });

  test.each([
    ["success", "completed"],
    ["failure", "failed"],
    ["cancel", "cancelled"],
    ["pending", "pending"],
  ] as const)("reads the customer's %s as %s", async (outcome, status) => {
    const made = await created(`sdk-${outcome}`);
    emulators.collectors.paydunya.settle(made.token, outcome, { silent: true });
    await made.confirm();
    expect(made.status).toBe(status);
    expect(made.receiptURL === undefined).toBe(status !== "completed");
    if (status === "completed") expect(made.customData).toEqual({ order_id: `sdk-${outcome}` });
  });

  test("receives a code for wrong keys, an unknown token and the other kind's address", async () => {
    const code = (response: string) => ({ data: { response_code: response } });
    await expect(invoice({ token: "other" }).confirm("x")).rejects.toMatchObject(code("1001"));
    await expect(invoice().confirm("x")).rejects.toMatchObject(code("4004"));
    const live = invoice({}, "/sandbox-api/v1");
    await expect(live.confirm("x")).rejects.toMatchObject(code("1001"));
  });
});
