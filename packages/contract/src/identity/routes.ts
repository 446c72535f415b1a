import { z } from "zod";
import { type Owned, route } from "../common/route.ts";
import { plansRefusals } from "../plans/refusals.fr.ts";
import { identityRefusals } from "./refusals.fr.ts";
import { buyerSignInAnswer, sellerSignInAnswer, userAnswer, userUpdate } from "./wire.ts";

const ofSeller: { id: Owned } = { id: { thing: "user", by: ["seller"] } };

const sellerDoor = {
  summary: "Ouvrir l'espace vendeur : jeton, profil, groupes, produits, dernières ventes",
  access: "init-data",
  owns: null,
  answer: sellerSignInAnswer,
  refusals: identityRefusals,
  example: {},
} as const;

export const signInSeller = route("POST /api/auth/vendeur", sellerDoor);
export const signInSellerByGet = route("GET /api/auth/vendeur", sellerDoor);

export const signInBuyer = route("POST /api/auth/acheteur", {
  summary: "Ouvrir l'espace acheteur",
  access: "init-data",
  owns: null,
  answer: buyerSignInAnswer,
  refusals: identityRefusals,
  example: {},
});

export const signOut = route("POST /api/auth/logout", {
  summary: "Révoquer le jeton",
  access: "person",
  owns: null,
  answer: z.object({ success: z.literal(true) }),
  example: {},
});

/** A socket proves who it is by its token; this call of A §7 is answered for its clients. */
export const addSocket = route("POST /api/socket/add", {
  summary: "Annoncer une connexion temps réel (le jeton suffit : conservé pour compatibilité)",
  access: "person",
  owns: null,
  body: z.object({
    idsocket: z.string().max(200),
    iduser: z.union([z.string(), z.number()]).optional(),
    role: z.string().max(32).default("vendeur"),
  }),
  answer: z.object({
    success: z.literal(true),
    data: z.object({ idsocket: z.string(), iduser: z.string(), role: z.string() }),
    message: z.string(),
  }),
  example: { body: { idsocket: "s", iduser: "1", role: "vendeur" } },
});

export const readUser = route("GET /api/users/:id", {
  summary: "Lire son profil de vendeur",
  access: "seller",
  owns: ofSeller,
  answer: userAnswer,
  refusals: identityRefusals,
  example: {},
});

export const changeUser = route("PUT /api/users/:id", {
  summary: "Modifier son profil, terminer l'accueil, choisir l'offre gratuite",
  access: "seller",
  owns: ofSeller,
  body: userUpdate,
  answer: userAnswer,
  refusals: { ...identityRefusals, ...plansRefusals },
  example: { body: { display_name: "Awa", country: "CI", deja: true, plan: true } },
});
