import { UPDATES_DATES } from "./bot/updates.store.ts";
import { CHECKOUT_DATES } from "./features/checkout/index.ts";
import { DEVELOPERS_DATES } from "./features/developers/index.ts";
import { GROUPS_DATES } from "./features/groups/index.ts";
import { PAYOUTS_DATES } from "./features/treasury/index.ts";
import { REFUNDS_DATES } from "./features/refunds/index.ts";
import { WITHDRAWALS_DATES } from "./features/withdrawals/index.ts";
import { OUTBOX_DATES } from "./jobs/outbox.store.ts";
import type { DateAhead } from "./upkeep/dates-ahead.ts";

/**
 * All that is leased, busy until or due at an instant, and how far ahead it is ever written: said by
 * who writes it. Leases of the upkeep's tasks, default permissions of groups and the opening of an
 * order are looked at by who leases; a test over the schema keeps any other away.
 */
export const DATES_AHEAD: readonly DateAhead[] = [
  ...OUTBOX_DATES,
  ...UPDATES_DATES,
  ...CHECKOUT_DATES,
  ...PAYOUTS_DATES,
  ...DEVELOPERS_DATES,
  ...REFUNDS_DATES,
  ...WITHDRAWALS_DATES,
  ...GROUPS_DATES,
];
