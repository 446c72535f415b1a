import { DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";

/** The test event: sent on request to one endpoint, whatever types it subscribed to. */
export const PING = "ping";

export const KEYS_MAX = 10;
export const ENDPOINTS_MAX = 5;
export const KEY_NAME_MAX = 60;
export const ENDPOINT_URL_MAX = 500;

/** The prefix and a checksum at the end let scanners recognise a leaked key. */
export const KEY_PREFIX = "sk_sesame_";
/** Required by Standard Webhooks. */
export const SECRET_PREFIX = "whsec_";

/** Pauses after failed attempts: ten attempts in more than three days (R16). */
export const RETRY_PAUSES_MS: readonly number[] = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Random part added to a pause, so that retries do not come at the same time. */
const JITTER = 0.1;

/** The pause after the failed attempt number `step` (from 0); null: it was the last. */
export function retryPauseMs(step: number, draw: number): number | null {
  const pause = RETRY_PAUSES_MS[step];
  return pause === undefined ? null : Math.round(pause * (1 + JITTER * draw));
}

/** After this many failures in a row an endpoint gets at most one attempt a minute. */
export const FAILURES_BEFORE_REST = 5;
export const REST_MS = MINUTE_MS;
/** After days of failures only, an endpoint is disabled and its seller notified. */
export const FAILING_DAYS_MAX = 5;
export const FAILING_MAX_MS = FAILING_DAYS_MAX * DAY_MS;
/** How long the former secret still signs after a change. */
export const OLD_SECRET_MS = DAY_MS;
/** How many days deliveries and their answers are kept. */
export const DELIVERIES_DAYS = 30;
export const DELIVERY_TIMEOUT_MS = 10_000;
export const ANSWER_BYTES_MAX = 1_024;
