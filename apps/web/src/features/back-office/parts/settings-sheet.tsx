import styles from "./settings.module.css";
import type { SettingsOnWire, WorkingHours } from "@sesame/contract/back-office";
import { type ReactNode, useState } from "react";
import { TextField, SelectField } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toast.tsx";
import { settingsCopy as copy } from "../operator-messages.fr.ts";
import { useDeskWrite } from "../use-desk.ts";
import { ActSheet } from "./act-sheet.tsx";
import { Switch } from "../../../kit/switch.tsx";
import {
  type Draft,
  type Form,
  type FormField,
  readField,
  readTyped,
  sayValue,
  type Typed,
  typeValue,
  unitOf,
  writeField,
} from "../settings-fields.ts";
import type { AnswerOf } from "@sesame/contract/routes";

/** A change of settings, with its reason. `changes` null: something typed cannot be read. */
export function SettingsSheet(props: {
  title: string;
  version: string;
  changes: Partial<SettingsOnWire> | null;
  children: ReactNode;
  onClose(): void;
}) {
  const [reason, setReason] = useState("");
  const act = useDeskWrite("PUT /api/desk/settings", {});
  const { changes } = props;
  return (
    <ActSheet
      title={props.title}
      confirm={copy.save}
      act={act}
      disabled={changes === null || Object.keys(changes).length === 0}
      body={{
        changes: changes ?? {},
        ...(reason.trim() ? { reason: reason.trim() } : {}),
        version: props.version,
      }}
      onDone={() => {
        toast(copy.saved);
        props.onClose();
      }}
      onClose={props.onClose}
    >
      {props.children}
      <TextField label={copy.reason} value={reason} maxLength={500} onChange={setReason} />
    </ActSheet>
  );
}

/** The fields of one form, saved together. */
export function FormSheet(props: {
  form: Form;
  answer: AnswerOf<"GET /api/desk/settings">;
  /** Said below a field without a hint. */
  defaults?: SettingsOnWire;
  onClose(): void;
}) {
  const { form, answer, defaults } = props;
  const [drafts, setDrafts] = useState<readonly Draft[]>(() =>
    form.fields.map((field) => typeValue(field.kind, readField(field, answer.settings))),
  );
  const read = form.fields.map((field, at) => readTyped(field.kind, drafts[at] ?? ""));
  return (
    <SettingsSheet
      title={form.title}
      version={answer.version}
      changes={changesOf(form.fields, read, answer.settings)}
      onClose={props.onClose}
    >
      {form.fields.map((field, at) => {
        const { kind } = field;
        const initial = defaults && copy.byDefault(sayValue(kind, readField(field, defaults)));
        const here = read[at];
        return (
          <Input
            key={field.path.join(".")}
            field={field}
            draft={drafts[at] ?? ""}
            hint={field.hint ?? initial}
            error={here && !here.ok ? here.complaint : null}
            onChange={(draft) => setDrafts(drafts.with(at, draft))}
          />
        );
      })}
    </SettingsSheet>
  );
}

/** Only what differs travels, and each setting whole. Null: something typed cannot be read. */
function changesOf(
  fields: readonly FormField[],
  read: readonly Typed[],
  settings: SettingsOnWire,
): Partial<SettingsOnWire> | null {
  let changed = settings;
  for (const [at, field] of fields.entries()) {
    const here = read[at];
    if (!here?.ok) return null;
    const before = readField(field, settings);
    if (JSON.stringify(here.value) === JSON.stringify(before)) continue;
    changed = writeField(changed, field.path, here.value);
  }
  const keys = Object.keys(changed) as (keyof SettingsOnWire)[];
  return Object.fromEntries(
    keys.filter((key) => changed[key] !== settings[key]).map((key) => [key, changed[key]]),
  );
}

function Input(props: {
  field: FormField;
  draft: Draft;
  hint: string | undefined;
  error: string | null;
  onChange(draft: Draft): void;
}) {
  const { field, draft, hint, onChange } = props;
  if (typeof draft === "boolean") {
    const [on, off] = field.words ?? [copy.on, copy.off];
    return (
      <>
        <div className={styles.switch}>
          <span aria-hidden="true">{draft ? on : off}</span>
          <Switch label={field.label} checked={draft} onChange={onChange} />
        </div>
        {hint ? <p className={styles.small}>{hint}</p> : null}
      </>
    );
  }
  if (typeof draft !== "string") return <HoursInput hours={draft} onChange={onChange} />;
  const suffix = unitOf(field.kind)?.suffix;
  return (
    <TextField
      label={field.label}
      value={draft}
      inputMode={field.kind === "text" ? "text" : "numeric"}
      {...(suffix ? { suffix } : {})}
      hint={hint}
      error={props.error}
      onChange={onChange}
    />
  );
}

function HoursInput(props: { hours: WorkingHours; onChange(hours: WorkingHours): void }) {
  const { hours, onChange } = props;
  const toggle = (day: number, on: boolean) =>
    onChange({
      ...hours,
      days: on ? [...hours.days, day].sort() : hours.days.filter((each) => each !== day),
    });
  return (
    <>
      <fieldset className={styles.days}>
        <legend>{copy.daysLabel}</legend>
        {copy.days.map((name, at) => (
          <label key={name} className={styles.day}>
            <input
              type="checkbox"
              className="only-heard"
              checked={hours.days.includes(at + 1)}
              aria-label={copy.longDays[at]}
              onChange={(event) => toggle(at + 1, event.target.checked)}
            />
            <span aria-hidden="true">{name}</span>
          </label>
        ))}
      </fieldset>
      <div className={styles.pair}>
        <HourField
          label={copy.from}
          value={hours.from_hour}
          onChange={(from) => onChange({ ...hours, from_hour: from })}
        />
        <HourField
          label={copy.to}
          value={hours.to_hour}
          onChange={(to) => onChange({ ...hours, to_hour: to })}
        />
      </div>
    </>
  );
}

function HourField(props: { label: string; value: number; onChange(hour: number): void }) {
  return (
    <SelectField
      label={props.label}
      value={String(props.value)}
      choices={Array.from({ length: 25 }, (_, hour) => ({
        value: String(hour),
        label: copy.hour(hour),
      }))}
      onChange={(value) => props.onChange(Number(value))}
    />
  );
}
