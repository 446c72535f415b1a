import type { Capability, FeeRates } from "./policy.ts";
import { FREE_GROUPS_MAX } from "./policy.ts";
import type { PlansAnswer } from "./wire.ts";
import { CAPABILITY_NAMES } from "./messages.fr.ts";

// Apart: the plans' screen alone says these; the names of plans are on the seller's first route.

type Compared = PlansAnswer["comparison"][number];

const YES_NO = ["Non", "Oui"] as const;

/** Under the free plan, under premium; in the order of A §2. */
const TERMS: readonly (readonly [Capability, string, string])[] = [
  ["own-aggregators", "Intégrées", "Intégrées et vos propres clés"],
  ["instant-withdrawals", "Une fois par semaine", "À tout moment"],
  ["priority-support", "Standard", "Prioritaire"],
  ["unlimited-groups", `${FREE_GROUPS_MAX} maximum`, "Illimités"],
  ["advanced-statistics", ...YES_NO],
  ["developer-api", ...YES_NO],
  ["custom-configuration", ...YES_NO],
];

/** The table of /Plans. */
export function comparePlans(rates: FeeRates): Compared[] {
  const lines: Compared[] = TERMS.map(([key, free, premium]) => {
    return { key, label: CAPABILITY_NAMES[key], free, premium };
  });
  const [free, premium] = [percent(rates.free), percent(rates.premium)];
  return lines.toSpliced(1, 0, { key: "fee", label: "Frais par transaction", free, premium });
}

/** Ten-thousandths: 1 850 is "18,5 %". */
function percent(rate: FeeRates["free"]): string {
  return `${new Intl.NumberFormat("fr").format(rate / 100)} %`;
}
