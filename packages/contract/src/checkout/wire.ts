import { z } from "zod";
import { orderAccessOnWire } from "../access/routes.ts";
import { CLAIM_KINDS } from "../claims/policy.ts";
import { claimOnWire } from "../claims/wire.ts";
import { instantOnWire } from "../common/wire.ts";
import { refundOnWire } from "../refunds/wire.ts";
import { ORDER_KINDS, ORDER_STATUSES, PAYMENT_STATUSES, REFERENCE_PATTERN } from "./policy.ts";

export const orderStatusOnWire = z.enum(ORDER_STATUSES);

/** Names come from Telegram when absent; the email is optional (decision 53). */
export const customerOnWire = z.object({
  /** Checked by its sentence, whatever its type (B §5). */
  email: z.unknown().optional(),
  first_name: z.string().max(100).optional(),
  last_name: z.string().max(100).optional(),
  phone: z.string().max(32).optional(),
});
export type CustomerOnWire = z.input<typeof customerOnWire>;

/** A product by its reference, or the seller's own premium plan. */
export const createOrderBody = z
  .object({
    reference: z.string().regex(REFERENCE_PATTERN).optional(),
    plan: z.literal("payant").optional(),
    /** Of a donation alone, whole francs; the price of all else is the server's (decision 42). */
    amount: z.unknown().optional(),
    /** Checked by its sentence, whatever its type (B §5). */
    provider: z.unknown().optional(),
    customer: customerOnWire.optional(),
  })
  .refine((body) => (body.reference === undefined) !== (body.plan === undefined), {
    message: "reference or plan",
  });
export type CreateOrderBody = z.input<typeof createOrderBody>;

/**
 * How `payment_url` is opened: `page` the provider's own, outside, with `openLink`; `widget` a page
 * of ours with the provider's widget on it, outside too; `invoice` in Telegram, with `openInvoice`.
 */
export const opensOnWire = z.enum(["page", "widget", "invoice"]);
export type OpensOnWire = z.input<typeof opensOnWire>;

export const createOrderAnswer = z.object({
  id: z.string(),
  status: orderStatusOnWire,
  amount: z.number().int(),
  currency: z.literal("XOF"),
  payment_url: z.string(),
  opens: opensOnWire,
});
export type CreateOrderAnswer = z.input<typeof createOrderAnswer>;

/**
 * When the order is made and its payment could not be opened: it waits, and another provider, or
 * the same one later, is tried by POST /api/orders/{order_id}/payment.
 */
export const unopenedOrderBody = z.object({
  success: z.literal(false),
  code: z.string(),
  message: z.string(),
  order_id: z.string().optional(),
});
export type UnopenedOrderBody = z.input<typeof unopenedOrderBody>;

export const openPaymentBody = z.object({
  /** Checked by its sentence, whatever its type (B §5). */
  provider: z.unknown().optional(),
  customer: customerOnWire.optional(),
});
export type OpenPaymentBody = z.input<typeof openPaymentBody>;

/** One try at one provider. */
export const orderPaymentOnWire = z.object({
  provider: z.string(),
  provider_name: z.string(),
  status: z.enum(PAYMENT_STATUSES),
  created_at: instantOnWire,
});
export type OrderPaymentOnWire = z.input<typeof orderPaymentOnWire>;

/** To its buyer and its seller; `access` and `payment_url` to its buyer. */
export const orderAnswer = z.object({
  id: z.string(),
  status: orderStatusOnWire,
  amount: z.number().int(),
  currency: z.literal("XOF"),
  kind: z.enum(ORDER_KINDS),
  /** Whom it is ordered at; once paid, who was paid. */
  provider: z.string(),
  provider_name: z.string(),
  /** Paid by the seller's own account: « encaissé directement ». */
  direct: z.boolean(),
  /** Oldest first. */
  payments: z.array(orderPaymentOnWire),
  /** A second success came: it is given back, see `refund`. */
  paid_twice: z.boolean(),
  refund: refundOnWire.nullable(),
  claim: claimOnWire.nullable(),
  /** What the reader may say now by POST /api/orders/{id}/claim. */
  may_claim: z.array(z.enum(CLAIM_KINDS)),
  access: orderAccessOnWire.nullable(),
  title: z.string(),
  /** Null for a plan: the platform sells it. */
  seller: z.object({ id: z.string(), name: z.string() }).nullable(),
  group: z.object({ name: z.string(), type: z.enum(["groupe", "canal"]) }).nullable(),
  /** The product to buy again; null for a plan. */
  reference: z.string().nullable(),
  /** Minutes; 0 for a donation. */
  duration: z.number().int(),
  is_renewal: z.boolean(),
  created_at: instantOnWire,
  paid_at: instantOnWire.nullable(),
  /** While pending or failed: where to go on with the payment, and how it is opened. */
  payment_url: z.string().nullable(),
  opens: opensOnWire.nullable(),
  /** The buyer's bot, for "ouvrir Telegram"; the sellers' bot for a plan or a trial. */
  bot_url: z.string(),
  /** Whether the buyer's bot may write to the buyer; else the page asks for it (decision 100). */
  bot_can_write: z.boolean(),
});
export type OrderAnswer = z.input<typeof orderAnswer>;

/** The return page in any browser. Never the link. */
export const orderBySecretAnswer = z.object({
  id: z.string(),
  status: orderStatusOnWire,
  amount: z.number().int(),
  currency: z.literal("XOF"),
  title: z.string(),
  kind: z.enum(ORDER_KINDS),
  seller: z.string().nullable(),
  paid_at: instantOnWire.nullable(),
  provider: z.string(),
  provider_name: z.string(),
  paid_twice: z.boolean(),
  /** While pending or failed: who has the secret may go on paying. */
  payment_url: z.string().nullable(),
  opens: opensOnWire.nullable(),
  /** The bot of its buyer: there the order shows, and the link to the group waits. */
  bot_url: z.string(),
});
export type OrderBySecretAnswer = z.input<typeof orderBySecretAnswer>;

export const paymentProviderOnWire = z.object({
  /** What POST /api/orders takes as `provider`. */
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Names of what the buyer can pay with. */
  methods: z.array(z.string()),
  countries: z.array(z.object({ code: z.string(), name: z.string() })),
  currency: z.literal("XOF"),
  fields: z.object({ email: z.enum(["optional", "none"]), phone: z.enum(["optional", "none"]) }),
  opens: opensOnWire,
  /** It has answered us badly for half an hour (`isDisturbed`): another is offered first. */
  disturbed: z.boolean(),
  /** To the seller's own account. */
  own: z.boolean(),
  /** What is asked in the provider's own currency for the price named in the query. */
  quote: z.object({ currency: z.string(), amount: z.string(), label: z.string() }).nullable(),
});
export type PaymentProviderOnWire = z.input<typeof paymentProviderOnWire>;

export const paymentProvidersAnswer = z.object({
  success: z.literal(true),
  providers: z.array(paymentProviderOnWire),
});
export type PaymentProvidersAnswer = z.input<typeof paymentProvidersAnswer>;
