import {
  apiAccess,
  apiOrder,
  apiProduct,
  apiWithdrawal,
  EVENT_NAMES,
  EVENT_TYPES,
  type EventType,
} from "@sesame/contract/developers";
import type { OpenAPIV3_1 } from "openapi-types";
import { z } from "zod";
import type { CallText } from "../http/openapi.ts";
import { idempotencyKey } from "./parameters.fr.ts";

/** First of all chapters: the one written for programs other than ours. */
export const DEVELOPERS_TAG = "API développeur";
const keys = "Clés et webhooks";

export const DEVELOPERS_TAGS = [keys] as const;

const more = { parameters: [idempotencyKey] };

export const DEVELOPERS_CALLS: Readonly<Record<string, CallText>> = {
  "GET /api/v1/products": {
    tag: DEVELOPERS_TAG,
    summary: "Vos produits, par pages (droit products:read)",
  },
  "GET /api/v1/products/:id": {
    tag: DEVELOPERS_TAG,
    summary: "Un de vos produits (droit products:read)",
  },
  "PATCH /api/v1/products/:id": {
    tag: DEVELOPERS_TAG,
    summary: "Activer ou désactiver un produit (droit products:write)",
  },
  "GET /api/v1/orders": {
    tag: DEVELOPERS_TAG,
    summary: "Vos commandes, par pages (droit orders:read)",
  },
  "GET /api/v1/orders/:id": {
    tag: DEVELOPERS_TAG,
    summary: "Une de vos commandes (droit orders:read)",
  },
  "GET /api/v1/accesses": {
    tag: DEVELOPERS_TAG,
    summary: "Les accès à vos groupes et canaux, par pages (droit accesses:read)",
  },
  "GET /api/v1/statistics": {
    tag: DEVELOPERS_TAG,
    summary: "Vos chiffres d'une semaine, d'un mois ou d'une année (droit statistics:read)",
  },
  "GET /api/developers": {
    tag: keys,
    summary: "Ses clés, ses adresses de webhook, et ce qu'on peut y choisir",
  },
  "POST /api/developers/keys": {
    tag: keys,
    summary: "Créer une clé : elle n'est montrée que dans cette réponse",
    more,
  },
  "DELETE /api/developers/keys/:id": { tag: keys, summary: "Révoquer une clé", more },
  "POST /api/developers/endpoints": {
    tag: keys,
    summary: "Ajouter une adresse de webhook : la réponse porte son secret",
    more,
  },
  "PUT /api/developers/endpoints/:id": {
    tag: keys,
    summary: "Modifier une adresse, la mettre en pause ou la réactiver",
    more,
  },
  "DELETE /api/developers/endpoints/:id": { tag: keys, summary: "Supprimer une adresse", more },
  "POST /api/developers/endpoints/:id/secret": {
    tag: keys,
    summary: "Changer de secret : l'ancien signe aussi pendant 24 heures",
    more,
  },
  "POST /api/developers/endpoints/:id/ping": {
    tag: keys,
    summary: "Envoyer un événement de test",
    more,
  },
  "GET /api/developers/deliveries": { tag: keys, summary: "Les envois de 30 jours, par pages" },
  "GET /api/developers/deliveries/:id": {
    tag: keys,
    summary: "Un envoi : son contenu, et la réponse à chaque essai",
  },
  "POST /api/developers/deliveries/:id/replay": {
    tag: keys,
    summary: "Renvoyer un événement, sous le même webhook-id",
    more,
  },
};

const TOLD: Readonly<Record<EventType, z.ZodType>> = {
  "order.paid": apiOrder,
  "order.refunded": apiOrder,
  "access.started": apiAccess,
  "access.ended": apiAccess,
  "product.updated": apiProduct,
  "withdrawal.paid": apiWithdrawal,
};

/** What we send, as OpenAPI 3.1 describes it. */
export const WEBHOOKS: Readonly<Record<string, { readonly post: OpenAPIV3_1.OperationObject }>> =
  Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: sentFor(type) }]));

function sentFor(type: EventType): OpenAPIV3_1.OperationObject {
  const body = z.object({ type: z.literal(type), timestamp: z.string(), data: TOLD[type] });
  const { $schema: _, ...schema } = z.toJSONSchema(body);
  const text = { type: "string" } as const;
  const header = (name: string) => ({ name, in: "header", required: true, schema: text });
  return {
    operationId: `webhook.${type}`,
    summary: EVENT_NAMES[type],
    parameters: ["webhook-id", "webhook-timestamp", "webhook-signature"].map(header),
    requestBody: {
      required: true,
      content: { "application/json": { schema: schema as OpenAPIV3_1.SchemaObject } },
    },
    responses: { 200: { description: "Reçu : toute réponse 2xx, en moins de 10 secondes." } },
    security: [],
  };
}
