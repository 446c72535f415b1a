import { readFileSync } from "node:fs";
import { fcfa, ok, Outage, refuse } from "@sesame/kernel";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { outageOf, PAYMENT, paymentName } from "../provider.test-host.ts";
import {
  createStars,
  quoteInStars,
  type StarCharge,
  type StarsCall,
  type StarsMethod,
  theirInvoice,
  translatePage,
  type KnownCharge,
  type ReadCharges,
  type StarCharges,
} from "./index.ts";

const RECORDED: { transactions: Record<string, unknown>[] } = JSON.parse(
  readFileSync(new URL("./recorded/transactions.json", import.meta.url), "utf8"),
);

let charges: ReturnType<typeof keepCharges>;
let calls: { method: StarsMethod; params: Readonly<Record<string, unknown>> }[];
let list: object[];
let answers: Partial<Record<StarsMethod, () => Awaited<ReturnType<StarsCall>>>>;

beforeEach(() => {
  charges = keepCharges();
  calls = [];
  list = [];
  answers = { createInvoiceLink: () => ok("https://t.me/$abc"), refundStarPayment: () => ok(true) };
});

const call: StarsCall = async (method, params) => {
  calls.push({ method, params });
  const said = answers[method];
  if (said) return said();
  const { offset, limit } = params as { offset: number; limit: number };
  return ok({ transactions: list.slice(offset, offset + limit) });
};

const stars = (francsPerStar = 8) =>
  createStars({ call, charges, francsPerStar: async () => francsPerStar });

const title = "Accès au groupe des lève-tôt de Cotonou, un mois";
const request = { ...PAYMENT, title, description: `Abonnement : ${title}` };
const QUOTE = { currency: "XTR", amount: "625", rate: "8" };
const name = { ...paymentName("17-2"), quote: QUOTE };

const charge = (change: Partial<StarCharge> = {}): StarCharge => ({
  chargeId: "stxAAA",
  reference: "17-2",
  telegramId: 555n,
  stars: 625,
  chargedAt: new Date(0),
  ...change,
});

/** Updates have reported these charges. */
const know = (...reported: StarCharge[]) =>
  charges.add({ charges: reported, refunds: [], transactionsRead: null });

const incoming = (id: string, reference: string, amount = 625) => ({
  id,
  amount,
  date: 1_793_700_000,
  source: { type: "user", user: { id: 555 }, invoice_payload: reference },
});

describe("making an invoice", () => {
  test("requests a link with one price in Stars; the payment is identified by our reference", async () => {
    const link = { redirectUrl: "https://t.me/$abc", widget: null, quote: QUOTE };
    const made = { ok: true, value: { providerPaymentId: "17-2", ...link } };
    expect(await stars().createPayment(request)).toEqual(made);
    const title = "Accès au groupe des lève-tôt de…";
    expect(calls).toEqual([
      {
        method: "createInvoiceLink",
        params: {
          title,
          description: request.description,
          payload: "17-2",
          provider_token: "",
          currency: "XTR",
          prices: [{ label: title, amount: 625 }],
        },
      },
    ]);
  });

  test("is refused in Telegram's words, and an answer without a link is an outage", async () => {
    const message = "Bad Request: CURRENCY_TOTAL_AMOUNT_INVALID";
    answers.createInvoiceLink = () => refuse({ said: message });
    const refused = { ok: false, refusal: { kind: "request", message } };
    expect(await stars().createPayment(request)).toEqual(refused);
    answers.createInvoiceLink = () => ok(true);
    await outageOf(stars().createPayment(request));
  });

  test("has no price at an invalid rate", async () => {
    for (const rate of [0, -8, 7.5, Number.NaN]) {
      await expect(stars(rate).createPayment(request)).rejects.toThrow("whole francs");
    }
  });
});

describe("a payment", () => {
  test("that an update reported is found without a call of Telegram", async () => {
    await know(charge());
    expect(await stars().fetchPayment(name)).toEqual({
      providerPaymentId: "17-2",
      status: "paid",
      word: "charged",
      amount: fcfa(5000),
      currency: "XOF",
      environment: "live",
      reference: "17-2",
      transactionId: "stxAAA",
    });
    expect(calls).toEqual([]);
  });

  test("that no update reported is found in Telegram's list, and so is its refund", async () => {
    list = RECORDED.transactions.slice(0, 2);
    const paid = { status: "paid", transactionId: "stxAAA-1_k==" };
    expect(await stars().fetchPayment(name)).toMatchObject(paid);
    list = RECORDED.transactions;
    expect(await stars().fetchPayment({ ...name, reference: "17-3" })).toBeNull();
    expect(await stars().fetchPayment(name)).toMatchObject({ status: "refunded" });
    expect(charges.all()).toHaveLength(1);
    expect(await charges.read()).toBe(4);
  });

  test("reported again by an update, under another charge, is looked up in the list", async () => {
    await know(charge());
    list = [incoming("stxAAA", "17-2"), incoming("stxBBB", "17-2")];
    const look = (...reportedTransactionIds: string[]) =>
      stars().fetchPayment({ ...name, reportedTransactionIds });
    expect(await look("stxAAA")).not.toHaveProperty("extraTransactionIds");
    expect(calls).toEqual([]);
    const again = { transactionId: "stxAAA", extraTransactionIds: ["stxBBB"] };
    expect(await look("stxAAA", "stxBBB")).toMatchObject(again);
  });

  test("of another number of Stars was not paid at its price", async () => {
    await know(charge({ stars: 624 }));
    expect(await stars().fetchPayment(name)).toMatchObject({ status: "paid", amount: null });
    expect(await stars().fetchPayment({ ...name, quote: null })).toMatchObject({ amount: null });
  });

  test("made twice by one link reports the other charge", async () => {
    await know(charge({ chargeId: "one" }), charge({ chargeId: "two", telegramId: 556n }));
    const both = { transactionId: "one", extraTransactionIds: ["two"] };
    expect(await stars().fetchPayment(name)).toMatchObject(both);
    await charges.add({ charges: [], refunds: ["two"], transactionsRead: null });
    expect(await stars().fetchPayment(name)).not.toHaveProperty("extraTransactionIds");
    await charges.add({ charges: [], refunds: ["one"], transactionsRead: null });
    expect(await stars().fetchPayment(name)).toMatchObject({ status: "refunded" });
  });
});

describe("Telegram's list", () => {
  test("is read page after page, once, and continues where it ended", async () => {
    list = Array.from({ length: 250 }, (_, at) => incoming(`stx${at}`, `1-${at}`));
    expect(await stars().fetchPayment({ ...name, reference: "1-249" })).not.toBeNull();
    expect(calls.map(({ params }) => params["offset"])).toEqual([0, 99, 198]);
    list.push(incoming("stx-new", "17-2"));
    expect(await stars().fetchPayment(name)).not.toBeNull();
    expect(calls.at(-1)?.params).toEqual({ offset: 249, limit: 100 });
    expect(charges.all()).toHaveLength(251);
  });

  test("without new charges is requested once and nothing is written", async () => {
    list = [incoming("stx1", "1-1")];
    await stars().fetchPayment(name);
    const written = charges.written.length;
    expect(await stars().fetchPayment(name)).toBeNull();
    expect(calls).toHaveLength(2);
    expect(charges.written).toHaveLength(written);
  });

  test("that became shorter is of another bot: it is read from the start", async () => {
    await charges.add({ charges: [], refunds: [], transactionsRead: 500 });
    list = [incoming("stx1", "17-2")];
    expect(await stars().fetchPayment(name)).toMatchObject({ status: "paid" });
    expect(await charges.read()).toBe(1);
  });

  test("is read once for all lookups at the same time", async () => {
    const asking = stars();
    await Promise.all(Array.from({ length: 32 }, () => asking.fetchPayment(name)));
    expect(calls).toHaveLength(1);
  });

  test("that cannot be read leaves the payment unknown", async () => {
    const said = { party: "telegram", retryable: true, retryAfterMs: 7_000 };
    answers.getStarTransactions = () => {
      throw new Outage("telegram asked to wait", said);
    };
    const asking = stars();
    expect((await outageOf(asking.fetchPayment(name))).retryAfterMs).toBe(7_000);
    for (const nonsense of [null, {}, { transactions: {} }, "x"]) {
      answers.getStarTransactions = () => ok(nonsense);
      await outageOf(asking.fetchPayment(name));
    }
    answers.getStarTransactions = () => refuse({ said: "no" });
    await outageOf(asking.fetchPayment(name));
    expect(await asking.verifyKeys()).toBe("refused");
    Reflect.deleteProperty(answers, "getStarTransactions");
    expect(await asking.verifyKeys()).toBe("accepted");
  });
});

describe("refunding Stars", () => {
  const paid = { providerPaymentId: "17-2", transactionId: "stxAAA", amount: fcfa(5000) };
  const refund = { ...paid, telegramId: 777n };

  test("goes to the payer, once", async () => {
    await know(charge());
    expect(await stars().refund?.(refund)).toEqual({ kind: "done" });
    const params = { user_id: 555, telegram_payment_charge_id: "stxAAA" };
    expect(calls).toEqual([{ method: "refundStarPayment", params }]);
    expect(await stars().refund?.(refund)).toEqual({ kind: "done" });
    expect(calls).toHaveLength(1);
    expect(await stars().fetchPayment(name)).toMatchObject({ status: "refunded" });
  });

  test("that Telegram made before is done", async () => {
    await know(charge());
    answers.refundStarPayment = () => refuse({ said: "Bad Request: CHARGE_ALREADY_REFUNDED" });
    expect(await stars().refund?.(refund)).toEqual({ kind: "done" });
  });

  test("is refused in Telegram's words, and uncertain after a lost answer", async () => {
    await know(charge());
    const message = "Bad Request: BALANCE_TOO_LOW";
    answers.refundStarPayment = () => refuse({ said: message });
    expect(await stars().refund?.(refund)).toEqual({ kind: "refused", message });
    answers.refundStarPayment = () => {
      throw new Outage("telegram did not answer", { party: "telegram", retryable: true });
    };
    await outageOf(stars().refund?.(refund) ?? Promise.resolve());
  });

  test("without a known charge goes to the buyer by the given charge, or is refused", async () => {
    expect(await stars().refund?.(refund)).toEqual({ kind: "done" });
    expect(calls[0]?.params).toMatchObject({ user_id: 777 });
    const unnamed = { ...refund, transactionId: null };
    expect(await stars().refund?.(unnamed)).toEqual({ kind: "refused", message: null });
  });
});

test("Telegram sends no webhook about Stars", () => {
  expect(stars().readWebhook({}, Buffer.from("{}"))).toEqual({ trusted: false });
});

describe("an invoice", () => {
  test.each([
    [5_000, 8, 625n],
    [5_001, 8, 626n],
    [1, 8, 1n],
    [100, 13, 8n],
    [1_000_000, 7, 142_858n],
  ])("%i francs at %i a Star are %s Stars: never less than the price", (francs, rate, count) => {
    const quote = { currency: "XTR", amount: String(count), rate: String(rate) };
    expect(quoteInStars(fcfa(francs), rate)).toEqual(quote);
    expect(count * BigInt(rate) >= BigInt(francs)).toBe(true);
  });

  test("keeps Telegram's limits of length, whatever the title", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (words) => {
        const description = `A${words}`;
        const texts = { title: description, description };
        const invoice = theirInvoice({ reference: "17-2", stars: 1, ...texts });
        const title = String(invoice["title"]);
        expect(title.length).toBeGreaterThan(0);
        expect(title.length).toBeLessThanOrEqual(32);
        expect(String(invoice["description"]).length).toBeLessThanOrEqual(255);
        expect(title.isWellFormed()).toBe(description.isWellFormed());
      }),
    );
  });
});

test("Telegram's transactions include many other kinds, which are no charges", () => {
  const page = translatePage(RECORDED);
  expect(page?.charges.map(({ chargeId }) => chargeId)).toEqual(["stxAAA-1_k=="]);
  expect(page).toMatchObject({ refunds: ["stxAAA-1_k=="], count: 4 });
  const odd = [
    incoming("a b", "17-2"),
    { ...incoming("a", "17-2"), amount: 0.5 },
    { ...incoming("a", "17-2"), amount: -625 },
    { ...incoming("a", "17-2"), date: "x" },
    incoming("a", ""),
    { ...incoming("a", "17-2"), source: { type: "fragment", invoice_payload: "17-2" } },
    null,
  ];
  expect(translatePage({ transactions: odd })).toEqual({ charges: [], refunds: [], count: 7 });
});

/** Stores charges in memory, for tests without a database. */
function keepCharges() {
  const known = new Map<string, KnownCharge>();
  const written: ReadCharges[] = [];
  let transactionsRead = 0;
  return {
    /** What was written, in order. */
    written,
    all: () => [...known.values()],
    find: async (reference) => [...known.values()].filter((one) => one.reference === reference),
    read: async () => transactionsRead,
    async add(read) {
      written.push(read);
      for (const charge of read.charges) {
        if (!known.has(charge.chargeId)) known.set(charge.chargeId, { ...charge, refunded: false });
      }
      for (const id of read.refunds) {
        const charge = known.get(id);
        if (charge) known.set(id, { ...charge, refunded: true });
      }
      transactionsRead = read.transactionsRead ?? transactionsRead;
    },
  } satisfies StarCharges & Record<string, unknown>;
}
