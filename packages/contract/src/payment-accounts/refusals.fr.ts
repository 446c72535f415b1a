import { type RefusalOf, refusal, refusals, conflict } from "../common/refusal.ts";
import * as messages from "../common/messages.fr.ts";

/** Why a change of a payment account is refused, in the order of the checks. */
export const aggregatorsRefusals = refusals({
  "aggregators.unknown": refusal(404, messages.AGGREGATOR_NOT_FOUND),
  "aggregators.keys-incomplete": ({ name }: { name: string }) => messages.sayIncomplete(name),
  "aggregators.key-malformed": ({ label }: { label: string }) =>
    `${label} : copiez-la entière, sans espace ni retour à la ligne.`,
  "aggregators.keys-sandbox": ({ name }: { name: string }) =>
    `Ces clés ${name} sont des clés de test : elles n'encaissent rien. Donnez vos clés réelles.`,
  "aggregators.keys-refused": ({ name }: { name: string }) =>
    `${messages.sayIncomplete(name)} : le prestataire refuse ces clés.`,
  "aggregators.no-own-keys": conflict<{ name: string }>(
    ({ name }) => `Vous n'avez pas de clés ${name} enregistrées.`,
  ),
  "aggregators.changed-meanwhile": conflict(
    "Ces clés ont été modifiées entre-temps. Relisez-les avant de les changer.",
  ),
});

export type AggregatorsRefusal = RefusalOf<typeof aggregatorsRefusals>;

/** Decision 58: the provider did not answer, and nothing was saved. */
export const AGGREGATOR_UNREACHABLE = messages.PROVIDER_UNREACHABLE;
