import { secretToken } from "@sesame/kernel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Notice } from "../notices/notice.ts";
import { type NoticeSender, startNotices } from "../notices/sender.ts";
import type { FedapayKeys } from "../options.ts";
import { noticePart } from "../payments/desk.ts";
import { MAIN, type MerchantBook, type Merchants, merchants } from "../payments/merchants.ts";
import { type NewPayout, type PayoutDesk, payoutDesk } from "../payouts/desk.ts";
import { emptyPayoutBook, type Payout, type PayoutBook } from "../payouts/state.ts";
import { startTill, type TillOptions } from "../payouts/till.ts";
import { newPayout } from "./create.ts";
import { eventBody, payoutEvent, signatureHeader, transactionEvent } from "./event.ts";
import { answerFedapayPayout, type FedapayCounter, registerFedapayRoutes } from "./routes.ts";
import { MODES } from "./shapes.ts";
import { type FedapayCollect, startCollect } from "./transactions/collect.ts";
import { emptyTransactions, type Transaction, type TransactionBook } from "./transactions/state.ts";

export type FedapayState = PayoutBook &
  TransactionBook & {
    /** After ten failures in a row it tells nothing more, until somebody switches it on again. */
    webhookDisabled: boolean;
    merchants: MerchantBook<FedapayKeys>;
  };

export function emptyFedapay(): FedapayState {
  return {
    ...emptyPayoutBook(),
    ...emptyTransactions(),
    webhookDisabled: false,
    merchants: new Map(),
  };
}

/** FedaPay as the tests and the control panel hold it. */
export type Fedapay = PayoutDesk & {
  collect: FedapayCollect;
  merchants: Merchants<FedapayKeys>;
  /** It stopped telling, after too many failures. */
  webhookDisabled(): boolean;
  enableWebhook(): void;
  owns(request: FastifyRequest): boolean;
  answerPayout(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  register(app: FastifyInstance): void;
  close(): void;
};

export type FedapayOptions = Omit<
  TillOptions,
  "name" | "book" | "accounts" | "firstFloat" | "announce"
> & {
  state: FedapayState;
  keys: FedapayKeys | null;
  /** Whether `transaction.created` is announced too. */
  announceInitiated: boolean;
  notifyUrl(): string;
  /** How this machine reaches an address of the app's. */
  near(url: string): string;
  /** Known only once the port is. */
  worldUrl(): string;
};

const FIRST_FLOAT = 2_000_000;
/** Nine more tries; the gaps grow to two minutes. */
const PAUSES_MS = [1, 2, 4, 8, 15, 30, 60, 120, 120].map((seconds) => seconds * 1_000);
const ANSWER_TIMEOUT_MS = 10_000;
/** Its numbers do not begin at one. */
const FIRST_ID = 40_000;

const EVENTS = { success: "payout.sent", failed: "payout.failed", initiated: "payout.started" };

export function startFedapay(options: FedapayOptions): Fedapay {
  const { state, clock, chance, changed, keys, notifyUrl } = options;
  const accounts = merchants<FedapayKeys>({
    main: keys === null ? null : { keys, noticeUrl: notifyUrl },
    book: state.merchants,
    changed,
    near: options.near,
    invent: () => ({
      secretKey: `sk_sandbox_${secretToken(18, chance)}`,
      publicKey: `pk_sandbox_${secretToken(18, chance)}`,
      webhookSecret: `wh_sandbox_${secretToken(18, chance)}`,
    }),
  });
  const sender = startSender(options, accounts);
  const told = telling(options, { sender, accounts });
  const till = startTill({
    ...options,
    book: state,
    name: "fedapay",
    accounts: MODES,
    firstFloat: FIRST_FLOAT,
    announce: (payout, event) => told.payout(payout, EVENTS[event]),
  });
  const makePayout = (given: NewPayout) =>
    newPayout(given, {
      id: FIRST_ID + state.nextPayoutNumber++,
      nowMs: clock.now().getTime(),
    });
  const counter: FedapayCounter = {
    till,
    newPayout: makePayout,
    owns: ({ headers }) => keys !== null && headers.authorization === `Bearer ${keys.secretKey}`,
    created: (payout) => told.payout(payout, "payout.created"),
  };
  const collect = startCollect({
    ...options,
    merchants: accounts,
    notices: noticePart(sender, state),
    announce: told.transaction,
  });
  return {
    ...payoutDesk({ till, sender, newPayout: makePayout }),
    collect,
    merchants: accounts,
    webhookDisabled: () => state.webhookDisabled,
    enableWebhook() {
      state.webhookDisabled = false;
      changed();
    },
    owns: counter.owns,
    answerPayout: (request, reply) => answerFedapayPayout(counter, request, reply),
    register(app) {
      registerFedapayRoutes(app, counter);
      collect.register(app);
    },
    close: () => sender.close(),
  };
}

/** Payments and payouts are told by the same webhook. */
function startSender(options: FedapayOptions, accounts: Merchants<FedapayKeys>): NoticeSender {
  const { state, clock, scheduler, changed, notifyUrl } = options;
  const secretOf = ({ account, forged }: Notice) => {
    const secret = accounts.get(account)?.keys.webhookSecret ?? "";
    return forged ? `${secret}-forged` : secret;
  };
  return startNotices(
    { book: state, clock, scheduler, changed },
    {
      timeoutMs: ANSWER_TIMEOUT_MS,
      pausesMs: PAUSES_MS,
      accepts: (status) => status >= 200 && status < 300,
      headers: (notice, at) => ({
        "content-type": "application/json",
        "x-fedapay-signature": signatureHeader(notice.body, secretOf(notice), at),
      }),
      url: notifyUrl,
      gaveUp: ({ account = MAIN }) => {
        if (account === MAIN) state.webhookDisabled = true;
      },
    },
  );
}

function telling(
  { state, announceInitiated, worldUrl }: FedapayOptions,
  { sender, accounts }: { sender: NoticeSender; accounts: Merchants<FedapayKeys> },
) {
  const announce = (event: Parameters<typeof eventBody>[0], id: string, account?: string) => {
    const merchant = accounts.get(account);
    if (!merchant?.noticeUrl || (account === undefined && state.webhookDisabled)) return;
    const body = eventBody(event, sender.mode.unusualSpacing);
    const whose = account === undefined ? { url: null } : { url: merchant.noticeUrl, account };
    sender.announce({ event: event.name, paymentId: id, body, ...whose });
  };
  return {
    payout: (payout: Payout, name: string) => announce(payoutEvent(payout, name), payout.id),
    transaction: (transaction: Transaction, name: string) => {
      if (name === "transaction.created" && !announceInitiated) return;
      const payUrl = `${worldUrl()}/fedapay/pay/${transaction.token}`;
      const event = transactionEvent(transaction, { name, payUrl });
      announce(event, String(transaction.id), transaction.account);
    },
  };
}
