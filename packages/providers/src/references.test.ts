import { fcfa } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { translateInvoice, verdictOf as cryptopayVerdict } from "./cryptopay/index.ts";
import { translateTransaction, verdictOf as fedapayVerdict } from "./fedapay/payments.ts";
import { translateStatus, verdictOf as kkiapayVerdict } from "./kkiapay/index.ts";
import { translatePayment, verdictOf as monerooVerdict } from "./moneroo/index.ts";
import { translateInvoicePayment, verdictOf as paydunyaVerdict } from "./paydunya/payments.ts";
import { translatePage } from "./stars/index.ts";

/** How each adapter reads our reference, given what stands in the answer in its place. */
const READERS: Readonly<Record<string, (written: unknown) => string | null | undefined>> = {
  moneroo: (order_id) =>
    translatePayment({ data: { id: "py_1", status: "success", metadata: { order_id } } })
      ?.reference,
  "fedapay by its merchant reference": (merchant_reference) =>
    translateTransaction({ id: 1, status: "approved", merchant_reference }, "live")?.reference,
  "fedapay by its metadata": (reference) =>
    translateTransaction({ id: 1, status: "approved", custom_metadata: { reference } }, "live")
      ?.reference,
  kkiapay: (state) =>
    translateStatus({ status: "SUCCESS", transactionId: "t1", state }, "t1")?.reference,
  paydunya: (order_id) =>
    translateInvoicePayment(
      { response_code: "00", status: "completed", invoice: {}, custom_data: { order_id } },
      { token: "t", byKey: "live" },
    )?.reference,
  cryptopay: (payload) => {
    const answer = { ok: true, result: { items: [{ invoice_id: 1, status: "paid", payload }] } };
    const name = { providerPaymentId: "1", reference: "77", amount: fcfa(1), quote: null };
    const said = translateInvoice(answer, { ...name, heard: [] }, "live");
    return typeof said === "object" ? said?.reference : undefined;
  },
  stars: (invoice_payload) => {
    const source = { type: "user", user: { id: 7 }, invoice_payload };
    const charge = { id: "c1", amount: 1, date: 1_700_000_000, source };
    return translatePage({ transactions: [charge] })?.charges[0]?.reference;
  },
};

describe.each(Object.entries(READERS))("our reference in an answer of %s", (_name, read) => {
  test.each([
    ["a text", "77", "77"],
    ["a number", 77, "77"],
    ["another order's number", 88, "88"],
  ])("is read from %s", (_what, written, reference) => {
    expect(read(written)).toBe(reference);
  });

  test.each([
    ["absent", undefined],
    ["null", null],
    ["empty", ""],
    ["a list", []],
    ["an object", {}],
    ["a truth", true],
    ["no whole number", 7.5],
  ])("is not given when it is %s", (_what, written) => {
    expect(read(written) ?? null).toBeNull();
  });
});

test("Moneroo's empty list of metadata names no order", () => {
  const answer = { data: { id: "py_1", status: "success", metadata: [] } };
  expect(translatePayment(answer)?.reference).toBeNull();
});

const VERDICTS = {
  moneroo: monerooVerdict,
  fedapay: fedapayVerdict,
  kkiapay: kkiapayVerdict,
  paydunya: paydunyaVerdict,
  cryptopay: cryptopayVerdict,
};

test.each(Object.entries(VERDICTS))(
  "%s: money of which a part went back is never a payment in full",
  (_name, verdictOf) => {
    for (const status of [
      "approved_partially_refunded",
      "transferred_partially_refunded",
      "partially_refunded",
      "PARTIALLY_REVERTED",
      "partial_refund",
      "completed_partially_refunded",
    ]) {
      expect(verdictOf(status)).toBe("partly-refunded");
    }
    for (const status of ["partial", "partially_paid"]) expect(verdictOf(status)).toBe("pending");
  },
);
