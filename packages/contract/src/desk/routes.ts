import { z } from "zod";
import { type Owned, route } from "../common/route.ts";
import { cursorQuery } from "../common/wire.ts";
import {
  auditAnswer,
  auditQuery,
  closeDayAnswer,
  dayAnswer,
  dayOnWire,
  dayQuery,
} from "./day-wire.ts";
import { failedJobsAnswer, failedJobsQuery, retryJobsAnswer } from "./jobs-wire.ts";
import {
  reconcileNowAnswer,
  reconciliationsAnswer,
  reconciliationsQuery,
} from "./reconciliation-wire.ts";
import { deskRefusals, registryRefusals } from "./refusals.fr.ts";
import {
  closeAccountAnswer,
  deskAlertAnswer,
  deskAlertsAnswer,
  deskSearchAnswer,
  deskSellerAnswer,
  reportProductAnswer,
  SEARCH_TYPES,
} from "./registry-wire.ts";
import {
  deskAnswer,
  deskDecisionAnswer,
  deskQueueAnswer,
  deskQueueQuery,
  deskWithdrawalAnswer,
} from "./wire.ts";

/** Of any type: what is wrong with it has its own sentence. */
const told = z.unknown().optional();
const refusals = { ...deskRefusals, ...registryRefusals };
const withdrawal: Owned = { thing: "withdrawal", by: ["agent", "operator"] };

export const readDesk = route("GET /api/desk", {
  summary: "Le bureau des agents : ce qui attend, les voies d'envoi ouvertes, les raisons de rejet",
  access: "agent",
  owns: null,
  answer: deskAnswer,
  example: {},
});

export const listDeskWithdrawals = route("GET /api/desk/withdrawals", {
  summary: "Les demandes de retrait : Premium d'abord, puis par échéance ; filtres et recherche",
  access: "agent",
  owns: null,
  query: deskQueueQuery,
  answer: deskQueueAnswer,
  example: {},
});

export const readDeskWithdrawal = route("GET /api/desk/withdrawals/:id", {
  summary: "Une demande : vendeur, historique, signes de risque, voies possibles, trace de l'envoi",
  access: "agent",
  owns: { id: withdrawal },
  answer: deskWithdrawalAnswer,
  refusals: deskRefusals,
  example: {},
});

const decision = {
  access: "agent",
  owns: { id: withdrawal },
  answer: deskDecisionAnswer,
  refusals: deskRefusals,
  repeatable: true,
} as const;

export const claimWithdrawal = route("POST /api/desk/withdrawals/:id/claim", {
  ...decision,
  summary: "Prendre une demande pendant 15 minutes",
  example: {},
});

export const approveWithdrawal = route("POST /api/desk/withdrawals/:id/approve", {
  ...decision,
  summary:
    "Approuver : par un prestataire ou à la main ; au-delà d'un seuil, un second agent confirme",
  /** `reference`: by hand and already sent. */
  body: z.object({ lane: told, reference: told }),
  example: { body: { lane: "manual" } },
});

export const noteWithdrawalPaid = route("POST /api/desk/withdrawals/:id/paid", {
  ...decision,
  summary: "Payé à la main, avec la référence de l'opérateur",
  body: z.object({ reference: told }),
  example: { body: { reference: "MP1.23" } },
});

/** The seller reads the reason. */
export const noteWithdrawalFailed = route("POST /api/desk/withdrawals/:id/failed", {
  ...decision,
  summary: "L'envoi n'a pas pu être fait : le solde du vendeur est rétabli",
  body: z.object({ reason: told }),
  example: { body: { reason: "Plafond atteint" } },
});

/** `reason` is asked for with the code `other`, and replaces the sentence of any. */
export const rejectWithdrawal = route("POST /api/desk/withdrawals/:id/reject", {
  ...decision,
  summary: "Rejeter, avec une raison que le vendeur lit",
  body: z.object({ reason_code: told, reason: told }),
  example: { body: { reason_code: "suspicious" } },
});

/**
 * Of an uncertain payout: `sent` (with the operator's reference if known), `not-sent`, or `link` with
 * the provider's id, which the provider is asked about. Of one that was received, by an operator:
 * `returned`, with the operator's reference of what came back.
 */
export const resolveWithdrawal = route("POST /api/desk/withdrawals/:id/resolve", {
  ...decision,
  summary: "Trancher un envoi incertain : parti, pas parti, ou rattaché au paiement du prestataire",
  body: z.object({ outcome: told, provider_payout_id: told, reference: told, reason: told }),
  example: { body: { outcome: "sent", reason: "Vu chez eux" } },
});

export const releaseWithdrawal = route("POST /api/desk/withdrawals/:id/release", {
  ...decision,
  summary: "Relâcher une demande prise",
  example: {},
});

/** Newest first. */
export const listDeskAlerts = route("GET /api/desk/alerts", {
  summary: "Les alertes, avec ce qu'il faut en faire",
  access: "agent",
  owns: null,
  query: cursorQuery.extend({
    status: z.enum(["open", "resolved", "all"]).default("open"),
    kind: z.string().max(60).optional(),
    limit: z.coerce.number().int().min(1).max(100).default(30),
  }),
  answer: deskAlertsAnswer,
  example: {},
});

export const resolveDeskAlert = route("POST /api/desk/alerts/:id/resolve", {
  summary: "Clore une alerte, en disant ce qui a été fait",
  access: "agent",
  owns: null,
  body: z.object({ note: told }).optional(),
  answer: deskAlertAnswer,
  refusals,
  example: { body: { note: "Vu chez eux" } },
});

/**
 * Ids, references, provider ids, phones (8 last digits), `@username`, Telegram ids, beginnings of the
 * words of a seller's name. The next page of one list: `type` and its `next_cursor`.
 */
export const searchDesk = route("GET /api/desk/search", {
  summary:
    "Chercher vendeurs, commandes, paiements, retraits et produits : numéro, référence, nom, téléphone",
  access: "agent",
  owns: null,
  query: cursorQuery.extend({
    q: z.string().trim().max(100),
    type: z.enum(SEARCH_TYPES).optional(),
  }),
  answer: deskSearchAnswer,
  example: { query: { q: "awa" } },
});

export const readDeskSeller = route("GET /api/desk/sellers/:id", {
  summary: "La fiche d'un vendeur : soldes, ventes, retraits, produits, alertes, journal",
  access: "agent",
  owns: { id: { thing: "user", by: ["agent", "operator"] } },
  answer: deskSellerAnswer,
  refusals,
  example: {},
});

/** `review_at`: a day, 2026-12-01. */
const limiting = z.object({ reason: told, review_at: told }).optional();
const ending = z.object({ reason: told }).optional();
const measure = {
  access: "operator",
  answer: deskSellerAnswer,
  refusals,
  example: { body: { reason: "Vérification", review_at: "2027-06-01" } },
} as const;
const ofSeller = { ...measure, owns: { id: { thing: "user", by: ["operator"] } } } as const;
const ofProduct = { ...measure, owns: { id: { thing: "product", by: ["operator"] } } } as const;

export const suspendSeller = route("POST /api/desk/sellers/:id/suspend", {
  ...ofSeller,
  summary: "Suspendre les ventes d'un vendeur, avec un motif et une date de réexamen",
  body: limiting,
});

export const resumeSeller = route("POST /api/desk/sellers/:id/resume", {
  ...ofSeller,
  summary: "Lever la suspension d'un vendeur",
  body: ending,
});

export const freezeSeller = route("POST /api/desk/sellers/:id/freeze", {
  ...ofSeller,
  summary: "Geler les retraits d'un vendeur, avec un motif et une date de réexamen",
  body: limiting,
});

export const unfreezeSeller = route("POST /api/desk/sellers/:id/unfreeze", {
  ...ofSeller,
  summary: "Dégeler les retraits",
  body: ending,
});

export const reopenSeller = route("POST /api/desk/sellers/:id/reopen", {
  ...ofSeller,
  summary: "Rouvrir le compte qu'un vendeur avait fermé",
  body: ending,
});

export const writeOffSeller = route("POST /api/desk/sellers/:id/write-off", {
  ...ofSeller,
  summary: "Passer en perte ce que doit un vendeur : l'un demande, un autre opérateur confirme",
  body: ending,
});

export const suspendProduct = route("POST /api/desk/products/:id/suspend", {
  ...ofProduct,
  summary: "Suspendre un produit",
  body: limiting,
});

export const resumeProduct = route("POST /api/desk/products/:id/resume", {
  ...ofProduct,
  summary: "Lever la suspension d'un produit",
  body: ending,
});

/** Today in the instance's zone without `date`. */
export const readDeskDay = route("GET /api/desk/day", {
  summary: "La journée : chaque caisse, ses mouvements et son solde d'après les écritures",
  access: "agent",
  owns: null,
  query: dayQuery,
  answer: dayAnswer,
  example: {},
});

export const exportDeskDay = route("GET /api/desk/day/export", {
  summary: "La journée en CSV",
  access: "agent",
  owns: null,
  query: z.object({ date: dayOnWire }),
  answer: null,
  produces: "text/csv",
  example: { query: { date: "2026-11-16" } },
});

const counting = {
  access: "agent",
  owns: null,
  /**
   * `counted` in francs, as read on the operator's phone. `explanation`: asked for when the count
   * differs from the ledger; always of a correction.
   */
  body: z.object({ date: told, account: told, counted: told, explanation: told }).optional(),
  answer: closeDayAnswer,
  refusals,
  repeatable: true,
  example: {
    body: {
      date: "2026-11-16",
      account: "float:orange-money-ci",
      counted: 48_500,
      explanation: "Frais de dépôt",
    },
  },
} as const;

export const closeDeskDay = route("POST /api/desk/day/close", {
  ...counting,
  summary: "Clore une caisse : le solde compté, l'écart et son explication",
});

export const correctDeskDay = route("POST /api/desk/day/correct", {
  ...counting,
  summary: "Corriger une clôture par une nouvelle ligne",
});

/**
 * `direction`: into the purse (`in`), or out of it. `other`: where the money comes from or goes to:
 * another purse, or `treasury` (bank, cash).
 */
export const moveDeskMoney = route("POST /api/desk/day/moves", {
  ...counting,
  summary: "Argent mis dans une caisse ou sorti d'elle, à la main",
  body: z
    .object({ account: told, direction: told, amount: told, other: told, reference: told })
    .optional(),
  example: {
    body: {
      account: "float:orange-money-ci",
      direction: "in",
      amount: 50_000,
      other: "treasury",
      reference: "D-17",
    },
  },
});

/** The newest differences first. */
export const listReconciliations = route("GET /api/desk/reconciliations", {
  summary: "Rapprochements : ce que disent les prestataires et ce que disent nos écritures",
  access: "agent",
  owns: null,
  query: reconciliationsQuery,
  answer: reconciliationsAnswer,
  example: {},
});

export const askReconciliation = route("POST /api/desk/reconciliations", {
  summary: "Demander un rapprochement",
  access: "agent",
  owns: null,
  answer: reconcileNowAnswer,
  example: {},
});

/** What is not tried again by itself, newest first. */
export const listDeskJobs = route("GET /api/desk/jobs", {
  summary: "Les tâches échouées ou expirées, par sujet, avec leur dernière erreur",
  access: "operator",
  owns: null,
  query: failedJobsQuery,
  answer: failedJobsAnswer,
  example: {},
});

export const retryDeskJobs = route("POST /api/desk/jobs/retry", {
  summary: "Relancer une tâche (`id`), celles d'un sujet (`topic`) ou toutes (`all`)",
  access: "operator",
  owns: null,
  body: z.object({
    id: z.string().max(80).optional(),
    topic: z.string().max(80).optional(),
    all: z.boolean().optional(),
  }),
  answer: retryJobsAnswer,
  example: { body: { topic: "bot.tell" } },
});

/** Newest first. */
export const listDeskAudit = route("GET /api/desk/audit", {
  summary: "Le journal d'audit et l'état de sa chaîne",
  access: "operator",
  owns: null,
  query: auditQuery,
  answer: auditAnswer,
  example: {},
});

/** Days of the instance's zone, both included. */
export const exportDeskAudit = route("GET /api/desk/audit/export", {
  summary: "Le journal en CSV",
  access: "operator",
  owns: null,
  query: z.object({ from: dayOnWire, to: dayOnWire }),
  answer: null,
  produces: "text/csv",
  refusals,
  example: { query: { from: "2026-11-01", to: "2026-11-30" } },
});

export const reportProduct = route("POST /api/reports", {
  summary: "Signaler un produit, une fois par personne et par produit",
  access: "person",
  owns: null,
  /** `motif`: scam, forbidden, no-access, other. */
  body: z.object({ reference: told, motif: told, message: told }).optional(),
  answer: reportProductAnswer,
  refusals,
  example: { body: { reference: "nosuchref1", motif: "other", message: "Une copie" } },
});

/** The seller's last call; `confirm` is true. */
export const closeAccount = route("POST /api/users/close", {
  summary: "Fermer son compte vendeur, quand il n'y reste rien",
  access: "seller",
  owns: null,
  body: z.object({ confirm: told }).optional(),
  answer: closeAccountAnswer,
  refusals,
  /** It does not confirm: it closes nobody's account. */
  example: { body: {} },
});
