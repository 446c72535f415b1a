import type { PayoutFieldsOnWire, PayoutSettingsOnWire } from "@sesame/contract/withdrawals";
import { assert, fcfaToJson } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { Db } from "../../postgres/database.ts";
import { mapPart, type SellerPart } from "../../postgres/parts.ts";
import { sayOutcome } from "./messages.fr.ts";
import { restsUntil } from "./configure-payouts.ts";
import { type ProfileRow, profilePart, viewProfile } from "./payout-profiles.view.ts";
import { FREQUENCIES_OF, FREQUENCY_ON_WIRE, frequencyFor } from "./schedule.ts";
import { standingToWire } from "./seller-answers.ts";
import { standingOf } from "./seller-limits.ts";
import { viewSellerFacts } from "./withdrawals.view.ts";

/** B §3, both shapes of the same switch (decision 69). */
function payoutFieldsToWire(profile: ProfileRow): PayoutFieldsOnWire {
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

/** B §3's fields of the seller's profile. */
export async function payoutFieldsOf(db: Db, sellerId: bigint): Promise<PayoutFieldsOnWire> {
  const profile = await viewProfile(db, sellerId);
  assert(profile, `no seller ${sellerId}`);
  return payoutFieldsToWire(profile);
}

export const payoutFieldsAtStart: SellerPart<PayoutFieldsOnWire> = (seller) =>
  mapPart(profilePart(seller), ([profile]) => {
    assert(profile, "a seller who signed in exists");
    return payoutFieldsToWire(profile);
  });

export async function payoutSettingsOf(app: App, sellerId: bigint): Promise<PayoutSettingsOnWire> {
  const [{ withdrawals }, profile, facts] = await Promise.all([
    app.settings.current(),
    viewProfile(app.db, sellerId),
    viewSellerFacts(app.db, sellerId),
  ]);
  assert(facts && profile, `no seller ${sellerId}`);
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
    repos_jusqua: restsUntil(profile.number_changed_at, app.clock.now())?.toISOString() ?? null,
    bloque: standingToWire(standingOf(facts, app.config.timeZone)),
  };
}
