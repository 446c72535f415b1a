import type { FastifyInstance } from "fastify";
import type { FedapayKeys } from "../../options.ts";
import { type PaymentDesk, paymentDesk } from "../../payments/desk.ts";
import { type PaymentFaults, paymentFaults } from "../../payments/faults.ts";
import type { HostedPage } from "../../payments/hosted-page.ts";
import { merchantId, type Merchants } from "../../payments/merchants.ts";
import { NotPossible } from "../../telegram/api-error.ts";
import type { FedapayOptions } from "../fedapay.ts";
import type { NewTransaction } from "./create.ts";
import { end, follow, newTransaction } from "./life.ts";
import { checkoutOf } from "./page.ts";
import { type FedapayCashier, REFUSALS, registerTransactionRoutes } from "./routes.ts";
import { transactionView } from "./shapes.ts";
import type { Transaction } from "./state.ts";

/** FedaPay's payments: the desk, the page, and the calls. */
export type FedapayCollect = PaymentDesk &
  HostedPage & {
    /** The widget makes one itself, by the public key, with whatever amount the browser says. */
    openInBrowser(publicKey: string, given: NewTransaction): Transaction;
    byId(publicKey: string, id: string): Transaction | undefined;
    register(app: FastifyInstance): void;
  };

type Parts = FedapayOptions & {
  merchants: Merchants<FedapayKeys>;
  notices: Parameters<typeof paymentDesk>[0]["notices"];
  announce(transaction: Transaction, event: string): void;
};

export function startCollect(parts: Parts): FedapayCollect {
  const { state, changed } = parts;
  const faults = paymentFaults(changed, parts.clock);
  const cashier = newCashier(parts, faults);
  const { payUrl } = cashier;
  const all = () => [...state.transactions.values()];
  const byToken = (token: string) => all().find((each) => each.token === token);
  const byPublicKey = (publicKey: string) => {
    const merchant = parts.merchants.by((keys) => keys.publicKey === publicKey);
    if (merchant === undefined) throw new NotPossible("no account of this public key");
    return merchant;
  };
  for (const transaction of all()) follow(parts, transaction);
  return {
    ...paymentDesk({
      name: "fedapay",
      payments: all,
      view: (transaction) => transactionView(transaction, payUrl(transaction)),
      settle(transaction, outcome, { silent }) {
        const to = SETTLED[outcome];
        if (to !== null) end(parts, transaction, { status: to, silent });
      },
      announceChange(transaction) {
        transaction.updatedAtMs = parts.clock.now().getTime();
        parts.announce(transaction, "transaction.updated");
      },
      faults,
      notices: parts.notices,
      changed,
    }),
    page(token) {
      const transaction = byToken(token);
      return transaction === undefined ? null : checkoutOf(transaction);
    },
    act(token, { action, method, phone, silent }) {
      const transaction = byToken(token);
      if (transaction === undefined) return null;
      const to = ACTED[action];
      const how = { ...(method ? { mode: method } : {}), ...(phone ? { phone } : {}), silent };
      if (to !== null) end(parts, transaction, { status: to, ...how });
      return checkoutOf(transaction);
    },
    openInBrowser: (publicKey, given) => cashier.open(given, byPublicKey(publicKey)),
    byId: (publicKey, id) =>
      cashier.transactionsOf(byPublicKey(publicKey)).find((each) => String(each.id) === id),
    register: (app) => registerTransactionRoutes(app, cashier),
  };
}

function newCashier(parts: Parts, faults: PaymentFaults): FedapayCashier {
  const { state, clock, changed, merchants, worldUrl } = parts;
  return {
    name: "fedapay",
    faults,
    refusals: REFUSALS,
    now: () => clock.now(),
    show: parts.show,
    merchantOf: (bearer) => merchants.by(({ secretKey }) => bearer === `Bearer ${secretKey}`),
    transactionsOf: (merchant) =>
      [...state.transactions.values()].filter(
        ({ account }) => account === merchantId(merchant).account,
      ),
    open(given, merchant) {
      const made = newTransaction(parts, given, merchant);
      state.transactions.set(String(made.id), made);
      follow(parts, made);
      parts.announce(made, "transaction.created");
      changed();
      return made;
    },
    payUrl: ({ token }) => `${worldUrl()}/fedapay/pay/${token}`,
    push: (transaction, { mode, phone, approved }) =>
      end(parts, transaction, { status: approved ? "approved" : "declined", mode, phone }),
  };
}

const SETTLED = {
  success: "approved",
  failure: "declined",
  cancel: "canceled",
  pending: null,
} as const;
const ACTED = { success: "approved", fail: "declined", cancel: "canceled", pending: null } as const;
