import { z } from "zod";
import { checkoutRefusals } from "../checkout/refusals.fr.ts";
import { route } from "../common/route.ts";
import { identityRefusals } from "../identity/refusals.fr.ts";
import { plansRefusals } from "../plans/refusals.fr.ts";
import { aggregatorsRefusals } from "./refusals.fr.ts";
import {
  aggregatorsAnswer,
  trialAnswer,
  userAggregatorAnswer,
  userAggregatorBody,
  userAggregatorsAnswer,
} from "./wire.ts";

const ofUser = { userId: { thing: "user", by: ["seller"] } } as const;
const params = { key: z.string().max(40) };
const refusals = { ...aggregatorsRefusals, ...plansRefusals, ...identityRefusals };

export const listAggregators = route("GET /api/payment-aggregators", {
  summary: "Les agrégateurs, et les clés que chacun demande",
  access: "seller",
  owns: null,
  answer: aggregatorsAnswer,
  example: {},
});

export const listUserAggregators = route("GET /api/user-aggregators/:userId", {
  summary: "Les moyens de paiement du vendeur ; ses clés y sont masquées",
  access: "seller",
  owns: ofUser,
  answer: userAggregatorsAnswer,
  refusals: identityRefusals,
  example: {},
});

/** The switch, own keys, or both. */
export const changeUserAggregator = route("PUT /api/user-aggregators/:userId/:key", {
  summary: "Activer ou désactiver un moyen ; donner ses propres clés, vérifiées par un appel",
  access: "seller",
  owns: ofUser,
  params,
  body: userAggregatorBody,
  answer: userAggregatorAnswer,
  refusals,
  example: { params: { key: "fedapay" }, body: { isActive: true, keys: {} } },
});

export const removeOwnKeys = route("DELETE /api/user-aggregators/:userId/:key", {
  summary: "Retirer ses propres clés",
  access: "seller",
  owns: ofUser,
  params,
  answer: userAggregatorAnswer,
  refusals,
  example: { params: { key: "fedapay" } },
});

/** An order of 100 francs by own keys. */
export const tryOwnKeys = route("POST /api/user-aggregators/:userId/:key/trial", {
  summary: "Essayer ses propres clés par un paiement de 100 FCFA",
  access: "seller",
  owns: ofUser,
  params,
  answer: trialAnswer,
  status: 201,
  refusals: { ...refusals, ...checkoutRefusals },
  example: { params: { key: "fedapay" } },
});
