import type { Sentences } from "../common/refusal.ts";
import {
  AGGREGATOR_NOT_FOUND,
  PROVIDER_UNREACHABLE,
  sayIncomplete,
} from "../common/messages.fr.ts";

/** Why a change of a seller's aggregator is refused, in the order of the checks. */
export type AggregatorsRefusal =
  | { readonly kind: "aggregators.unknown" }
  | { readonly kind: "aggregators.keys-incomplete"; readonly name: string }
  | { readonly kind: "aggregators.key-malformed"; readonly label: string }
  | { readonly kind: "aggregators.keys-sandbox"; readonly name: string }
  | { readonly kind: "aggregators.keys-refused"; readonly name: string }
  | { readonly kind: "aggregators.no-own-keys"; readonly name: string }
  | { readonly kind: "aggregators.changed-meanwhile" };

export const aggregatorsRefusals: Sentences<AggregatorsRefusal> = {
  "aggregators.unknown": { status: 404, message: AGGREGATOR_NOT_FOUND },
  "aggregators.keys-incomplete": {
    status: 422,
    message: ({ name }) => sayIncomplete(name),
  },
  "aggregators.key-malformed": {
    status: 422,
    message: ({ label }) => `${label} : copiez-la entière, sans espace ni retour à la ligne.`,
  },
  "aggregators.keys-sandbox": {
    status: 422,
    message: ({ name }) =>
      `Ces clés ${name} sont des clés de test : elles n'encaissent rien. Donnez vos clés réelles.`,
  },
  "aggregators.keys-refused": {
    status: 422,
    message: ({ name }) => `${sayIncomplete(name)} : le prestataire refuse ces clés.`,
  },
  "aggregators.no-own-keys": {
    status: 409,
    message: ({ name }) => `Vous n'avez pas de clés ${name} enregistrées.`,
  },
  "aggregators.changed-meanwhile": {
    status: 409,
    message: "Ces clés ont été modifiées entre-temps. Relisez-les avant de les changer.",
  },
};

/** Decision 58: the provider did not answer, nothing was saved. */
export const AGGREGATOR_UNREACHABLE = PROVIDER_UNREACHABLE;
