import { secretToken } from "@sesame/kernel";
import type { StarTransaction } from "grammy/types";
import { paymentFaults } from "../kit/faults.ts";
import { type EmulatedPayments, emulatedPayments } from "../kit/payments.ts";
import { type SentWebhook, startWebhooks } from "../kit/webhooks.ts";
import type { InvoiceOutcome } from "../wire.ts";
import {
  badRequest,
  NotPossible,
  type Attempt,
  type Bot,
  type Charge,
  FIRST_STARS,
  type Invoice,
  personAsUser,
  type Telegram,
} from "./state.ts";
import { boolean, type Call, integer, json, text } from "./call.ts";
import { postFromBot, postToBot, notifyBot } from "./messages.ts";

/** Payments in Stars, and their faults. */
export type Stars = ReturnType<typeof startStars>;

const ANSWER_MS = 10_000;

type End = {
  status: InvoiceOutcome;
  /** Why it failed: too few Stars, the bot refused (with its words), or did not answer in time. */
  why: "not-enough" | "refused" | "no-answer" | null;
  words?: string | null;
};

export function startStars(emulated: Telegram) {
  const book = emulated.state.stars;
  const nowMs = () => emulated.clock.now().getTime();
  const wallet = (personId: number) => book.wallets.get(personId) ?? FIRST_STARS;
  /** Callers that wait for a payment begun since this start, by the query's id. */
  const waiting = new Map<string, { done(how: End): void; silent: boolean }>();

  /** Once only: an attempt that has ended is not there any more. */
  const end = (attempt: Attempt, how: End) => {
    if (!book.attempts.delete(attempt.queryId)) return;
    const invoice = book.invoices.get(attempt.slug);
    if (invoice !== undefined) invoice.status = how.status;
    emulated.changed();
    waiting.get(attempt.queryId)?.done(how);
    waiting.delete(attempt.queryId);
  };
  const giveUpInTime = (attempt: Attempt) =>
    emulated.scheduler.at(attempt.dueAtMs, () =>
      end(attempt, { status: "failed", why: "no-answer" }),
    );

  /** The Stars change hands, and the bot is notified. */
  const take = (attempt: Attempt, invoice: Invoice) => {
    const { personId, queryId } = attempt;
    const left = wallet(personId) - invoice.amount;
    if (left < 0) return end(attempt, { status: "failed", why: "not-enough" });
    book.wallets.set(personId, left);
    const charge: Charge = {
      id: `st${secretToken(36, emulated.random)}`,
      providerChargeId: `${personId}_${book.charges.size + 1}`,
      slug: invoice.slug,
      botId: invoice.botId,
      personId,
      amount: invoice.amount,
      refunded: false,
    };
    book.charges.set(charge.id, charge);
    invoice.chargeIds.push(charge.id);
    book.moves.push({ chargeId: charge.id, kind: "payment", atMs: nowMs() });
    const silent = waiting.get(queryId)?.silent ?? false;
    end(attempt, { status: "paid", why: null });
    if (!silent) announce(charge, "successful_payment");
  };

  /** The bot is notified as a provider sends its webhook: lost, late or twice, as it is set. */
  const { webhooks, announce: notify } = startWebhooks(emulated, {
    book,
    pausesMs: [],
    notify(webhook) {
      deliver(emulated, webhook);
      return "200";
    },
  });
  const mode = webhooks.webhooks;
  const announce = (charge: Charge, event: string) => {
    // A forged charge has a name that Telegram's own list does not know.
    const body = mode.forgeSignature ? `${charge.id}${emulated.unixNow()}` : charge.id;
    notify({ event, paymentId: charge.slug, body });
  };

  const stars = {
    webhooks,
    /** Of the methods of payments. */
    faults: paymentFaults(emulated),
    /** The bot's answer is treated as too late. */
    late: false,
    open(invoice: Terms & { botId: number }) {
      const slug = secretToken(12, emulated.random);
      const made: Invoice = {
        ...invoice,
        slug,
        createdAtMs: nowMs(),
        status: "pending",
        chargeIds: [],
      };
      book.invoices.set(slug, made);
      emulated.changed();
      return made;
    },
    wallet,
    setWallet(personId: number, amount: number) {
      emulated.personById(personId);
      book.wallets.set(personId, amount);
      emulated.changed();
    },
    /**
     * The person taps "pay": the bot is asked first. Ends when the bot has answered, or has not in
     * time. `silent`: paid, and the bot is not notified.
     */
    pay(personId: number, slug: string, { silent = false }: { silent?: boolean } = {}) {
      const person = emulated.personById(personId);
      const invoice = invoiceOf(emulated, slug);
      const bot = emulated.botById(invoice.botId);
      if (bot === undefined) throw new NotPossible("the invoice's bot is gone");
      /** And what the person has left. */
      const ended = (how: End) => ({ slug, words: null, ...how, stars: wallet(personId) });
      if (wallet(personId) < invoice.amount) {
        invoice.status = "failed";
        emulated.changed();
        return Promise.resolve(ended({ status: "failed", why: "not-enough" }));
      }
      const queryId = String(
        emulated.random.bytes(7).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n),
      );
      const attempt = { queryId, slug, personId, dueAtMs: nowMs() + ANSWER_MS };
      book.attempts.set(queryId, attempt);
      invoice.status = "pending";
      const outcome = new Promise<End>((done) => waiting.set(queryId, { done, silent }));
      giveUpInTime(attempt);
      emulated.changed();
      emulated.updates.add(bot, {
        type: "pre_checkout_query",
        content: {
          id: queryId,
          from: personAsUser(person),
          currency: "XTR",
          total_amount: invoice.amount,
          invoice_payload: invoice.payload,
        },
      });
      return outcome.then(ended);
    },
    /** The bot's answer to a payment. Throws Telegram's error for one that it does not expect. */
    answer(bot: Bot, query: { id: string; ok: boolean; words: string | null }) {
      const attempt = book.attempts.get(query.id);
      const invoice = attempt && book.invoices.get(attempt.slug);
      if (!attempt || invoice?.botId !== bot.id || attempt.dueAtMs <= nowMs() || stars.late) {
        if (attempt && stars.late) end(attempt, { status: "failed", why: "no-answer" });
        throw badRequest("query is too old and response timeout expired or query ID is invalid");
      }
      if (query.ok) take(attempt, invoice);
      else end(attempt, { status: "failed", why: "refused", words: query.words });
    },
    refund(bot: Bot, { personId, chargeId }: { personId: number; chargeId: string }) {
      if (!emulated.state.persons.has(personId)) throw badRequest("USER_ID_INVALID");
      const charge = book.charges.get(chargeId);
      if (charge?.botId !== bot.id || charge.personId !== personId) {
        throw badRequest("CHARGE_NOT_FOUND");
      }
      if (charge.refunded) throw badRequest("CHARGE_ALREADY_REFUNDED");
      charge.refunded = true;
      book.wallets.set(personId, wallet(personId) + charge.amount);
      book.moves.push({ chargeId, kind: "refund", atMs: nowMs() });
      const invoice = book.invoices.get(charge.slug);
      if (invoice !== undefined) invoice.status = "refunded";
      emulated.changed();
      announce(charge, "refunded_payment");
    },
  };
  // What an earlier start left open.
  for (const attempt of book.attempts.values()) giveUpInTime(attempt);
  return stars;
}

export function invoiceOf(emulated: Telegram, slug: string): Invoice {
  const invoice = emulated.state.stars.invoices.get(slug);
  if (invoice === undefined) throw new NotPossible(`no invoice ${slug}`);
  return invoice;
}

/** The sheet on which a person pays. */
export function invoiceView(emulated: Telegram, personId: number, slug: string) {
  emulated.personById(personId);
  const invoice = invoiceOf(emulated, slug);
  const { title, description, amount } = invoice;
  const bot = emulated.botById(invoice.botId);
  return {
    slug,
    title,
    description,
    amount,
    bot: bot?.roles[0] ?? "buyer",
    botName: bot?.name ?? "",
    /** What the person who looks at the sheet has. */
    stars: emulated.stars.wallet(personId),
  };
}

/** The service message in the private chat of payer and bot; a repeated webhook sends it again. */
function deliver(emulated: Telegram, { event, body, paymentId }: SentWebhook): void {
  const { charges, invoices } = emulated.state.stars;
  const ids = invoices.get(paymentId)?.chargeIds ?? [];
  const charge = charges.get(ids.find((id) => body.startsWith(id)) ?? "");
  const invoice = charge && invoices.get(charge.slug);
  const bot = charge && emulated.botById(charge.botId);
  if (!charge || !invoice || !bot) return;
  const dialog = emulated.dialogOf(charge.personId, bot);
  const said = dialog.messages.find((message) => {
    const paid = message[event as "successful_payment" | "refunded_payment"];
    return paid?.telegram_payment_charge_id === body;
  });
  if (said !== undefined) return notifyBot(emulated, bot, said);
  const { amount, payload, currency } = reportedCharge(charge, invoice);
  const payment = {
    currency,
    total_amount: amount,
    invoice_payload: payload,
    telegram_payment_charge_id: body,
  };
  if (event === "refunded_payment") {
    // An action of the bot: it receives it under its own name.
    const content = { refunded_payment: payment };
    return notifyBot(emulated, bot, postFromBot(emulated, bot, { place: { dialog }, content }));
  }
  const successful_payment = { ...payment, provider_payment_charge_id: charge.providerChargeId };
  postToBot(emulated, dialog, { successful_payment });
}

/** The charge, or its altered form. */
function reportedCharge({ amount }: Charge, { reported = {}, payload }: Invoice) {
  return {
    amount: Number(reported.amount ?? amount),
    payload: reported.reference ?? payload,
    currency: reported.currency ?? "XTR",
  };
}

const TITLE_MAX_CHARS = 32;
const DESCRIPTION_MAX_CHARS = 255;
const PAYLOAD_MAX_BYTES = 128;
/** Telegram names no ceiling for one invoice; the emulators have one, so that none is taken for granted. */
const MAX_STARS = 100_000;

type Terms = Pick<Invoice, "title" | "description" | "payload" | "amount">;

/** What createInvoiceLink and sendInvoice take alike, in Stars alone. */
export function readInvoice(call: Call): Terms {
  const required = (name: string) => {
    const value = text(call, name).trim();
    if (value === "") throw badRequest(`parameter "${name}" is required`);
    return value;
  };
  const sized = (name: string, max: number) => {
    const value = required(name);
    if ([...value].length > max) throw badRequest(`invoice ${name} is too long`);
    return value;
  };
  const title = sized("title", TITLE_MAX_CHARS);
  const description = sized("description", DESCRIPTION_MAX_CHARS);
  required("payload");
  const payload = text(call, "payload");
  if (Buffer.byteLength(payload) > PAYLOAD_MAX_BYTES) throw badRequest("INVOICE_PAYLOAD_INVALID");
  if (required("currency") !== "XTR") throw badRequest("CURRENCY_INVALID");
  // A token names another provider: Stars have none.
  if (text(call, "provider_token") !== "") throw badRequest("PAYMENT_PROVIDER_INVALID");
  // Neither tips nor subscriptions: the app asks for none.
  const others = ["max_tip_amount", "need_shipping_address", "is_flexible", "subscription_period"];
  for (const name of others) {
    if (integer(call, name) > 0 || boolean(call, name)) throw badRequest("STARS_INVOICE_INVALID");
  }
  const amount = readPrice(json(call, "prices"));
  return { title, description, payload, amount };
}

/** Exactly one, and a whole number of Stars. */
function readPrice(prices: unknown): number {
  if (!Array.isArray(prices)) throw badRequest("expected an Array of LabeledPrice");
  const [first] = prices as { label?: unknown; amount?: unknown }[];
  if (prices.length !== 1 || first === undefined) throw badRequest("STARS_INVOICE_INVALID");
  if (typeof first.label !== "string" || first.label.trim() === "") {
    throw badRequest("can't parse LabeledPrice: label must be non-empty");
  }
  // Inside JSON a number may be text too.
  const amount = Number(first.amount);
  if (!Number.isInteger(amount) || amount < 1 || amount > MAX_STARS) {
    throw badRequest("CURRENCY_TOTAL_AMOUNT_INVALID");
  }
  return amount;
}

/** Oldest first; a refund goes out under the name of its payment. */
export function transactionsOf(
  emulated: Telegram,
  bot: Bot,
  { offset, limit }: { offset: number; limit: number },
): StarTransaction[] {
  const page = movesOf(emulated, bot).slice(offset, offset + limit);
  return page.map(({ charge, invoice, kind, atMs }) => {
    const { amount, payload } = reportedCharge(charge, invoice);
    const partner = {
      type: "user" as const,
      transaction_type: "invoice_payment" as const,
      user: personAsUser(emulated.personById(charge.personId)),
      invoice_payload: payload,
    };
    const date = Math.floor(atMs / 1000);
    const way = kind === "payment" ? { source: partner } : { receiver: partner };
    return { id: charge.id, amount, date, ...way };
  });
}

export function balanceOf(emulated: Telegram, bot: Bot): number {
  const signed = movesOf(emulated, bot).map(({ charge, kind }) =>
    kind === "payment" ? charge.amount : -charge.amount,
  );
  return signed.reduce((sum, amount) => sum + amount, 0);
}

function movesOf(emulated: Telegram, bot: Bot) {
  const { moves, charges, invoices } = emulated.state.stars;
  return moves.flatMap((move) => {
    const charge = charges.get(move.chargeId);
    const invoice = charge && invoices.get(charge.slug);
    return charge?.botId === bot.id && invoice ? [{ ...move, charge, invoice }] : [];
  });
}

/** `https://t.me/$slug`, `https://t.me/invoice/slug`, or the slug itself. */
export function invoiceSlug(link: string): string | null {
  const path =
    /^(?:https?:\/\/)?(?:t\.me|telegram\.me|telegram\.dog)\/(?:\$|%24|invoice\/)([\w-]+)\/?$/i;
  return (path.exec(link) ?? /^\$?([\w-]+)$/.exec(link))?.[1] ?? null;
}

export function invoiceLink(slug: string): string {
  return `https://t.me/$${slug}`;
}

/** Payments in Stars as tests and the control panel hold them: a payment here is an invoice. */
export function starPayments(emulated: Telegram, payer: () => number): EmulatedPayments {
  const { stars } = emulated;
  const book = emulated.state.stars;
  return emulatedPayments<Invoice>({
    name: "stars",
    payments: () => book.invoices.values(),
    view({ slug, payload, amount, chargeIds, status: last }) {
      const charges = chargeIds.flatMap((id) => book.charges.get(id) ?? []);
      const kept = charges.some(({ refunded }) => !refunded);
      return {
        id: slug,
        // What the app wrote before its reference, if anything, ends with one of these.
        reference: payload.split(/[\s:/]/).at(-1) ?? payload,
        amount,
        currency: "XTR",
        // Once paid it stays so, whatever becomes of a further try.
        status: charges.length === 0 ? last : kept ? "paid" : "refunded",
        payUrl: invoiceLink(slug),
        transactionId: charges.at(-1)?.id ?? null,
      };
    },
    // As in Telegram, the bot is not notified of a failure or of a closed sheet.
    settle(invoice, outcome, { personId = payer(), silent = false }) {
      const { slug, amount } = invoice;
      if (outcome === "success") {
        if (stars.wallet(personId) < amount) stars.setWallet(personId, amount);
        // Ends when the bot has been asked: `list` has the outcome.
        void stars.pay(personId, slug, { silent });
      } else if (invoice.chargeIds.length > 0) throw new NotPossible("already paid");
      else invoice.status = STATUSES[outcome];
    },
    faults: stars.faults,
    webhooks: stars.webhooks,
    changed: emulated.changed,
  });
}

const STATUSES = { failure: "failed", cancel: "cancelled", pending: "pending" } as const;
