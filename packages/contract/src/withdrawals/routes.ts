import { z } from "zod";
import { route } from "../common/route.ts";
import { cursorQuery } from "../common/wire.ts";
import { WITHDRAWAL_STATUSES } from "./policy.ts";
import { withdrawalsRefusals } from "./refusals.fr.ts";
import {
  limitsAnswer,
  payoutSettingsAnswer,
  payoutSettingsBody,
  withdrawalAnswer,
  withdrawalBody,
  withdrawalsAnswer,
} from "./wire.ts";

const ofSeller = { id: { thing: "withdrawal", by: ["seller"] } } as const;

export const askWithdrawal = route("POST /api/users/retrait/demande", {
  summary: "Demander un retrait ; le montant est réservé sur le solde",
  access: "seller",
  owns: null,
  body: withdrawalBody,
  answer: withdrawalAnswer,
  status: 201,
  refusals: withdrawalsRefusals,
  repeatable: true,
  example: { body: { montant: 50 } },
});

export const cancelWithdrawal = route("DELETE /api/users/retrait/annuler/:id", {
  summary: "Annuler une demande en attente qu'aucun agent n'a prise",
  access: "seller",
  owns: ofSeller,
  answer: withdrawalAnswer,
  refusals: withdrawalsRefusals,
  repeatable: true,
  example: {},
});

export const listWithdrawals = route("GET /api/users/retrait/mes-demandes", {
  summary: "Ses demandes de retrait, les plus récentes d'abord",
  access: "seller",
  owns: null,
  /** `all` is every one, as without it. */
  query: cursorQuery.extend({ status: z.enum(["all", ...WITHDRAWAL_STATUSES]).optional() }),
  answer: withdrawalsAnswer,
  example: {},
});

/** What the form needs, so that it checks as the server does. */
export const readWithdrawalLimits = route("GET /api/users/retrait/limites", {
  summary: "Solde disponible, limites, méthodes et délai d'un retrait demandé maintenant",
  access: "seller",
  owns: null,
  answer: limitsAnswer,
  example: {},
});

export const readWithdrawal = route("GET /api/users/retrait/:id", {
  summary: "Une de ses demandes de retrait",
  access: "seller",
  owns: ofSeller,
  answer: withdrawalAnswer,
  refusals: withdrawalsRefusals,
  example: {},
});

export const readPayoutSettings = route("GET /api/users/paiement", {
  summary: "Où va l'argent, et le retrait automatique : prochaine exécution, dernier résultat",
  access: "seller",
  owns: null,
  answer: payoutSettingsAnswer,
  example: {},
});

/** Absent fields stay as they are. */
export const savePayoutSettings = route("PUT /api/users/paiement/update", {
  summary: "Enregistrer où va l'argent ; activer, modifier ou désactiver le retrait automatique",
  access: "seller",
  owns: null,
  body: payoutSettingsBody,
  answer: payoutSettingsAnswer,
  refusals: withdrawalsRefusals,
  example: { body: { retrait_auto: 0 } },
});
