import { type Field, type Placed, valueAt, type WorkingHours } from "@sesame/contract/back-office";
import type { AnswerOf } from "@sesame/contract/routes";
import { type ReactNode, useState } from "react";
import { ChipField, SelectField, TextField } from "../../../kit/field.tsx";
import { Switch } from "../../../kit/switch.tsx";
import { toast } from "../../../kit/toast.tsx";
import { readFrancs } from "../../../kit/use-form.tsx";
import { settingsCopy as copy } from "../operator-messages.fr.ts";
import {
  type Draft,
  type Form,
  KINDS,
  readTyped,
  sayValue,
  typeValue,
  type Value,
  writeField,
} from "../settings-fields.ts";
import { useDeskWrite } from "../use-desk.ts";
import { ActSheet } from "./act-sheet.tsx";
import styles from "./settings.module.css";

/** A change of settings, with its reason. */
export function SettingsSheet(props: {
  form: Form;
  answer: AnswerOf<"GET /api/desk/settings">;
  onClose(): void;
}) {
  const { form, answer } = props;
  const [reason, setReason] = useState("");
  const { inputs, changes } = useFields(form.fields, answer.settings, answer.defaults);
  return (
    <ActSheet
      title={form.title}
      confirm={copy.save}
      act={useDeskWrite("PUT /api/desk/settings", {})}
      disabled={changes === null || Object.keys(changes).length === 0}
      body={{
        changes: changes ?? {},
        ...(reason.trim() ? { reason: reason.trim() } : {}),
        version: answer.version,
      }}
      onDone={() => {
        toast(copy.saved);
        props.onClose();
      }}
      onClose={props.onClose}
    >
      {inputs}
      <TextField label={copy.reason} value={reason} maxLength={500} onChange={setReason} />
    </ActSheet>
  );
}

/**
 * The fields of a form, and those of `values` that differ by them, whole; null: something typed
 * cannot be read. A default is said below a field without a hint.
 */
export function useFields<T extends object>(
  fields: readonly Placed[],
  values: T,
  defaults?: T,
): { inputs: ReactNode; changes: Partial<T> | null } {
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const inputs: ReactNode[] = [];
  let changed: T | null = values;
  for (const { field, path } of fields) {
    const name = path.join(".");
    const before = valueAt(values, path) as Value;
    const draft = drafts[name] ?? typeValue(field.kind, before);
    const typed = readTyped(field.kind, draft);
    if (!typed.ok) changed = null;
    else if (changed && JSON.stringify(typed.value) !== JSON.stringify(before)) {
      changed = writeField(changed, path, typed.value);
    }
    const initial =
      defaults && copy.byDefault(sayValue(field.kind, valueAt(defaults, path) as Value));
    inputs.push(
      <Input
        key={name}
        field={field}
        draft={draft}
        hint={field.hint ?? initial}
        error={typed.ok ? null : typed.complaint}
        onChange={(next) => setDrafts({ ...drafts, [name]: next })}
      />,
    );
  }
  const differing = Object.entries(changed ?? {}).filter(
    ([key, value]) => value !== (values as Record<string, unknown>)[key],
  );
  return { inputs, changes: changed && (Object.fromEntries(differing) as Partial<T>) };
}

function Input(props: {
  field: Field;
  draft: Draft;
  hint: string | undefined;
  error: string | null;
  onChange(draft: Draft): void;
}) {
  const { field, draft, hint, onChange } = props;
  const { kind, label } = field;
  if (typeof draft === "boolean") {
    const [on, off] = field.words ?? [copy.on, copy.off];
    return (
      <>
        <div className={styles.switch}>
          <span aria-hidden="true">{draft ? on : off}</span>
          <Switch label={label} checked={draft} onChange={onChange} />
        </div>
        {hint ? <p className={styles.small}>{hint}</p> : null}
      </>
    );
  }
  if (kind === "minutes") return <MinutesInput label={label} onChange={onChange} />;
  if (typeof draft === "object") return <HoursInput hours={draft} onChange={onChange} />;
  if (field.choices) {
    const choices = Object.entries(field.choices).map(([value, said]) => ({ value, label: said }));
    return <ChipField label={label} value={String(draft)} choices={choices} onChange={onChange} />;
  }
  const { suffix } = KINDS[kind];
  return (
    <TextField
      label={label}
      value={String(draft)}
      inputMode={suffix ? "numeric" : "text"}
      {...(suffix ? { suffix } : {})}
      hint={hint}
      error={props.error}
      onChange={onChange}
    />
  );
}

const MINUTES = { days: 1_440, hours: 60 } as const;

/** What is no number goes as typed: the server says what it must be. */
function MinutesInput(props: { label: string; onChange(minutes: number | string): void }) {
  const [count, setCount] = useState("");
  const [unit, setUnit] = useState<keyof typeof MINUTES>("days");
  const set = (typed: string, per: keyof typeof MINUTES) => {
    setCount(typed);
    setUnit(per);
    const number = readFrancs(typed);
    props.onChange(typeof number === "number" ? number * MINUTES[per] : typed);
  };
  return (
    <>
      <TextField
        label={props.label}
        value={count}
        inputMode="numeric"
        onChange={(typed) => set(typed, unit)}
      />
      <ChipField
        label={copy.duration.unit}
        value={unit}
        choices={[
          { value: "days", label: copy.duration.units.days },
          { value: "hours", label: copy.duration.units.hours },
        ]}
        onChange={(per) => set(count, per === "hours" ? "hours" : "days")}
      />
    </>
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
