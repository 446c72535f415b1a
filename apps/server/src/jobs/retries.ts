import { addMs, type Clock, type Outage, DAY_MS, HOUR_MS } from "@sesame/kernel";

export type Circuit = ReturnType<typeof createCircuit>;

/** Fewer may be one chat's or one person's trouble. */
const OUTAGES_IN_A_ROW = 5;
const FIRST_WAIT_MS = 1_000;
/** A party that is back is found out within this time. */
const LONGEST_WAIT_MS = 60_000;

/** Whether somebody outside answers: while nobody does, one probe at a time finds out. */
export function createCircuit(clock: Clock) {
  let inARow = 0;
  let probeAt = new Date(0);
  const isOpen = () => inARow >= OUTAGES_IN_A_ROW;
  return {
    isOpen,
    /** How many of `free` may begin now, with `underWay` begun already. */
    admits(free: number, underWay: number): number {
      if (!isOpen()) return Math.max(0, free);
      if (underWay > 0) return 0;
      const leftMs = probeAt.getTime() - clock.now().getTime();
      // More than it can be: the clock has been set back.
      return leftMs > 0 && leftMs <= LONGEST_WAIT_MS ? 0 : Math.min(1, free);
    },
    noteAnswer(): void {
      inARow = 0;
    },
    noteOutage(outage: Outage): void {
      if (!isSilence(outage)) return;
      inARow += 1;
      if (!isOpen()) return;
      const doubled = FIRST_WAIT_MS * 2 ** Math.min(10, inARow - OUTAGES_IN_A_ROW);
      const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(doubled, outage.retryAfterMs ?? 0));
      probeAt = addMs(clock.now(), waitMs);
    },
  };
}

/**
 * Whether the party did not answer or asked to wait. An outage without a cause is one chat's or one
 * payment's (a missing right, an answer that makes no sense): it says nothing about the others.
 */
export function isSilence({ cause, retryAfterMs }: Outage): boolean {
  return cause !== undefined || retryAfterMs !== undefined;
}

export type AgeLimit = {
  /** How long a job may wait for somebody outside who does not answer, in milliseconds. */
  readonly waitsMs: number;
  /** A job older than that is not run at all: it would say what is no longer true. */
  readonly isStale: boolean;
};

/** Money, access and what people must be told of them. */
const WEEK: AgeLimit = { waitsMs: 7 * DAY_MS, isStale: false };
/** What is asked again by itself. */
const DAY: AgeLimit = { waitsMs: DAY_MS, isStale: false };
/** What is only worth saying at its hour. */
const REMINDER: AgeLimit = { waitsMs: HOUR_MS, isStale: true };

/**
 * How long each topic waits out an outage (decision 0040). A job that waited longer has expired: it
 * is kept and listed, and can be retried. A topic without a line here does not compile.
 */
export const AGE_LIMITS = {
  "access.open": WEEK,
  "access.close": WEEK,
  "access.decide-entry": WEEK,
  "access.remove-entry": WEEK,
  "access.report-entries": WEEK,
  "access.resume-group": WEEK,
  "access.renew-links": WEEK,
  "access.revoke-link": WEEK,
  "bot.notify": WEEK,
  "desk.notify-agents": WEEK,
  "developers.send-out": WEEK,
  "donations.thank": WEEK,
  "groups.link-pending": WEEK,
  "groups.recheck": DAY,
  "groups.notify-state": WEEK,
  "plans.notify-bought": WEEK,
  "refunds.give-back": WEEK,
  "refunds.return-overpayment": WEEK,
  "sales.notify-seller": WEEK,
  "support.forget-webhooks": WEEK,
  "support.notify-staff": WEEK,
  "withdrawals.notify-seller": WEEK,
} as const satisfies Readonly<Record<string, AgeLimit>>;

export type Topic = keyof typeof AGE_LIMITS;

const FIRST_REMINDER = 2;

export function ageLimitOf(topic: Topic, priority: number): AgeLimit {
  return topic === "bot.notify" && priority >= FIRST_REMINDER ? REMINDER : AGE_LIMITS[topic];
}

/**
 * The same for what Telegram sends: a join request, a member who came or left and a payment are
 * waited for; a tap is not, because nobody can be answered after that time.
 */
export function ageLimitOfUpdate(update: object): AgeLimit {
  return "callback_query" in update || "pre_checkout_query" in update
    ? { waitsMs: HOUR_MS, isStale: false }
    : WEEK;
}
