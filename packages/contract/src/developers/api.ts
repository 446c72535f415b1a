import { z } from "zod";
import { instantOnWire } from "../common/wire.ts";

/**
 * What /api/v1 answers. English and stable: fields are added, never renamed or taken away. Amounts
 * are whole francs, instants ISO 8601 in UTC, ids text.
 */

export const apiProduct = z.object({
  id: z.string(),
  reference: z.string(),
  title: z.string(),
  description: z.string(),
  /** In francs. */
  price: z.int(),
  currency: z.literal("XOF"),
  duration_minutes: z.int(),
  /** active: it can be bought; pending: something is missing; inactive: switched off. */
  status: z.enum(["active", "pending", "inactive"]),
  /** Null for a donation: it opens none, lasts 0 minutes, and its price is the least taken. */
  group: z
    .object({ id: z.string(), name: z.string(), type: z.enum(["group", "channel"]) })
    .nullable(),
  /** Places in all; null without limit. */
  stock: z.int().nullable(),
  share_link: z.string(),
  created_at: instantOnWire,
  updated_at: instantOnWire,
});
export type ApiProduct = z.input<typeof apiProduct>;

export const apiOrder = z.object({
  id: z.string(),
  status: z.enum(["pending", "paid", "failed", "refunded"]),
  title: z.string(),
  product_id: z.string(),
  /** Null for a donation. */
  group_id: z.string().nullable(),
  /** What the buyer pays, in francs; fee + net. */
  amount: z.int(),
  fee: z.int(),
  net: z.int(),
  currency: z.literal("XOF"),
  provider: z.string(),
  /** Paid to the seller's own account at the provider. */
  direct: z.boolean(),
  is_renewal: z.boolean(),
  buyer: z.object({ id: z.string(), telegram_id: z.string(), name: z.string() }),
  created_at: instantOnWire,
  paid_at: instantOnWire.nullable(),
  access_until: instantOnWire.nullable(),
});
export type ApiOrder = z.input<typeof apiOrder>;

export const apiAccess = z.object({
  id: z.string(),
  status: z.enum(["waiting", "inside", "ended", "removed", "left", "banned"]),
  group_id: z.string(),
  /** The order that last extended it; null: all its time was given. */
  order_id: z.string().nullable(),
  member: z.object({ id: z.string(), telegram_id: z.string(), name: z.string() }),
  started_at: instantOnWire,
  ends_at: instantOnWire,
  /** Null: was never inside. */
  joined_at: instantOnWire.nullable(),
});
export type ApiAccess = z.input<typeof apiAccess>;

const apiFigure = z.object({ value: z.int(), previous: z.int() });
export const apiStatistics = z.object({
  period: z.enum(["week", "month", "year"]),
  /** First and last day. */
  from: z.string(),
  to: z.string(),
  currency: z.literal("XOF"),
  net: apiFigure,
  gross: apiFigure,
  sales: apiFigure,
  fees: z.int(),
  /** Of the gross, what the seller's own accounts collected. */
  direct: z.int(),
  new_sales: z.int(),
  renewals: z.int(),
  /** People inside the groups by an access, now. */
  members: z.int(),
  /** One day of a week or a month, one month of a year. */
  bars: z.array(z.object({ start: z.string(), net: z.int(), gross: z.int(), sales: z.int() })),
  /** The best five. */
  products: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      sales: z.int(),
      net: z.int(),
      share_percent: z.int(),
    }),
  ),
  subscriptions: z
    .object({
      /** Monthly recurring revenue. */
      mrr: apiFigure,
      active: z.int(),
      due: z.int(),
      renewed: z.int(),
      lost: z.int(),
      served: z.int(),
    })
    .nullable(),
});
export type ApiStatistics = z.input<typeof apiStatistics>;

/** Told by withdrawal.paid. */
export const apiWithdrawal = z.object({
  id: z.string(),
  reference: z.string(),
  amount: z.int(),
  currency: z.literal("XOF"),
  method: z.string(),
  created_at: instantOnWire,
  paid_at: instantOnWire.nullable(),
});
export type ApiWithdrawal = z.input<typeof apiWithdrawal>;
