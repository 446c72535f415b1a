import { type Chance, type Clock, secretToken } from "@sesame/kernel";
import type { FastifyInstance } from "fastify";
import type { MobileMoney } from "../mobile-money/mobile-money.ts";
import { noticePart, type PaymentDesk, paymentDesk } from "../payments/desk.ts";
import { paymentFaults } from "../payments/faults.ts";
import type { HostedPage } from "../payments/hosted-page.ts";
import { type Merchants, merchants } from "../payments/merchants.ts";
import type { Scheduler } from "../scheduler.ts";
import { NotPossible } from "../telegram/api-error.ts";
import type { WorldEvent } from "../wire.ts";
import { checkoutView, collectView, settle } from "./checkout.ts";
import { startMonerooNotices } from "./notices.ts";
import { type MonerooPayouts, startMonerooPayouts } from "./payouts.ts";
import { registerMonerooRoutes } from "./routes.ts";
import type { MonerooKeys, MonerooState, Payment } from "./state.ts";

export type MonerooOptions = {
  state: MonerooState;
  clock: Clock;
  chance: Chance;
  scheduler: Scheduler;
  secretKey: string;
  webhookSecret: string;
  notifyUrl(): string;
  /** How this machine reaches an address of the app's. */
  near(url: string): string;
  currencies: readonly string[];
  /** Whether `payment.initiated` is announced too. */
  announceInitiated: boolean;
  /** Known only once the port is. */
  worldUrl(): string;
  mobileMoney: Pick<MobileMoney, "receive">;
  show(event: WorldEvent): void;
  changed(): void;
};

/** Moneroo as the tests and the control panel hold it. */
export type Moneroo = HostedPage & {
  /** Payments by the face that all providers have. */
  readonly collect: PaymentDesk;
  readonly merchants: Merchants<MonerooKeys>;
  readonly payouts: MonerooPayouts;
  payment(id: string): Payment | undefined;
  /** A payment was initialized. */
  open(payment: Payment): void;
  register(app: FastifyInstance): void;
  close(): void;
};

const ACTIONS = {
  success: "success",
  failure: "fail",
  cancel: "cancel",
  pending: "pending",
} as const;

function openAccounts(options: MonerooOptions): Merchants<MonerooKeys> {
  const { secretKey, webhookSecret, chance } = options;
  return merchants<MonerooKeys>({
    main: { keys: { secretKey, webhookSecret }, noticeUrl: options.notifyUrl },
    book: options.state.merchants,
    changed: options.changed,
    near: options.near,
    invent: () => ({
      secretKey: `sk_${secretToken(24, chance)}`,
      webhookSecret: secretToken(18, chance),
    }),
  });
}

export function startMoneroo(options: MonerooOptions): Moneroo {
  const { state } = options;
  const { clock, scheduler, changed, notifyUrl } = options;
  const told = { book: state, clock, scheduler, changed };
  const accounts = openAccounts(options);
  const notices = startMonerooNotices({ ...told, notifyUrl, merchants: accounts });
  const faults = paymentFaults(changed, clock);
  const payouts = startMonerooPayouts({ ...options, book: state, notices });
  const moneroo: Moneroo = {
    merchants: accounts,
    collect: paymentDesk({
      name: "moneroo",
      payments: () => state.payments.values(),
      view: (payment) => collectView(payment, options.worldUrl()),
      settle(payment, outcome, { silent = false }) {
        if (!settle(payment, { action: ACTIONS[outcome], silent }, notices)) {
          throw new NotPossible("this payment is paid");
        }
      },
      faults,
      notices: noticePart(notices, state),
      changed,
    }),
    payouts,
    payment: (id) => state.payments.get(id),
    page(id) {
      const payment = state.payments.get(id);
      return payment === undefined ? null : checkoutView(payment);
    },
    act(id, action) {
      const payment = state.payments.get(id);
      if (payment === undefined || !settle(payment, action, notices)) return null;
      options.changed();
      return checkoutView(payment);
    },
    register(app) {
      registerMonerooRoutes(app, moneroo, { ...options, faults });
      payouts.register(app);
    },
    open(payment) {
      state.payments.set(payment.id, payment);
      if (options.announceInitiated) notices.announce(payment, "payment.initiated");
      options.changed();
    },
    close: () => notices.close(),
  };
  return moneroo;
}
