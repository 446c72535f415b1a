import { assert, type Fcfa, ok, Outage, refuse, type Result } from "@sesame/kernel";
import type * as port from "../port.ts";
import { field, readAddress, readReference, readWords } from "../reading.ts";

/** A payment in Stars, from an update or Telegram's list. */
export type StarCharge = {
  /** Telegram's id: `telegram_payment_charge_id`, the transaction's id in the list. */
  readonly chargeId: string;
  /** Our reference: the invoice's payload. */
  readonly reference: string;
  /** The payer: anybody may open an invoice's link. */
  readonly telegramId: bigint;
  readonly stars: number;
  readonly chargedAt: Date;
};

export type KnownCharge = StarCharge & { readonly refunded: boolean };

/** A part of Telegram's list, to store in one transaction. */
export type ReadCharges = {
  /** New and known charges; a known one stays as it is. */
  readonly charges: readonly StarCharge[];
  /** Ids of refunded charges, stored after the charges above; unknown ids are ignored. */
  readonly refunds: readonly string[];
  /** How many of Telegram's transactions have been read now; null keeps the number. */
  readonly transactionsRead: number | null;
};

/** The store of charges, given by the caller. */
export type StarCharges = {
  /**
   * Every charge with this reference, earliest first: two people who open an invoice's link at once
   * may both pay.
   */
  find(reference: string): Promise<readonly KnownCharge[]>;
  add(read: ReadCharges): Promise<void>;
  /** How many of Telegram's transactions were read; 0 at first. */
  read(): Promise<number>;
};

export type StarsMethod = "createInvoiceLink" | "getStarTransactions" | "refundStarPayment";

/**
 * A call of Telegram by the bot: its `result`, or what Telegram `said` when it refused; no answer, a
 * flood limit and a refused token throw an Outage.
 */
export type StarsCall = (
  method: StarsMethod,
  params: Readonly<Record<string, unknown>>,
) => Promise<Result<unknown, { readonly said: string }>>;

type StarsOptions = {
  /** The API of the bot that creates the invoices. */
  readonly call: StarsCall;
  readonly charges: StarCharges;
  /** Whole francs. */
  francsPerStar(): Promise<number>;
};

const PAGE = 100;
/** The maximum in one reading; the next reading continues. */
const MOST_PAGES = 10;

/**
 * Telegram Stars as a payment provider. An invoice's link has no id of Telegram's: a payment has our
 * reference, the invoice's payload, and is found among the charges of updates, else in Telegram's
 * list. Nothing distinguishes Telegram's test servers, so every charge is live.
 */
export function createStars(options: StarsOptions): port.PaymentProvider {
  const { call, charges } = options;
  const catchUp = oneAtATime(() => readList(call, charges));
  return {
    id: "stars",
    createPayment: (request) => createPayment(options, request),
    fetchPayment: (name) => fetchPayment(charges, catchUp, name),
    // Telegram reports by updates, which come to the bot's own route.
    mayBeTrusted: () => false,
    readWebhook: () => ({ trusted: false }),
    verifyKeys: async () => {
      const answer = await call("getStarTransactions", { offset: 0, limit: 1 });
      return answer.ok ? "accepted" : "refused";
    },
    refund: (request) => refund(options, request),
  };
}

async function createPayment({ call, francsPerStar }: StarsOptions, request: port.PaymentRequest) {
  const { reference, description, title = description } = request;
  assert(Buffer.byteLength(reference) <= 128, "an invoice's payload has 128 bytes");
  const quote = quoteInStars(request.amount, await francsPerStar());
  const invoice = theirInvoice({ reference, title, description, stars: Number(quote.amount) });
  const answer = await call("createInvoiceLink", invoice);
  if (!answer.ok) return refuse({ kind: "request", message: readWords(answer.refusal.said) });
  const redirectUrl = readAddress(answer.value);
  if (redirectUrl === null) throw nonsense("createInvoiceLink");
  return ok({ providerPaymentId: reference, redirectUrl, widget: null, quote });
}

async function fetchPayment(
  charges: StarCharges,
  catchUp: () => Promise<void>,
  name: port.PaymentName,
): Promise<port.FetchedPayment | null> {
  let found = await charges.find(name.reference);
  // A charge of an update that is not in Telegram's list yet: only a report until it is there.
  const isNew = (id: string) => !found.some(({ chargeId }) => chargeId === id);
  if (found.length === 0 || name.reportedTransactionIds.some(isNew)) {
    await catchUp();
    found = await charges.find(name.reference);
  }
  // A link that is not paid is not in Telegram's list.
  const [first, ...others] = found.toSorted((one, other) => rank(one, name) - rank(other, name));
  if (!first) return null;
  const extra = others.filter(({ refunded }) => !refunded);
  return {
    providerPaymentId: name.providerPaymentId,
    status: first.refunded ? "refunded" : "paid",
    word: first.refunded ? "refunded" : "charged",
    amount: isExact(first, name) ? name.amount : null,
    currency: "XOF",
    environment: "live",
    reference: first.reference,
    transactionId: first.chargeId,
    ...(extra.length > 0 ? { extraTransactionIds: extra.map(({ chargeId }) => chargeId) } : {}),
  };
}

/** Prefers the booked charge, then one not refunded, for exactly the price; the earliest. */
function rank(charge: KnownCharge, name: port.PaymentName): number {
  if (charge.chargeId === name.paidAs) return -1;
  return (charge.refunded ? 2 : 0) + (isExact(charge, name) ? 0 : 1);
}

const isExact = ({ stars }: KnownCharge, { quote }: port.PaymentName): boolean =>
  quote?.currency === "XTR" && quote.amount === String(stars);

/**
 * Telegram's list is in order of time, so positions never change. The last transaction read is read
 * again: if it is missing, the list is of another bot, and is read from the start.
 */
async function readList(call: StarsCall, charges: StarCharges): Promise<void> {
  let kept = await charges.read();
  let read = kept;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const offset = Math.max(0, read - 1);
    const answer = await call("getStarTransactions", { offset, limit: PAGE });
    const page = answer.ok ? translatePage(answer.value) : null;
    if (!page) throw nonsense("getStarTransactions");
    read = page.count === 0 ? 0 : offset + page.count;
    if (read !== kept) {
      const { charges: found, refunds } = page;
      await charges.add({ charges: found, refunds, transactionsRead: read });
      kept = read;
    }
    const isElsewhere = page.count === 0 && offset > 0;
    if (page.count < PAGE && !isElsewhere) return;
  }
}

/** Many lookups at once share one reading, which may have begun a moment before the last. */
function oneAtATime(read: () => Promise<void>): () => Promise<void> {
  let reading: Promise<void> | null = null;
  return () => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
}

/** Refunds to the payer: another person than the buyer may have opened the invoice's link. */
async function refund(
  { call, charges }: StarsOptions,
  { providerPaymentId, transactionId, telegramId }: port.RefundRequest,
): Promise<port.RefundAnswer> {
  const known = await charges.find(providerPaymentId);
  const charge =
    transactionId === null ? known[0] : known.find(({ chargeId }) => chargeId === transactionId);
  const chargeId = transactionId ?? charge?.chargeId;
  if (chargeId === undefined) return { kind: "refused", message: null };
  if (charge?.refunded) return { kind: "done" };
  const answer = await call("refundStarPayment", {
    user_id: Number(charge?.telegramId ?? telegramId),
    telegram_payment_charge_id: chargeId,
  });
  if (!answer.ok && !saysAlreadyRefunded(answer.refusal.said)) {
    return { kind: "refused", message: readWords(answer.refusal.said) };
  }
  await charges.add({ charges: [], refunds: [chargeId], transactionsRead: null });
  return { kind: "done" };
}

const nonsense = (method: string): Outage =>
  new Outage(`telegram answered ${method} with nothing to believe`, {
    party: "telegram",
    retryable: true,
  });

/** Maps Telegram's answers about Stars. Pure. Null: an invalid answer. */

const LONGEST_TITLE = 32;
const LONGEST_DESCRIPTION = 255;

/** The input of createInvoiceLink: one price, in whole Stars; the charge repeats the payload. */
export function theirInvoice(invoice: {
  readonly reference: string;
  readonly title: string;
  readonly description: string;
  readonly stars: number;
}): Readonly<Record<string, unknown>> {
  const title = cut(invoice.title, LONGEST_TITLE);
  return {
    title,
    description: cut(invoice.description, LONGEST_DESCRIPTION),
    payload: invoice.reference,
    provider_token: "",
    currency: "XTR",
    prices: [{ label: title, amount: invoice.stars }],
  };
}

/** Cuts between characters, so that no half of one is sent; lengths count as in Telegram. */
function cut(text: string, longest: number): string {
  const clean = text.replaceAll(/\s+/gu, " ").trim();
  if (clean.length <= longest) return clean;
  let kept = "";
  for (const character of clean) {
    if (kept.length + character.length > longest - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** The price in Stars, rounded up: never less than the price. */
export function quoteInStars(amount: Fcfa, francsPerStar: number): port.Quote {
  assert(Number.isSafeInteger(francsPerStar) && francsPerStar > 0, "a Star is worth whole francs");
  const rate = BigInt(francsPerStar);
  const stars = (amount + rate - 1n) / rate;
  return { currency: "XTR", amount: String(stars), rate: String(rate) };
}

/**
 * The answer of getStarTransactions: incoming payments of invoices, and refunds under the id of
 * their charge. Other transactions (gifts, withdrawals, media) are ignored.
 */
export function translatePage(result: unknown) {
  const transactions = field(result, "transactions");
  if (!Array.isArray(transactions)) return null;
  const read = transactions.map((transaction: unknown) => translateTransaction(transaction));
  return {
    charges: read.filter((found) => typeof found === "object").filter((found) => found !== null),
    /** Ids of refunded charges. */
    refunds: read.filter((found) => typeof found === "string"),
    /** The number of transactions on the page, of any kind. */
    count: transactions.length,
  };
}

function translateTransaction(transaction: unknown): StarCharge | string | null {
  const id = readChargeId(field(transaction, "id"));
  if (id === null) return null;
  if (field(field(transaction, "receiver"), "type") === "user") return id;
  const source = field(transaction, "source");
  const reference = readReference(field(source, "invoice_payload"));
  const telegramId = readTelegramId(field(field(source, "user"), "id"));
  const stars = field(transaction, "amount");
  const date = field(transaction, "date");
  if (field(source, "type") !== "user" || telegramId === null) return null;
  if (reference === null || reference.length > 128) return null;
  if (!isWhole(stars) || stars === 0 || !isWhole(date)) return null;
  return { chargeId: id, reference, telegramId, stars, chargedAt: new Date(date * 1_000) };
}

/** Long ids, with more characters than letters. */
const readChargeId = (value: unknown): string | null =>
  typeof value === "string" && /^[\x21-\x7e]{1,255}$/.test(value) ? value : null;

const readTelegramId = (value: unknown): bigint | null =>
  isWhole(value) && value > 0 ? BigInt(value) : null;

const isWhole = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

const saysAlreadyRefunded = (said: string): boolean => /CHARGE_ALREADY_REFUNDED/i.test(said);
