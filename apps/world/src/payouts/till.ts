import type { Chance, Clock } from "@sesame/kernel";
import type { MobileMoney } from "../mobile-money/mobile-money.ts";
import type { Scheduler } from "../scheduler.ts";
import { NotPossible } from "../telegram/api-error.ts";
import type {
  FloatView,
  PayoutFault,
  PayoutProviderName,
  PayoutView,
  WorldEvent,
} from "../wire.ts";
import { networkOfMethod } from "./methods.ts";
import { type PayoutFaults, payoutFaults } from "./faults.ts";
import type { Course, Payout, PayoutBook } from "./state.ts";

/** What a provider's payouts have in common: its book, its floats, and time. */
export type PayoutTill = {
  readonly name: PayoutProviderName;
  readonly book: PayoutBook;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly faults: PayoutFaults;
  find(idOrHandleOrReference: string): Payout | undefined;
  record(payout: Payout): void;
  /**
   * Takes a payout to send it: draws on the float and sets its course. False when the float is too
   * short, and nothing was done. A payout taken before stays as it is.
   */
  accept(payout: Payout, fault: PayoutFault | null): boolean;
  end(payout: Payout, outcome: Course["outcome"], why: string | null): void;
  floatOf(account: string): number;
  floats(): FloatView[];
  setFloat(account: string, amount: number): void;
  /** A connection of the app's broke. */
  show(event: WorldEvent): void;
  changed(): void;
};

export type TillOptions = {
  name: PayoutProviderName;
  book: PayoutBook;
  clock: Clock;
  chance: Chance;
  scheduler: Scheduler;
  mobileMoney: Pick<MobileMoney, "receive">;
  /** Accounts that hold its floats, and what each holds at first. */
  accounts: readonly string[];
  firstFloat: number;
  /** What happened to a payout: the provider tells it, or not. */
  announce(payout: Payout, event: "initiated" | "success" | "failed"): void;
  show(event: WorldEvent): void;
  changed(): void;
};

const PENDING_AFTER_MS = 1_000;
const ENDS_AFTER_MS = 4_000;
const LATE_MS = 6 * 3_600_000;
/** As the operators' messages name whoever sends. */
const MERCHANT = "Sésame";
const FAILED_BY_OPERATOR = "Recipient account not found or not allowed to receive.";

export function startTill(options: TillOptions): PayoutTill {
  const { book, clock, scheduler, changed } = options;
  const till: PayoutTill = {
    name: options.name,
    book,
    clock,
    chance: options.chance,
    faults: payoutFaults(changed),
    find: (name) => findPayout(book, name),
    record(payout) {
      book.payouts.set(payout.id, payout);
      changed();
    },
    accept(payout, fault) {
      if (payout.status !== "created") return true;
      const left = till.floatOf(payout.account) - payout.amount - payout.cost;
      if (left < 0) return false;
      const nowMs = clock.now().getTime();
      book.floats.set(payout.account, left);
      payout.course = courseOf(fault, nowMs);
      Object.assign(payout, { status: "queued", startedAtMs: nowMs, updatedAtMs: nowMs });
      follow(till, scheduler, payout);
      options.announce(payout, "initiated");
      changed();
      return true;
    },
    end(payout, outcome, why) {
      endPayout(options, payout, { outcome, why });
    },
    floatOf: (account) => book.floats.get(account) ?? options.firstFloat,
    floats: () =>
      options.accounts.map((account) => ({
        provider: options.name,
        account,
        amount: till.floatOf(account),
      })),
    setFloat(account, amount) {
      if (!options.accounts.includes(account)) throw new NotPossible(`no account ${account}`);
      if (!Number.isInteger(amount) || amount < 0) throw new NotPossible("not an amount");
      book.floats.set(account, amount);
      changed();
    },
    show: options.show,
    changed,
  };
  for (const payout of book.payouts.values()) follow(till, scheduler, payout);
  return till;
}

function findPayout({ payouts }: PayoutBook, name: string): Payout | undefined {
  const known = payouts.get(name);
  if (known !== undefined) return known;
  for (const payout of payouts.values()) {
    if (payout.handle === name || payout.reference === name) return payout;
  }
  return undefined;
}

function courseOf(fault: PayoutFault | null, nowMs: number): Course | null {
  switch (fault?.kind) {
    case "stay-pending":
      return null;
    case "late-success":
      return { outcome: "success", why: null, atMs: nowMs + LATE_MS };
    case "late-failure":
      return { outcome: "failed", why: FAILED_BY_OPERATOR, atMs: nowMs + LATE_MS };
    default:
      return { outcome: "success", why: null, atMs: nowMs + ENDS_AFTER_MS };
  }
}

/** Sets the clock for what is still to come of a payout. */
function follow(till: PayoutTill, scheduler: Scheduler, payout: Payout): void {
  const { course } = payout;
  if (payout.status === "queued" && payout.startedAtMs !== null) {
    scheduler.at(payout.startedAtMs + PENDING_AFTER_MS, () => {
      if (payout.status !== "queued") return;
      payout.status = "pending";
      payout.updatedAtMs = till.clock.now().getTime();
      till.changed();
    });
  }
  if (course === null) return;
  scheduler.at(course.atMs, () => {
    if (payout.course === course) till.end(payout, course.outcome, course.why);
  });
}

function endPayout(
  options: TillOptions,
  payout: Payout,
  { outcome, why }: { outcome: Course["outcome"]; why: string | null },
): void {
  const { book, clock, mobileMoney, changed } = options;
  if (payout.status === "success" || payout.status === "failed") {
    throw new NotPossible("this payout has ended");
  }
  const drawn = payout.status !== "created";
  const nowMs = clock.now().getTime();
  const left = book.floats.get(payout.account) ?? options.firstFloat;
  const total = payout.amount + payout.cost;
  payout.course = null;
  payout.status = outcome;
  payout.updatedAtMs = nowMs;
  if (outcome === "success") {
    payout.startedAtMs ??= nowMs;
    payout.sentAtMs = nowMs;
    payout.operatorReference = mobileMoney.receive({
      phone: payout.phone,
      network: networkOfMethod(options.name, payout.method).id,
      amount: payout.amount,
      from: { name: MERCHANT, phone: null },
    });
    if (!drawn) book.floats.set(payout.account, left - total);
  } else {
    payout.failure = why ?? FAILED_BY_OPERATOR;
    if (drawn) book.floats.set(payout.account, left + total);
  }
  options.announce(payout, outcome);
  changed();
}

export function payoutView(provider: PayoutProviderName, payout: Payout): PayoutView {
  const { id, handle, reference, amount, cost, method, phone, status } = payout;
  const { failure, operatorReference, planted, createdAtMs, startedAtMs, sentAtMs } = payout;
  return {
    provider,
    id,
    handle,
    reference,
    amount,
    cost,
    method,
    phone,
    status,
    failure,
    operatorReference,
    createdAt: instant(createdAtMs),
    startedAt: startedAtMs === null ? null : instant(startedAtMs),
    sentAt: sentAtMs === null ? null : instant(sentAtMs),
    planted,
  };
}

export function instant(ms: number): string {
  return new Date(ms).toISOString();
}
