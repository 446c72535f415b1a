import { z } from "zod";
import { ORDER_KINDS } from "../checkout/policy.ts";
import { claimOnWire } from "../claims/routes.ts";
import { instantOnWire } from "../common/wire.ts";
import { REFUND_KINDS } from "./policy.ts";
import { refundOnWire } from "./wire.ts";

const person = z.object({ id: z.string(), name: z.string() });
/** Whether the caller may do it now; `reason` (French) says why not. */
const may = z.object({ allowed: z.boolean(), reason: z.string().nullable() });

/** A refund as the desk sees it: the number whole. */
export const deskRefundOnWire = refundOnWire.extend({
  kind: z.enum(REFUND_KINDS),
  title: z.string(),
  /** Who collected the payment. */
  provider: z.string(),
  provider_name: z.string(),
  provider_payment_id: z.string(),
  buyer: person.extend({ username: z.string().nullable(), telegram_id: z.int() }),
  seller: person.nullable(),
  /** French: « Vendeur », « Opérateur », « Sésame » (a second payment). */
  asked_by: z.string(),
  /** Of the amount, what the platform advanced for the seller. */
  advanced: z.int(),
  /** As it is read aloud. */
  numero_label: z.string().nullable(),
  /** Of the provider's lane: how often it was asked, and when next. */
  checks: z.int(),
  check_at: instantOnWire.nullable(),
  paid_by: z.string().nullable(),
  /** Of a payment that was taken back: what its provider kept for that. */
  provider_fee: z.int(),
  /** An agent has it for a quarter of an hour. */
  taken: z.object({ by: person, mine: z.boolean(), until: instantOnWire }).nullable(),
  may: z.object({ take: may, paid: may, number: may, returned: may, fee: may }),
});
export type DeskRefundOnWire = z.input<typeof deskRefundOnWire>;

export const deskRefundsAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  refunds: z.array(deskRefundOnWire),
  /** Of the open ones, whatever the view: for an agent to pay, and all. */
  counts: z.object({ to_pay: z.int(), open: z.int() }),
  next_cursor: z.string().nullable(),
});
export type DeskRefundsAnswer = z.input<typeof deskRefundsAnswer>;

/** `refund` as it stands after it. */
export const deskRefundAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  message: z.string(),
  refund: deskRefundOnWire,
});
export type DeskRefundAnswer = z.input<typeof deskRefundAnswer>;

const deskOrderPaymentOnWire = z.object({
  id: z.string(),
  provider: z.string(),
  provider_name: z.string(),
  /** By the seller's own keys. */
  own: z.boolean(),
  status: z.string(),
  status_label: z.string(),
  amount: z.int(),
  reference: z.string(),
  provider_payment_id: z.string(),
  transaction_id: z.string().nullable(),
  /** What the provider counted in, as it is read: "7,62 EUR". */
  quote_label: z.string().nullable(),
  /** Francs that stand in suspense for it. */
  suspended: z.int(),
  /** What came in of one that is not what was ordered; null: nobody said. */
  received: z.int().nullable(),
  /** Whether the caller may say what becomes of it. */
  may_decide: z.boolean(),
  created_at: instantOnWire,
  decided_at: instantOnWire.nullable(),
});

/** Everything about one order. Francs. */
export const deskOrderOnWire = z.object({
  id: z.string(),
  kind: z.enum(ORDER_KINDS),
  kind_label: z.string(),
  status: z.enum(["pending", "paid", "failed", "refunded"]),
  status_label: z.string(),
  title: z.string(),
  amount: z.int(),
  fee: z.int(),
  net: z.int(),
  currency: z.literal("XOF"),
  /** Minutes. */
  duration: z.int(),
  direct: z.boolean(),
  is_renewal: z.boolean(),
  provider: z.string(),
  provider_name: z.string(),
  buyer: person.extend({ username: z.string().nullable(), telegram_id: z.int() }),
  seller: person.nullable(),
  product_id: z.string().nullable(),
  group: z.object({ name: z.string(), type: z.enum(["groupe", "canal"]) }).nullable(),
  created_at: instantOnWire,
  paid_at: instantOnWire.nullable(),
  access_until: instantOnWire.nullable(),
  /** Of its buyer in its group now. */
  access: z
    .object({
      status: z.string(),
      status_label: z.string(),
      ends_at: instantOnWire,
      joined_at: instantOnWire.nullable(),
    })
    .nullable(),
  payments: z.array(deskOrderPaymentOnWire),
  refunds: z.array(deskRefundOnWire),
  /** Newest first; with their whole record. */
  claims: z.array(claimOnWire),
  /** Lines of the books about it, in their order; `label` names the account in French. */
  lines: z.array(
    z.object({ at: instantOnWire, transfer: z.string(), label: z.string(), amount: z.int() }),
  ),
  /** What people did about it at the desk, newest first. */
  trace: z.array(
    z.object({
      at: instantOnWire,
      label: z.string(),
      by: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  /** What the seller can spend now, of a sale: what is missing from `net` would be advanced. */
  seller_available: z.int().nullable(),
  /** Its provider says that it took back what paid it, or a part; the alert of it is open. */
  taken_back: z.boolean(),
  may: z.object({ refund: may }),
});
export type DeskOrderOnWire = z.input<typeof deskOrderOnWire>;

export const deskOrderAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  order: deskOrderOnWire,
});
export type DeskOrderAnswer = z.input<typeof deskOrderAnswer>;

export const deskOrderRefundAnswer = deskOrderAnswer.extend({ message: z.string() });
export type DeskOrderRefundAnswer = z.input<typeof deskOrderRefundAnswer>;
