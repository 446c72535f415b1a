import { z } from "zod";
import { checkoutRefusals } from "../checkout/refusals.fr.ts";
import { createOrderAnswer } from "../checkout/routes.ts";
import { route } from "../common/route.ts";
import { instantOnWire, success, unchecked } from "../common/wire.ts";
import { identityRefusals } from "../identity/messages.fr.ts";
import { plansRefusals } from "../plans/refusals.fr.ts";
import { KEY_NAMES, KNOWN_PROVIDERS } from "../checkout/providers.fr.ts";
import { methodNamed } from "./policy.ts";
import { aggregatorsRefusals } from "./refusals.fr.ts";

/** A provider as sellers configure it (B §3); texts in French. */
const aggregatorOnWire = z.object({
  key: z.enum(KNOWN_PROVIDERS),
  name: z.string(),
  description: z.string(),
  /** Where calls go; shown, never called by a page. */
  apiUrl: z.string(),
  /** French names of where its buyers pay from: those of the franc XOF alone (decision 59). */
  countries: z.array(z.string()),
  /** What own keys are made of, in the order of the form; none: only the instance's account. */
  requiredKeys: z.array(
    z.object({
      name: z.enum(KEY_NAMES),
      label: z.string(),
      /** False: a browser may see it. */
      secret: z.boolean(),
      /** True: the form may leave it empty. */
      optional: z.boolean(),
      hint: z.string(),
    }),
  ),
  /** By the instance's own account: without keys. */
  open: z.boolean(),
});
export type AggregatorOnWire = z.input<typeof aggregatorOnWire>;

/** Own keys: never a key, only what lets its owner recognise it. */
const ownKeysOnWire = z.object({
  /** "sk_live_…1234" by name of key. */
  keys: z.partialRecord(z.enum(KEY_NAMES), z.string()),
  updatedAt: instantOnWire,
  /** The provider accepted them, by a call. */
  verifiedAt: instantOnWire,
  /** It has refused them since: nothing is sold by them until others are given. */
  refusedAt: instantOnWire.nullable(),
  /** False: our own copy is damaged; the seller gives them again. */
  readable: z.boolean(),
  /** Kept, and not used: the plan is no longer premium. */
  asleep: z.boolean(),
  /** The address to give to the provider for its webhooks. */
  webhookUrl: z.string(),
});

/**
 * One method of a seller. `selling`: what a buyer pays by now: his own account, the instance's, or
 * neither.
 */
const userAggregatorOnWire = z.object({
  key: z.enum(KNOWN_PROVIDERS),
  name: z.string(),
  isActive: z.boolean(),
  /** Open by the instance's account. */
  builtIn: z.boolean(),
  selling: z.enum(["own", "built-in", "none"]),
  own: ownKeysOnWire.nullable(),
  /** Of the switch or of the keys; null: nothing was ever changed. */
  updatedAt: instantOnWire.nullable(),
});
export type UserAggregatorOnWire = z.input<typeof userAggregatorOnWire>;

const ofUser = {
  access: "seller",
  owns: { userId: { thing: "user", by: ["seller"] } },
} as const;

const ofMethod = {
  ...ofUser,
  params: { key: z.string().max(40).transform(methodNamed) },
  answer: success({ aggregator: userAggregatorOnWire }),
  refusals: { ...aggregatorsRefusals, ...plansRefusals, ...identityRefusals },
  example: { params: { key: "fedapay" } },
} as const;

export const listAggregators = route("GET /api/payment-aggregators", {
  summary: "Les agrégateurs, et les clés que chacun demande",
  access: "seller",
  answer: success({ aggregators: z.array(aggregatorOnWire) }),
});

export const listUserAggregators = route("GET /api/user-aggregators/:userId", {
  summary: "Les moyens de paiement du vendeur ; ses clés y sont masquées",
  ...ofUser,
  answer: success({ aggregators: z.array(userAggregatorOnWire) }),
  refusals: identityRefusals,
});

/**
 * The switch, own keys, or both. Keys are named in `keys` or, as B has them, beside it; `apiKey` is
 * the public key where there is one, else the secret one (B §3). Of keys already saved, those left
 * out or empty stand as they are. A key is checked by its sentence, never repeated. `updatedAt` is
 * the server's.
 */
export const changeUserAggregator = route("PUT /api/user-aggregators/:userId/:key", {
  summary: "Activer ou désactiver un moyen ; donner ses propres clés, vérifiées par un appel",
  ...ofMethod,
  body: z.object({
    isActive: z.boolean().optional(),
    keys: z.partialRecord(z.enum(KEY_NAMES), unchecked()).optional(),
    apiKey: unchecked(),
    secretKey: unchecked(),
    updatedAt: unchecked(),
  }),
  example: { ...ofMethod.example, body: { isActive: true, keys: {} } },
});
export type UserAggregatorBody = z.output<typeof changeUserAggregator.body>;

export const removeOwnKeys = route("DELETE /api/user-aggregators/:userId/:key", {
  summary: "Retirer ses propres clés",
  ...ofMethod,
});

/** An order of 100 francs by own keys. */
export const tryOwnKeys = route("POST /api/user-aggregators/:userId/:key/trial", {
  summary: "Essayer ses propres clés par un paiement de 100 FCFA",
  ...ofMethod,
  answer: success(createOrderAnswer.shape),
  status: 201,
  refusals: { ...ofMethod.refusals, ...checkoutRefusals },
});
