import { Accordion } from "../../../ui/accordion.tsx";
import { Section } from "../../../ui/section.tsx";
import { plansCopy as copy } from "../copy.fr.ts";
import type { PlanTerms } from "./plan-card.tsx";

export function PlansFaq({ free }: { free: PlanTerms }) {
  return (
    <Section title={copy.faqTitle}>
      <Accordion items={copy.faq({ percent: free.fee_percent, groups: free.groups_max ?? 0 })} />
    </Section>
  );
}
