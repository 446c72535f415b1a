import { z } from "zod";
import { route } from "../common/route.ts";
import { cursorQuery } from "../common/wire.ts";
import { deskRefusals } from "../desk/refusals.fr.ts";
import { withdrawalsRefusals } from "../withdrawals/refusals.fr.ts";
import {
  deskOrderAnswer,
  deskOrderRefundAnswer,
  deskRefundAnswer,
  deskRefundsAnswer,
} from "./desk-wire.ts";
import { refundsRefusals } from "./refusals.fr.ts";
import { givenBackBody, refundAnswer, refundBody, refundNumberBody } from "./wire.ts";

/** Of any type: what is wrong with it has its own sentence. */
const told = z.unknown().optional();
const refusals = { ...refundsRefusals, ...deskRefusals };

/** The whole price (decision 83). */
export const refundSale = route("POST /api/orders/:id/refund", {
  summary: "Rendre une de ses ventes : tout le prix, commission comprise ; l'accès prend fin",
  access: "seller",
  owns: { id: { thing: "sale", by: ["seller"] } },
  body: refundBody.optional(),
  answer: refundAnswer,
  refusals: refundsRefusals,
  repeatable: true,
  example: { body: { motif: "Erreur" } },
});

export const giveRefundNumber = route("POST /api/orders/:id/refund-number", {
  summary: "Dire à quel numéro un agent envoie le remboursement",
  access: "person",
  owns: { id: { thing: "sale", by: ["buyer"] } },
  body: refundNumberBody.optional(),
  answer: refundAnswer,
  refusals: { ...refundsRefusals, ...withdrawalsRefusals },
  repeatable: true,
  example: { body: { methode: "orange-money-ci", numero: "0701020304" } },
});

export const noteGivenBack = route("POST /api/refunds/:id/given-back", {
  summary: "Noter qu'on a rendu soi-même une vente encaissée directement",
  access: "seller",
  owns: { id: { thing: "refund", by: ["seller"] } },
  body: givenBackBody.optional(),
  answer: refundAnswer,
  refusals,
  repeatable: true,
  example: { body: { reference: "MP1.24" } },
});

/** Open ones oldest first (to pay before the others), done ones newest first. */
export const listDeskRefunds = route("GET /api/desk/refunds", {
  summary: "Les remboursements : à envoyer d'abord, puis ceux en route ; ou les terminés",
  access: "agent",
  owns: null,
  query: cursorQuery.extend({
    view: z.enum(["open", "done"]).default("open"),
    limit: z.coerce.number().int().min(1).max(100).default(30),
  }),
  answer: deskRefundsAnswer,
  example: {},
});

const deed = { answer: deskRefundAnswer, refusals, repeatable: true } as const;
const byAgent = {
  ...deed,
  access: "agent",
  owns: { id: { thing: "refund", by: ["agent", "operator"] } },
} as const;
const byOperator = {
  ...deed,
  access: "operator",
  owns: { id: { thing: "refund", by: ["operator"] } },
} as const;

export const takeRefund = route("POST /api/desk/refunds/:id/take", {
  ...byAgent,
  summary: "Prendre en main un remboursement pendant 15 minutes",
  example: {},
});

export const noteRefundPaid = route("POST /api/desk/refunds/:id/paid", {
  ...byAgent,
  summary: "Envoyé à la main : la référence de l'opérateur le prouve, une seule fois",
  body: z.object({ reference: told }).optional(),
  example: { body: { reference: "MP1.25" } },
});

/** The buyer reads the reason. */
export const refuseRefundNumber = route("POST /api/desk/refunds/:id/wrong-number", {
  ...byAgent,
  summary: "L'opérateur refuse le numéro : l'acheteur en donne un autre",
  body: z.object({ reason: told }).optional(),
  example: { body: { reason: "Inconnu" } },
});

export const noteRefundReturned = route("POST /api/desk/refunds/:id/returned", {
  ...byOperator,
  summary: "Terminer sans rien envoyer un remboursement que le prestataire dit avoir déjà rendu",
  example: {},
});

export const noteProviderFee = route("POST /api/desk/refunds/:id/fee", {
  ...byOperator,
  summary: "Noter, une fois, ce que le prestataire a retenu pour un paiement repris",
  body: z.object({ montant: told }).optional(),
  example: { body: { montant: 2_000 } },
});

export const readDeskOrder = route("GET /api/desk/orders/:id", {
  summary: "La fiche d'une commande : paiements, accès, remboursements, réclamations, écritures",
  access: "agent",
  owns: { id: { thing: "order", by: ["agent", "operator"] } },
  answer: deskOrderAnswer,
  refusals,
  example: {},
});

/** What the seller lacks is advanced (decision 83). */
export const refundDeskOrder = route("POST /api/desk/orders/:id/refund", {
  summary: "Rembourser une commande ; ce qui manque au vendeur est avancé, puis repris",
  access: "operator",
  owns: { id: { thing: "order", by: ["operator"] } },
  body: z.object({ reason: told }).optional(),
  answer: deskOrderRefundAnswer,
  refusals,
  repeatable: true,
  example: { body: { reason: "Erreur" } },
});

/**
 * `outcome`: honour, give-back or returned; `montant`: what came in, in francs, where the provider did
 * not say.
 */
export const decidePayment = route("POST /api/desk/payments/:id/decide", {
  summary:
    "Dire ce que devient un paiement qui ne correspond pas à la commande : l'honorer, le rendre, ou noter qu'il l'est déjà",
  access: "operator",
  owns: null,
  body: z.object({ outcome: told, montant: told, reason: told }).optional(),
  answer: deskOrderRefundAnswer,
  refusals,
  repeatable: true,
  example: { body: { outcome: "returned", reason: "Vu chez eux" } },
});
