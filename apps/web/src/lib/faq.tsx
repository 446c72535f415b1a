import type { FaqChapter } from "@sesame/contract/cases";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Accordion } from "../ui/accordion.tsx";
import { Cell, Section } from "../ui/section.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { call } from "./api.ts";
import { faqCopy as copy } from "./messages.fr.ts";
import { answered } from "./resources.ts";

/** The server writes the answers with its own figures: they are typed nowhere twice. */
export function faqQuery() {
  return queryOptions({
    queryKey: ["faq"],
    queryFn: async () => answered((await call("GET /api/support/faq")).chapters),
    staleTime: 30_000,
  });
}

/** The questions of a page; `of` says which. */
export function Faq({ of, title }: { of: FaqChapter; title?: string }) {
  const faq = useQuery(faqQuery());
  const questions = faq.data?.[of];
  return (
    <Section {...(title ? { title } : {})}>
      {questions ? (
        <Accordion items={questions} />
      ) : faq.isError ? (
        <Cell
          icon="refresh"
          tint="grey"
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
