import { createRequire } from "node:module";
import { beforeAll, describe, expect, test } from "vitest";
import { kkiapayCallers } from "../testing/callers.ts";
import { emulatorsEach, KKIAPAY } from "../testing/test-emulators.ts";
import type { Kkiapay } from "./kkiapay.ts";

const { emulators } = emulatorsEach({}, "file");
let kkiapay: Kkiapay;
const { paid, post, ask } = kkiapayCallers(() => emulators);

beforeAll(() => {
  kkiapay = emulators.collectors.kkiapay;
});

describe("the widget", () => {
  const act = (id: unknown, action: string) =>
    post(`/emulators/pay/kkiapay/${String(id)}`, { action, phone: "61000000" });

  test.each([
    ["amount", { amount: 99 }],
    ["amount", { amount: "x" }],
    ["key", { amount: 100, key: "unknown" }],
    ["sandbox", { amount: 100, sandbox: false }],
  ])("does not open with a wrong %s", async (why, config) => {
    const said = await post("/emulators/kkiapay/openings", config);
    expect(said).toEqual({ status: 422, body: { error: why } });
  });

  test("pays the browser's amount, and gives the page the transaction's id", async () => {
    const key = KKIAPAY.publicKey;
    const config = { amount: 700, key, sandbox: true, data: { order: 5 }, partnerId: "o5" };
    const { body: view } = await post("/emulators/kkiapay/openings", config);
    expect(view).toMatchObject({ provider: "kkiapay", amount: 700, status: "initiated" });
    const { body: done } = await act(view.id, "success");
    expect(done).toMatchObject({ status: "success", over: true, reported: { data: { order: 5 } } });
    const { transactionId } = done.reported as { transactionId: string };
    expect((await ask("status", transactionId)).body).toMatchObject({
      amount: 700,
      state: { order: 5 },
      partnerId: "o5",
      client: { phone: "22961000000" },
    });
    expect((await act(view.id, "success")).status).toBe(422);
  });

  test("may be opened with another amount by the browser, or report a payment that was not made", async () => {
    kkiapay.modes.otherAmount = true;
    const { body: cheap } = await post("/emulators/kkiapay/openings", {
      amount: 5_000,
      data: "o6",
    });
    expect(cheap.amount).toBe(100);
    kkiapay.modes.forgedSuccess = true;
    const { body: forged } = await act(cheap.id, "success");
    expect(forged.status).toBe("success");
    const { transactionId } = forged.reported as { transactionId: string };
    expect((await ask("status", transactionId)).status).toBe(404);
    expect(kkiapay.find("o6")?.status).toBe("pending");
  });
});

test("KkiaPay's own script opens the emulators' widget", async () => {
  const script = await (await fetch(`${emulators.apiRoot}/kkiapay/k.js`)).text();
  expect(script).toContain('.origin+"/kkiapay/widget"');
  expect(script).toContain('setAttribute("title","Paiement KkiaPay")');
  expect(script).toContain("window.openKkiapayWidget");
  expect(script).not.toContain("widget-v3");
});

/** KkiaPay's own client from npm, whose hosts are written into it. */
type Sdk = {
  verify(id: string): Promise<Record<string, unknown>>;
  refund(id: string): Promise<Record<string, unknown>>;
};
type Request = { baseURL?: string };
type Axios = { defaults: { adapter: (request: Request) => Promise<unknown> } };

describe("KkiaPay's own client for Node", () => {
  const load = createRequire(import.meta.url);
  const asked: string[] = [];
  let sdk: Sdk;

  beforeAll(() => {
    const path = load.resolve("@kkiapay-org/nodejs-sdk");
    const axios = createRequire(path)("axios") as Axios;
    const { adapter } = axios.defaults;
    axios.defaults.adapter = (request) => {
      asked.push(request.baseURL ?? "");
      return adapter({ ...request, baseURL: emulators.apiRoot });
    };
    const { kkiapay: connect } = load(path) as { kkiapay(keys: object): Sdk };
    const { publicKey: publickey, privateKey: privatekey, secretKey: secretkey } = KKIAPAY;
    sdk = connect({ publickey, privatekey, secretkey, sandbox: true });
    axios.defaults.adapter = adapter;
  });

  test("verifies and gives back a transaction of these emulators", async () => {
    const { reference, id } = paid();
    expect(await sdk.verify(id)).toMatchObject({ status: "SUCCESS", state: reference });
    expect(await sdk.refund(id)).toMatchObject({ transactionId: id });
    expect(await sdk.verify(id)).toMatchObject({ status: "REVERTED" });
    await expect(sdk.refund(id)).rejects.toThrow();
    await expect(sdk.verify("unknown")).rejects.toThrow("Transaction Not Found");
    expect(new Set(asked)).toEqual(new Set(["https://api-sandbox.kkiapay.me"]));
  });
});
