import { type Fcfa, fcfa } from "@sesame/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isSameAmount,
  translateInvoice,
  translateMade as cryptopayMade,
  translateWebhook as cryptopayWebhook,
  paymentStatusOf as cryptopayPayment,
} from "./cryptopay/index.ts";
import {
  payoutStatusOf as fedapayPayout,
  translateWebhook as fedapayPayoutWebhook,
  translatePayout as fedapayPayoutOf,
  translatePayouts,
  translateRefusal as fedapayPayoutRefusal,
} from "./fedapay/index.ts";
import {
  translateMade as fedapayMade,
  translateWebhook as fedapayWebhook,
  translateRefusal as fedapayRefusal,
  translateToken,
  translateTransaction,
  paymentStatusOf as fedapayPayment,
} from "./fedapay/payments.ts";
import {
  saysNo,
  saysUnknown,
  translateRefusal as kkiapayRefusal,
  translateStatus,
  paymentStatusOf as kkiapayPayment,
} from "./kkiapay/index.ts";
import {
  payoutStatusOf as monerooPayout,
  translateInitialized,
  translatePayment,
  translatePayout as monerooPayoutOf,
  paymentStatusOf as monerooPayment,
} from "./moneroo/index.ts";
import {
  payoutStatusOf as paydunyaPayout,
  translateDisburseRefusal,
  translateInvoice as paydunyaInvoice,
  translateStatus as paydunyaStatus,
  translateSubmitted,
} from "./paydunya/index.ts";
import {
  translateInvoicePayment,
  translateMade as paydunyaMade,
  translateRefusal as paydunyaRefusal,
  paymentStatusOf as paydunyaPayment,
} from "./paydunya/payments.ts";
import type { ProviderPayoutStatus, ProviderPaymentStatus } from "./port.ts";
import { paymentName } from "./provider.test-host.ts";
import { translatePage } from "./stars/index.ts";

const INVOICE = { token: "t", byKey: "live" } as const;
const MONEROO = { id: "py_1", status: "success" };
const PAYDUNYA = { response_code: "00", status: "completed" };

const PAID_IN_EUROS = {
  ...paymentName("1"),
  quote: { currency: "EUR", amount: "7.63", rate: "655.957" },
};

/** How each adapter reads our reference, with the given content in its place. */
const READERS: Readonly<Record<string, (written: unknown) => string | null | undefined>> = {
  moneroo: (order_id) =>
    translatePayment({ data: { ...MONEROO, metadata: { order_id } } })?.reference,
  "fedapay by its merchant reference": (merchant_reference) =>
    translateTransaction({ id: 1, status: "approved", merchant_reference }, "live")?.reference,
  "fedapay by its metadata": (reference) =>
    translateTransaction({ id: 1, status: "approved", custom_metadata: { reference } }, "live")
      ?.reference,
  kkiapay: (state) =>
    translateStatus({ status: "SUCCESS", transactionId: "t1", state }, "t1")?.reference,
  paydunya: (order_id) =>
    translateInvoicePayment({ ...PAYDUNYA, invoice: {}, custom_data: { order_id } }, INVOICE)
      ?.reference,
  cryptopay: (payload) => {
    const answer = { ok: true, result: { items: [{ invoice_id: 1, status: "paid", payload }] } };
    const said = translateInvoice(answer, paymentName("1"), "live");
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
  ])("is absent when it is %s", (_what, written) => {
    expect(read(written) ?? null).toBeNull();
  });
});

/** How the adapters of payments in francs read an amount, with the given content in its place. */
const AMOUNTS: Readonly<Record<string, (amount: unknown) => Fcfa | null | undefined>> = {
  "moneroo's payments": (amount) => translatePayment({ data: { ...MONEROO, amount } })?.amount,
  "fedapay's payments": (amount) =>
    translateTransaction({ id: 1, status: "approved", amount }, "live")?.amount,
  kkiapay: (amount) => translateStatus({ status: "SUCCESS", amount }, "a")?.amount,
  "paydunya's payments": (total_amount) =>
    translateInvoicePayment({ ...PAYDUNYA, invoice: { total_amount } }, INVOICE)?.amount,
  "paydunya's payouts": (amount) => paydunyaStatus({ ...PAYDUNYA, amount }, "live")?.amount,
};

test.each(Object.entries(AMOUNTS))("an amount of %s is whole francs or none", (_name, read) => {
  for (const amount of [5000, "5000", "5000.00"]) expect(read(amount)).toBe(fcfa(5000));
  const texts = ["5000.5", "5 000", "5000,00", "abc"];
  const numbers = [5000.5, 5000.4, -1, -5000, Number.NaN, 1e300];
  const none = [...texts, ...numbers, null, undefined, {}];
  expect(none.map(read)).toEqual(none.map(() => null));
});

test("Moneroo's empty list of metadata names no order", () => {
  expect(translatePayment({ data: { ...MONEROO, metadata: [] } })?.reference).toBeNull();
});

/** Each provider's statuses; an unknown status decides nothing. */
type Words<Status> = readonly (readonly [
  provider: string,
  (word: string) => Status,
  Record<string, Status>,
])[];

const PAYMENT_WORDS: Words<ProviderPaymentStatus> = [
  ["moneroo", monerooPayment, { success: "paid", failed: "refused", cancelled: "refused" }],
  [
    "fedapay",
    fedapayPayment,
    {
      approved: "paid",
      transferred: "paid",
      declined: "refused",
      canceled: "refused",
      expired: "refused",
      refunded: "refunded",
    },
  ],
  ["kkiapay", kkiapayPayment, { SUCCESS: "paid", FAILED: "refused", REVERTED: "refunded" }],
  [
    "paydunya",
    paydunyaPayment,
    {
      completed: "paid",
      cancelled: "refused",
      failed: "refused",
      expired: "refused",
      refunded: "refunded",
    },
  ],
  ["cryptopay", cryptopayPayment, { paid: "paid", expired: "refused" }],
];

const PAYOUT_WORDS: Words<ProviderPayoutStatus> = [
  ["moneroo", monerooPayout, { success: "succeeded", failed: "failed" }],
  ["fedapay", fedapayPayout, { sent: "succeeded", failed: "failed", pending: "not-started" }],
  ["paydunya", paydunyaPayout, { success: "succeeded", failed: "failed", created: "not-started" }],
];

/** Statuses of other providers, other spellings, properties of every object. */
const OTHERS =
  "initiated pending active started processing queued succeeded processed success SUCCESS sent SENT approved APPROVED completed COMPLETED paid PAID transferred created cancelled mp_test 00 constructor toString".split(
    " ",
  );

const ALL_WORDS = [
  ...PAYMENT_WORDS.map((row) => [...row, "pending"] as const),
  ...PAYOUT_WORDS.map((row) => [...row, "sent"] as const),
];

describe.each(ALL_WORDS)("a status of %s", (_name, read, words, unknown) => {
  test.each(Object.entries(words))("%s is %s", (word, status) => {
    expect(read(word)).toBe(status);
  });

  test("that is unknown is neither paid, refused nor done", () => {
    const others = [...OTHERS, ""].filter((word) => !Object.hasOwn(words, word));
    expect(others.map(read)).toEqual(others.map(() => unknown));
    fc.assert(
      fc.property(fc.string(), (word) => {
        if (!Object.hasOwn(words, word) && !/partial|refund|rever|charge/i.test(word)) {
          expect(read(word)).toBe(unknown);
        }
      }),
    );
  });
});

test.each(PAYMENT_WORDS)("%s: partly given back is never paid whole", (_name, paymentStatusOf) => {
  for (const status of [
    "approved_partially_refunded",
    "transferred_partially_refunded",
    "partially_refunded",
    "PARTIALLY_REVERTED",
    "partial_refund",
    "completed_partially_refunded",
  ]) {
    expect(paymentStatusOf(status)).toBe("partly-refunded");
  }
  for (const status of ["partial", "partially_paid"])
    expect(paymentStatusOf(status)).toBe("pending");
});

test.each(PAYMENT_WORDS)("%s: what went back is refunded in any word", (_name, paymentStatusOf) => {
  const words = ["refunded", "REFUNDED", "reversed", "reverted", "chargeback", "charged_back"];
  expect(words.map(paymentStatusOf)).toEqual(words.map(() => "refunded"));
});

/** Every reader of providers' answers; the given value is put anywhere in the answer. */
const READS: Record<string, (value: unknown, text: Buffer) => unknown> = {
  moneroo: (value) => [
    translatePayment(value),
    monerooPayoutOf(value),
    translateInitialized(value),
  ],
  "fedapay's payments": (value, text) => [
    translateTransaction(value, "live"),
    translateTransaction({ "v1/transaction": value }, "live"),
    fedapayMade(value),
    translateToken(value),
    fedapayRefusal(422, value),
    fedapayWebhook(text),
    fedapayWebhook(Buffer.from(JSON.stringify({ name: "transaction.x", entity: value }))),
  ],
  "fedapay's payouts": (value, text) => [
    fedapayPayoutOf(value, "live"),
    translatePayouts(value, "live"),
    fedapayPayoutRefusal(422, value),
    fedapayPayoutWebhook(text),
  ],
  "paydunya's payments": (value) => [
    translateInvoicePayment(value, INVOICE),
    translateInvoicePayment({ ...PAYDUNYA, invoice: value }, INVOICE),
    paydunyaMade(value),
    paydunyaRefusal(200, value),
    paydunyaRefusal(200, { response_code: value }),
  ],
  "paydunya's payouts": (value) => [
    paydunyaStatus(value, "live"),
    translateSubmitted(value, "live"),
    paydunyaInvoice(value),
    translateDisburseRefusal(200, value),
  ],
  kkiapay: (value) => [
    translateStatus(value, "a"),
    translateStatus({ status: "SUCCESS", state: value, amount: value }, "a"),
    translateStatus({ status: "SUCCESS", state: JSON.stringify(value) }, "a"),
    saysUnknown(value),
    saysNo(value),
    kkiapayRefusal(value),
  ],
  cryptopay: (value) => [
    cryptopayMade({ ok: true, result: value }),
    translateInvoice({ ok: true, result: value }, PAID_IN_EUROS, "live"),
    translateInvoice({ ok: true, result: { items: [value] } }, PAID_IN_EUROS, "live"),
    cryptopayWebhook(
      Buffer.from(
        JSON.stringify({ update_type: "invoice_paid", request_date: value, payload: value }),
      ),
      new Date(0),
    ),
    isSameAmount(value, "7.63"),
  ],
  stars: (value) => [
    translatePage(value),
    translatePage({ transactions: [value, { id: "a", source: value, receiver: value }] }),
  ],
};

test.each(Object.entries(READS))("no answer of %s makes the reading throw", (_name, read) => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      read(value, Buffer.from(JSON.stringify(value)));
    }),
  );
});
