import { describe, expect, test } from "vitest";
import { ask } from "../testing/callers.ts";
import { lastReceived } from "../testing/receiver.ts";
import { emulatorsEach, CRYPTOPAY } from "../testing/test-emulators.ts";
import type { CheckoutView } from "../wire.ts";
import { cryptoSignature } from "./cryptopay.ts";

const { emulators, receiver } = emulatorsEach();

type Invoice = Record<string, unknown> & { invoice_id: number; status: string };
type CryptoAnswer = { ok: boolean; result?: unknown; error?: { code: number; name: string } };

const headers = { "crypto-pay-api-token": CRYPTOPAY.token };
const post = async (method: string, body: object) => {
  const answer = await ask(emulators, `/api/${method}`, { headers, body });
  return { status: answer.status, body: answer.body as unknown as CryptoAnswer };
};
const EUROS = { currency_type: "fiat", fiat: "EUR", amount: "7.62", payload: "order-1" };
const create = async (change: object = {}) =>
  (await post("createInvoice", { ...EUROS, ...change })).body.result as Invoice;
const read = async (id: number) => {
  const { body } = await ask(emulators, `/api/getInvoices?invoice_ids=${id}`, { headers });
  return (body.result as { items: Invoice[] }).items[0];
};

describe("an invoice of Crypto Pay", () => {
  test("is priced in euros and paid in the chosen coin, and only then its webhook is sent", async () => {
    const made = await create({ paid_btn_name: "viewItem", paid_btn_url: "https://sesame.test/r" });
    expect(made).toMatchObject({
      status: "active",
      fiat: "EUR",
      amount: "7.62",
      payload: "order-1",
    });
    expect(made).not.toHaveProperty("paid_asset");
    const path = `/emulators/pay/cryptopay/${String(made.hash)}`;
    const act = (body?: object) => ask(emulators, path, { body });
    const shown = (await act()).body as unknown as CheckoutView;
    expect(shown.methods.map(({ code, price }) => [code, price])).toContainEqual([
      "TON",
      "2.57175 TON",
    ]);
    expect([shown.amount, shown.currency, shown.returnUrl]).toEqual([7.62, "EUR", null]);
    await act({ action: "pending" });
    expect((await read(made.invoice_id))?.status).toBe("active");
    expect(receiver.received).toEqual([]);
    const { body: done } = await act({ action: "success", method: "TON" });
    expect([done.status, done.returnUrl]).toEqual(["success", "https://sesame.test/r"]);
    expect(await read(made.invoice_id)).toMatchObject({
      status: "paid",
      paid_asset: "TON",
      paid_amount: "2.57175",
      paid_fiat_rate: "2.96296296",
      fee_asset: "TON",
    });
    expect((await act({ action: "success", method: "TON" })).status).toBe(422);
    await receiver.until(1);
    const { body, headers: sent } = lastReceived(receiver);
    expect(sent["crypto-pay-api-signature"]).toBe(cryptoSignature(body, CRYPTOPAY.token));
    expect(JSON.parse(body)).toMatchObject({
      update_type: "invoice_paid",
      request_date: emulators.clock.now().toISOString(),
      payload: { invoice_id: made.invoice_id, status: "paid" },
    });
  });

  test("expires by the clock, silently, and cannot be paid then", async () => {
    const made = await create({ expires_in: 3600, payload: "order-2" });
    emulators.clock.advance(3_600_000);
    expect((await read(made.invoice_id))?.status).toBe("expired");
    expect(() => emulators.collectors.cryptopay.settle("order-2", "success")).toThrow("expired");
    expect(receiver.received).toEqual([]);
  });

  test("is requested by JSON or a form, with the method in upper or lower case", async () => {
    const form = await fetch(`${emulators.apiRoot}/api/CREATEINVOICE`, {
      method: "POST",
      headers,
      body: new URLSearchParams(EUROS),
    });
    expect(await form.json()).toMatchObject({ ok: true, result: { amount: "7.62" } });
  });

  test.each([
    [{ fiat: "XOF" }, "FIAT_UNSUPPORTED"],
    [{ fiat: undefined }, "FIAT_REQUIRED"],
    [{ currency_type: "crypto" }, "CURRENCY_TYPE_INVALID"],
    [{ amount: "-1" }, "AMOUNT_INVALID"],
    [{ amount: "0" }, "AMOUNT_TOO_SMALL"],
    [{ amount: undefined }, "AMOUNT_REQUIRED"],
    [{ expires_in: 0 }, "EXPIRES_IN_INVALID"],
    [{ description: "x".repeat(1025) }, "DESCRIPTION_TOO_LONG"],
    [{ payload: "é".repeat(2049) }, "PAYLOAD_TOO_LONG"],
    [{ paid_btn_name: "viewItem" }, "PAID_BTN_URL_REQUIRED"],
    [{ paid_btn_name: "go", paid_btn_url: "https://x.test" }, "PAID_BTN_NAME_INVALID"],
  ])("with %j is refused by name", async (change, name) => {
    const { status, body } = await post("createInvoice", { ...EUROS, ...change });
    expect([status, body]).toEqual([400, { ok: false, error: { code: 400, name } }]);
  });

  test("is listed newest first, by its state, and taken back unless paid", async () => {
    const [first, second] = [await create({ payload: "a" }), await create({ payload: "b" })];
    emulators.collectors.cryptopay.settle("a", "success", { silent: true });
    const { body } = await post("getInvoices", { status: "active", count: 1 });
    expect(body.result).toMatchObject({ items: [{ invoice_id: second.invoice_id }] });
    const back = (id: number) => post("deleteInvoice", { invoice_id: id });
    expect((await back(second.invoice_id)).body).toEqual({ ok: true, result: true });
    expect((await back(first.invoice_id)).body.error?.name).toBe("INVOICE_ALREADY_PAID");
    expect((await post("getNothing", {})).body.error?.name).toBe("METHOD_NOT_FOUND");
  });
});
