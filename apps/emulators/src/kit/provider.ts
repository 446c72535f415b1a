import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import type {
  MerchantProviderName,
  PaymentRule,
  PayoutProviderName,
  PayoutRule,
  CollectorName,
} from "../wire.ts";
import { type AccountBook, type Keys, MAIN, startAccounts } from "./accounts.ts";
import { answering, type Refusals } from "./calls.ts";
import { paymentFaults } from "./faults.ts";
import { type Payment, type PaymentBook, type PaymentSpec, startPayments } from "./payments.ts";
import { type PayoutBook, type PayoutSpec, startPayouts } from "./payouts.ts";
import { startWebhook, type WebhookSpec } from "./webhooks.ts";
import type { MobileMoney } from "../mobile-money/mobile-money.ts";
import type { Telegram } from "../telegram/state.ts";

/** What every provider needs of the emulators. */
export type ProviderDeps = Pick<Telegram, "clock" | "random" | "scheduler" | "show" | "changed"> & {
  mobileMoney: Pick<MobileMoney, "receive">;
  /** Whether providers also send a webhook when a payment or a payout begins. */
  announceInitiated: boolean;
  /** An address of the app as this machine reaches it. */
  near(url: string): string;
  /** Known only once the port is known. */
  emulatorUrl(): string;
  /** Address for the webhooks of the app's own account at a provider. */
  webhookUrl(provider: CollectorName): string;
};

/** All records of a provider, stored in the emulators' file. */
export type ProviderBook<K, P extends Payment> = PaymentBook<P> &
  PayoutBook & {
    merchants: AccountBook<K>;
    /** It sends no more webhooks until somebody enables them again. */
    webhookDisabled: boolean;
  };

export const emptyBook = <K, P extends Payment>(): ProviderBook<K, P> => ({
  payments: new Map(),
  nextNumber: 1,
  merchants: new Map(),
  payouts: new Map(),
  floats: new Map(),
  webhooks: [],
  nextWebhookId: 1,
  webhookDisabled: false,
});

/** A provider's records, and the app's own keys there, if any. */
export type Given<K, P extends Payment> = { state: ProviderBook<K, P>; keys: K | null };

type Spec<K extends Keys, P extends Payment> = Omit<WebhookSpec<K>, "book" | "accounts"> &
  Omit<PaymentSpec<P>, "name" | "book" | "faults" | "webhooks"> & {
    name: MerchantProviderName;
    /** Keys of a new account. */
    invent(): K;
    /** Whether a call is made by whoever has these keys. */
    isBy(keys: K, headers: IncomingHttpHeaders): boolean;
    refusals: Refusals<PaymentRule>;
  };

/**
 * Accounts, payments, webhooks and calls of a provider; `spec` has what only this provider does.
 */
export function startProvider<K extends Keys, P extends Payment>(
  deps: ProviderDeps,
  { state: book, keys }: Given<K, P>,
  spec: Spec<K, P>,
) {
  const { name, refusals, invent } = spec;
  const accounts = startAccounts<K>(deps, { provider: name, keys, book: book.merchants, invent });
  const webhook = startWebhook<K>(deps, { ...spec, book, accounts });
  const faults = paymentFaults(deps);
  const payments = startPayments<P>(deps, { ...spec, book, faults, webhooks: webhook });
  const accountOf = ({ headers }: FastifyRequest) =>
    accounts.by((theirs) => spec.isBy(theirs, headers));
  const routes: RouteOptions[] = [];
  return {
    book,
    accounts,
    webhook,
    payments,
    routes,
    accountOf,
    /** Answers a call about payments. */
    on: answering<K, PaymentRule>(deps, { name, faults, refusals, accountOf, routes }),
    /** What the emulators need of every provider. */
    face: {
      merchants: accounts,
      register(app: FastifyInstance) {
        for (const route of routes) app.route(route);
      },
      close: webhook.close,
    },
  };
}

type Paying = Omit<PayoutSpec, "name" | "book" | "webhooks"> & {
  name: PayoutProviderName;
  refusals: Refusals<PayoutRule>;
};

/** Payouts of a provider: only the app's own account may request them. */
export function startPaying<K extends Keys, P extends Payment>(
  deps: ProviderDeps,
  provider: ReturnType<typeof startProvider<K, P>>,
  { refusals, ...spec }: Paying,
) {
  const { book, webhook: webhooks, routes } = provider;
  const { name } = spec;
  const payouts = startPayouts(deps, { ...spec, book, webhooks });
  const accountOf = (request: FastifyRequest) => {
    const account = provider.accountOf(request);
    return account?.id === MAIN ? account : undefined;
  };
  const faults = payouts.rules;
  return {
    payouts,
    /** Answers a call about payouts. */
    on: answering<K, PayoutRule>(deps, { name, faults, refusals, accountOf, routes }),
  };
}
