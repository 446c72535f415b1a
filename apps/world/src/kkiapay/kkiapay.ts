import { type Chance, type Clock, MINUTE_MS, readableToken, textOf } from "@sesame/kernel";
import type { FastifyInstance } from "fastify";
import { type NoticeSender, startNotices } from "../notices/sender.ts";
import { spacedOut } from "../notices/spacing.ts";
import type { Scheduler } from "../scheduler.ts";
import type { KkiapayKeys } from "../options.ts";
import { noticePart, type PaymentDesk, paymentDesk } from "../payments/desk.ts";
import { type PaymentFaults, paymentFaults } from "../payments/faults.ts";
import { type Merchants, merchantId, merchants } from "../payments/merchants.ts";
import { NotPossible } from "../telegram/api-error.ts";
import type { KkiapayConfig, KkiapayModes, PaymentOutcome, WorldEvent } from "../wire.ts";
import { DECLINED, failureOfNumber, feesOf, OPERATORS, withDial } from "./operators.ts";
import { registerKkiapayRoutes } from "./routes.ts";
import { kkiapayView, noticeShape } from "./shapes.ts";
import type { KkiapayState, Opening, Transaction } from "./state.ts";

const LEAST_AMOUNT = 100;
/** What an amount becomes that is changed in the browser. */
const CHANGED_AMOUNT = 100;

/** Reads what a browser hands to the widget: nothing of it is proved. */
function readOpening(
  config: KkiapayConfig,
  given: { account?: string; otherAmount: boolean; chance: Chance },
): Opening {
  const asked = Number(config.amount);
  if (!Number.isInteger(asked) || asked < LEAST_AMOUNT) throw new NotPossible("amount");
  const names = [config.firstname, config.lastname].map(text).filter((part) => part !== "");
  return {
    id: `wd_${readableToken(12, given.chance)}`,
    ...(given.account === undefined ? {} : { account: given.account }),
    amount: given.otherAmount ? CHANGED_AMOUNT : asked,
    data: config.data ?? null,
    partnerId: text(config.partnerId) || null,
    reason: text(config.reason),
    customer: {
      name: text(config.fullname) || text(config.name) || names.join(" "),
      email: text(config.email),
      phone: (text(config.phoneNumber) || text(config.phone)).replace(/\D/g, ""),
    },
    cancelled: false,
    transactionIds: [],
  };
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

export type KkiapayOptions = {
  state: KkiapayState;
  clock: Clock;
  chance: Chance;
  scheduler: Scheduler;
  /** The app's account; null: it has none. */
  keys: KkiapayKeys | null;
  notifyUrl(): string;
  changed(): void;
  show(event: WorldEvent): void;
};

/** KkiaPay as the tests and the control panel hold it; its widget must be opened first. */
export type Kkiapay = PaymentDesk & {
  readonly accounts: Merchants<KkiapayKeys>;
  readonly modes: KkiapayModes;
  /** As a browser does with `openKkiapayWidget`. */
  open(config: KkiapayConfig): Opening;
  /** How the last try of an opening stands. */
  lastTry(opening: Opening): Transaction | undefined;
  /** As the customer in the widget's frame; undefined when he put it away. */
  act(opening: Opening, how: CustomerAct): Transaction | undefined;
  register(app: FastifyInstance): void;
  close(): void;
};

export type CustomerAct = {
  outcome: PaymentOutcome;
  phone?: string | undefined;
  operator?: string | undefined;
  silent?: boolean | undefined;
};

export const NORMAL_MODES: KkiapayModes = {
  emptyPartnerId: false,
  stateAsText: false,
  forgedSuccess: false,
  otherAmount: false,
};

/** Five further tries, with growing gaps. */
const PAUSES_MS = [1, 2, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);
const ANSWER_TIMEOUT_MS = 10_000;

export function startKkiapay(options: KkiapayOptions): Kkiapay {
  const { state, chance, changed, keys } = options;
  const modes = { ...NORMAL_MODES };
  const accounts = merchants<KkiapayKeys>({
    main: keys === null ? null : { keys, noticeUrl: options.notifyUrl },
    book: state.accounts,
    invent: () => inventKeys(chance),
    changed,
  });
  const lastTry = ({ transactionIds }: Opening) =>
    state.transactions.get(transactionIds.at(-1) ?? "");
  const sender = startSender(options, accounts);
  const counter: Counter = { ...options, modes, accounts, sender };
  const faults: PaymentFaults = paymentFaults(changed, options.clock);
  const kkiapay: Kkiapay = {
    ...paymentDesk<Opening>({
      name: "kkiapay",
      payments: () => state.openings.values(),
      view: (opening) => kkiapayView(opening, lastTry(opening)),
      settle: (opening, outcome, { silent = false }) =>
        void kkiapay.act(opening, { outcome, silent }),
      faults,
      notices: noticePart(sender, state),
      changed,
    }),
    accounts,
    modes,
    lastTry,
    open(config) {
      const account = accountOf(accounts, config);
      const { otherAmount } = modes;
      const opening = readOpening(config, { ...merchantId(account), otherAmount, chance });
      state.openings.set(opening.id, opening);
      changed();
      return opening;
    },
    act: (opening, how) => act(counter, { opening, before: lastTry(opening) }, how),
    register: (app) => registerKkiapayRoutes(app, { ...options, kkiapay, faults }),
    close: () => sender.close(),
  };
  return kkiapay;
}

type Counter = KkiapayOptions & {
  modes: KkiapayModes;
  accounts: Merchants<KkiapayKeys>;
  sender: NoticeSender;
};

function act(
  counter: Counter,
  { opening, before }: { opening: Opening; before: Transaction | undefined },
  how: CustomerAct,
): Transaction | undefined {
  if (before?.status === "SUCCESS" || before?.status === "REVERTED") {
    throw new NotPossible("already paid");
  }
  opening.cancelled = how.outcome === "cancel";
  counter.changed();
  if (how.outcome === "cancel") return undefined;
  const transaction = before?.status === "PENDING" ? before : newTransaction(counter, opening, how);
  if (how.outcome === "pending") return transaction;
  const failure = how.outcome === "failure" ? DECLINED : failureOfNumber(transaction.phone);
  transaction.failure = failure;
  transaction.status = failure === null ? "SUCCESS" : "FAILED";
  transaction.performedAtMs = counter.clock.now().getTime();
  if (how.silent !== true) announce(counter, opening, transaction);
  return transaction;
}

function newTransaction(counter: Counter, opening: Opening, how: CustomerAct): Transaction {
  const operator = how.operator ?? OPERATORS[0]?.code ?? "";
  const phone = withDial((how.phone ?? opening.customer.phone).replace(/\D/g, ""), operator);
  const transaction: Transaction = {
    id: readableToken(9, counter.chance),
    openingId: opening.id,
    status: "PENDING",
    operator,
    phone,
    fees: feesOf(opening.amount, operator),
    failure: null,
    performedAtMs: counter.clock.now().getTime(),
  };
  counter.state.transactions.set(transaction.id, transaction);
  opening.transactionIds.push(transaction.id);
  return transaction;
}

function startSender(options: KkiapayOptions, accounts: Merchants<KkiapayKeys>): NoticeSender {
  const { state, clock, scheduler, changed } = options;
  return startNotices(
    { book: state, clock, scheduler, changed },
    {
      timeoutMs: ANSWER_TIMEOUT_MS,
      pausesMs: PAUSES_MS,
      accepts: (status) => status >= 200 && status < 300,
      // The secret itself, and no signature: whoever has seen one notice can send any.
      headers: ({ account, forged }) => {
        const secret = accounts.get(account)?.keys.webhookSecret ?? "";
        return {
          "content-type": "application/json",
          "x-kkiapay-secret": forged ? `${secret}-forged` : secret,
        };
      },
      url: options.notifyUrl,
    },
  );
}

/** To the address that its account names in the dashboard, if it names one. */
function announce(
  { sender, accounts, modes }: Counter,
  opening: Opening,
  transaction: Transaction,
) {
  const { account } = opening;
  const url = accounts.get(account)?.noticeUrl ?? null;
  if (url === null) return;
  const told = noticeShape({ opening, transaction, modes });
  sender.announce({
    event: textOf(told.event),
    paymentId: transaction.id,
    url,
    body: sender.mode.unusualSpacing ? spacedOut(told) : JSON.stringify(told),
    ...(account === undefined ? {} : { account }),
  });
}

/** Whose public key the page was opened with; the app's when it says none. */
function accountOf(accounts: Merchants<KkiapayKeys>, { key, sandbox }: KkiapayConfig) {
  const account =
    key === undefined ? accounts.get() : accounts.by(({ publicKey }) => publicKey === key);
  if (account === undefined) throw new NotPossible("key");
  // A key of the tests and the flag go together, or the widget does not open.
  const forTests = account.keys.privateKey.startsWith("tpk_");
  if (sandbox !== undefined && sandbox !== forTests) throw new NotPossible("sandbox");
  return account;
}

function inventKeys(chance: Chance): KkiapayKeys {
  const word = () => readableToken(24, chance).toLowerCase();
  return {
    publicKey: word(),
    privateKey: `tpk_${word()}`,
    secretKey: `tsk_${word()}`,
    webhookSecret: word(),
  };
}
