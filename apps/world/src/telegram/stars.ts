import { secretToken } from "@sesame/kernel";
import type { StarTransaction } from "grammy/types";
import { type Faults, paymentFaults } from "../kit/faults.ts";
import { NORMAL_NOTICES, type Notice, recordNotice } from "../kit/webhooks.ts";
import { ApiError, NotPossible, badRequest } from "./api-error.ts";
import type { Message } from "./bot-api.ts";
import type { Arguments } from "./call.ts";
import { postServiceFromBot, postToBot, tellAgain } from "./messages.ts";
import {
  type Attempt,
  type Bot,
  type Charge,
  type Dialog,
  FIRST_STARS,
  type Invoice,
  type StarMove,
} from "./state.ts";
import { type Town, botById, dialogOf, personAsUser, personById, unixNow } from "./town.ts";
import type { NoticeMode, PaidInvoice, PaymentRule } from "../wire.ts";

/** Payments in Stars (payment-providers.md §9), and how they are made to go wrong. */
export type Stars = {
  readonly notices: NoticeMode;
  /** Of the methods of payments. */
  readonly faults: Faults<PaymentRule>;
  /** The bot's word is taken for one that came too late. */
  late: boolean;
  open(invoice: Omit<Invoice, "slug" | "createdAtMs" | "status" | "chargeIds" | "told">): Invoice;
  wallet(personId: number): number;
  setWallet(personId: number, amount: number): void;
  /** The person taps "pay": the bot is asked first. Ends when it has answered, or has not. */
  pay(personId: number, slug: string, how?: PayHow): Promise<PaidInvoice>;
  /** The bot's word on a payment; throws what Telegram answers to one it does not expect. */
  answer(bot: Bot, query: { id: string; ok: boolean; words: string | null }): void;
  refund(bot: Bot, named: { personId: number; chargeId: string }): void;
  repeat(noticeId: number): Notice | null;
  release(): number;
  /** Takes up what an earlier start left open. */
  resume(): void;
};

/** `silent`: paid, and the bot never hears of it. */
export type PayHow = { silent?: boolean };

const ANSWER_MS = 10_000;

type Open = { done(paid: Omit<PaidInvoice, "stars">): void; silent: boolean };

/** The town is there only once all its parts are. */
export function startStars(townOf: () => Town): Stars {
  const open = new Map<string, Open>();
  const notices: NoticeMode = { ...NORMAL_NOTICES };
  const counter: Counter = { townOf, open, notices };
  const state = () => townOf().state.stars;
  const stars: Stars = {
    notices,
    faults: paymentFaults({
      clock: { now: () => townOf().clock.now() },
      changed: () => townOf().changed(),
    }),
    late: false,
    open: (invoice) => openInvoice(townOf(), invoice),
    wallet: (personId) => walletOf(townOf(), personId),
    setWallet(personId, amount) {
      personById(townOf(), personId);
      state().wallets.set(personId, amount);
      townOf().changed();
    },
    pay: (personId, slug, how = {}) => pay(counter, { personId, slug, ...how }),
    answer(bot, query) {
      const attempt = state().attempts.get(query.id);
      const invoice = attempt && state().invoices.get(attempt.slug);
      const nowMs = townOf().clock.now().getTime();
      if (!attempt || invoice?.botId !== bot.id || attempt.dueAtMs <= nowMs || stars.late) {
        if (attempt && stars.late) end(counter, attempt, { status: "failed", why: "no-answer" });
        throw badRequest("query is too old and response timeout expired or query ID is invalid");
      }
      if (query.ok) take(counter, attempt, invoice);
      else end(counter, attempt, { status: "failed", why: "refused", words: query.words });
    },
    refund: (bot, named) => refund(counter, bot, named),
    repeat(noticeId) {
      const past = state().notices.find(({ id }) => id === noticeId);
      if (past === undefined) return null;
      return tellNow(townOf(), record(townOf(), past));
    },
    release() {
      const held = state().notices.filter((notice) => notice.state === "held");
      for (const notice of held) tellNow(townOf(), notice);
      return held.length;
    },
    resume() {
      for (const attempt of state().attempts.values()) giveUpInTime(counter, attempt);
      for (const notice of state().notices) {
        if (notice.state === "held") holdBack(townOf(), notice);
      }
    },
  };
  return stars;
}

type Counter = { townOf(): Town; open: Map<string, Open>; notices: NoticeMode };

function openInvoice(town: Town, invoice: Parameters<Stars["open"]>[0]): Invoice {
  const made: Invoice = {
    ...invoice,
    slug: secretToken(12, town.chance),
    createdAtMs: town.clock.now().getTime(),
    status: "pending",
    chargeIds: [],
  };
  town.state.stars.invoices.set(made.slug, made);
  town.changed();
  return made;
}

function walletOf(town: Town, personId: number): number {
  return town.state.stars.wallets.get(personId) ?? FIRST_STARS;
}

export function invoiceOf(town: Town, slug: string): Invoice {
  const invoice = town.state.stars.invoices.get(slug);
  if (invoice === undefined) throw new NotPossible(`no invoice ${slug}`);
  return invoice;
}

function pay(
  counter: Counter,
  wanted: { personId: number; slug: string } & PayHow,
): Promise<PaidInvoice> {
  const town = counter.townOf();
  const { personId, slug, silent = false } = wanted;
  const person = personById(town, personId);
  const invoice = invoiceOf(town, slug);
  const bot = botById(town, invoice.botId);
  if (bot === undefined) throw new NotPossible("the invoice's bot is gone");
  if (walletOf(town, personId) < invoice.amount) {
    invoice.status = "failed";
    town.changed();
    const stars = walletOf(town, personId);
    return Promise.resolve({ slug, status: "failed", why: "not-enough", words: null, stars });
  }
  const queryId = String(BigInt(`0x${Buffer.from(town.chance.bytes(7)).toString("hex")}`));
  const attempt = { queryId, slug, personId, dueAtMs: town.clock.now().getTime() + ANSWER_MS };
  town.state.stars.attempts.set(queryId, attempt);
  invoice.status = "pending";
  const ended = new Promise<PaidInvoice>((resolve) => {
    const done: Open["done"] = (paid) => resolve({ ...paid, stars: walletOf(town, personId) });
    counter.open.set(queryId, { done, silent });
  });
  giveUpInTime(counter, attempt);
  town.changed();
  town.updates.add(bot, {
    type: "pre_checkout_query",
    content: {
      id: queryId,
      from: personAsUser(person),
      currency: "XTR",
      total_amount: invoice.amount,
      invoice_payload: invoice.payload,
    },
  });
  return ended;
}

function giveUpInTime(counter: Counter, attempt: Attempt): void {
  counter
    .townOf()
    .scheduler.at(attempt.dueAtMs, () =>
      end(counter, attempt, { status: "failed", why: "no-answer" }),
    );
}

type End = Pick<PaidInvoice, "status" | "why"> & { words?: string | null };

/** Once only: an attempt that has ended is not there any more. */
function end(counter: Counter, attempt: Attempt, how: End): void {
  const town = counter.townOf();
  const { attempts, invoices } = town.state.stars;
  if (!attempts.delete(attempt.queryId)) return;
  const invoice = invoices.get(attempt.slug);
  if (invoice !== undefined) invoice.status = how.status;
  town.changed();
  counter.open.get(attempt.queryId)?.done({ slug: attempt.slug, words: null, ...how });
  counter.open.delete(attempt.queryId);
}

/** The Stars change hands, and the bot is told. */
function take(counter: Counter, attempt: Attempt, invoice: Invoice): void {
  const town = counter.townOf();
  const { stars } = town.state;
  const { personId, queryId } = attempt;
  const left = walletOf(town, personId) - invoice.amount;
  if (left < 0) return end(counter, attempt, { status: "failed", why: "not-enough" });
  stars.wallets.set(personId, left);
  const charge: Charge = {
    id: `st${secretToken(36, town.chance)}`,
    providerChargeId: `${personId}_${stars.charges.size + 1}`,
    slug: invoice.slug,
    botId: invoice.botId,
    personId,
    amount: invoice.amount,
    paidAtMs: town.clock.now().getTime(),
    refunded: false,
  };
  stars.charges.set(charge.id, charge);
  invoice.chargeIds.push(charge.id);
  stars.moves.push({ chargeId: charge.id, kind: "payment", atMs: charge.paidAtMs });
  const silent = counter.open.get(queryId)?.silent ?? false;
  end(counter, attempt, { status: "paid", why: null });
  announce(counter, charge, { event: "successful_payment", silent });
}

function refund(
  counter: Counter,
  bot: Bot,
  { personId, chargeId }: { personId: number; chargeId: string },
): void {
  const town = counter.townOf();
  const { stars } = town.state;
  if (!town.state.persons.has(personId)) throw new ApiError(400, "Bad Request: USER_ID_INVALID");
  const charge = stars.charges.get(chargeId);
  if (charge?.botId !== bot.id || charge.personId !== personId) {
    throw badRequest("CHARGE_NOT_FOUND");
  }
  if (charge.refunded) throw badRequest("CHARGE_ALREADY_REFUNDED");
  charge.refunded = true;
  stars.wallets.set(personId, walletOf(town, personId) + charge.amount);
  stars.moves.push({ chargeId, kind: "refund", atMs: town.clock.now().getTime() });
  const invoice = stars.invoices.get(charge.slug);
  if (invoice !== undefined) invoice.status = "refunded";
  town.changed();
  announce(counter, charge, { event: "refunded_payment", silent: false });
}

/** One line of the book for each message to the bot: lost, late, twice, as it is set. */
function announce(
  { townOf, notices }: Counter,
  charge: Charge,
  { event, silent }: { event: "successful_payment" | "refunded_payment"; silent: boolean },
): void {
  const town = townOf();
  const told = {
    event,
    paymentId: charge.slug,
    url: null,
    // A charge of another name: one that Telegram's own list does not know.
    body: notices.forgeSignature ? `${charge.id}${unixNow(town)}` : charge.id,
    forged: notices.forgeSignature,
  };
  for (let copy = 0; copy < (silent ? 1 : Math.max(1, notices.copies)); copy++) {
    const notice = record(town, told);
    if (silent || notices.drop) notice.state = "dropped";
    else if (notices.delayMs > 0) {
      notice.dueAtMs += notices.delayMs;
      holdBack(town, notice);
    } else tellNow(town, notice);
  }
}

function holdBack(town: Town, notice: Notice): void {
  town.scheduler.at(notice.dueAtMs, () => {
    if (notice.state === "held") tellNow(town, notice);
  });
}

function record(town: Town, made: Parameters<typeof recordNotice>[1]): Notice {
  const { event, paymentId, url, body, forged } = made;
  const nowMs = town.clock.now().getTime();
  return recordNotice(town.state.stars, { event, paymentId, url, body, forged }, nowMs);
}

function tellNow(town: Town, notice: Notice): Notice {
  notice.state = "delivered";
  notice.tries += 1;
  deliverTold(town, notice);
  town.changed();
  return notice;
}

/** The service message in the private chat of payer and bot; what was said once is told again. */
export function deliverTold(town: Town, notice: Notice): void {
  const { charges, invoices } = town.state.stars;
  const ids = invoices.get(notice.paymentId)?.chargeIds ?? [];
  const charge = charges.get(ids.find((id) => notice.body.startsWith(id)) ?? "");
  const invoice = charge && invoices.get(charge.slug);
  const bot = charge && botById(town, charge.botId);
  if (!charge || !invoice || !bot) return;
  const dialog = dialogOf(town, charge.personId, bot);
  const said = saidBefore(dialog, notice);
  if (said !== undefined) return tellAgain(town, bot, said);
  const payment = paymentShape(charge, invoice, notice.body);
  if (notice.event === "refunded_payment") {
    postServiceFromBot(town, bot, { dialog, content: { refunded_payment: payment } });
    return;
  }
  const provider_payment_charge_id = charge.providerChargeId;
  const successful_payment = {
    ...payment,
    ...periodOf(charge, invoice),
    provider_payment_charge_id,
  };
  postToBot(town, dialog, { successful_payment });
}

function saidBefore(dialog: Dialog, { event, body }: Notice): Message | undefined {
  return dialog.messages.find((message) => {
    const paid = message[event as "successful_payment" | "refunded_payment"];
    return paid?.telegram_payment_charge_id === body;
  });
}

function paymentShape(charge: Charge, invoice: Invoice, chargeId: string) {
  const { amount, payload, currency } = toldCharge(charge, invoice);
  return {
    currency,
    total_amount: amount,
    invoice_payload: payload,
    telegram_payment_charge_id: chargeId,
  };
}

/** Of a subscription the world knows the first payment alone: none renews itself here. */
function periodOf({ paidAtMs }: Charge, { subscriptionPeriod }: Invoice) {
  if (subscriptionPeriod === null) return {};
  return {
    subscription_expiration_date: Math.floor(paidAtMs / 1_000) + subscriptionPeriod,
    is_recurring: true as const,
    is_first_recurring: true as const,
  };
}

/** The truth of a charge, unless the world is made to lie. */
export function toldCharge({ amount }: Pick<Charge, "amount">, { told = {}, payload }: Invoice) {
  return {
    amount: Number(told.amount ?? amount),
    payload: told.reference ?? payload,
    currency: told.currency ?? "XTR",
  };
}

const TITLE_MAX_CHARS = 32;
const DESCRIPTION_MAX_CHARS = 255;
const PAYLOAD_MAX_BYTES = 128;
const SUBSCRIPTION_SECONDS = 2_592_000;
/** Telegram names no ceiling for one invoice; the world has one, so that none is taken for granted. */
const MAX_STARS = 100_000;

type Read = Pick<
  Invoice,
  "title" | "description" | "payload" | "amount" | "photoUrl" | "subscriptionPeriod"
>;

/** What createInvoiceLink and sendInvoice take alike, in Stars alone (payment-providers.md §9). */
export function readInvoice(args: Arguments): Read {
  const title = sized(args, "title", TITLE_MAX_CHARS);
  const description = sized(args, "description", DESCRIPTION_MAX_CHARS);
  const payload = args.text("payload");
  if (payload === "") throw badRequest('parameter "payload" is required');
  if (Buffer.byteLength(payload) > PAYLOAD_MAX_BYTES) throw badRequest("INVOICE_PAYLOAD_INVALID");
  if (args.text("currency") === "") throw badRequest('parameter "currency" is required');
  if (args.text("currency") !== "XTR") throw badRequest("CURRENCY_INVALID");
  // A token names another provider: Stars have none.
  if (args.text("provider_token") !== "") throw badRequest("PAYMENT_PROVIDER_INVALID");
  for (const name of ["max_tip_amount", "need_shipping_address", "is_flexible"]) {
    if (args.integer(name) > 0 || args.boolean(name)) throw badRequest("STARS_INVOICE_INVALID");
  }
  return {
    title,
    description,
    payload,
    amount: readPrice(args),
    photoUrl: args.text("photo_url") || null,
    subscriptionPeriod: readPeriod(args),
  };
}

function sized(args: Arguments, name: "title" | "description", max: number): string {
  const text = args.text(name).trim();
  if (text === "") throw badRequest(`parameter "${name}" is required`);
  if ([...text].length > max) throw badRequest(`invoice ${name} is too long`);
  return text;
}

/** Exactly one, and a whole number of Stars. */
function readPrice(args: Arguments): number {
  const prices = args.json("prices");
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

function readPeriod(args: Arguments): number | null {
  const period = args.integer("subscription_period");
  if (period === 0) return null;
  if (period !== SUBSCRIPTION_SECONDS) throw badRequest("SUBSCRIPTION_PERIOD_INVALID");
  return period;
}

/** Oldest first; a refund goes out under the name of its payment. */
export function transactionsOf(
  town: Town,
  bot: Bot,
  { offset, limit }: { offset: number; limit: number },
): StarTransaction[] {
  const own = movesOf(town, bot).slice(offset, offset + limit);
  return own.flatMap((move) => transactionOf(town, move) ?? []);
}

export function balanceOf(town: Town, bot: Bot): number {
  const { charges } = town.state.stars;
  return movesOf(town, bot).reduce((sum, { chargeId, kind }) => {
    const amount = charges.get(chargeId)?.amount ?? 0;
    return kind === "payment" ? sum + amount : sum - amount;
  }, 0);
}

function movesOf(town: Town, bot: Bot): StarMove[] {
  const { moves, charges } = town.state.stars;
  return moves.filter(({ chargeId }) => charges.get(chargeId)?.botId === bot.id);
}

function transactionOf(town: Town, { chargeId, kind, atMs }: StarMove): StarTransaction | null {
  const { charges, invoices } = town.state.stars;
  const charge = charges.get(chargeId);
  const invoice = charge && invoices.get(charge.slug);
  if (!charge || !invoice) return null;
  const { subscriptionPeriod } = invoice;
  const told = toldCharge(charge, invoice);
  const partner = {
    type: "user" as const,
    transaction_type: "invoice_payment" as const,
    user: personAsUser(personById(town, charge.personId)),
    invoice_payload: told.payload,
    ...(subscriptionPeriod === null ? {} : { subscription_period: subscriptionPeriod }),
  };
  return {
    id: chargeId,
    amount: told.amount,
    date: Math.floor(atMs / 1000),
    ...(kind === "payment" ? { source: partner } : { receiver: partner }),
  };
}

/** `https://t.me/$slug`, `https://t.me/invoice/slug`, `tg://invoice?slug=…`, or the slug itself. */
export function invoiceSlug(link: string): string | null {
  const path =
    /^(?:https?:\/\/)?(?:t\.me|telegram\.me|telegram\.dog)\/(?:\$|%24|invoice\/)([\w-]+)\/?$/i;
  const found =
    path.exec(link) ?? /^tg:\/\/invoice\?slug=([\w-]+)$/i.exec(link) ?? /^\$?([\w-]+)$/.exec(link);
  return found?.[1] ?? null;
}

export function invoiceLink(slug: string): string {
  return `https://t.me/$${slug}`;
}
