import http from "node:http";
import https from "node:https";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { listen } from "../../../../tools/testing/listen.ts";
import { testEmulators, type TestEmulators, CRYPTOPAY } from "../testing/test-emulators.ts";

/** A public client of Crypto Pay, from npm, which the emulator must satisfy. */
type Client = {
  getMe(): Promise<Record<string, unknown>>;
  getStats(): Promise<Record<string, unknown>>;
  getBalance(code: string): Promise<{ available: string; onhold: string }>;
  getCurrency(code: string): Promise<Record<string, unknown> | null>;
  getExchangeRate(source: string, target: string): Promise<number>;
  createInvoice(options: object): Promise<ClientInvoice>;
  getInvoices(options: { ids?: number[] }): Promise<ClientInvoice[]>;
  deleteInvoice(id: number): Promise<boolean>;
  middleware(): http.RequestListener;
  on(event: "paid", listener: (invoice: ClientInvoice) => void): void;
};
type ClientInvoice = Record<string, unknown> & { id: number; status: string };

const CryptoPay = createRequire(import.meta.url)("crypto-bot-api") as new (
  token: string,
  endpoint: string,
) => Client;

let emulators: TestEmulators;
let client: Client;
let listener: Awaited<ReturnType<typeof listen>>;
const paid: ClientInvoice[] = [];

beforeAll(async () => {
  // The client calls by https only: here its requests go by http.
  vi.spyOn(https, "request").mockImplementation(http.request as typeof https.request);
  listener = await listen((request, response) => client.middleware()(request, response));
  emulators = await testEmulators({ appUrl: listener.url });
  client = new CryptoPay(CRYPTOPAY.token, `${emulators.apiRoot}/api`);
  client.on("paid", (invoice) => paid.push(invoice));
});

afterAll(async () => {
  vi.restoreAllMocks();
  await emulators.close();
  await listener.close();
});

const ORDER = {
  currencyType: "fiat",
  fiat: "EUR",
  currency: "EUR",
  amount: "7.62",
  description: "Club VIP",
  payload: "order-1",
};

describe("a public client of Crypto Pay", () => {
  test("makes an invoice in euros and receives a signed webhook when it is paid", async () => {
    const made = await client.createInvoice(ORDER);
    expect(made).toMatchObject({ status: "active", currency: "EUR", amount: "7.62" });
    expect(made.webAppPayUrl).toMatch(/\/cryptopay\/invoice\/IV/);
    emulators.collectors.cryptopay.settle("order-1", "success");
    const [after] = await client.getInvoices({ ids: [made.id] });
    expect(after).toMatchObject({
      status: "paid",
      payload: "order-1",
      paidAsset: "USDT",
      paidFiatRate: 0.92592593,
      paidAmount: 8.2296,
    });
    await eventually(() => expect(paid).toHaveLength(1));
    expect(paid[0]).toMatchObject({ id: made.id, status: "paid" });
    await eventually(() =>
      expect(emulators.collectors.cryptopay.webhookViews().at(-1)?.state).toBe("delivered"),
    );
    expect(Number((await client.getBalance("USDT")).available)).toBeCloseTo(8.2296 * 0.97, 6);
  });

  test("refuses another account's signature", async () => {
    const { webhooks } = emulators.collectors.cryptopay;
    webhooks.forgeSignature = true;
    await client.createInvoice({ ...ORDER, payload: "order-2" });
    emulators.collectors.cryptopay.settle("order-2", "success");
    await eventually(() =>
      expect(emulators.collectors.cryptopay.webhookViews().at(-1)?.lastAnswer).toBe("401"),
    );
    webhooks.forgeSignature = false;
    expect(paid).toHaveLength(1);
  });

  test("reads who it is, what there is and what it costs", async () => {
    expect(await client.getMe()).toMatchObject({ id: 12345, name: "Sésame" });
    expect(await client.getCurrency("TON")).toMatchObject({ type: "blockchain", decimals: 9 });
    expect(await client.getCurrency("XOF")).toBeNull();
    expect(Number(await client.getExchangeRate("TON", "EUR"))).toBeCloseTo(3.2 / 1.08, 6);
    expect(await client.getStats()).toMatchObject({ createdInvoiceCount: 2 });
  });

  test("takes an invoice back, and is refused the franc and a wrong token", async () => {
    const made = await client.createInvoice({ ...ORDER, payload: "order-3" });
    expect(await client.deleteInvoice(made.id)).toBe(true);
    const inFrancs = { ...ORDER, fiat: "XOF", currency: "XOF" };
    await expect(client.createInvoice(inFrancs)).rejects.toThrow("FIAT_UNSUPPORTED");
    const stranger = new CryptoPay(`12345:${"B".repeat(35)}`, `${emulators.apiRoot}/api`);
    await expect(stranger.getMe()).rejects.toThrow("UNAUTHORIZED");
  });
});
