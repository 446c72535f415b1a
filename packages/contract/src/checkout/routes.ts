import { z } from "zod";
import { type Owned, route } from "../common/route.ts";
import { DONATION_MAX, REFERENCE_PATTERN } from "./policy.ts";
import { checkoutRefusals as refusals } from "./refusals.fr.ts";
import {
  createOrderAnswer,
  createOrderBody,
  openPaymentBody,
  orderAnswer,
  orderBySecretAnswer,
  orderStatusOnWire,
  paymentProvidersAnswer,
} from "./wire.ts";

const ofParties: Owned = { thing: "order", by: ["buyer", "seller"] };

/** One too many is answered by another one that waits, with 200. */
export const createOrder = route("POST /api/orders", {
  summary:
    "Commander ; pour un don, `amount` en francs. La réponse porte l'adresse de la page de paiement ; si le prestataire ne répond pas, `order_id` nomme la commande qui attend. Au-delà de 5 commandes non payées du même produit, ou de 20 en tout, en 24 heures : 200 avec la plus récente encore ouverte, sinon 429 avec `Retry-After`",
  access: "person",
  owns: null,
  body: createOrderBody,
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
  body: openPaymentBody,
  answer: createOrderAnswer,
  status: 201,
  refusals,
  example: { body: { provider: "moneroo" } },
});

export const readOrder = route("GET /api/orders/:id", {
  summary: "Suivre une commande, pour son acheteur et son vendeur",
  access: "person",
  owns: { id: ofParties },
  answer: orderAnswer,
  refusals,
  example: {},
});

/** The secret is the proof: whoever was sent back from the provider's page holds it. */
const secret = z.string().regex(/^[A-Za-z0-9_-]{20,64}$/);
const anySecret = "x".repeat(32);

export const readOrderBySecret = route("GET /api/orders/by-secret/:secret", {
  summary: "L'état d'une commande au retour du paiement, dans n'importe quel navigateur",
  access: "public",
  owns: null,
  params: { secret },
  answer: orderBySecretAnswer,
  refusals,
  example: { params: { secret: anySecret } },
});

export const hearPayment = route("POST /api/payments/:secret/heard", {
  summary:
    "Dire le nom que le prestataire a donné au paiement dans le navigateur : il est vérifié aussitôt, jamais cru",
  access: "public",
  owns: null,
  params: { secret },
  body: z.object({ transaction_id: z.unknown().optional() }),
  answer: null,
  status: 204,
  refusals,
  example: { params: { secret: anySecret }, body: { transaction_id: "t1" } },
});

export const listPaymentProviders = route("GET /api/payment-providers", {
  summary:
    "Les moyens de paiement ouverts ; avec `reference` ou `plan`, ceux de cet achat, leur état et leur prix ; pour un don, `amount` dit lequel",
  access: "public",
  owns: null,
  query: z.object({
    reference: z.string().regex(REFERENCE_PATTERN).optional(),
    plan: z.literal("payant").optional(),
    /** Of a donation: what is quoted in other currencies; without it nothing is. */
    amount: z.coerce.number().int().min(1).max(Number(DONATION_MAX)).optional(),
  }),
  answer: paymentProvidersAnswer,
  refusals,
  example: {},
});

const orderName = z.union([z.string(), z.number()]).nullish();

/** Any of these names the order (decision 57). */
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

/** By our order's id, or by the provider's payment id. */
const byPayment = {
  access: "person",
  owns: { paymentId: ofParties },
  params: { paymentId: z.string().max(64) },
  refusals,
  example: {},
} as const;

/** A paid order is `succeeded` (decision 49). */
export const verifyMonerooPayment = route("GET /api/payment/moneroo/verify/:paymentId", {
  ...byPayment,
  summary: "État d'un paiement Moneroo (compatibilité)",
  answer: z.object({
    status: z.literal("success"),
    payment: z.object({ id: z.string(), status: z.string() }),
  }),
});

const verifyAnswer = z.object({
  success: z.boolean(),
  status: orderStatusOnWire,
  data: z.object({ success: z.boolean() }),
});

export const verifyPayment = route("GET /api/verify/:paymentId", {
  ...byPayment,
  summary: "État d'un paiement (compatibilité)",
  answer: verifyAnswer,
});

export const verifyPlanPayment = route("GET /api/verify-abonnement-fedapay/:paymentId", {
  ...byPayment,
  summary: "État d'un paiement d'abonnement (compatibilité)",
  answer: verifyAnswer,
});

/**
 * B §7: an order of the seller's own plan. Amount and user are the server's to know: they are
 * accepted, never believed (decisions 18, 42).
 */
export const buyPlan = route("POST /api/payment/moneroo/create", {
  summary: "Acheter le plan Premium chez Moneroo (compatibilité)",
  access: "seller",
  owns: null,
  body: z.object({
    type_requete: z.unknown().optional(),
    /** Checked by its sentence, whatever its type (B §5). */
    customer_email: z.unknown().optional(),
    customer_first_name: z.string().max(100).nullish(),
    customer_last_name: z.string().max(100).nullish(),
  }),
  answer: z.object({
    status: z.literal("success"),
    message: z.string(),
    payment_url: z.string(),
    payment_id: z.string(),
    transaction_id: z.string(),
  }),
  status: 201,
  refusals,
  example: { body: { type_requete: "abonnement_mensuel" } },
});
