import type { FaqChapter } from "@sesame/contract/cases";
import { useQuery } from "@tanstack/react-query";
import { read } from "../lib/read.ts";
import { kitCopy } from "./messages.fr.ts";
import { Cell, Fold, Section } from "./layout.tsx";
import { SkeletonRows } from "./skeleton.tsx";

/** The questions of a page; `of` says which. The server writes the answers with its own figures. */
export function Faq({ of, title }: { of: FaqChapter; title?: string }) {
  const faq = useQuery({
    ...read("GET /api/support/faq", { pick: "chapters" }),
    staleTime: 30_000,
  });
  const questions = faq.data?.[of];
  return (
    <Section title={title}>
      {questions ? (
        questions.map(({ question, answer }) => (
          <Fold key={question} title={question}>
            <p>{answer}</p>
          </Fold>
        ))
      ) : faq.isError ? (
        <Cell
          icon="refresh"
          title={kitCopy.faq.failed}
          subtitle={kitCopy.retry}
          onClick={() => void faq.refetch()}
        />
      ) : (
        <SkeletonRows count={4} label={kitCopy.faq.loading} />
      )}
    </Section>
  );
}
