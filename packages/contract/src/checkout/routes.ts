import { z } from "zod";
import { orderAccessOnWire } from "../memberships/index.ts";
import { COMPLAINT_KINDS } from "../cases/policy.ts";
import { complaintOnWire } from "../cases/routes.ts";
import { type Owned, route } from "../common/route.ts";
import { francs, id, instantOnWire, type refusalBody, success, unchecked } from "../common/wire.ts";
import { refundOnWire } from "../refunds/routes.ts";
import * as policy from "./policy.ts";
import { checkoutRefusals as refusals } from "./refusals.fr.ts";

const ofParties: Owned = { thing: "order", by: ["buyer", "seller"] };

const orderStatusOnWire = z.enum(policy.ORDER_STATUSES);

/** Names default to those of Telegram; the email is optional (decision 53). */
const customer = z
  .object({
    /** Unchecked here, whatever its type: a refusal explains the fault (B §5). */
    email: unchecked(),
    first_name: z.string().max(100).optional(),
    last_name: z.string().max(100).optional(),
    phone: z.string().max(32).optional(),
  })
  .optional();
export type CustomerOnWire = z.input<typeof customer>;

/**
 * How to open `payment_url`: `page` the provider's own page, outside Telegram, with `openLink`; `widget`
 * our page with the provider's widget, outside too; `invoice` in Telegram, with `openInvoice`.
 */
const opensOnWire = z.enum(["page", "widget", "invoice"]);
export type OpensOnWire = z.input<typeof opensOnWire>;

export const createOrderAnswer = z.object({
  id,
  status: orderStatusOnWire,
  amount: francs,
  currency: z.literal("XOF"),
  payment_url: z.string(),
  opens: opensOnWire,
});
export type CreateOrderAnswer = z.input<typeof createOrderAnswer>;

/**
 * The order was created but its payment could not be opened: the order stays, and POST
 * /api/orders/{order_id}/payment tries another provider, or the same one later.
 */
export type UnopenedOrderBody = z.input<typeof refusalBody> & { order_id?: string };

/** With too many unpaid orders the answer is an unpaid order that exists, with 200. */
export const createOrder = route("POST /api/orders", {
  summary:
    "Commander ; pour un don, `amount` en francs. La réponse porte l'adresse de la page de paiement ; si le prestataire ne répond pas, `order_id` nomme la commande qui attend. Au-delà de 5 commandes non payées du même produit, ou de 20 en tout, en 24 heures : 200 avec la plus récente encore ouverte, sinon 429 avec `Retry-After`",
  access: "person",
  owns: null,
  /** A product by its reference, or the seller's own premium plan. */
  body: z
    .object({
      reference: z.string().regex(policy.REFERENCE_PATTERN).optional(),
      plan: z.literal("payant").optional(),
      /** For a donation only, whole francs; the server knows all other prices (decision 42). */
      amount: unchecked(),
      /** Unchecked here, whatever its type: a refusal explains the fault (B §5). */
      provider: unchecked(),
      customer,
    })
    .refine((body) => (body.reference === undefined) !== (body.plan === undefined), {
      message: "reference or plan",
    }),
  answer: createOrderAnswer,
  status: 201,
  also: 200,
  refusals,
  repeatable: true,
  example: { body: { reference: "nosuchref1", provider: "moneroo" } },
});

export const openPayment = route("POST /api/orders/:id/payment", {
  summary:
    "Payer la même commande autrement, ou essayer encore ; 429 ou 503 avec `Retry-After` quand trop de paiements s'ouvrent",
  access: "person",
  owns: { id: { thing: "order", by: ["buyer"] } },
  /** The provider is unchecked here, whatever its type: a refusal explains the fault (B §5). */
  body: z.object({ provider: unchecked(), customer }),
  answer: createOrderAnswer,
  status: 201,
  refusals,
  example: { body: { provider: "moneroo" } },
});

/** The fields of an order that the holder of its secret sees too. */
const face = {
  id,
  status: orderStatusOnWire,
  amount: francs,
  currency: z.literal("XOF"),
  kind: z.enum(policy.ORDER_KINDS),
  title: z.string(),
  /** The provider chosen for the order; once paid, the provider that was paid. */
  provider: z.string(),
  provider_name: z.string(),
  /** Paid a second time: this payment is given back, see `refund`. */
  paid_twice: z.boolean(),
  paid_at: instantOnWire.nullable(),
  /** While pending or failed: the page that continues the payment, and how to open it. */
  payment_url: z.string().nullable(),
  opens: opensOnWire.nullable(),
  /** The link of « ouvrir Telegram »: the buyers' bot; the sellers' bot for a plan or a trial. */
  bot_url: z.string(),
};

/** For the buyer and the seller; only the buyer gets `access` and `payment_url`. */
const orderAnswer = z.object({
  ...face,
  /** Paid to the seller's own account: « encaissé directement ». */
  direct: z.boolean(),
  /** One for each attempt with a provider, oldest first. */
  payments: z.array(
    z.object({
      provider: z.string(),
      provider_name: z.string(),
      status: z.enum(policy.PAYMENT_STATUSES),
      created_at: instantOnWire,
    }),
  ),
  refund: refundOnWire.nullable(),
  complaint: complaintOnWire.nullable(),
  /** The complaints that the caller may open now by POST /api/orders/{id}/complaint. */
  may_complain: z.array(z.enum(COMPLAINT_KINDS)),
  access: orderAccessOnWire.nullable(),
  /** Null for a plan: the platform is its seller. */
  seller: z.object({ id, name: z.string() }).nullable(),
  group: z.object({ name: z.string(), type: z.enum(["groupe", "canal"]) }).nullable(),
  /** The product to buy again; null for a plan. */
  reference: z.string().nullable(),
  /** Minutes; 0 for a donation. */
  duration: z.number().int(),
  is_renewal: z.boolean(),
  created_at: instantOnWire,
  /** Whether the buyers' bot may write to the buyer; if not, the page asks for it (decision 100). */
  bot_can_write: z.boolean(),
});
export type OrderAnswer = z.input<typeof orderAnswer>;

export const readOrder = route("GET /api/orders/:id", {
  summary: "Suivre une commande, pour son acheteur et son vendeur",
  access: "person",
  owns: { id: ofParties },
  answer: orderAnswer,
  refusals,
});

/** The secret authorizes the caller: the provider's page returns the buyer to an address with it. */
const bySecret = {
  access: "public",
  owns: null,
  params: { secret: z.string().regex(/^[A-Za-z0-9_-]{20,64}$/) },
  refusals,
} as const;
const anySecret = { secret: "x".repeat(32) };

/** The return page in any browser. The answer never contains the group's link. */
export const readOrderBySecret = route("GET /api/orders/by-secret/:secret", {
  ...bySecret,
  summary: "L'état d'une commande au retour du paiement, dans n'importe quel navigateur",
  answer: z.object({ ...face, seller: z.string().nullable() }),
  example: { params: anySecret },
});

export const reportTransaction = route("POST /api/payments/:secret/reported-transactions", {
  ...bySecret,
  summary:
    "Dire le nom que le prestataire a donné au paiement dans le navigateur : il est vérifié aussitôt, jamais cru",
  body: z.object({ transaction_id: unchecked() }),
  answer: null,
  status: 204,
  example: { params: anySecret, body: { transaction_id: "t1" } },
});

export const paymentProviderOnWire = z.object({
  /** The value of `provider` for POST /api/orders. */
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Names of what the buyer can pay with. */
  methods: z.array(z.string()),
  countries: z.array(z.object({ code: z.string(), name: z.string() })),
  currency: z.literal("XOF"),
  fields: z.object({ email: z.enum(["optional", "none"]), phone: z.enum(["optional", "none"]) }),
  opens: opensOnWire,
  /** Half an hour of bad answers (`isDisturbed`): another provider is offered first. */
  disturbed: z.boolean(),
  /** The payment goes to the seller's own account. */
  own: z.boolean(),
  /** The price of the query in the provider's own currency. */
  quote: z.object({ currency: z.string(), amount: z.string(), label: z.string() }).nullable(),
});
export type PaymentProviderOnWire = z.input<typeof paymentProviderOnWire>;

export const listPaymentProviders = route("GET /api/payment-providers", {
  summary:
    "Les moyens de paiement ouverts ; avec `reference` ou `plan`, ceux de cet achat, leur état et leur prix ; pour un don, `amount` dit lequel",
  access: "public",
  query: z.object({
    reference: z.string().regex(policy.REFERENCE_PATTERN).optional(),
    plan: z.literal("payant").optional(),
    /** The amount of a donation, for quotes in other currencies; without it there are none. */
    amount: z.coerce.number().int().min(1).max(Number(policy.DONATION_MAX)).optional(),
  }),
  answer: success({ providers: z.array(paymentProviderOnWire) }),
  refusals,
});

const orderName = z.union([z.string(), z.number()]).nullish();

/** Each of these fields identifies the order (decision 57). */
export const findOrder = route("POST /api/transactions", {
  summary: "Retrouver une commande (compatibilité : ne crée et ne crédite rien)",
  access: "person",
  owns: { order_id: ofParties },
  body: z.object({
    id: orderName,
    order_id: orderName,
    transaction_id: orderName,
    paymentId: orderName,
  }),
  answer: orderAnswer,
  refusals,
  example: { body: { order_id: "999999" } },
});

/** Our order's id, or the provider's payment id. */
const byPayment = {
  access: "person",
  owns: { paymentId: ofParties },
  params: { paymentId: z.string().max(64) },
  refusals,
} as const;

/** A paid order is `succeeded` (decision 49). */
export const verifyMonerooPayment = route("GET /api/payment/moneroo/verify/:paymentId", {
  ...byPayment,
  summary: "État d'un paiement Moneroo (compatibilité)",
  answer: z.object({
    status: z.literal("success"),
    payment: z.object({ id, status: z.string() }),
  }),
});

const whetherPaid = {
  ...byPayment,
  answer: z.object({
    success: z.boolean(),
    status: orderStatusOnWire,
    data: z.object({ success: z.boolean() }),
  }),
} as const;

export const verifyPayment = route("GET /api/verify/:paymentId", {
  ...whetherPaid,
  summary: "État d'un paiement (compatibilité)",
});

export const verifyPlanPayment = route("GET /api/verify-abonnement-fedapay/:paymentId", {
  ...whetherPaid,
  summary: "État d'un paiement d'abonnement (compatibilité)",
});

/**
 * B §7: orders the seller's own plan. The server knows amount and user: the fields are accepted and
 * ignored (decisions 18, 42).
 */
export const buyPlan = route("POST /api/payment/moneroo/create", {
  summary: "Acheter le plan Premium chez Moneroo (compatibilité)",
  access: "seller",
  owns: null,
  body: z.object({
    type_requete: unchecked(),
    /** Unchecked here, whatever its type: a refusal explains the fault (B §5). */
    customer_email: unchecked(),
    customer_first_name: z.string().max(100).nullish(),
    customer_last_name: z.string().max(100).nullish(),
  }),
  answer: z.object({
    status: z.literal("success"),
    message: z.string(),
    payment_url: z.string(),
    payment_id: id,
    transaction_id: id,
  }),
  status: 201,
  refusals,
  example: { body: { type_requete: "abonnement_mensuel" } },
});
