import type { OpenAPIV3_1 } from "openapi-types";
import type { CallText } from "../http/openapi.ts";
import { idempotencyKey } from "./parameters.fr.ts";

const desk = "Bureau";
const settings = "Réglages";
const reports = "Signalements";
const identity = "Identité";

const csv = (): { responses: OpenAPIV3_1.ResponsesObject } => ({
  responses: {
    200: {
      description: "Un fichier CSV, en UTF-8, séparé par des points-virgules.",
      content: { "text/csv": { schema: { type: "string" } } },
    },
  },
});

const once = { parameters: [idempotencyKey] };

/** The desk beside withdrawals, the settings, and what sellers and buyers say to the platform. */
export const REGISTRY_CALLS: Readonly<Record<string, CallText>> = {
  "GET /api/desk/alerts": { tag: desk, summary: "Les alertes, avec ce qu'il faut en faire" },
  "POST /api/desk/alerts/:id/resolve": {
    tag: desk,
    summary: "Clore une alerte, en disant ce qui a été fait",
  },
  "GET /api/desk/search": {
    tag: desk,
    summary:
      "Chercher vendeurs, commandes, paiements, retraits et produits : numéro, référence, nom, téléphone",
  },
  "GET /api/desk/sellers/:id": {
    tag: desk,
    summary: "La fiche d'un vendeur : soldes, ventes, retraits, produits, alertes, journal",
  },
  "POST /api/desk/sellers/:id/suspend": {
    tag: desk,
    summary: "Suspendre les ventes d'un vendeur, avec un motif et une date de réexamen",
  },
  "POST /api/desk/sellers/:id/resume": { tag: desk, summary: "Lever la suspension d'un vendeur" },
  "POST /api/desk/sellers/:id/freeze": {
    tag: desk,
    summary: "Geler les retraits d'un vendeur, avec un motif et une date de réexamen",
  },
  "POST /api/desk/sellers/:id/unfreeze": { tag: desk, summary: "Dégeler les retraits" },
  "POST /api/desk/sellers/:id/reopen": {
    tag: desk,
    summary: "Rouvrir le compte qu'un vendeur avait fermé",
  },
  "POST /api/desk/sellers/:id/write-off": {
    tag: desk,
    summary: "Passer en perte ce que doit un vendeur : l'un demande, un autre opérateur confirme",
  },
  "POST /api/desk/products/:id/suspend": { tag: desk, summary: "Suspendre un produit" },
  "POST /api/desk/products/:id/resume": {
    tag: desk,
    summary: "Lever la suspension d'un produit",
  },
  "GET /api/desk/day": {
    tag: desk,
    summary: "La journée : chaque caisse, ses mouvements et son solde d'après les écritures",
  },
  "POST /api/desk/day/close": {
    tag: desk,
    summary: "Clore une caisse : le solde compté, l'écart et son explication",
    more: once,
  },
  "POST /api/desk/day/correct": {
    tag: desk,
    summary: "Corriger une clôture par une nouvelle ligne",
    more: once,
  },
  "POST /api/desk/day/moves": {
    tag: desk,
    summary: "Argent mis dans une caisse ou sorti d'elle, à la main",
    more: once,
  },
  "GET /api/desk/day/export": { tag: desk, summary: "La journée en CSV", more: csv() },
  "GET /api/desk/reconciliations": {
    tag: desk,
    summary: "Rapprochements : ce que disent les prestataires et ce que disent nos écritures",
  },
  "POST /api/desk/reconciliations": { tag: desk, summary: "Demander un rapprochement" },
  "GET /api/desk/jobs": {
    tag: desk,
    summary: "Les tâches échouées ou expirées, par sujet, avec leur dernière erreur",
  },
  "POST /api/desk/jobs/retry": {
    tag: desk,
    summary: "Relancer une tâche (`id`), celles d'un sujet (`topic`) ou toutes (`all`)",
  },
  "GET /api/desk/audit": {
    tag: desk,
    summary: "Le journal d'audit et l'état de sa chaîne",
  },
  "GET /api/desk/audit/export": { tag: desk, summary: "Le journal en CSV", more: csv() },
  "GET /api/desk/settings": {
    tag: settings,
    summary: "Les réglages en vigueur et leurs défauts",
  },
  "PUT /api/desk/settings": {
    tag: settings,
    summary: "Changer des réglages : frais, limites, horaires, seuils, liens",
  },
  "GET /api/desk/settings/history": {
    tag: settings,
    summary: "Chaque changement d'un réglage : qui, quand, avant, après",
  },
  "GET /api/desk/settings/durations": {
    tag: settings,
    summary: "Les durées proposées aux vendeurs",
  },
  "POST /api/desk/settings/durations": { tag: settings, summary: "Ajouter une durée" },
  "PUT /api/desk/settings/durations/:id": {
    tag: settings,
    summary: "Renommer, décrire, activer ou désactiver une durée ; les produits gardent la leur",
  },
  "POST /api/reports": {
    tag: reports,
    summary: "Signaler un produit, une fois par personne et par produit",
  },
  "POST /api/users/close": {
    tag: identity,
    summary: "Fermer son compte vendeur, quand il n'y reste rien",
  },
};

export const REGISTRY_TAGS = [settings, reports] as const;
