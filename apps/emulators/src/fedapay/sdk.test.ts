import { createRequire } from "node:module";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { lastReceived, type Receiver, startReceiver } from "../testing/receiver.ts";
import { FEDAPAY, testEmulators, type TestEmulators } from "../testing/test-emulators.ts";

/** FedaPay's own client, from npm, which decides what the emulator must answer. */
type Read = Record<string, unknown>;
type Sdk = {
  FedaPay: { setApiKey(key: string): void; setApiBase(base: string): void };
  Transaction: {
    create(params: object): Promise<SdkTransaction>;
    retrieve(id: number): Promise<SdkTransaction>;
    all(params: object): Promise<{ transactions: SdkTransaction[]; meta: Read }>;
  };
  Webhook: {
    constructEvent(payload: string, header: string, secret: string): Read;
  };
};
type SdkTransaction = Read & {
  id: number;
  status: string;
  amount: number;
  wasPaid(): boolean;
  generateToken(): Promise<{ token: string; url: string }>;
  sendNow(mode: string, params: object): Promise<Read>;
  getFees(token: string, mode: string): Promise<Read>;
};

const sdk = createRequire(import.meta.url)("fedapay") as Sdk;

let emulators: TestEmulators;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  // Their check of the signature goes by the machine's own clock.
  emulators = await testEmulators({ appUrl: receiver.url });
  emulators.clock.setOffset(Date.now() - emulators.clock.now().getTime());
  sdk.FedaPay.setApiBase(emulators.apiRoot);
});

afterEach(() => sdk.FedaPay.setApiKey(FEDAPAY.secretKey));

afterAll(async () => {
  await emulators.close();
  await receiver.close();
});

const ORDER = {
  amount: 5000,
  description: "Club VIP",
  currency: { iso: "XOF" },
  callback_url: "https://sesame.test/retour/1",
  customer: { firstname: "Awa", lastname: "Koné", email: "awa@example.com" },
};
const create = (reference: string) => {
  sdk.FedaPay.setApiKey(FEDAPAY.secretKey);
  return sdk.Transaction.create({ ...ORDER, merchant_reference: reference });
};

describe("FedaPay's own client", () => {
  test("makes a payment, finds it again, and follows it to its end", async () => {
    const made = await create("sdk-1");
    expect([made.status, made.amount, made.wasPaid()]).toEqual(["pending", 5000, false]);
    const { token, url } = await made.generateToken();
    expect(url).toBe(`${emulators.url}/fedapay/pay/${token}`);
    const fees = await made.getFees(token, "momo_test");
    expect(fees.amount_debited).toBe(5200);
    emulators.collectors.fedapay.settle("sdk-1", "success");
    const paid = await sdk.Transaction.retrieve(made.id);
    expect([paid.status, paid.wasPaid(), paid.amount_debited]).toEqual(["approved", true, 5200]);
  });

  test("pays on the phone itself, by the numbers of the sandbox", async () => {
    const made = await create("sdk-2");
    const declined = { phone_number: { number: "0166000000", country: "bj" } };
    const approved = { phone_number: { number: "0166000001", country: "bj" } };
    await made.sendNow("momo_test", declined);
    expect((await sdk.Transaction.retrieve(made.id)).status).toBe("declined");
    await made.sendNow("momo_test", approved);
    expect((await sdk.Transaction.retrieve(made.id)).status).toBe("approved");
    await expect(made.sendNow("mtn_open", approved)).rejects.toMatchObject({ httpStatus: 400 });
  });

  test("reads a list, and what is refused", async () => {
    await create("sdk-3");
    const { meta } = await sdk.Transaction.all({ per_page: 1 });
    expect(meta).toMatchObject({ current_page: 1, per_page: 1 });
    await expect(create("sdk-3")).rejects.toMatchObject({
      httpStatus: 422,
      errors: { merchant_reference: [expect.any(String)] },
    });
    sdk.FedaPay.setApiKey("sk_sandbox_nobody");
    await expect(sdk.Transaction.all({})).rejects.toMatchObject({ httpStatus: 401 });
  });

  test("takes the signature of a webhook, and no other's", async () => {
    const before = receiver.received.length;
    await create("sdk-4");
    emulators.collectors.fedapay.settle("sdk-4", "success");
    await receiver.until(before + 1);
    const { body, headers } = lastReceived(receiver);
    const header = String(headers["x-fedapay-signature"]);
    const event = sdk.Webhook.constructEvent(body, header, FEDAPAY.webhookSecret);
    expect(event).toMatchObject({ name: "transaction.approved", entity: { status: "approved" } });
    const read = (payload: string, secret: string) => () =>
      sdk.Webhook.constructEvent(payload, header, secret);
    expect(read(`${body} `, FEDAPAY.webhookSecret)).toThrow();
    expect(read(body, "wh_sandbox_other")).toThrow();
  });
});
