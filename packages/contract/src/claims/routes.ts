import { type Owned, route } from "../common/route.ts";
import { claimsRefusals } from "./refusals.fr.ts";
import {
  claimAnswer,
  claimBody,
  claimsAnswer,
  claimsQuery,
  claimWordsBody,
  decideClaimBody,
  deskClaimAnswer,
  deskClaimsAnswer,
  deskClaimsQuery,
} from "./wire.ts";
import { refundsRefusals } from "../refunds/refusals.fr.ts";
import { deskRefusals } from "../desk/refusals.fr.ts";

const ofParties: Owned = { thing: "claim", by: ["buyer", "seller"] };

export const openClaim = route("POST /api/orders/:id/claim", {
  summary:
    "Dire que quelque chose ne va pas avec un achat ; le vendeur a 72 heures. Au plus 3 par jour sur des commandes non payées : 429 avec `Retry-After`",
  access: "person",
  owns: { id: { thing: "sale", by: ["buyer"] } },
  body: claimBody.optional(),
  answer: claimAnswer,
  status: 201,
  refusals: claimsRefusals,
  repeatable: true,
  example: { body: { motif: "other", message: "Bonjour" } },
});

export const answerClaim = route("POST /api/claims/:id/answer", {
  summary: "Écrire à l'autre partie d'une réclamation",
  access: "person",
  owns: { id: ofParties },
  body: claimWordsBody.optional(),
  answer: claimAnswer,
  refusals: claimsRefusals,
  repeatable: true,
  example: { body: { message: "Bonjour" } },
});

export const contestClaim = route("POST /api/claims/:id/contest", {
  summary: "Contester une réclamation : l'opérateur décide",
  access: "seller",
  owns: { id: { thing: "dispute", by: ["seller"] } },
  body: claimWordsBody.optional(),
  answer: claimAnswer,
  refusals: claimsRefusals,
  repeatable: true,
  example: { body: { message: "Bonjour" } },
});

/** Nothing is said with it: a body is not looked at. */
export const withdrawClaim = route("POST /api/claims/:id/withdraw", {
  summary: "Retirer sa réclamation",
  access: "person",
  owns: { id: { thing: "claim", by: ["buyer"] } },
  answer: claimAnswer,
  refusals: claimsRefusals,
  repeatable: true,
  example: {},
});

export const listClaims = route("GET /api/claims", {
  summary: "Les réclamations sur ses ventes",
  access: "seller",
  owns: null,
  query: claimsQuery,
  answer: claimsAnswer,
  example: {},
});

export const readClaim = route("GET /api/claims/:id", {
  summary: "Une réclamation et tout ce qui y a été dit",
  access: "person",
  owns: { id: ofParties },
  answer: claimAnswer,
  refusals: claimsRefusals,
  example: {},
});

export const listDeskClaims = route("GET /api/desk/claims", {
  summary: "Les réclamations : celles de l'opérateur d'abord ; ou les closes",
  access: "agent",
  owns: null,
  query: deskClaimsQuery,
  answer: deskClaimsAnswer,
  example: {},
});

export const readDeskClaim = route("GET /api/desk/claims/:id", {
  summary: "Une réclamation, vue du bureau",
  access: "agent",
  owns: { id: { thing: "claim", by: ["agent", "operator"] } },
  answer: deskClaimAnswer,
  refusals: claimsRefusals,
  example: {},
});

export const decideClaim = route("POST /api/desk/claims/:id/decide", {
  summary: "Trancher : rembourser, ou rejeter avec une raison lue par les deux parties",
  access: "operator",
  owns: { id: { thing: "dispute", by: ["operator"] } },
  body: decideClaimBody.optional(),
  answer: deskClaimAnswer,
  refusals: { ...claimsRefusals, ...refundsRefusals, ...deskRefusals },
  repeatable: true,
  example: { body: { decision: "reject", reason: "Vu chez eux" } },
});
