import { basisPoints, fcfa, splitPrice } from "@sesame/kernel";
import { formatFcfa } from "../../../lib/format.ts";
import { Accordion } from "../../../ui/accordion.tsx";
import { Section } from "../../../ui/section.tsx";
import { plansCopy as copy } from "../copy.fr.ts";
import type { PlanTerms } from "./plan-card.tsx";

/** The sale of the example. */
const EXAMPLE = fcfa(5_000n);

export function PlansFaq({ free }: { free: PlanTerms }) {
  const rate = basisPoints(Math.round(free.fee_percent * 100));
  return (
    <Section title={copy.faqTitle}>
      <Accordion
        items={copy.faq({
          percent: free.fee_percent,
          groups: free.groups_max ?? 0,
          left: formatFcfa(Number(splitPrice(EXAMPLE, rate).net)),
        })}
      />
    </Section>
  );
}
