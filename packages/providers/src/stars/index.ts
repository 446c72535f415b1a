import { assert, type Fcfa, ok, Outage, refuse, type Result } from "@sesame/kernel";
import type * as port from "../port.ts";
import { field, readAddress, readReference, readWords } from "../reading.ts";

/** A payment in Stars, as an update or Telegram's list reports it. */
export type StarCharge = {
  /** Theirs: `telegram_payment_charge_id`, the transaction's id in the list. */
  readonly chargeId: string;
  /** Ours: the invoice's payload. */
  readonly reference: string;
  /** Who paid: an invoice's link may be opened by anybody. */
  readonly telegramId: bigint;
  readonly stars: number;
  readonly chargedAt: Date;
};

export type KnownCharge = StarCharge & { readonly refunded: boolean };

/** What was read of Telegram's list, to be kept in one transaction. */
export type ReadCharges = {
  /** New ones and known ones; a known one stays as it is. */
  readonly charges: readonly StarCharge[];
  /** Charges given back, by id: after the charges above, ids unknown here are ignored. */
  readonly refunds: readonly string[];
  /** How many of Telegram's transactions have been read now; null leaves that number. */
  readonly transactionsRead: number | null;
};

/** Where charges are kept; the caller's store. */
export type StarCharges = {
  /**
   * Every charge made for this reference, the earliest first: an invoice's link that two people
   * open at once may be paid twice.
   */
  find(reference: string): Promise<readonly KnownCharge[]>;
  add(read: ReadCharges): Promise<void>;
  /** How many of Telegram's transactions were read; 0 at first. */
  read(): Promise<number>;
};

export type StarsMethod = "createInvoiceLink" | "getStarTransactions" | "refundStarPayment";

/**
 * The bot's way to Telegram: its `result`, or what it `said` when it refused; no answer, a flood and
 * a refused token are thrown as an Outage.
 */
export type StarsCall = (
  method: StarsMethod,
  params: Readonly<Record<string, unknown>>,
) => Promise<Result<unknown, { readonly said: string }>>;

type StarsOptions = {
  /** Of the bot that makes the invoices. */
  readonly call: StarsCall;
  readonly charges: StarCharges;
  /** Whole francs. */
  francsPerStar(): Promise<number>;
};

const PAGE = 100;
/** In one look; the rest is read by the next one. */
const MOST_PAGES = 10;

/**
 * Telegram Stars behind the port. An invoice's link has no name of theirs: a payment goes by our
 * reference, which is the invoice's payload, and is found among the charges that updates named, else
 * in Telegram's own list. Nothing shows which are Telegram's test servers, so every charge is live.
 */
export function createStars(options: StarsOptions): port.PaymentProvider {
  const { call, charges } = options;
  const catchUp = oneAtATime(() => readList(call, charges));
  return {
    id: "stars",
    createPayment: (request) => createPayment(options, request),
    fetchPayment: (name) => fetchPayment(charges, catchUp, name),
    // Telegram reports by updates, to the bot's own route.
    mayBeTrusted: () => false,
    readWebhook: () => ({ trusted: false }),
    verifyKeys: async () => {
      const answer = await call("getStarTransactions", { offset: 0, limit: 1 });
      return answer.ok ? "accepted" : "refused";
    },
    refund: (request) => refund(options, request),
  };
}

async function createPayment(
  { call, francsPerStar }: StarsOptions,
  request: port.PaymentRequest,
): Promise<Result<port.CreatedPayment, port.CreateRefusal>> {
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
  // A charge of an update that is not in their list yet: only a report until it is there.
  const isNew = (id: string) => !found.some(({ chargeId }) => chargeId === id);
  if (found.length === 0 || name.reportedTransactionIds.some(isNew)) {
    await catchUp();
    found = await charges.find(name.reference);
  }
  // A link made and not paid is not in their list.
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

/** Of several the one that is booked, then one that was kept, for exactly the price; the earliest. */
function rank(charge: KnownCharge, name: port.PaymentName): number {
  if (charge.chargeId === name.paidAs) return -1;
  return (charge.refunded ? 2 : 0) + (isExact(charge, name) ? 0 : 1);
}

function isExact({ stars }: KnownCharge, { quote }: port.PaymentName): boolean {
  return quote?.currency === "XTR" && quote.amount === String(stars);
}

/**
 * Their list goes forward in time, so what was read stays where it was. The last one read is read
 * again: where it is missing, the list is not the one we know (another bot), and is read anew.
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

/** Thirty-two questions at once need one reading; it may have begun a moment before the last. */
function oneAtATime(read: () => Promise<void>): () => Promise<void> {
  let reading: Promise<void> | null = null;
  return () => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
}

/** To whom paid: an invoice's link may have been opened by another than the buyer. */
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

function nonsense(method: string): Outage {
  return new Outage(`telegram answered ${method} with nothing to believe`, {
    party: "telegram",
    retryable: true,
  });
}

/** Every word of Telegram on Stars into ours (reference §9). Pure. Null: nothing to believe. */

const LONGEST_TITLE = 32;
const LONGEST_DESCRIPTION = 255;

/** createInvoiceLink: one price, in whole Stars; the payload comes back with the charge. */
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

/** By whole characters, so that no half of one is sent; lengths count as Telegram does. */
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
 * getStarTransactions: of what came in, what people paid for an invoice; of what went out, what was
 * given back, under the id of its charge. The rest (gifts, withdrawals, media) is nobody's here.
 */
export function translatePage(result: unknown) {
  const transactions = field(result, "transactions");
  if (!Array.isArray(transactions)) return null;
  const read = transactions.map((transaction: unknown) => translateTransaction(transaction));
  return {
    charges: read.filter((found) => typeof found === "object").filter((found) => found !== null),
    /** Ids of charges that went back. */
    refunds: read.filter((found) => typeof found === "string"),
    /** How many transactions stood there, whatever they are. */
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

/** They grow, and hold more than letters. */
function readChargeId(value: unknown): string | null {
  return typeof value === "string" && /^[\x21-\x7e]{1,255}$/.test(value) ? value : null;
}

function readTelegramId(value: unknown): bigint | null {
  return isWhole(value) && value > 0 ? BigInt(value) : null;
}

function isWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function saysAlreadyRefunded(said: string): boolean {
  return /CHARGE_ALREADY_REFUNDED/i.test(said);
}
