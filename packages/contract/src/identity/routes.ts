import { z } from "zod";
import { productOnWire } from "../catalogue/routes.ts";
import { route } from "../common/route.ts";
import { francs, id, instantOnWire, success, unchecked } from "../common/wire.ts";
import { registryRefusals } from "../back-office/refusals.fr.ts";
import { channelOnWire } from "../groups/routes.ts";
import { CAPABILITIES } from "../plans/policy.ts";
import { plansRefusals } from "../plans/refusals.fr.ts";
import { planOnWire, premiumStateOnWire } from "../plans/routes.ts";
import { transactionOnWire, vendorSubscriptionOnWire } from "../reports/routes.ts";
import { payoutFieldsOnWire, withdrawalOnWire } from "../withdrawals/routes.ts";
import { identityRefusals, personalRefusals } from "./messages.fr.ts";

const face = {
  id,
  telegram_id: z.int(),
  username: z.string().nullable(),
  /** First and last name from Telegram, unless a seller gave a display name. */
  nom: z.string(),
  photo_url: z.string().nullable(),
  /** Further roles of the same person: they open the back office (decision 23). */
  agent: z.boolean(),
  operator: z.boolean(),
};

/** The seller's own profile (A §3, B §3). */
const userOnWire = z.object({
  ...face,
  display_name: z.string().nullable(),
  country: z.string().nullable(),
  /** The onboarding was seen. */
  deja: z.boolean(),
  /** A plan was chosen. */
  plan: z.boolean(),
  type_plan: planOnWire,
  /** The end of the paid period; in state `grace` it is past, and premium continues for 7 days. */
  premium_until: instantOnWire.nullable(),
  premium_state: premiumStateOnWire,
  /** The features this seller may use (decision 10). */
  capabilities: z.array(z.enum(CAPABILITIES)),
  /** Groups on sale at the same time; null without limit. */
  groups_max: z.int().nullable(),
  /** Posted balances. */
  balanceGratuit: francs,
  balancePayant: francs,
  /** The balance of the current plan that can be spent: posted less held. */
  soldeDisponible: francs,
  /** What Sésame advanced for refunds, and the next sales have not repaid yet. */
  owed: francs,
  /**
   * Net francs of the last seven days, oldest first, today included. Absent from data that a phone
   * cached from an older version.
   */
  revenus_semaine: z.array(z.int()).optional(),
  ...payoutFieldsOnWire.shape,
  whatsapp_number: z.string().nullable(),
  created_at: instantOnWire,
  updated_at: instantOnWire,
});
export type UserOnWire = z.input<typeof userOnWire>;

const signIn = { access: "init-data", refusals: identityRefusals } as const;

const sellerSignIn = {
  summary: "Ouvrir l'espace vendeur : jeton, profil, groupes, produits, dernières ventes",
  ...signIn,
  answer: success({
    token: z.string(),
    user: userOnWire,
    channels: z.array(channelOnWire),
    products: z.array(productOnWire),
    /** The most recent ones; `GET /api/subscriptions` lists all. */
    vendorSubscriptions: z.array(vendorSubscriptionOnWire),
    /** The most recent ones; `GET /api/users/retrait/mes-demandes` lists all. */
    withdrawalRequests: z.array(withdrawalOnWire),
    /** The rest of the home page, so that one answer is enough to render it. */
    accueil: z.object({
      /** The four newest sales (B §9). */
      transactions: z.array(transactionOnWire),
      /** Complaints that wait for the seller's answer. */
      complaints_waiting: z.int(),
    }),
  }),
} as const;

export const signInSeller = route("POST /api/auth/vendeur", sellerSignIn);
export const signInSellerByGet = route("GET /api/auth/vendeur", sellerSignIn);
export type SellerSignInAnswer = z.input<typeof sellerSignIn.answer>;

export const signInBuyer = route("POST /api/auth/acheteur", {
  summary: "Ouvrir l'espace acheteur",
  ...signIn,
  answer: success({
    token: z.string(),
    user: z.object({
      ...face,
      first_name: z.string(),
      last_name: z.string().nullable(),
      /** The bot may write to the person; if not, the status page asks for the permission (decision 100). */
      can_be_written_to: z.boolean(),
    }),
  }),
});
export type BuyerSignInAnswer = z.input<typeof signInBuyer.answer>;

export const signOut = route("POST /api/auth/logout", {
  summary: "Révoquer le jeton",
  access: "person",
  answer: success({}),
});

/** A socket is authenticated by its token; this call exists for clients of A §7. */
export const addSocket = route("POST /api/socket/add", {
  summary: "Annoncer une connexion temps réel (le jeton suffit : conservé pour compatibilité)",
  access: "person",
  owns: null,
  body: z.object({
    idsocket: z.string().max(200),
    iduser: z.union([z.string(), z.number()]).optional(),
    role: z.string().max(32).default("vendeur"),
  }),
  answer: success({
    data: z.object({ idsocket: z.string(), iduser: id, role: z.string() }),
    message: z.string(),
  }),
  example: { body: { idsocket: "s", iduser: "1", role: "vendeur" } },
});

const ownUser = {
  access: "seller",
  owns: { id: { thing: "user", by: ["seller"] } },
  answer: success({ user: userOnWire }),
} as const;
export type UserAnswer = z.input<typeof ownUser.answer>;

export const readUser = route("GET /api/users/:id", {
  summary: "Lire son profil de vendeur",
  ...ownUser,
  refusals: identityRefusals,
});

/** 1 is accepted as true (A §3, B §3). */
const flag = z
  .union([z.boolean(), z.literal(0), z.literal(1)])
  .transform((value) => value === true || value === 1);

/** The profile, `deja`, and the choice of the free plan (decision 5). */
export const changeUser = route("PUT /api/users/:id", {
  summary: "Modifier son profil, terminer l'accueil, choisir l'offre gratuite",
  ...ownUser,
  body: z.object({
    display_name: z.string().trim().max(64).nullish(),
    /** The name of the same field in A §3. */
    nom: z.string().trim().max(130).nullish(),
    /** ISO 3166-1 alpha-2: "CI". */
    country: z.union([z.string().regex(/^[A-Z]{2}$/), z.literal("")]).nullish(),
    /** International form: "+225…"; an empty text clears it. */
    whatsapp_number: z.union([z.string().regex(/^\+?[0-9 ]{6,20}$/), z.literal("")]).nullish(),
    deja: flag.optional(),
    plan: flag.optional(),
    type_plan: unchecked(),
  }),
  refusals: { ...identityRefusals, ...plansRefusals },
  example: { body: { display_name: "Awa", country: "CI", deja: true, plan: true } },
});

const things = z.record(z.string(), z.unknown());

/** All data of the person, without secrets. Lists are limited. */
export const exportPersonalData = route("GET /api/me/export", {
  summary: "Tout ce qui est gardé de soi, acheteur et vendeur, sans secret",
  access: "person",
  answer: success({
    made_at: instantOnWire,
    /** The maximum of rows in a list; a longer list is cut to its newest rows. */
    limit: z.int(),
    person: things,
    as_buyer: z.record(z.string(), z.array(things)),
    /** Null: the person was never a seller. */
    as_seller: z
      .object({ profile: things, lists: z.record(z.string(), z.array(things)) })
      .nullable(),
  }),
});

/** Without `confirm`: the example erases nobody. */
export const erasePersonalData = route("POST /api/me/delete", {
  summary: "Effacer ses données ; les comptes restent, sans nom ni numéro",
  access: "person",
  owns: null,
  body: z.object({ confirm: unchecked() }).optional(),
  answer: success({ message: z.string() }),
  refusals: { ...personalRefusals, ...registryRefusals },
  example: { body: {} },
});
