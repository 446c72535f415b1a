import { expect, test } from "vitest";
import { ask } from "../testing/callers.ts";
import { emulatorsEach, CRYPTOPAY } from "../testing/test-emulators.ts";
import type {
  CollectorView,
  MerchantView,
  WebhookView,
  ControlCalls,
  PaymentView,
} from "../wire.ts";

const { emulators } = emulatorsEach({}, "file");

/** As the control panel's page does. */
const control = <K extends keyof ControlCalls>(name: K, takes: ControlCalls[K]["takes"]) =>
  ask(emulators, "/emulators/control", { body: { control: name, ...takes } });

const provider = "cryptopay";
async function invoice(payload: string): Promise<number> {
  const query = new URLSearchParams({ currency_type: "fiat", fiat: "EUR", amount: "1", payload });
  const headers = { "crypto-pay-api-token": CRYPTOPAY.token };
  return (await ask(emulators, `/api/createInvoice?${query}`, { headers })).status;
}
const collector = () =>
  emulators.state().collectors.find(({ name }) => name === provider) as CollectorView;

test("the panel sets a fault, shows it, and removes all faults", async () => {
  const set = await control("setPaymentFault", { provider, call: "create", kind: "down" });
  expect(set.body).toMatchObject({ faults: [{ call: "create", kind: "down", times: null }] });
  await control("setPaymentWebhooks", { provider, forgeSignature: true, copies: 3 });
  expect(collector().webhooks).toMatchObject({ forgeSignature: true, copies: 3, drop: false });
  expect(await invoice("down")).toBe(503);
  emulators.panel.clearFaults({});
  expect(collector()).toMatchObject({ faults: [], webhooks: { forgeSignature: false, copies: 1 } });
  expect(await invoice("up")).toBe(200);
});

test("the panel pays as a customer, alters answers, and repeats webhooks", async () => {
  await invoice("paid");
  const settled = await control("settleCollected", {
    provider,
    paymentId: "paid",
    outcome: "success",
  });
  const { id, status } = settled.body as unknown as PaymentView;
  expect([settled.status, status]).toEqual([200, "paid"]);
  expect(collector().payments[0]).toMatchObject({ id, status: "paid" });
  const [first] = collector().sentWebhooks;
  const webhookId = first?.id ?? 0;
  const again = await control("repeatPaymentWebhook", { provider, webhookId });
  expect((again.body as unknown as WebhookView).paymentId).toBe(id);
  const twice = { provider, paymentId: "paid", outcome: "success" } as const;
  expect((await control("settleCollected", twice)).status).toBe(422);
  expect((await control("alterCollected", { provider, paymentId: id, amount: "2" })).status).toBe(
    200,
  );
});

test("the panel opens accounts for sellers, each with keys of its own", async () => {
  for (const each of ["moneroo", "fedapay", "kkiapay", "paydunya", "cryptopay"] as const) {
    const { body } = await control("openMerchant", { provider: each });
    const { id, keys } = body as unknown as MerchantView;
    expect(Object.values(keys).every((key) => /^[\x21-\x7e]{8,300}$/.test(key))).toBe(true);
    const webhookUrl = `http://127.0.0.1:9/webhooks/${each}/7`;
    const pointed = await control("pointMerchant", { provider: each, merchantId: id, webhookUrl });
    expect(pointed.body).toMatchObject({ provider: each, id, webhookUrl });
  }
  expect(emulators.state().merchants).toHaveLength(5);
  const wrong = { provider, merchantId: "seller-1", webhookUrl: "nowhere" } as const;
  expect((await control("pointMerchant", wrong)).status).toBe(422);
});

test("nothing is done for an unknown provider or an unknown payment", async () => {
  const none = "constructor" as typeof provider;
  const asked = { paymentId: "nobody", outcome: "success" } as const;
  expect((await control("settleCollected", { provider: none, ...asked })).status).toBe(422);
  expect((await control("settleCollected", { provider, ...asked })).status).toBe(422);
  expect((await control("openMerchant", { provider: none })).status).toBe(422);
  expect((await control("repeatPaymentWebhook", { provider, webhookId: 999 })).status).toBe(422);
});
