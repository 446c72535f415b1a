import { useState } from "react";
import { SelectField } from "../../../ui/field.tsx";
import { Cell, Section } from "../../../ui/section.tsx";
import { settingsCopy as copy } from "../operator-messages.fr.ts";
import { SettingsSheet } from "./settings-sheet.tsx";
import styles from "./settings.module.css";
import type { SettingsAnswer } from "../settings-fields.ts";

type Hours = SettingsAnswer["settings"]["hours"]["payouts"];
type Which = keyof SettingsAnswer["settings"]["hours"];

const NAMES = { payouts: copy.payoutHours, support: copy.supportHours } as const;

export function HoursSection({ answer }: { answer: SettingsAnswer }) {
  const [editing, setEditing] = useState<Which | null>(null);
  return (
    <Section title={copy.groups.hours}>
      {(["payouts", "support"] as const).map((which) => (
        <Cell
          key={which}
          icon="clock"
          tint="teal"
          title={NAMES[which]}
          subtitle={sayHours(answer.settings.hours[which])}
          onClick={() => setEditing(which)}
          chevron
        />
      ))}
      {editing ? (
        <HoursSheet which={editing} answer={answer} onClose={() => setEditing(null)} />
      ) : null}
    </Section>
  );
}

export function sayHours({ days, from_hour: from, to_hour: to }: Hours): string {
  const first = days[0];
  const last = days.at(-1);
  if (first === undefined || last === undefined) return copy.noDay;
  const run = days.length > 2 && last - first === days.length - 1;
  const named = (day: number) => copy.days[day - 1] ?? "";
  const words = run ? `${named(first)}–${named(last)}` : days.map(named).join(", ");
  return copy.hours(words, from, to);
}

function HoursSheet(props: { which: Which; answer: SettingsAnswer; onClose(): void }) {
  const { which, answer } = props;
  const before = answer.settings.hours[which];
  const [hours, setHours] = useState<Hours>(before);
  const same = JSON.stringify(hours) === JSON.stringify(before);
  const toggle = (day: number, on: boolean) =>
    setHours({
      ...hours,
      days: on ? [...hours.days, day].sort() : hours.days.filter((each) => each !== day),
    });
  return (
    <SettingsSheet
      title={NAMES[which]}
      version={answer.version}
      changes={same ? {} : { hours: { ...answer.settings.hours, [which]: hours } }}
      onClose={props.onClose}
    >
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
          onChange={(from) => setHours({ ...hours, from_hour: from })}
        />
        <HourField
          label={copy.to}
          value={hours.to_hour}
          onChange={(to) => setHours({ ...hours, to_hour: to })}
        />
      </div>
    </SettingsSheet>
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
