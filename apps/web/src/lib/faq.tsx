import type { FaqChapter } from "@sesame/contract/cases";
import { useQuery } from "@tanstack/react-query";
import { Accordion } from "../kit/accordion.tsx";
import { Cell, Section } from "../kit/section.tsx";
import { SkeletonRows } from "../kit/skeleton.tsx";
import { faqCopy as copy } from "./messages.fr.ts";
import { read } from "./read.ts";

/** The questions of a page; `of` says which. The server writes the answers with its own figures. */
export function Faq({ of, title }: { of: FaqChapter; title?: string }) {
  const faq = useQuery({
    ...read("GET /api/support/faq", { pick: "chapters" }),
    staleTime: 30_000,
  });
  const questions = faq.data?.[of];
  return (
    <Section {...(title ? { title } : {})}>
      {questions ? (
        <Accordion items={questions} />
      ) : faq.isError ? (
        <Cell
          icon="refresh"
          title={copy.failed}
          subtitle={copy.retry}
          onClick={() => void faq.refetch()}
        />
      ) : (
        <SkeletonRows count={4} label={copy.loading} />
      )}
    </Section>
  );
}
