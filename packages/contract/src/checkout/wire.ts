import { z } from "zod";
import { orderAccessOnWire } from "../access/wire.ts";
import { instantOnWire } from "../common/wire.ts";
import { ORDER_STATUSES, REFERENCE_PATTERN } from "./policy.ts";

export const orderStatusOnWire = z.enum(ORDER_STATUSES);

/** Names come from Telegram when absent; the email is optional (decision 53). */
export const customerOnWire = z.object({
  /** Checked by its sentence, whatever its type (B §5). */
  email: z.unknown().optional(),
  first_name: z.string().max(100).optional(),
  last_name: z.string().max(100).optional(),
  phone: z.string().max(32).optional(),
});
export type CustomerOnWire = z.infer<typeof customerOnWire>;

/** POST /api/orders: a product by its reference, or the seller's own premium plan. */
export const createOrderBody = z
  .object({
    reference: z.string().regex(REFERENCE_PATTERN).optional(),
    plan: z.literal("payant").optional(),
    /** Checked by its sentence, whatever its type (B §5). */
    provider: z.unknown().optional(),
    customer: customerOnWire.optional(),
  })
  .refine((body) => (body.reference === undefined) !== (body.plan === undefined), {
    message: "reference or plan",
  });
export type CreateOrderBody = z.infer<typeof createOrderBody>;

/** 201. `payment_url` is the provider's page: to be opened outside, with `openLink`. */
export const createOrderAnswer = z.object({
  id: z.string(),
  status: orderStatusOnWire,
  amount: z.number().int(),
  currency: z.literal("XOF"),
  payment_url: z.string(),
});
export type CreateOrderAnswer = z.infer<typeof createOrderAnswer>;

/** GET /api/orders/{id}: to its buyer and its seller; `access` and `payment_url` to its buyer. */
export const orderAnswer = z.object({
  id: z.string(),
  status: orderStatusOnWire,
  amount: z.number().int(),
  currency: z.literal("XOF"),
  provider: z.string(),
  access: orderAccessOnWire.nullable(),
  title: z.string(),
  /** Null for a plan: the platform sells it. */
  seller: z.object({ id: z.string(), name: z.string() }).nullable(),
  group: z.object({ name: z.string(), type: z.enum(["groupe", "canal"]) }).nullable(),
  /** The product to buy again; null for a plan. */
  reference: z.string().nullable(),
  duration: z.number().int(),
  is_renewal: z.boolean(),
  created_at: instantOnWire,
  paid_at: instantOnWire.nullable(),
  /** While pending: where to go on with the payment. */
  payment_url: z.string().nullable(),
  /** The buyer's bot, for "ouvrir Telegram". */
  bot_url: z.string(),
  /** Whether the buyer's bot may write to the buyer; else the page asks for it (decision 100). */
  bot_can_write: z.boolean(),
});
export type OrderAnswer = z.infer<typeof orderAnswer>;

/** GET /api/orders/by-secret/{secret}: the return page in any browser. Never the link. */
export const orderBySecretAnswer = z.object({
  id: z.string(),
  status: orderStatusOnWire,
  amount: z.number().int(),
  currency: z.literal("XOF"),
  title: z.string(),
  seller: z.string().nullable(),
  paid_at: instantOnWire.nullable(),
  /** Opens the order in Telegram, where the link to the group waits. */
  bot_url: z.string(),
});
export type OrderBySecretAnswer = z.infer<typeof orderBySecretAnswer>;

export const secretInPath = z.object({ secret: z.string().regex(/^[A-Za-z0-9_-]{20,64}$/) });

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
});
export type PaymentProviderOnWire = z.infer<typeof paymentProviderOnWire>;

/** GET /api/payment-providers: the open ones. */
export const paymentProvidersAnswer = z.object({
  success: z.literal(true),
  providers: z.array(paymentProviderOnWire),
});
export type PaymentProvidersAnswer = z.infer<typeof paymentProvidersAnswer>;

/** POST /api/transactions (decision 57): any of these names the order. */
export const nameOrderBody = z.object({
  id: z.unknown().optional(),
  order_id: z.unknown().optional(),
  transaction_id: z.unknown().optional(),
  paymentId: z.unknown().optional(),
});

/**
 * POST /api/payment/moneroo/create (B §7): an order of the seller's own plan. Amount and user are
 * the server's to know: they are accepted, never believed (decisions 18, 42).
 */
export const createMonerooBody = z.object({
  type_requete: z.unknown().optional(),
  /** Checked by its sentence, whatever its type (B §5). */
  customer_email: z.unknown().optional(),
  customer_first_name: z.string().max(100).nullish(),
  customer_last_name: z.string().max(100).nullish(),
});
export const createMonerooAnswer = z.object({
  status: z.literal("success"),
  message: z.string(),
  payment_url: z.string(),
  payment_id: z.string(),
  transaction_id: z.string(),
});

/** GET /api/payment/moneroo/verify/{paymentId} (B §7): a paid order is `succeeded` (decision 49). */
export const verifyMonerooAnswer = z.object({
  status: z.literal("success"),
  payment: z.object({ id: z.string(), status: z.string() }),
});

/** GET /api/verify/{paymentId}, /api/verify-abonnement-fedapay/{id} (B §7: `data.success`). */
export const verifyAnswer = z.object({
  success: z.boolean(),
  status: orderStatusOnWire,
  data: z.object({ success: z.boolean() }),
});

/** Realtime `payment:status`, to the buyer and to the order's room. */
export const paymentStatusEvent = z.object({ id: z.string(), status: orderStatusOnWire });
export type PaymentStatusEvent = z.infer<typeof paymentStatusEvent>;

/** Realtime `payment_received`, to the seller. Amounts in francs. */
export const paymentReceivedEvent = z.object({
  order_id: z.string(),
  title: z.string(),
  amount: z.number().int(),
  net: z.number().int(),
});
export type PaymentReceivedEvent = z.infer<typeof paymentReceivedEvent>;
