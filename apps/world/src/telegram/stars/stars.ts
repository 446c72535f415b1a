import { secretToken } from "@sesame/kernel";
import { type Faults, paymentFaults } from "../../kit/faults.ts";
import { NORMAL_NOTICES, recordNotice, type Notice } from "../../kit/webhooks.ts";
import type { NoticeMode, PaidInvoice, PaymentRule } from "../../wire.ts";
import { ApiError, badRequest, NotPossible } from "../api-error.ts";
import type { Bot } from "../state.ts";
import { botById, personAsUser, personById, type Town, unixNow } from "../town.ts";
import { type Attempt, type Charge, FIRST_STARS, type Invoice } from "./state.ts";
import { deliverTold } from "./tell.ts";

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
