import { z } from "zod";
import { instantOnWire } from "../common/wire.ts";
import { planOnWire } from "../plans/routes.ts";

/** A person as the desk names him. */
export const deskPerson = z.object({ id: z.string(), name: z.string() });
/** Whether the caller may do it now; `reason` (French) says why not. */
const may = z.object({ allowed: z.boolean(), reason: z.string().nullable() });
const page = { now: instantOnWire, next_cursor: z.string().nullable() };

/** What a row of the desk opens: a sheet of ours, by id. */
export const deskLinkOnWire = z.object({
  type: z.enum([
    "seller",
    "order",
    "payment",
    "product",
    "withdrawal",
    "group",
    "audit",
    "refund",
    "claim",
  ]),
  id: z.string(),
  label: z.string(),
});
export type DeskLinkOnWire = z.input<typeof deskLinkOnWire>;

export const deskAlertOnWire = z.object({
  id: z.string(),
  /** capability.what: `payment.mismatch`. */
  kind: z.string(),
  severity: z.enum(["critical", "warning", "info"]),
  /** French: what happened, and what to do about it. */
  title: z.string(),
  advice: z.string(),
  subject: z.string(),
  links: z.array(deskLinkOnWire),
  /** French names of the facts, values as they are read. */
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  created_at: instantOnWire,
  resolved_at: instantOnWire.nullable(),
  /** Null: it ended by itself. */
  resolved_by: deskPerson.nullable(),
  resolution: z.string().nullable(),
  may_resolve: may,
});
export type DeskAlertOnWire = z.input<typeof deskAlertOnWire>;

export const deskAlertsAnswer = z.object({
  success: z.literal(true),
  ...page,
  /** Open ones by kind, whatever the filter. */
  counts: z.array(z.object({ kind: z.string(), title: z.string(), open: z.int() })),
  alerts: z.array(deskAlertOnWire),
});
export type DeskAlertsAnswer = z.input<typeof deskAlertsAnswer>;

export const deskAlertAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  alert: deskAlertOnWire,
});
export type DeskAlertAnswer = z.input<typeof deskAlertAnswer>;

export const SEARCH_TYPES = [
  "sellers",
  "orders",
  "payments",
  "withdrawals",
  "products",
  "refunds",
] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

const list = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() });

const foundSeller = deskPerson.extend({
  username: z.string().nullable(),
  telegram_id: z.int(),
  type_plan: planOnWire.nullable(),
  suspended: z.boolean(),
  frozen: z.boolean(),
  closed: z.boolean(),
});
const foundOrder = z.object({
  id: z.string(),
  title: z.string(),
  amount: z.int(),
  status: z.enum(["pending", "paid", "failed", "refunded"]),
  provider: z.string(),
  seller: deskPerson.nullable(),
  buyer: deskPerson,
  created_at: instantOnWire,
});
const foundPayment = z.object({
  id: z.string(),
  order_id: z.string(),
  provider: z.string(),
  provider_payment_id: z.string(),
  amount: z.int(),
  status: z.enum(["pending", "paid", "refused", "mismatched", "expired"]),
  created_at: instantOnWire,
});
const foundWithdrawal = z.object({
  id: z.string(),
  reference: z.string(),
  amount: z.int(),
  status: z.enum(["pending", "approved", "rejected", "cancelled"]),
  method: z.string(),
  phone: z.string(),
  seller: deskPerson,
  created_at: instantOnWire,
  paid_at: instantOnWire.nullable(),
});
const foundProduct = z.object({
  id: z.string(),
  reference: z.string(),
  title: z.string(),
  price: z.int(),
  seller: deskPerson,
  suspended: z.boolean(),
  archived: z.boolean(),
});

const foundRefund = z.object({
  id: z.string(),
  order_id: z.string(),
  title: z.string(),
  amount: z.int(),
  status: z.enum(["en_cours", "numero_attendu", "a_payer", "rembourse"]),
  buyer: deskPerson,
  created_at: instantOnWire,
});

export const deskSearchAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  sellers: list(foundSeller),
  orders: list(foundOrder),
  payments: list(foundPayment),
  withdrawals: list(foundWithdrawal),
  products: list(foundProduct),
  refunds: list(foundRefund),
});
export type DeskSearchAnswer = z.input<typeof deskSearchAnswer>;

/** Suspended, or funds frozen: the reason the seller reads, and when it is looked at again. */
export const measureOnWire = z.object({
  reason: z.string().nullable(),
  since: instantOnWire,
  review_at: instantOnWire.nullable(),
  /** Of a freeze: by the seller himself ("Ce n'est pas moi") or by an operator. */
  by: z.enum(["seller", "operator"]),
});
export type MeasureOnWire = z.input<typeof measureOnWire>;

const accountOnWire = z.object({ posted: z.int(), held: z.int(), available: z.int() });

const sellerProduct = z.object({
  id: z.string(),
  reference: z.string(),
  title: z.string(),
  price: z.int(),
  /** Bought now, of the last 30 days. */
  sales_30_days: z.int(),
  reports: z.int(),
  on_sale: z.boolean(),
  archived: z.boolean(),
  suspended: measureOnWire.nullable(),
  may: z.object({ suspend: may, resume: may }),
});

export const deskAuditRowOnWire = z.object({
  seq: z.string(),
  at: instantOnWire,
  actor: deskPerson.nullable(),
  role: z.enum(["buyer", "seller", "agent", "operator", "system"]),
  action: z.string(),
  /** French name of the action. */
  label: z.string(),
  subject: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  reason: z.string().nullable(),
  hash: z.string(),
});
export type DeskAuditRowOnWire = z.input<typeof deskAuditRowOnWire>;

export const deskSellerOnWire = deskPerson.extend({
  username: z.string().nullable(),
  photo_url: z.string().nullable(),
  telegram_id: z.int(),
  display_name: z.string().nullable(),
  country: z.string().nullable(),
  whatsapp_number: z.string().nullable(),
  type_plan: planOnWire.nullable(),
  premium_until: instantOnWire.nullable(),
  since: instantOnWire,
  closed_at: instantOnWire.nullable(),
  suspended: measureOnWire.nullable(),
  frozen: measureOnWire.nullable(),
  balances: z.object({ gratuit: accountOnWire, payant: accountOnWire }),
  /** Francs advanced for him and not taken back; who has asked to write them off, if anybody. */
  owed: z.int(),
  write_off: z.object({ amount: z.int(), by: z.string(), since: instantOnWire }).nullable(),
  /** Of `accounts` together: what is kept for requests under way. */
  holds: z.array(
    z.object({ id: z.string(), reference: z.string(), amount: z.int(), since: instantOnWire }),
  ),
  payout: z.object({
    method: z.string().nullable(),
    phone: z.string().nullable(),
    automatic: z.boolean(),
    number_changed_at: instantOnWire.nullable(),
  }),
  sales: z.object({ count: z.int(), gross: z.int(), net: z.int(), running_accesses: z.int() }),
  last_sales: z.array(foundOrder),
  withdrawals: z.array(foundWithdrawal),
  groups: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      type: z.enum(["groupe", "canal"]),
      members: z.int().nullable(),
      healthy: z.boolean(),
    }),
  ),
  products: z.array(sellerProduct),
  alerts: z.array(deskAlertOnWire),
  audit: z.array(deskAuditRowOnWire),
  may: z.object({
    suspend: may,
    resume: may,
    freeze: may,
    unfreeze: may,
    reopen: may,
    "write-off": may,
  }),
});
export type DeskSellerOnWire = z.input<typeof deskSellerOnWire>;

/** Each measure about him or his products answers it too. */
export const deskSellerAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  seller: deskSellerOnWire,
});
export type DeskSellerAnswer = z.input<typeof deskSellerAnswer>;

export const reportProductAnswer = z.object({
  success: z.literal(true),
  /** True: it had been reported by the caller before; nothing changed. */
  already: z.boolean(),
  message: z.string(),
});
export type ReportProductAnswer = z.input<typeof reportProductAnswer>;

export const closeAccountAnswer = z.object({ success: z.literal(true), message: z.string() });
