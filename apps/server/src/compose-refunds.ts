import { createAppButton } from "./bot/app-button.ts";
import { createSayInstant } from "./bot/messages.fr.ts";
import type { Features, Ground } from "./compose-features.ts";
import { type Claims, createClaimNotes, createClaims } from "./features/claims/index.ts";
import { createRefunds, type Refunds } from "./features/refunds/index.ts";

/** Money back to buyers, and what they claim. */
export function composeRefunds(
  { config, db, clock }: Ground,
  doors: Pick<Features, "accesses" | "aggregators" | "groups" | "settings">,
): { refunds: Refunds; claims: Claims } {
  const words = {
    appButton: createAppButton(config),
    sayInstant: createSayInstant(config.timeZone),
  };
  const refunds = createRefunds({
    ...words,
    db,
    clock,
    settings: doors.settings,
    providerFor: doors.aggregators.providerFor,
    access: doors.accesses,
    claims: createClaimNotes(),
    groups: doors.groups,
  });
  const operators = config.operatorTelegramIds;
  const claims = createClaims({ ...words, db, clock, refunds, operators });
  return { refunds, claims };
}
