import { productForm } from "@sesame/contract/catalogue";
import type { OpenAPIV3_1 } from "openapi-types";
import { z } from "zod";
import type { CallText, OpenapiTexts } from "../http/openapi.ts";
import { CHECKOUT_TAG, checkoutCalls } from "./checkout-calls.fr.ts";
import { deskCalls } from "./desk-calls.fr.ts";
import {
  DEVELOPERS_CALLS,
  DEVELOPERS_TAG,
  DEVELOPERS_TAGS,
  WEBHOOKS,
} from "./developers-calls.fr.ts";
import { idempotencyKey } from "./parameters.fr.ts";
import { PLANS_CALLS, PLANS_TAGS } from "./plans-calls.fr.ts";
import { REFUNDS_CALLS, REFUNDS_TAGS } from "./refunds-calls.fr.ts";
import { SHOP_CALLS } from "./shop-calls.fr.ts";
import { SUPPORT_CALLS, SUPPORT_TAGS } from "./support-calls.fr.ts";
import { REGISTRY_CALLS, REGISTRY_TAGS } from "./registry-calls.fr.ts";
import { STATISTICS_CALLS, STATISTICS_TAGS } from "./statistics-calls.fr.ts";

const identity = "Identité";
const plans = "Offres";
const groups = "Groupes et canaux";
const catalogue = "Catalogue";
const access = "Accès";
const reports = "Ventes";
const withdrawals = "Retraits";
const desk = "Bureau";
const service = "Service";

/** The fields of the contract, and the file beside them. */
function productBody(): OpenAPIV3_1.RequestBodyObject {
  const { $schema: _, ...fields } = z.toJSONSchema(productForm, { io: "input" });
  const schema = fields as OpenAPIV3_1.SchemaObject;
  const image: OpenAPIV3_1.SchemaObject = { type: "string", format: "binary" };
  return {
    content: {
      "multipart/form-data": {
        schema: { ...schema, properties: { ...schema.properties, image } } as typeof schema,
      },
    },
  };
}

const createBody: OpenAPIV3_1.RequestBodyObject = { ...productBody(), required: true };
const editBody: OpenAPIV3_1.RequestBodyObject = {
  required: true,
  content: {
    ...createBody.content,
    "application/json": {
      schema: z.toJSONSchema(productForm, { io: "input" }) as OpenAPIV3_1.SchemaObject,
    },
  },
};

const binary: OpenAPIV3_1.MediaTypeObject = { schema: { type: "string", format: "binary" } };
const notice: OpenAPIV3_1.OperationObject = {
  requestBody: { required: true, content: { "application/json": { schema: {} } } },
};

/** What each call is for, in the words of its chapter. A call without a row fails a test. */
const CALLS: Readonly<Record<string, CallText>> = {
  "GET /api/auth/vendeur": {
    tag: identity,
    summary: "Ouvrir l'espace vendeur : jeton, profil, groupes, produits, dernières ventes",
  },
  "POST /api/auth/vendeur": {
    tag: identity,
    summary: "Ouvrir l'espace vendeur : jeton, profil, groupes, produits, dernières ventes",
  },
  "POST /api/auth/acheteur": { tag: identity, summary: "Ouvrir l'espace acheteur" },
  "POST /api/auth/logout": { tag: identity, summary: "Révoquer le jeton" },
  "GET /api/users/:id": { tag: identity, summary: "Lire son profil de vendeur" },
  "PUT /api/users/:id": {
    tag: identity,
    summary: "Modifier son profil, terminer l'accueil, choisir l'offre gratuite",
  },
  "POST /api/socket/add": {
    tag: identity,
    summary: "Annoncer une connexion temps réel (le jeton suffit : conservé pour compatibilité)",
  },
  ...PLANS_CALLS,
  ...SHOP_CALLS,
  "GET /api/channels": { tag: groups, summary: "Les groupes et canaux reliés" },
  "POST /api/channels/refresh": { tag: groups, summary: "Revérifier tous les groupes et canaux" },
  "GET /api/channels/:id": { tag: groups, summary: "Un groupe ou canal relié" },
  "POST /api/channels/:id/refresh": { tag: groups, summary: "Revérifier un groupe ou canal" },
  "POST /api/channels/:id/close-member-adds": {
    tag: groups,
    summary: "Fermer un groupe aux ajouts des membres, sans toucher aux autres permissions",
  },
  "PUT /api/channels/:id/entry-rules": {
    tag: groups,
    summary: "Retirer, ou seulement signaler, les personnes qu'un membre ajoute sans accès payé",
  },
  "GET /api/channels/reclaimable": {
    tag: groups,
    summary: "Les groupes dont vous êtes propriétaire sur Telegram, reliés par un autre vendeur",
  },
  "POST /api/channels/:id/reclaim": {
    tag: groups,
    summary:
      "Reprendre un groupe dont vous êtes propriétaire : Telegram est interrogé à ce moment, les produits de l'autre vendeur ne se vendent plus, les accès payés vont à leur terme",
  },
  "GET /api/bot/links": {
    tag: groups,
    summary: "Les liens qui ajoutent le bot à un groupe ou à un canal, et les droits demandés",
  },
  "GET /api/config/subscription_durations": { tag: catalogue, summary: "Les durées proposées" },
  "GET /api/products": { tag: catalogue, summary: "Ses produits" },
  "GET /api/products/seller/:id": { tag: catalogue, summary: "Ses produits, par son identifiant" },
  "GET /api/products/:id": { tag: catalogue, summary: "Un de ses produits" },
  "GET /api/products/:id/members": {
    tag: catalogue,
    summary: "Combien de membres ont encore accès, avant d'archiver",
  },
  "POST /api/products": {
    tag: catalogue,
    summary: "Publier un produit",
    more: { requestBody: createBody, parameters: [idempotencyKey] },
  },
  "PUT /api/products/:id": {
    tag: catalogue,
    summary: "Modifier un produit, l'activer ou le désactiver",
    more: { requestBody: editBody },
  },
  "DELETE /api/products/:id": {
    tag: catalogue,
    summary: "Archiver un produit : les accès en cours vont à leur terme",
  },
  "GET /api/public/products/:reference": {
    tag: catalogue,
    summary: "La page publique d'un produit, par sa référence",
  },
  "GET /api/products/:idVendeur/:idProduit": {
    tag: catalogue,
    summary: "La page publique d'un produit, par vendeur et produit",
  },
  "GET /images/:id/:file": {
    tag: catalogue,
    summary: "L'image d'un produit, dans une de ses deux tailles",
    more: {
      responses: {
        200: { description: "", content: { "image/avif": binary, "image/jpeg": binary } },
      },
    },
  },
  ...checkoutCalls({ idempotencyKey, notice }),
  "GET /api/me/access": { tag: access, summary: "Ses accès, en cours et terminés" },
  "GET /api/transactions": {
    tag: reports,
    summary: "L'historique, par pages : les ventes, ou avec `type` les retraits et les retours",
  },
  "GET /api/subscriptions": { tag: reports, summary: "Les abonnements vendus, par pages" },
  "POST /webhooks/telegram/seller": {
    tag: service,
    summary: "Mise à jour de Telegram pour le bot des vendeurs",
    more: notice,
  },
  "POST /webhooks/telegram/buyer": {
    tag: service,
    summary: "Mise à jour de Telegram pour le bot des acheteurs",
    more: notice,
  },
  "POST /api/users/retrait/demande": {
    tag: withdrawals,
    summary: "Demander un retrait ; le montant est réservé sur le solde",
    more: { parameters: [idempotencyKey] },
  },
  "GET /api/users/retrait/mes-demandes": {
    tag: withdrawals,
    summary: "Ses demandes de retrait, les plus récentes d'abord",
  },
  "GET /api/users/retrait/limites": {
    tag: withdrawals,
    summary: "Solde disponible, limites, méthodes et délai d'un retrait demandé maintenant",
  },
  "GET /api/users/retrait/:id": { tag: withdrawals, summary: "Une de ses demandes de retrait" },
  "DELETE /api/users/retrait/annuler/:id": {
    tag: withdrawals,
    summary: "Annuler une demande en attente qu'aucun agent n'a prise",
    more: { parameters: [idempotencyKey] },
  },
  "GET /api/users/paiement": {
    tag: withdrawals,
    summary: "Où va l'argent, et le retrait automatique : prochaine exécution, dernier résultat",
  },
  "PUT /api/users/paiement/update": {
    tag: withdrawals,
    summary: "Enregistrer où va l'argent ; activer, modifier ou désactiver le retrait automatique",
  },
  ...deskCalls(idempotencyKey),
  ...STATISTICS_CALLS,
  ...REFUNDS_CALLS,
  ...SUPPORT_CALLS,
  ...REGISTRY_CALLS,
  ...DEVELOPERS_CALLS,
  "GET /health": { tag: service, summary: "Le processus vit" },
  "GET /ready": { tag: service, summary: "La base répond et elle est à jour" },
};

export const openapiTexts: OpenapiTexts = {
  description:
    "Accès payants et limités dans le temps à des groupes et canaux Telegram, en francs CFA. " +
    "Les montants sont des entiers, en francs ; les instants sont en UTC ; les identifiants " +
    "voyagent en texte. Un champ inconnu est ignoré, un champ d'un mauvais type est refusé.",
  tags: [
    DEVELOPERS_TAG,
    identity,
    plans,
    groups,
    catalogue,
    CHECKOUT_TAG,
    access,
    reports,
    withdrawals,
    ...PLANS_TAGS,
    ...STATISTICS_TAGS,
    ...REFUNDS_TAGS,
    ...SUPPORT_TAGS,
    ...DEVELOPERS_TAGS,
    desk,
    ...REGISTRY_TAGS,
    service,
  ],
  webhooks: WEBHOOKS,
  answers: {
    200: "Fait.",
    201: "Créé.",
    400: "Demande mal formée.",
    401: "Preuve d'identité absente, fausse, périmée ou révoquée.",
    403: "Rôle, offre ou signature insuffisants.",
    404: "Absent, ou à quelqu'un d'autre.",
    409: "Même clé avec un autre contenu, ou état qui l'interdit.",
    413: "Envoi trop volumineux.",
    415: "Format d'envoi qui n'est pas accepté.",
    422: "Refus, avec sa phrase.",
    429: "Trop de demandes : l'en-tête Retry-After dit combien de secondes attendre.",
    503: "Momentanément indisponible : à redemander plus tard.",
  },
  describe: (method, url) => CALLS[`${method} ${url}`] ?? null,
};
