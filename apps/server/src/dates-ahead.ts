import { PLACE_RESERVED_MS } from "@sesame/contract/checkout";
import { CLAIM_MS } from "@sesame/contract/desk";
import { REST_MS } from "@sesame/contract/developers";
import { DAY_MS, HOUR_MS } from "@sesame/kernel";
import { WAIT_FOR_PERSON_MS } from "./bot/tell.ts";
import { TURN_MS } from "./features/developers/index.ts";
import { RECHECK_EVERY_MS } from "./features/groups/index.ts";
import { ASKING_MS } from "./features/refunds/index.ts";
import type { DateAhead } from "./upkeep/dates-ahead.ts";

/** The longest pause between two questions, and the longest a provider may ask for. */
const LONGEST_PAUSE_MS = 6 * HOUR_MS;

/**
 * All that is leased, busy until or due at an instant, and how far ahead it is ever written. Leases of
 * jobs, updates, tasks of the upkeep, default permissions of groups and the opening of an order are
 * looked at by who leases; a test over the schema keeps any other away.
 */
export const DATES_AHEAD: readonly DateAhead[] = [
  // One that was tried; the outbox looks at leases, and at those never tried, itself.
  {
    table: "outbox",
    column: "due_at",
    longestMs: WAIT_FOR_PERSON_MS,
    where: "failed_at IS NULL AND topic = 'bot.tell'",
  },
  {
    table: "outbox",
    column: "due_at",
    longestMs: DAY_MS,
    where: "failed_at IS NULL AND topic <> 'bot.tell'",
  },
  { table: "payment_checks", column: "due_at", longestMs: LONGEST_PAUSE_MS },
  // One that failed is looked at late: from the first to the third day at once.
  {
    table: "payouts",
    column: "check_at",
    longestMs: 2 * DAY_MS,
    where: "check_at IS NOT NULL AND status = 'failed'",
  },
  {
    table: "payouts",
    column: "check_at",
    longestMs: LONGEST_PAUSE_MS,
    where: "check_at IS NOT NULL AND status <> 'failed'",
  },
  {
    table: "payout_rumours",
    column: "check_at",
    longestMs: LONGEST_PAUSE_MS,
    where: "check_at IS NOT NULL",
  },
  { table: "webhook_endpoints", column: "busy_until", longestMs: TURN_MS },
  { table: "webhook_endpoints", column: "rest_until", longestMs: REST_MS },
  // The longest pause between two attempts, and a tenth.
  {
    table: "webhook_deliveries",
    column: "due_at",
    longestMs: 1.1 * DAY_MS,
    where: "due_at IS NOT NULL",
  },
  { table: "refunds", column: "asking_until", longestMs: ASKING_MS, where: "status <> 'done'" },
  { table: "refunds", column: "taken_until", longestMs: CLAIM_MS, where: "status <> 'done'" },
  {
    table: "withdrawals",
    column: "claimed_until",
    longestMs: CLAIM_MS,
    where: "status = 'pending'",
  },
  { table: "groups", column: "recheck_due_at", longestMs: RECHECK_EVERY_MS, where: "bot_present" },
  {
    table: "orders",
    column: "stock_reserved_until",
    longestMs: PLACE_RESERVED_MS,
    where: "status IN ('pending', 'failed')",
  },
];
