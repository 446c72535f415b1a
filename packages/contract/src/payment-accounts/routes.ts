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

/** A provider in the settings of sellers (B §3); texts in French. */
const aggregatorOnWire = z.object({
  key: z.enum(KNOWN_PROVIDERS),
  name: z.string(),
  description: z.string(),
  /** The provider's API address; displayed, never called by a page. */
  apiUrl: z.string(),
  /** French names of the countries its buyers pay from, of the franc XOF only (decision 59). */
  countries: z.array(z.string()),
  /** The fields of own keys, in the order of the form; empty: only the instance's account. */
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
  /** Open by the instance's account, without own keys. */
  open: z.boolean(),
});
export type AggregatorOnWire = z.input<typeof aggregatorOnWire>;

/** Own keys, masked: only enough for the owner to recognise them. */
const ownKeysOnWire = z.object({
  /** "sk_live_…1234" by name of key. */
  keys: z.partialRecord(z.enum(KEY_NAMES), z.string()),
  updatedAt: instantOnWire,
  /** When a call proved that the provider accepts the keys. */
  verifiedAt: instantOnWire,
  /** When the provider refused the keys; null: they work. Until new keys are given nothing is sold with them. */
  refusedAt: instantOnWire.nullable(),
  /** False: the stored keys are damaged; the seller must enter them again. */
  readable: z.boolean(),
  /** Stored but unused: the plan is no longer premium. */
  asleep: z.boolean(),
  /** The webhook address to enter at the provider. */
  webhookUrl: z.string(),
});

/**
 * One method of a seller. `selling`: the account that payments use now: the seller's, the
 * instance's, or none.
 */
const userAggregatorOnWire = z.object({
  key: z.enum(KNOWN_PROVIDERS),
  name: z.string(),
  isActive: z.boolean(),
  /** Open by the instance's account. */
  builtIn: z.boolean(),
  selling: z.enum(["own", "built-in", "none"]),
  own: ownKeysOnWire.nullable(),
  /** The last change of the switch or the keys; null: never changed. */
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
 * The switch, own keys, or both. Keys are in `keys` or, as in B, beside it; `apiKey` is the public
 * key where there is one, else the secret key (B §3). Stored keys that are absent or empty stay as
 * they are. A key is unchecked here, and a refusal never repeats it. The server sets `updatedAt`.
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

/** Opens an order of 100 francs with the own keys. */
export const tryOwnKeys = route("POST /api/user-aggregators/:userId/:key/trial", {
  summary: "Essayer ses propres clés par un paiement de 100 FCFA",
  ...ofMethod,
  answer: success(createOrderAnswer.shape),
  status: 201,
  refusals: { ...ofMethod.refusals, ...checkoutRefusals },
});
