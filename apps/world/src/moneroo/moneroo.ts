import type { Chance, Clock } from "@sesame/kernel";
import type { FastifyInstance } from "fastify";
import type { MobileMoney } from "../mobile-money/mobile-money.ts";
import type { Scheduler } from "../scheduler.ts";
import type {
  CheckoutAction,
  CheckoutView,
  MonerooApiMode,
  NoticeMode,
  NoticeView,
  WorldEvent,
} from "../wire.ts";
import { checkoutView, settle } from "./checkout.ts";
import { noticeView } from "../notices/notice.ts";
import { startMonerooNotices } from "./notices.ts";
import { type MonerooPayouts, startMonerooPayouts } from "./payouts.ts";
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
  mobileMoney: Pick<MobileMoney, "receive">;
  show(event: WorldEvent): void;
  changed(): void;
};

/** Moneroo as the tests and the control panel hold it. */
export type Moneroo = {
  readonly modes: { initialize: MonerooApiMode; verify: MonerooApiMode };
  readonly notices: NoticeMode;
  readonly payouts: MonerooPayouts;
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
  const { clock, scheduler, changed, notifyUrl } = options;
  const told = { book: state, clock, scheduler, changed };
  const notices = startMonerooNotices({ ...told, notifyUrl, secret: options.webhookSecret });
  const payouts = startMonerooPayouts({ ...options, book: state, notices });
  const modes: Moneroo["modes"] = { initialize: "normal", verify: "normal" };
  const moneroo: Moneroo = {
    modes,
    notices: notices.mode,
    payouts,
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
    register(app) {
      registerMonerooRoutes(app, moneroo, options);
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
