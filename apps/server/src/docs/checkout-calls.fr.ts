import type { OpenAPIV3_1 } from "openapi-types";
import type { CallText } from "../http/openapi.ts";

export const CHECKOUT_TAG = "Commandes et paiements";

type Parts = {
  readonly idempotencyKey: OpenAPIV3_1.ParameterObject;
  readonly notice: OpenAPIV3_1.OperationObject;
};

/** Orders, the payments tried for them, and what providers tell us. */
export function checkoutCalls({ idempotencyKey, notice }: Parts): Record<string, CallText> {
  return { ...orderCalls(idempotencyKey), ...COMPATIBILITY, ...noticeCalls(notice) };
}

const tag = CHECKOUT_TAG;

function orderCalls(idempotencyKey: OpenAPIV3_1.ParameterObject): Record<string, CallText> {
  return {
    "GET /api/payment-providers": {
      tag,
      summary:
        "Les moyens de paiement ouverts ; avec `reference` ou `plan`, ceux de cet achat, leur état et leur prix ; pour un don, `amount` dit lequel",
    },
    "POST /api/orders": {
      tag,
      summary:
        "Commander ; pour un don, `amount` en francs. La réponse porte l'adresse de la page de paiement ; si le prestataire ne répond pas, `order_id` nomme la commande qui attend. Au-delà de 5 commandes non payées du même produit, ou de 20 en tout, en 24 heures : 200 avec la plus récente encore ouverte, sinon 429 avec `Retry-After`",
      more: { parameters: [idempotencyKey] },
    },
    "POST /api/orders/:id/payment": {
      tag,
      summary:
        "Payer la même commande autrement, ou essayer encore ; 429 ou 503 avec `Retry-After` quand trop de paiements s'ouvrent",
    },
    "GET /api/orders/:id": {
      tag,
      summary: "Suivre une commande, pour son acheteur et son vendeur",
    },
    "GET /api/orders/by-secret/:secret": {
      tag,
      summary: "L'état d'une commande au retour du paiement, dans n'importe quel navigateur",
    },
    "POST /api/payments/:secret/heard": {
      tag,
      summary:
        "Dire le nom que le prestataire a donné au paiement dans le navigateur : il est vérifié aussitôt, jamais cru",
    },
  };
}

/** Calls of B §7. */
const COMPATIBILITY: Record<string, CallText> = {
  "POST /api/transactions": {
    tag,
    summary: "Retrouver une commande (compatibilité : ne crée et ne crédite rien)",
  },
  "GET /api/payment/moneroo/verify/:paymentId": {
    tag,
    summary: "État d'un paiement Moneroo (compatibilité)",
  },
  "GET /api/verify/:paymentId": { tag, summary: "État d'un paiement (compatibilité)" },
  "GET /api/verify-abonnement-fedapay/:paymentId": {
    tag,
    summary: "État d'un paiement d'abonnement (compatibilité)",
  },
  "POST /api/payment/moneroo/create": {
    tag,
    summary: "Acheter le plan Premium chez Moneroo (compatibilité)",
  },
};

function noticeCalls(notice: OpenAPIV3_1.OperationObject): Record<string, CallText> {
  const told = (name: string): CallText => ({
    tag,
    summary: `Avis signé de ${name} : enregistré une fois, puis vérifié auprès de ${name}`,
    more: notice,
  });
  return {
    "POST /webhooks/moneroo": told("Moneroo"),
    "POST /webhooks/fedapay": told("FedaPay"),
    "POST /webhooks/kkiapay": told("KkiaPay"),
    "POST /webhooks/paydunya": told("PayDunya"),
    "POST /webhooks/cryptopay": told("Crypto Pay"),
    "POST /webhooks/:provider/:keyId": {
      tag,
      summary: "Avis signé sur un paiement fait par les clés d'un vendeur",
      more: notice,
    },
  };
}
