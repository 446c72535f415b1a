import type { OpenAPIV3_1 } from "openapi-types";
import type { CallText } from "../http/openapi.ts";

const desk = "Bureau";

/** The queue of requests for money, and what agents decide. */
export function deskCalls(
  idempotencyKey: OpenAPIV3_1.ParameterObject,
): Readonly<Record<string, CallText>> {
  const once = { parameters: [idempotencyKey] };
  return {
    "GET /api/desk": {
      tag: desk,
      summary:
        "Le bureau des agents : ce qui attend, les voies d'envoi ouvertes, les raisons de rejet",
    },
    "GET /api/desk/withdrawals": {
      tag: desk,
      summary:
        "Les demandes de retrait : Premium d'abord, puis par échéance ; filtres et recherche",
    },
    "GET /api/desk/withdrawals/:id": {
      tag: desk,
      summary:
        "Une demande : vendeur, historique, signes de risque, voies possibles, trace de l'envoi",
    },
    "POST /api/desk/withdrawals/:id/claim": {
      tag: desk,
      summary: "Prendre une demande pendant 15 minutes",
      more: once,
    },
    "POST /api/desk/withdrawals/:id/release": {
      tag: desk,
      summary: "Relâcher une demande prise",
      more: once,
    },
    "POST /api/desk/withdrawals/:id/approve": {
      tag: desk,
      summary:
        "Approuver : par un prestataire ou à la main ; au-delà d'un seuil, un second agent confirme",
      more: once,
    },
    "POST /api/desk/withdrawals/:id/paid": {
      tag: desk,
      summary: "Payé à la main, avec la référence de l'opérateur",
      more: once,
    },
    "POST /api/desk/withdrawals/:id/failed": {
      tag: desk,
      summary: "L'envoi n'a pas pu être fait : le solde du vendeur est rétabli",
      more: once,
    },
    "POST /api/desk/withdrawals/:id/reject": {
      tag: desk,
      summary: "Rejeter, avec une raison que le vendeur lit",
      more: once,
    },
    "POST /api/desk/withdrawals/:id/resolve": {
      tag: desk,
      summary:
        "Trancher un envoi incertain : parti, pas parti, ou rattaché au paiement du prestataire",
      more: once,
    },
  };
}
