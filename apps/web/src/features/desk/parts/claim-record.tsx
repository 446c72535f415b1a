import type { ClaimEntryOnWire } from "@sesame/contract/claims";
import { CLAIM_AUTHOR_NAMES } from "@sesame/contract/claims";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { Cell, Section } from "../../../ui/section.tsx";
import { buyersCopy } from "../people-messages.fr.ts";

/** Who said and did what, oldest first. */
export function ClaimRecord({ entries }: { entries: readonly ClaimEntryOnWire[] }) {
  return (
    <Section title={buyersCopy.claim.record}>
      <ol>
        {entries.map((entry) => (
          <li key={`${entry.at} ${entry.step}`}>
            <Cell
              title={`${CLAIM_AUTHOR_NAMES[entry.author]} · ${entry.step_label}`}
              subtitle={[sayShortInstant(entry.at), entry.words ? `« ${entry.words} »` : null]
                .filter(Boolean)
                .join(" · ")}
            />
          </li>
        ))}
      </ol>
    </Section>
  );
}
