import { z } from "zod";
import { catalogueRefusals } from "../catalogue/messages.fr.ts";
import { type Owned, route } from "../common/route.ts";
import {
  francs,
  id,
  idInPath,
  idOnWire,
  instantOnWire,
  next_cursor,
  optionalBody,
  page,
  success,
  unchecked,
} from "../common/wire.ts";
import { plansRefusals } from "../plans/refusals.fr.ts";
import { developersRefusals, EVENT_TYPES, KEY_SCOPES, type KeyScope } from "./messages.fr.ts";

const ofSeller = (thing: string): Owned => ({ thing, by: ["seller"] });

export const developerKeyOnWire = z.object({
  id,
  name: z.string(),
  /** Like sk_sesame_…a1B2; never the whole key. */
  masked: z.string(),
  scopes: z.array(z.enum(KEY_SCOPES)),
  created_at: instantOnWire,
  /** A day: 2026-11-16. Null: never used. */
  last_used_on: z.string().nullable(),
});
export type DeveloperKeyOnWire = z.input<typeof developerKeyOnWire>;

export const endpointOnWire = z.object({
  id,
  url: z.string(),
  events: z.array(z.enum(EVENT_TYPES)),
  active: z.boolean(),
  /** Why the server switched it off: only failures for days, or an answer 410 Gone. */
  off_reason: z.enum(["failing", "gone"]).nullable(),
  failing_since: instantOnWire.nullable(),
  /** Until then the former secret signs too. */
  old_secret_until: instantOnWire.nullable(),
  created_at: instantOnWire,
});
export type EndpointOnWire = z.input<typeof endpointOnWire>;

const attempt = z.object({
  at: instantOnWire,
  status_code: z.int().nullable(),
  failure: z.string().nullable(),
  duration_ms: z.int(),
});

/** Includes the first bytes of the answer. */
export const attemptOnWire = attempt.extend({ answer: z.string().nullable() });

export const deliveryOnWire = z.object({
  id,
  /** The header webhook-id: the same in every attempt and replay. */
  webhook_id: z.string(),
  type: z.string(),
  endpoint_id: id,
  url: z.string(),
  status: z.enum(["pending", "delivered", "failed"]),
  attempts: z.int(),
  created_at: instantOnWire,
  /** When the next attempt is made, for a waiting delivery. */
  next_at: instantOnWire.nullable(),
  last: attempt.nullable(),
});
export type DeliveryOnWire = z.input<typeof deliveryOnWire>;

const change = {
  access: "seller",
  refusals: { ...developersRefusals, ...plansRefusals },
  repeatable: true,
} as const;
const creation = { ...change, status: 201 } as const;
const ofEndpoint = { ...change, owns: { id: ofSeller("endpoint") } } as const;

/** Without a plan that includes them, keys and endpoints are kept but inactive. */
export const readDevelopers = route("GET /api/developers", {
  summary: "Ses clés, ses adresses de webhook, et ce qu'on peut y choisir",
  access: "seller",
  answer: success({
    open: z.boolean(),
    keys: z.array(developerKeyOnWire),
    endpoints: z.array(endpointOnWire),
    scopes: z.array(z.object({ key: z.enum(KEY_SCOPES), label: z.string() })),
    events: z.array(z.object({ key: z.enum(EVENT_TYPES), label: z.string() })),
    limits: z.object({ keys: z.int(), endpoints: z.int(), deliveries_days: z.int() }),
  }),
});

/** `secret` is null when the same request is repeated. */
export const createDeveloperKey = route("POST /api/developers/keys", {
  summary: "Créer une clé : elle n'est montrée que dans cette réponse",
  ...creation,
  owns: null,
  body: optionalBody({
    name: unchecked("À quoi elle sert"),
    scopes: unchecked(`Une liste parmi ${KEY_SCOPES.join(", ")}`),
  }),
  answer: success({
    message: z.string(),
    key: developerKeyOnWire,
    secret: z.string().nullable(),
  }),
  example: { body: { name: "Site", scopes: ["orders:read"] } },
});

export const revokeDeveloperKey = route("DELETE /api/developers/keys/:id", {
  summary: "Révoquer une clé",
  ...change,
  owns: { id: ofSeller("developer-key") },
  answer: success({ message: z.string() }),
});

const endpointBody = z.object({
  url: unchecked("https, publique"),
  events: unchecked(`Une liste parmi ${EVENT_TYPES.join(", ")}`),
});
const endpointAnswer = success({ message: z.string(), endpoint: endpointOnWire });
const endpointSecretAnswer = endpointAnswer.extend({ secret: z.string() });

export const addEndpoint = route("POST /api/developers/endpoints", {
  summary: "Ajouter une adresse de webhook : la réponse porte son secret",
  ...creation,
  owns: null,
  body: endpointBody.optional(),
  answer: endpointSecretAnswer,
  example: { body: { url: "https://hook.example/", events: ["order.paid"] } },
});

/** Absent fields stay as they are. */
export const changeEndpoint = route("PUT /api/developers/endpoints/:id", {
  summary: "Modifier une adresse, la mettre en pause ou la réactiver",
  ...ofEndpoint,
  body: endpointBody.extend({ active: unchecked("true ou false") }).optional(),
  answer: endpointAnswer,
  example: { body: { events: ["order.paid"] } },
});

export const rotateSecret = route("POST /api/developers/endpoints/:id/secret", {
  summary: "Changer de secret : l'ancien signe aussi pendant 24 heures",
  ...ofEndpoint,
  answer: endpointSecretAnswer,
});

export const removeEndpoint = route("DELETE /api/developers/endpoints/:id", {
  summary: "Supprimer une adresse",
  ...ofEndpoint,
  answer: success({ message: z.string() }),
});

/** `body`: the exact bytes that are sent; `log`: newest first. */
const deliveryAnswer = success({
  message: z.string(),
  delivery: deliveryOnWire,
  body: z.string(),
  log: z.array(attemptOnWire),
});
const ofDelivery = {
  access: "seller",
  owns: { id: ofSeller("delivery") },
  answer: deliveryAnswer,
  refusals: change.refusals,
} as const;

export const pingEndpoint = route("POST /api/developers/endpoints/:id/ping", {
  summary: "Envoyer un événement de test",
  ...ofEndpoint,
  answer: deliveryAnswer,
});

/** Newest first. */
export const listDeliveries = route("GET /api/developers/deliveries", {
  summary: "Les envois de 30 jours, par pages",
  access: "seller",
  query: page(30).extend({ endpoint: idOnWire.optional() }),
  answer: success({ deliveries: z.array(deliveryOnWire), next_cursor }),
});

export const readDelivery = route("GET /api/developers/deliveries/:id", {
  summary: "Un envoi : son contenu, et la réponse à chaque essai",
  ...ofDelivery,
});

export const replayDelivery = route("POST /api/developers/deliveries/:id/replay", {
  summary: "Renvoyer un événement, sous le même webhook-id",
  ...ofDelivery,
  repeatable: true,
});

// Answers of /api/v1 and events for endpoints. English and stable: fields are added, never renamed
// or removed. Amounts are whole francs, instants ISO 8601 in UTC, ids text.

const currency = z.literal("XOF");
const apiPerson = z.object({ id, telegram_id: z.string(), name: z.string() });

export const apiProduct = z.object({
  id,
  reference: z.string(),
  title: z.string(),
  description: z.string(),
  price: francs,
  currency,
  duration_minutes: z.int(),
  /** active: it can be bought; pending: something is missing; inactive: switched off. */
  status: z.enum(["active", "pending", "inactive"]),
  /** Null for a donation, which opens no group, has 0 minutes, and a minimum as its price. */
  group: z.object({ id, name: z.string(), type: z.enum(["group", "channel"]) }).nullable(),
  /** Places in all; null without limit. */
  stock: z.int().nullable(),
  share_link: z.string(),
  created_at: instantOnWire,
  updated_at: instantOnWire,
});

export const apiOrder = z.object({
  id,
  status: z.enum(["pending", "paid", "failed", "refunded"]),
  title: z.string(),
  product_id: id,
  /** Null for a donation. */
  group_id: id.nullable(),
  /** What the buyer pays: fee + net. */
  amount: francs,
  fee: francs,
  net: francs,
  currency,
  provider: z.string(),
  /** Paid to the seller's own account at the provider. */
  direct: z.boolean(),
  is_renewal: z.boolean(),
  buyer: apiPerson,
  created_at: instantOnWire,
  paid_at: instantOnWire.nullable(),
  access_until: instantOnWire.nullable(),
});

export const apiAccess = z.object({
  id,
  status: z.enum(["waiting", "inside", "ended", "removed", "left", "banned"]),
  group_id: id,
  /** The last order that extended it; null: the seller gave all its time. */
  order_id: id.nullable(),
  member: apiPerson,
  started_at: instantOnWire,
  ends_at: instantOnWire,
  /** Null: never joined the group. */
  joined_at: instantOnWire.nullable(),
});

/** Sent with withdrawal.paid. */
export const apiWithdrawal = z.object({
  id,
  reference: z.string(),
  amount: francs,
  currency,
  method: z.string(),
  created_at: instantOnWire,
  paid_at: instantOnWire.nullable(),
});

const count = z.object({ value: z.int(), previous: z.int() });
const money = z.object({ value: francs, previous: francs });

const byKey = (scope: KeyScope) => ({ access: "key", scope }) as const;

/** Keyset pages: newest first, `next_cursor` of one page is `cursor` of the next. */
const apiPage = page(50);

function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), next_cursor });
}

export const listApiProducts = route("GET /api/v1/products", {
  summary: "Vos produits, par pages (droit products:read)",
  ...byKey("products:read"),
  query: apiPage,
  answer: pageOf(apiProduct),
});

const oneProduct = {
  owns: { id: ofSeller("product") },
  answer: apiProduct,
  refusals: catalogueRefusals,
} as const;

export const readApiProduct = route("GET /api/v1/products/:id", {
  summary: "Un de vos produits (droit products:read)",
  ...byKey("products:read"),
  ...oneProduct,
});

export const changeApiProduct = route("PATCH /api/v1/products/:id", {
  summary: "Activer ou désactiver un produit (droit products:write)",
  ...byKey("products:write"),
  ...oneProduct,
  body: z.object({ status: unchecked("active | inactive") }).optional(),
  example: { body: { status: "active" } },
});

export const listApiOrders = route("GET /api/v1/orders", {
  summary: "Vos commandes, par pages (droit orders:read)",
  ...byKey("orders:read"),
  query: apiPage.extend({
    status: apiOrder.shape.status.optional(),
    product_id: idInPath.optional(),
  }),
  answer: pageOf(apiOrder),
});

export const readApiOrder = route("GET /api/v1/orders/:id", {
  summary: "Une de vos commandes (droit orders:read)",
  ...byKey("orders:read"),
  owns: { id: ofSeller("order") },
  answer: apiOrder,
});

export const listApiAccesses = route("GET /api/v1/accesses", {
  summary: "Les accès à vos groupes et canaux, par pages (droit accesses:read)",
  ...byKey("accesses:read"),
  query: apiPage.extend({
    status: apiAccess.shape.status.optional(),
    group_id: idInPath.optional(),
  }),
  answer: pageOf(apiAccess),
});

/** The default is the week. Days are in the instance's time zone. */
export const readApiStatistics = route("GET /api/v1/statistics", {
  summary: "Vos chiffres d'une semaine, d'un mois ou d'une année (droit statistics:read)",
  ...byKey("statistics:read"),
  query: z.object({ period: z.enum(["week", "month", "year"]).default("week") }),
  answer: z.object({
    period: z.enum(["week", "month", "year"]),
    /** First and last day. */
    from: z.string(),
    to: z.string(),
    currency,
    net: money,
    gross: money,
    sales: count,
    fees: francs,
    /** Of the gross, what the seller's own accounts collected. */
    direct: francs,
    new_sales: z.int(),
    renewals: z.int(),
    /** Members who are in the groups by a membership now. */
    members: z.int(),
    /** One day of a week or a month, one month of a year. */
    bars: z.array(z.object({ start: z.string(), net: francs, gross: francs, sales: z.int() })),
    /** The best five. */
    products: z.array(
      z.object({ id, title: z.string(), sales: z.int(), net: francs, share_percent: z.int() }),
    ),
    subscriptions: z
      .object({
        /** Monthly recurring revenue. */
        mrr: money,
        active: z.int(),
        due: z.int(),
        renewed: z.int(),
        lost: z.int(),
        served: z.int(),
      })
      .nullable(),
  }),
});
