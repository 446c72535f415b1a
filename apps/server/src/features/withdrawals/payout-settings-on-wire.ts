import type { InstanceSettings } from "@sesame/contract/settings";
import type { PayoutFieldsOnWire, PayoutSettingsOnWire } from "@sesame/contract/withdrawals";
import { fcfaToJson } from "@sesame/kernel";
import { sayOutcome } from "./messages.fr.ts";
import { restsUntil } from "./configure-payouts.ts";
import type { ProfileRow } from "./payout-profiles.view.ts";
import { FREQUENCIES_OF, FREQUENCY_ON_WIRE, frequencyFor } from "./schedule.ts";
import { standingToWire } from "./seller-answers.ts";
import { standingOf } from "./seller-limits.ts";
import type { SellerFacts } from "./withdrawals.view.ts";

/** B §3, both shapes of the same switch (decision 69). */
export function payoutFieldsToWire(profile: ProfileRow): PayoutFieldsOnWire {
  return {
    retrait_auto: profile.automatic ? 1 : 0,
    retraitAuto: {
      active: profile.automatic,
      modePaiement: profile.method,
      numeroTransfert: profile.phone,
    },
    payment_method: profile.method ?? profile.last_method,
    transfer_number: profile.phone ?? profile.last_phone,
  };
}

export function payoutSettingsToWire(
  { profile, facts }: { profile: ProfileRow; facts: SellerFacts },
  { withdrawals }: InstanceSettings,
  at: { now: Date; zone: string },
): PayoutSettingsOnWire {
  const { plan } = facts;
  return {
    ...payoutFieldsToWire(profile),
    whatsapp_number: facts.whatsapp_number,
    frequence: FREQUENCY_ON_WIRE[frequencyFor(plan, profile.frequency)],
    frequences: FREQUENCIES_OF[plan].map((frequency) => FREQUENCY_ON_WIRE[frequency]),
    seuil: profile.threshold === null ? null : fcfaToJson(profile.threshold),
    seuil_min: fcfaToJson(withdrawals.min),
    seuil_max: fcfaToJson(withdrawals.maxPremium),
    prochaine_execution: profile.next_run_at?.toISOString() ?? null,
    derniere_execution: profile.last_run_at?.toISOString() ?? null,
    dernier_resultat: sayOutcome(profile.last_outcome),
    echecs: profile.failures_in_row,
    repos_jusqua: restsUntil(profile.number_changed_at, at.now)?.toISOString() ?? null,
    bloque: standingToWire(standingOf(facts, at.zone)),
  };
}
