import { SETTINGS } from "../../lib/text.ts";
import { Faq } from "../../kit/faq.tsx";
import { Page } from "../../kit/screen.tsx";
import { Cell, Section } from "../../kit/layout.tsx";
import { supportCopy as copy } from "./messages.fr.ts";

/** /IndexFaq: four questions, and where the others are (B §2). */
export function IndexFaq() {
  return (
    <Page title={copy.faq} subtitle={copy.faqSubtitle}>
      <Faq of="index" />
      <Section>
        <Cell icon="gear" title={copy.guide} href={SETTINGS} />
        <Cell icon="star" title={copy.plans} href="/Plans" />
      </Section>
      <Section title={copy.notFound}>
        <Cell icon="help" title={copy.write} href="/CustomerSupport" />
      </Section>
    </Page>
  );
}
