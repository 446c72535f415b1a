import { useState } from "react";
import { formatFcfa } from "../../../lib/format.ts";
import { Badge } from "../../../ui/badge.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Cell, Section } from "../../../ui/section.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { useDesk } from "../use-desk.ts";
import { settingsCopy as copy } from "../operator-messages.fr.ts";
import { readTyped } from "../settings-fields.ts";
import { SettingsSheet } from "./settings-sheet.tsx";
import styles from "./settings.module.css";
import type { SettingsAnswer } from "../settings-fields.ts";

type Methods = SettingsAnswer["settings"]["methods"];
type MethodId = keyof Methods;
type Method = NonNullable<Methods[MethodId]>;

export function MethodsSection({ answer }: { answer: SettingsAnswer }) {
  const [editing, setEditing] = useState<MethodId | null>(null);
  const labels = new Map(useDesk()?.methods.map(({ id, label }) => [id, label]));
  const methods = Object.entries(answer.settings.methods) as [MethodId, Method][];
  const chosen = editing ? answer.settings.methods[editing] : undefined;
  return (
    <Section title={copy.groups.methods}>
      <ul>
        {methods.map(([id, method]) => (
          <li key={id}>
            <Cell
              title={labels.get(id) ?? id}
              subtitle={
                method.step > 1
                  ? copy.method.stepped(formatFcfa(method.min), formatFcfa(method.step))
                  : copy.method.summary(formatFcfa(method.min))
              }
              after={
                <Badge tone={method.open ? "positive" : "neutral"}>
                  {method.open ? copy.method.open : copy.method.closed}
                </Badge>
              }
              onClick={() => setEditing(id)}
              chevron
            />
          </li>
        ))}
      </ul>
      {editing && chosen ? (
        <MethodSheet
          id={editing}
          title={labels.get(editing) ?? editing}
          method={chosen}
          answer={answer}
          onClose={() => setEditing(null)}
        />
      ) : null}
    </Section>
  );
}

function MethodSheet(props: {
  id: MethodId;
  title: string;
  method: Method;
  answer: SettingsAnswer;
  onClose(): void;
}) {
  const { id, method, answer } = props;
  const [open, setOpen] = useState(method.open);
  const [min, setMin] = useState(String(method.min));
  const [step, setStep] = useState(String(method.step));
  const readMin = readTyped("francs", min);
  const readStep = readTyped("francs", step);
  const next: Method | null =
    readMin.ok && readStep.ok
      ? { open, min: Number(readMin.value), step: Number(readStep.value) }
      : null;
  const same = JSON.stringify(next) === JSON.stringify(method);
  return (
    <SettingsSheet
      title={props.title}
      version={answer.version}
      changes={next ? (same ? {} : { methods: { ...answer.settings.methods, [id]: next } }) : null}
      onClose={props.onClose}
    >
      <div className={styles.switch}>
        <span aria-hidden="true">{open ? copy.method.open : copy.method.closed}</span>
        <Switch label={copy.method.open} checked={open} onChange={setOpen} />
      </div>
      <p className={styles.small}>{copy.method.openHint}</p>
      <TextField
        label={copy.method.min}
        value={min}
        inputMode="numeric"
        suffix="FCFA"
        error={readMin.ok ? null : readMin.complaint}
        onChange={setMin}
      />
      <TextField
        label={copy.method.step}
        value={step}
        inputMode="numeric"
        suffix="FCFA"
        error={readStep.ok ? null : readStep.complaint}
        onChange={setStep}
      />
    </SettingsSheet>
  );
}
