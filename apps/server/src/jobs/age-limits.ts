import { DAY_MS, HOUR_MS } from "@sesame/kernel";

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

type TopicLimits = {
  readonly limit: AgeLimit;
  /** For jobs of priority 2 and 3. */
  readonly reminders?: AgeLimit;
};

/**
 * How long each topic waits out an outage (decision 0040). A job that waited longer has expired: it
 * is kept and listed, and can be retried. A topic without a line here does not compile.
 */
export const AGE_LIMITS = {
  "access.open": { limit: WEEK },
  "access.close": { limit: WEEK },
  "access.decide-entry": { limit: WEEK },
  "access.remove-entry": { limit: WEEK },
  "access.report-entries": { limit: WEEK },
  "access.resume-group": { limit: WEEK },
  "access.renew-links": { limit: WEEK },
  "access.revoke-link": { limit: WEEK },
  "bot.tell": { limit: WEEK, reminders: REMINDER },
  "desk.tell-agents": { limit: WEEK },
  "developers.send-out": { limit: WEEK },
  "donations.thank": { limit: WEEK },
  "groups.link-pending": { limit: WEEK },
  "groups.recheck": { limit: DAY },
  "groups.tell-state": { limit: WEEK },
  "plans.tell-bought": { limit: WEEK },
  "refunds.give-back": { limit: WEEK },
  "refunds.surplus": { limit: WEEK },
  "sales.tell-seller": { limit: WEEK },
  "support.forget-notices": { limit: WEEK },
  "support.tell-desk": { limit: WEEK },
  "withdrawals.tell-seller": { limit: WEEK },
} as const satisfies Readonly<Record<string, TopicLimits>>;

export type Topic = keyof typeof AGE_LIMITS;

const FIRST_REMINDER = 2;

export function ageLimitOf(topic: Topic, priority: number): AgeLimit {
  const { limit, reminders }: TopicLimits = AGE_LIMITS[topic];
  return priority >= FIRST_REMINDER && reminders ? reminders : limit;
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
