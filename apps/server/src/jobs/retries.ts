import { addMs, type Clock, type Outage, DAY_MS, HOUR_MS } from "@sesame/kernel";
import type { Topic } from "../alerts/kinds.fr.ts";

export type Circuit = ReturnType<typeof createCircuit>;

/** Fewer may be the problem of one chat or person. */
const OUTAGES_IN_A_ROW = 5;
const FIRST_WAIT_MS = 1_000;
/** A service that works again is detected within this time. */
const LONGEST_WAIT_MS = 60_000;

/** Whether an outside service answers: while it does not, one probe at a time tests it. */
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
      // Longer than possible: the clock has been set back.
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
 * Whether the service did not answer or required a wait. An outage without a cause concerns one
 * chat or payment (a missing right, an invalid answer): it gives no information about others.
 */
export function isSilence({ cause, retryAfterMs }: Outage): boolean {
  return cause !== undefined || retryAfterMs !== undefined;
}

export type AgeLimit = {
  /** How long a job may wait for a service that does not answer, in milliseconds. */
  readonly waitsMs: number;
  /** An older job is not run at all: its content would be wrong. */
  readonly isStale: boolean;
};

/** Money, access, and what people must be notified of about them. */
const WEEK: AgeLimit = { waitsMs: 7 * DAY_MS, isStale: false };
/** Work that is repeated anyway. */
const DAY: AgeLimit = { waitsMs: DAY_MS, isStale: false };
/** Only useful at its hour. */
const REMINDER: AgeLimit = { waitsMs: HOUR_MS, isStale: true };

const FIRST_REMINDER = 2;

/**
 * How long a topic is retried in an outage (decision 0040). A job that waited longer has expired: it
 * is kept and listed, and can be retried. A topic that is not named here has a week.
 */
export function ageLimitOf(topic: Topic, priority: number): AgeLimit {
  if (topic === "groups.recheck") return DAY;
  return topic === "bot.notify" && priority >= FIRST_REMINDER ? REMINDER : WEEK;
}

/**
 * The same for Telegram updates: a join request, a member who came or left and a payment are
 * retried; a press is not, because it can no longer be answered.
 */
export function ageLimitOfUpdate(update: object): AgeLimit {
  return "callback_query" in update || "pre_checkout_query" in update
    ? { waitsMs: HOUR_MS, isStale: false }
    : WEEK;
}
