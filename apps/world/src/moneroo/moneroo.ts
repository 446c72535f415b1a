import type { Chance, Clock } from "@sesame/kernel";
import type { FastifyInstance } from "fastify";
import type { Scheduler } from "../scheduler.ts";
import type {
  CheckoutAction,
  CheckoutView,
  MonerooApiMode,
  MonerooNoticeMode,
  NoticeView,
} from "../wire.ts";
import { checkoutView, settle } from "./checkout.ts";
import { noticeView, startNotices } from "./notices.ts";
import { registerMonerooRoutes } from "./routes.ts";
import type { MonerooState, Payment } from "./state.ts";

export type MonerooOptions = {
  state: MonerooState;
  clock: Clock;
  chance: Chance;
  scheduler: Scheduler;
  secretKey: string;
  webhookSecret: string;
  notifyUrl(): string;
  currencies: readonly string[];
  /** Whether `payment.initiated` is announced too. */
  announceInitiated: boolean;
  /** Known only once the port is. */
  worldUrl(): string;
  changed(): void;
};

/** Moneroo as the tests and the control panel hold it. */
export type Moneroo = {
  readonly modes: { initialize: MonerooApiMode; verify: MonerooApiMode };
  readonly notices: MonerooNoticeMode;
  payments(): Payment[];
  payment(id: string): Payment | undefined;
  /** A payment was initialized. */
  open(payment: Payment): void;
  /** Null when there is no such payment, or it is already paid. */
  settle(id: string, action: CheckoutAction): CheckoutView | null;
  checkout(id: string): CheckoutView | null;
  noticeViews(): NoticeView[];
  repeatNotice(id: number): NoticeView | null;
  releaseNotices(): number;
  register(app: FastifyInstance): void;
  close(): void;
};

export function startMoneroo(options: MonerooOptions): Moneroo {
  const { state } = options;
  const notices = startNotices({ ...options, secret: options.webhookSecret });
  const modes: Moneroo["modes"] = { initialize: "normal", verify: "normal" };
  const moneroo: Moneroo = {
    modes,
    notices: notices.mode,
    payments: () => [...state.payments.values()],
    payment: (id) => state.payments.get(id),
    settle(id, action) {
      const payment = state.payments.get(id);
      if (payment === undefined || !settle(payment, action, notices)) return null;
      options.changed();
      return checkoutView(payment, options.worldUrl());
    },
    checkout(id) {
      const payment = state.payments.get(id);
      return payment === undefined ? null : checkoutView(payment, options.worldUrl());
    },
    noticeViews: () => state.notices.map(noticeView),
    repeatNotice(id) {
      const notice = notices.repeat(id);
      return notice === null ? null : noticeView(notice);
    },
    releaseNotices: () => notices.release(),
    register: (app) => registerMonerooRoutes(app, moneroo, options),
    open(payment) {
      state.payments.set(payment.id, payment);
      if (options.announceInitiated) notices.announce(payment, "payment.initiated");
      options.changed();
    },
    close: () => notices.close(),
  };
  return moneroo;
}
