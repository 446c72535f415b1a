import { z } from "zod";
import { catalogueRefusals } from "../catalogue/refusals.fr.ts";
import { type Owned, route } from "../common/route.ts";
import { cursorQuery, idInPath, idOnWire } from "../common/wire.ts";
import { plansRefusals } from "../plans/refusals.fr.ts";
import { apiAccess, apiOrder, apiProduct, apiStatistics } from "./api.ts";
import { EVENT_TYPES, KEY_SCOPES, type KeyScope } from "./policy.ts";
import { developersRefusals } from "./refusals.fr.ts";
import {
  deliveriesAnswer,
  deliveryAnswer,
  developersAnswer,
  endpointAnswer,
  endpointSecretAnswer,
  keyAnswer,
} from "./wire.ts";

const ofSeller = (thing: string): Owned => ({ thing, by: ["seller"] });
const refusals = { ...developersRefusals, ...plansRefusals };

/** Of any type: what is wrong with it has its own sentence. */
const told = (description: string) => z.unknown().optional().meta({ description });

const endpointBody = z.object({
  url: told("https, publique"),
  events: told(`Une liste parmi ${EVENT_TYPES.join(", ")}`),
});
const doneAnswer = z.object({ success: z.literal(true), message: z.string() });

export const readDevelopers = route("GET /api/developers", {
  summary: "Ses clés, ses adresses de webhook, et ce qu'on peut y choisir",
  access: "seller",
  owns: null,
  answer: developersAnswer,
  example: {},
});

export const createDeveloperKey = route("POST /api/developers/keys", {
  summary: "Créer une clé : elle n'est montrée que dans cette réponse",
  access: "seller",
  owns: null,
  body: z
    .object({
      name: told("À quoi elle sert"),
      scopes: told(`Une liste parmi ${KEY_SCOPES.join(", ")}`),
    })
    .optional(),
  answer: keyAnswer,
  status: 201,
  refusals,
  repeatable: true,
  example: { body: { name: "Site", scopes: ["orders:read"] } },
});

export const addEndpoint = route("POST /api/developers/endpoints", {
  summary: "Ajouter une adresse de webhook : la réponse porte son secret",
  access: "seller",
  owns: null,
  body: endpointBody.optional(),
  answer: endpointSecretAnswer,
  status: 201,
  refusals,
  repeatable: true,
  example: { body: { url: "https://hook.example/", events: ["order.paid"] } },
});

/** What is absent stays. */
export const changeEndpoint = route("PUT /api/developers/endpoints/:id", {
  summary: "Modifier une adresse, la mettre en pause ou la réactiver",
  access: "seller",
  owns: { id: ofSeller("endpoint") },
  body: endpointBody.extend({ active: told("true ou false") }).optional(),
  answer: endpointAnswer,
  refusals,
  repeatable: true,
  example: { body: { events: ["order.paid"] } },
});

export const rotateSecret = route("POST /api/developers/endpoints/:id/secret", {
  summary: "Changer de secret : l'ancien signe aussi pendant 24 heures",
  access: "seller",
  owns: { id: ofSeller("endpoint") },
  answer: endpointSecretAnswer,
  refusals,
  repeatable: true,
  example: {},
});

export const pingEndpoint = route("POST /api/developers/endpoints/:id/ping", {
  summary: "Envoyer un événement de test",
  access: "seller",
  owns: { id: ofSeller("endpoint") },
  answer: deliveryAnswer,
  refusals,
  repeatable: true,
  example: {},
});

/** Newest first. */
export const listDeliveries = route("GET /api/developers/deliveries", {
  summary: "Les envois de 30 jours, par pages",
  access: "seller",
  owns: null,
  query: cursorQuery.extend({
    limit: z.coerce.number().int().min(1).max(100).default(30),
    endpoint: idOnWire.optional(),
  }),
  answer: deliveriesAnswer,
  example: {},
});

export const readDelivery = route("GET /api/developers/deliveries/:id", {
  summary: "Un envoi : son contenu, et la réponse à chaque essai",
  access: "seller",
  owns: { id: ofSeller("delivery") },
  answer: deliveryAnswer,
  refusals,
  example: {},
});

export const replayDelivery = route("POST /api/developers/deliveries/:id/replay", {
  summary: "Renvoyer un événement, sous le même webhook-id",
  access: "seller",
  owns: { id: ofSeller("delivery") },
  answer: deliveryAnswer,
  refusals,
  repeatable: true,
  example: {},
});

export const removeEndpoint = route("DELETE /api/developers/endpoints/:id", {
  summary: "Supprimer une adresse",
  access: "seller",
  owns: { id: ofSeller("endpoint") },
  answer: doneAnswer,
  refusals,
  repeatable: true,
  example: {},
});

export const revokeDeveloperKey = route("DELETE /api/developers/keys/:id", {
  summary: "Révoquer une clé",
  access: "seller",
  owns: { id: ofSeller("developer-key") },
  answer: doneAnswer,
  refusals,
  repeatable: true,
  example: {},
});

const byKey = (scope: KeyScope) => ({ access: "key", scope }) as const;

/** Keyset pages: newest first, `next_cursor` of one page is `cursor` of the next. */
const page = z.object({
  cursor: z
    .string()
    .regex(/^\d{0,18}$/)
    .transform((text) => (text === "" ? null : BigInt(text)))
    .optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), next_cursor: z.string().nullable() });
}

export const listApiProducts = route("GET /api/v1/products", {
  summary: "Vos produits, par pages (droit products:read)",
  ...byKey("products:read"),
  owns: null,
  query: page,
  answer: pageOf(apiProduct),
  example: {},
});

export const readApiProduct = route("GET /api/v1/products/:id", {
  summary: "Un de vos produits (droit products:read)",
  ...byKey("products:read"),
  owns: { id: ofSeller("product") },
  answer: apiProduct,
  refusals: catalogueRefusals,
  example: {},
});

export const changeApiProduct = route("PATCH /api/v1/products/:id", {
  summary: "Activer ou désactiver un produit (droit products:write)",
  ...byKey("products:write"),
  owns: { id: ofSeller("product") },
  body: z.object({ status: told("active | inactive") }).optional(),
  answer: apiProduct,
  refusals: catalogueRefusals,
  example: { body: { status: "active" } },
});

export const listApiOrders = route("GET /api/v1/orders", {
  summary: "Vos commandes, par pages (droit orders:read)",
  ...byKey("orders:read"),
  owns: null,
  query: page.extend({
    status: apiOrder.shape.status.optional(),
    product_id: idInPath.optional(),
  }),
  answer: pageOf(apiOrder),
  example: {},
});

export const readApiOrder = route("GET /api/v1/orders/:id", {
  summary: "Une de vos commandes (droit orders:read)",
  ...byKey("orders:read"),
  owns: { id: ofSeller("order") },
  answer: apiOrder,
  example: {},
});

export const listApiAccesses = route("GET /api/v1/accesses", {
  summary: "Les accès à vos groupes et canaux, par pages (droit accesses:read)",
  ...byKey("accesses:read"),
  owns: null,
  query: page.extend({
    status: apiAccess.shape.status.optional(),
    group_id: idInPath.optional(),
  }),
  answer: pageOf(apiAccess),
  example: {},
});

/** The week when no period is named. Days are those of the instance's zone. */
export const readApiStatistics = route("GET /api/v1/statistics", {
  summary: "Vos chiffres d'une semaine, d'un mois ou d'une année (droit statistics:read)",
  ...byKey("statistics:read"),
  owns: null,
  query: z.object({ period: z.enum(["week", "month", "year"]).default("week") }),
  answer: apiStatistics,
  example: {},
});
