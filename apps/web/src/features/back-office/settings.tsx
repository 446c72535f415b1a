import styles from "./parts/settings.module.css";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../lib/read.ts";
import { Button } from "../../kit/button.tsx";
import { Page } from "../../kit/page.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { SkeletonRows } from "../../kit/skeleton.tsx";
import { Switch } from "../../kit/switch.tsx";
import { deskCopy } from "./messages.fr.ts";
import { Durations } from "./parts/settings-durations.tsx";
import { SettingsHistory } from "./parts/settings-history.tsx";
import { SettingsSheet, FormSheet } from "./parts/settings-sheet.tsx";
import { LoadFailed } from "./parts/states.tsx";
import { settingsCopy as copy } from "./operator-messages.fr.ts";
import {
  sayValue,
  type SettingsAnswer,
  type Form,
  FORMS,
  formOf,
  readField,
  sayHours,
} from "./settings-fields.ts";
import { SETTINGS } from "@sesame/contract/back-office";
import { PAYOUT_METHOD_IDS } from "@sesame/contract/withdrawals";
import { formatFcfa } from "../../lib/format.ts";
import { Badge } from "../../kit/badge.tsx";

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

function Shown({ answer }: { answer: SettingsAnswer }) {
  return (
    <>
      <Section>
        <Cell
          icon="document"
          tint="violet"
          title={copy.journal}
          subtitle={copy.journalText}
          href="/bureau/journal"
          chevron
        />
      </Section>
      {FORMS.map((form) => (
        <FormSection key={form.title} form={form} answer={answer} />
      ))}
      <StarsOnlySection answer={answer} />
      <HoursSection answer={answer} />
      <MethodsSection answer={answer} />
      <Durations />
      <SettingsHistory />
    </>
  );
}

function FormSection({ form, answer }: { form: Form; answer: SettingsAnswer }) {
  const [editing, setEditing] = useState(false);
  return (
    <Section
      title={form.title}
      action={<EditButton title={form.title} onClick={() => setEditing(true)} />}
    >
      {form.fields.map((field) => (
        <Cell
          key={field.label}
          title={field.label}
          after={sayValue(field.kind, readField(field, answer.settings))}
        />
      ))}
      {editing ? (
        <FormSheet
          form={form}
          answer={answer}
          defaults={answer.defaults}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </Section>
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

/** Telegram's rule on digital goods, as a switch: nothing but Stars for a new payment. */
function StarsOnlySection({ answer }: { answer: SettingsAnswer }) {
  const [asking, setAsking] = useState(false);
  const on = answer.settings.stars_only;
  return (
    <Section footer={copy.starsOnlyText}>
      <Cell
        icon="star"
        tint="orange"
        title={SETTINGS.stars_only.label}
        subtitle={on ? copy.on : copy.off}
        after={
          <Switch label={SETTINGS.stars_only.label} checked={on} onChange={() => setAsking(true)} />
        }
      />
      {asking ? (
        <SettingsSheet
          title={copy.starsOnlyTitle(!on)}
          version={answer.version}
          changes={{ stars_only: !on }}
          onClose={() => setAsking(false)}
        >
          {null}
        </SettingsSheet>
      ) : null}
    </Section>
  );
}

function HoursSection({ answer }: { answer: SettingsAnswer }) {
  const [editing, setEditing] = useState<Form | null>(null);
  const { label, parts } = SETTINGS.hours;
  return (
    <Section title={label}>
      {(["payouts", "support"] as const).map((which) => (
        <Cell
          key={which}
          icon="clock"
          tint="teal"
          title={parts[which].label}
          subtitle={sayHours(answer.settings.hours[which])}
          onClick={() => setEditing(formOf(parts[which].label, [[["hours", which], parts[which]]]))}
          chevron
        />
      ))}
      {editing ? (
        <FormSheet form={editing} answer={answer} onClose={() => setEditing(null)} />
      ) : null}
    </Section>
  );
}

function MethodsSection({ answer }: { answer: SettingsAnswer }) {
  const [editing, setEditing] = useState<Form | null>(null);
  const { methods } = answer.settings;
  return (
    <Section title={SETTINGS.methods.label}>
      <ul>
        {PAYOUT_METHOD_IDS.map((id) => {
          const row = SETTINGS.methods.parts[id];
          const method = methods[id];
          if (!method) return null;
          const { open, min, step } = method;
          const [on, off] = row.parts.open.words;
          return (
            <li key={id}>
              <Cell
                title={row.label}
                subtitle={
                  step > 1
                    ? copy.method.stepped(formatFcfa(min), formatFcfa(step))
                    : copy.method.summary(formatFcfa(min))
                }
                after={<Badge tone={open ? "positive" : "neutral"}>{open ? on : off}</Badge>}
                onClick={() => setEditing(formOf(row.label, [[["methods", id], row]]))}
                chevron
              />
            </li>
          );
        })}
      </ul>
      {editing ? (
        <FormSheet form={editing} answer={answer} onClose={() => setEditing(null)} />
      ) : null}
    </Section>
  );
}
