import { valueAt } from "@sesame/contract/back-office";
import type { AnswerOf } from "@sesame/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Page } from "../../kit/page.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { SkeletonRows } from "../../kit/skeleton.tsx";
import { read } from "../../lib/read.ts";
import { deskCopy } from "./messages.fr.ts";
import { settingsCopy as copy } from "./operator-messages.fr.ts";
import { Durations } from "./parts/settings-durations.tsx";
import { SettingsHistory } from "./parts/settings-history.tsx";
import { SettingsSheet } from "./parts/settings-sheet.tsx";
import { LoadFailed } from "../../kit/screen.tsx";
import styles from "./parts/settings.module.css";
import { type Form, sayValue, SECTIONS, type Value } from "./settings-fields.ts";

type Answer = AnswerOf<"GET /api/desk/settings">;

/** What the operator changes without a new release, each with its history. */
export function Settings() {
  const query = useQuery(read("GET /api/desk/settings"));
  return (
    <Page title={copy.title} subtitle={copy.subtitle}>
      {query.data ? (
        <Shown answer={query.data} />
      ) : query.isError ? (
        <LoadFailed error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonRows count={6} label={deskCopy.loading} />
      )}
    </Page>
  );
}

function Shown({ answer }: { answer: Answer }) {
  return (
    <>
      <Section>
        <Cell
          icon="document"
          title={copy.journal}
          subtitle={copy.journalText}
          href="/bureau/journal"
          chevron
        />
      </Section>
      {SECTIONS.map((section) => (
        <Forms key={section.title} section={section} answer={answer} />
      ))}
      <Durations />
      <SettingsHistory />
    </>
  );
}

function Forms(props: { section: (typeof SECTIONS)[number]; answer: Answer }) {
  const { section, answer } = props;
  const { title, together, apart } = section;
  const [editing, setEditing] = useState<Form | null>(null);
  const edit =
    apart.length > 0 ? null : <EditButton title={title} onClick={() => setEditing(together)} />;
  return (
    <Section title={title} action={edit}>
      {apart.length > 0 ? (
        <ul>
          {apart.map((form) => (
            <li key={form.title}>
              <FormCell form={form} answer={answer} onClick={() => setEditing(form)} />
            </li>
          ))}
        </ul>
      ) : (
        together.fields.map(({ field, path }) => (
          <Cell
            key={path.join(".")}
            title={field.label}
            after={sayValue(field.kind, valueAt(answer.settings, path) as Value)}
          />
        ))
      )}
      {editing ? (
        <SettingsSheet form={editing} answer={answer} onClose={() => setEditing(null)} />
      ) : null}
    </Section>
  );
}

/** A whole form in one line: its values in words, its switch as a badge. */
function FormCell(props: { form: Form; answer: Answer; onClick(): void }) {
  const { title, fields } = props.form;
  const words: string[] = [];
  let badge: ReactNode;
  for (const { field, path } of fields) {
    const value = valueAt(props.answer.settings, path) as Value;
    if (typeof value === "boolean") {
      const [on, off] = field.words ?? [copy.on, copy.off];
      badge = <Badge tone={value ? "positive" : "neutral"}>{value ? on : off}</Badge>;
      continue;
    }
    const said = sayValue(field.kind, value);
    const brief = field.brief ? field.brief(said, value as never) : said;
    if (brief) words.push(brief);
  }
  return (
    <Cell title={title} subtitle={words.join(", ")} after={badge} onClick={props.onClick} chevron />
  );
}

function EditButton({ title, onClick }: { title: string; onClick(): void }) {
  return (
    <span className={styles.edit}>
      <Button look="plain" size="small" onClick={onClick}>
        {copy.edit}
        <span className="only-heard"> : {title}</span>
      </Button>
    </span>
  );
}
