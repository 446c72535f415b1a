import { type NoticeBook, noticeView } from "../notices/notice.ts";
import type { NoticeSender } from "../notices/sender.ts";
import { NotPossible } from "../telegram/api-error.ts";
import type {
  AlteredPayment,
  CollectorName,
  NoticeMode,
  NoticeView,
  PaymentCall,
  PaymentFault,
  PaymentFaultRule,
  PaymentOutcome,
  PaymentView,
} from "../wire.ts";
import type { PaymentFaults } from "./faults.ts";
import type { RateLimit } from "./rate-limit.ts";

export type { PaymentFault, PaymentView } from "../wire.ts";

/** A provider's payments as tests and the control panel hold them. */
export type PaymentDesk = {
  /** Oldest first. */
  list(): readonly PaymentView[];
  /** The last so many, oldest first. */
  latest(count: number): readonly PaymentView[];
  /** By our reference, or by their id. */
  find(reference: string): PaymentView | undefined;
  /** As the customer on their page; the notice follows unless silent. */
  settle(id: string, outcome: PaymentOutcome, options?: SettleOptions): PaymentView;
  /** What their answers will say; `announced`: a notice follows, where they send one after the end. */
  alter(id: string, change: AlteredPayment, how?: { announced?: boolean }): PaymentView;
  /** Once unless told how often; `down` and `keys` until `null` takes them away. */
  fault(call: PaymentCall, kind: PaymentFault | null, times?: number): void;
  faults(): readonly PaymentFaultRule[];
  clearFaults(): void;
  /** Calls a minute, off by default. */
  readonly limit: RateLimit;
  readonly notices: NoticeMode;
  noticeViews(): NoticeView[];
  repeatNotice(id: number): NoticeView | null;
  releaseNotices(): number;
};

/** `personId`: who pays, where a provider knows people. */
export type SettleOptions = { silent?: boolean; personId?: number };

/** A payment of any provider's: what its answers say otherwise, kept with it. */
export type Alterable = { told?: AlteredPayment };

export type PaymentDeskParts<P extends Alterable> = {
  name: CollectorName;
  payments(): Iterable<P>;
  view(payment: P): PaymentView;
  settle(payment: P, outcome: PaymentOutcome, options: SettleOptions): void;
  /** Their notice of what changes after the end; absent: they send none. */
  announceChange?(payment: P): void;
  faults: PaymentFaults;
  notices: Pick<PaymentDesk, "notices" | "noticeViews" | "repeatNotice" | "releaseNotices">;
  changed(): void;
};

export function paymentDesk<P extends Alterable>(parts: PaymentDeskParts<P>): PaymentDesk {
  const { view, changed } = parts;
  const find = (name: string): P | undefined => {
    let named: P | undefined;
    for (const payment of parts.payments()) {
      const { id, reference, transactionId } = view(payment);
      if (id === name) return payment;
      // A reference may be told twice: the later payment is meant.
      if (reference === name || transactionId === name) named = payment;
    }
    return named;
  };
  const known = (name: string): P => {
    const payment = find(name);
    if (payment === undefined) throw new NotPossible(`no payment ${name} at ${parts.name}`);
    return payment;
  };
  return {
    list: () => [...parts.payments()].map(view),
    latest: (count) => [...parts.payments()].slice(-count).map(view),
    find(name) {
      const payment = find(name);
      return payment === undefined ? undefined : view(payment);
    },
    settle(name, outcome, options = {}) {
      const payment = known(name);
      parts.settle(payment, outcome, options);
      changed();
      return view(payment);
    },
    alter(name, change, { announced = false } = {}) {
      const payment = known(name);
      payment.told = { ...payment.told, ...change };
      if (announced) parts.announceChange?.(payment);
      changed();
      return view(payment);
    },
    ...faultPart(parts.faults),
    ...parts.notices,
  };
}

export function faultPart(
  faults: PaymentFaults,
): Pick<PaymentDesk, "fault" | "faults" | "clearFaults" | "limit"> {
  return {
    fault: (call, kind, times) => faults.set(call, kind, times),
    faults: () => faults.rules,
    clearFaults: () => faults.clear(),
    limit: faults.limit,
  };
}

export function noticePart(
  sender: Omit<NoticeSender, "announce">,
  book: NoticeBook,
): Pick<PaymentDesk, "notices" | "noticeViews" | "repeatNotice" | "releaseNotices"> {
  return {
    notices: sender.mode,
    noticeViews: () => book.notices.map(noticeView),
    repeatNotice(id) {
      const notice = sender.repeat(id);
      return notice === null ? null : noticeView(notice);
    },
    releaseNotices: () => sender.release(),
  };
}

/** The truth, and over it what the provider is made to say. */
export function asTold<T extends object>(truth: T, told: Partial<Record<keyof T, unknown>>): T {
  const said = Object.entries(told).filter(([, value]) => value !== undefined && value !== null);
  return { ...truth, ...Object.fromEntries(said) } as T;
}
