import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../lib/read.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Cell, Section } from "../../ui/section.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Switch } from "../../ui/switch.tsx";
import { deskCopy } from "./messages.fr.ts";
import { Durations } from "./parts/settings-durations.tsx";
import { GroupSheet } from "./parts/settings-group-sheet.tsx";
import { SettingsHistory } from "./parts/settings-history.tsx";
import { HoursSection } from "./parts/settings-hours.tsx";
import { MethodsSection } from "./parts/settings-methods.tsx";
import { SettingsSheet } from "./parts/settings-sheet.tsx";
import styles from "./parts/settings.module.css";
import { LoadFailed } from "./parts/states.tsx";
import { settingsCopy as copy } from "./operator-messages.fr.ts";
import { GROUPS, type GroupSpec, sayValue, type SettingsAnswer } from "./settings-fields.ts";

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
      {GROUPS.map((group) => (
        <Group key={group.title} group={group} answer={answer} />
      ))}
      <StarsOnlySection answer={answer} />
      <HoursSection answer={answer} />
      <MethodsSection answer={answer} />
      <Durations />
      <SettingsHistory />
    </>
  );
}

function Group({ group, answer }: { group: GroupSpec; answer: SettingsAnswer }) {
  const [editing, setEditing] = useState(false);
  return (
    <Section
      title={group.title}
      action={<EditButton title={group.title} onClick={() => setEditing(true)} />}
    >
      {group.fields.map((field) => (
        <Cell
          key={field.label}
          title={field.label}
          after={sayValue(field.unit, field.read(answer.settings))}
        />
      ))}
      {editing ? (
        <GroupSheet group={group} answer={answer} onClose={() => setEditing(false)} />
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
        title={copy.fields.starsOnly}
        subtitle={on ? copy.starsOnlyOn : copy.starsOnlyOff}
        after={
          <Switch label={copy.fields.starsOnly} checked={on} onChange={() => setAsking(true)} />
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
