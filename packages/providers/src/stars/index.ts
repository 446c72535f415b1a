import { assert, ok, Outage, refuse, type Result } from "@sesame/kernel";
import type {
  CreatedPayment,
  CreateRefusal,
  FetchedPayment,
  PaymentName,
  PaymentProvider,
  PaymentRequest,
  RefundAnswer,
  RefundRequest,
} from "../port.ts";
import { readWords } from "../reading.ts";
import type { KnownCharge, StarCharges, StarsCall } from "./charges.ts";
import {
  quoteInStars,
  saysAlreadyRefunded,
  theirInvoice,
  translateLink,
  translatePage,
  wordOf,
} from "./translate.ts";

export type {
  KnownCharge,
  ReadCharges,
  StarCharge,
  StarCharges,
  StarsCall,
  StarsMethod,
} from "./charges.ts";

export { quoteInStars } from "./translate.ts";

export type StarsOptions = {
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
 * reference, which is the invoice's payload, and is found among the charges that updates told, else
 * in Telegram's own list. Nothing tells Telegram's test servers apart, so every charge is live.
 */
export function createStars(options: StarsOptions): PaymentProvider {
  const { call, charges } = options;
  const catchUp = oneAtATime(() => readList(call, charges));
  return {
    id: "stars",
    createPayment: (request) => createPayment(options, request),
    fetchPayment: (name) => fetchPayment(charges, catchUp, name),
    // Telegram tells by updates, at the bot's own door.
    mayBeTrusted: () => false,
    readNotice: () => ({ trusted: false }),
    verifyKeys: async () => {
      const answer = await call("getStarTransactions", { offset: 0, limit: 1 });
      return answer.ok ? "accepted" : "refused";
    },
    refund: (request) => refund(options, request),
  };
}

async function createPayment(
  { call, francsPerStar }: StarsOptions,
  request: PaymentRequest,
): Promise<Result<CreatedPayment, CreateRefusal>> {
  const { reference, description, title = description } = request;
  assert(Buffer.byteLength(reference) <= 128, "an invoice's payload has 128 bytes");
  const quote = quoteInStars(request.amount, await francsPerStar());
  const invoice = theirInvoice({ reference, title, description, stars: Number(quote.amount) });
  const answer = await call("createInvoiceLink", invoice);
  if (!answer.ok) return refuse({ kind: "request", message: readWords(answer.refusal.said) });
  const redirectUrl = translateLink(answer.value);
  if (redirectUrl === null) throw nonsense("createInvoiceLink");
  return ok({ providerPaymentId: reference, redirectUrl, widget: null, quote });
}

async function fetchPayment(
  charges: StarCharges,
  catchUp: () => Promise<void>,
  name: PaymentName,
): Promise<FetchedPayment | null> {
  let found = await charges.find(name.reference);
  // One that an update told, and their list not yet: a rumour until it stands there.
  const isNew = (id: string) => !found.some(({ chargeId }) => chargeId === id);
  if (found.length === 0 || name.heard.some(isNew)) {
    await catchUp();
    found = await charges.find(name.reference);
  }
  // A link made and not paid is not in their list.
  const [first, ...others] = found.toSorted((one, other) => rank(one, name) - rank(other, name));
  if (!first) return null;
  const surplus = others.filter(({ refunded }) => !refunded);
  return {
    providerPaymentId: name.providerPaymentId,
    verdict: first.refunded ? "refunded" : "paid",
    word: wordOf(first),
    amount: isExact(first, name) ? name.amount : null,
    currency: "XOF",
    environment: "live",
    reference: first.reference,
    transactionId: first.chargeId,
    ...(surplus.length > 0 ? { surplus: surplus.map(({ chargeId }) => chargeId) } : {}),
  };
}

/** Of several the one that is booked, then one that was kept, for exactly the price; the earliest. */
function rank(charge: KnownCharge, name: PaymentName): number {
  if (charge.chargeId === name.paidAs) return -1;
  return (charge.refunded ? 2 : 0) + (isExact(charge, name) ? 0 : 1);
}

function isExact({ stars }: KnownCharge, { quote }: PaymentName): boolean {
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
  { providerPaymentId, transactionId, telegramId }: RefundRequest,
): Promise<RefundAnswer> {
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
