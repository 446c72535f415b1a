import {
  type StaffDurationOnWire,
  DURATION,
  type Field,
  fieldsOf,
  NEW_DURATION,
  type Placed,
  type Setting,
  SETTINGS,
  valueAt,
  type WorkingHours,
} from "@sesame/contract/back-office";
import type { AnswerOf } from "@sesame/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Badge, PlainButton } from "../../kit/button.tsx";
import { ChipField, SelectField } from "../../kit/field.tsx";
import { Cell, Grid, Section } from "../../kit/layout.tsx";
import { switchField } from "../../kit/choices.tsx";
import { Loaded, Page } from "../../kit/screen.tsx";
import { RecordList } from "../../kit/record-list.tsx";
import { kitCopy } from "../../kit/messages.fr.ts";
import { joined } from "../../kit/records.tsx";
import { act, ActSheet } from "../../kit/use-action.tsx";
import { type Ask, type Asks, readFrancs, type Values } from "../../kit/use-form.tsx";
import { formatInstant } from "../../lib/format.ts";
import { read, readPages } from "../../lib/read.ts";
import { names, quoted, staffCopy } from "./messages.fr.ts";
import { differencesOf, settingsCopy as copy } from "./operator-messages.fr.ts";
import { type Form, KINDS, SECTIONS, type Value, writeField } from "./settings-fields.ts";

type Answer = AnswerOf<"GET /api/desk/settings">;

/** What the operator changes without a new release, each with its history. */
export function Settings() {
  const query = useQuery(read("GET /api/desk/settings"));
  return (
    <Page title={staffCopy.tabs.settings} subtitle={copy.subtitle}>
      <Loaded of={query}>
        {(answer) => (
          <>
            <Section>
              <Cell
                icon="document"
                title={copy.journal}
                subtitle={copy.journalText}
                href="/bureau/journal"
              />
            </Section>
            {SECTIONS.map((section) => (
              <Forms key={section.title} section={section} answer={answer} />
            ))}
            <Durations />
            <History />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Forms(props: { section: (typeof SECTIONS)[number]; answer: Answer }) {
  const { section, answer } = props;
  const { title, together, apart } = section;
  const [editing, setEditing] = useState<Form | null>(null);
  const edit = (
    <PlainButton size="small" onClick={() => setEditing(together)}>
      {copy.edit}
      <span className="visually-hidden"> : {title}</span>
    </PlainButton>
  );
  return (
    <Section title={title} action={apart.length > 0 ? null : edit}>
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
            after={KINDS[field.kind].say(valueAt(answer.settings, path) as Value)}
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
      badge = <OnOff on={value} words={field.words} />;
      continue;
    }
    const said = KINDS[field.kind].say(value);
    const brief = field.brief ? field.brief(said, value as never) : said;
    if (brief) words.push(brief);
  }
  return (
    <Cell title={title} subtitle={words.join(", ")} after={badge} onClick={props.onClick} chevron />
  );
}

function OnOff({ on, words = [copy.on, copy.off] }: { on: boolean; words?: Field["words"] }) {
  return <Badge tone={on ? "positive" : "neutral"}>{words[on ? 0 : 1]}</Badge>;
}

const words = copy.duration;
const { active, discount } = DURATION.parts;

/** Durations that sellers choose from; products keep the minutes they were created with. */
function Durations() {
  const query = useQuery(read("GET /api/desk/settings/durations", { pick: "durations" }));
  const [editing, setEditing] = useState<StaffDurationOnWire | "new" | null>(null);
  return (
    <Loaded of={query}>
      {(durations) => (
        <Section title={DURATION.label}>
          <ul>
            {durations.map((each) => (
              <li key={each.id}>
                <Cell
                  title={each.label}
                  subtitle={joined(
                    words.products(each.products),
                    each.discount > 0 && `${discount.label} ${each.discount} %`,
                  )}
                  after={<OnOff on={each.active} words={active.words} />}
                  onClick={() => setEditing(each)}
                  chevron
                />
              </li>
            ))}
          </ul>
          <PlainButton icon="plus" onClick={() => setEditing("new")}>
            {words.add}
          </PlainButton>
          {editing ? (
            <DurationSheet
              duration={editing === "new" ? null : editing}
              onClose={() => setEditing(null)}
            />
          ) : null}
        </Section>
      )}
    </Loaded>
  );
}

const MINUTES = { days: 1_440, hours: 60 } as const;
const LENGTH: Ask = { kind: "number", label: DURATION.parts.minutes.label };
const UNIT: Ask = { kind: "chips", label: words.unit, choices: words.units, initial: "days" };

/** Text that is no number is sent as it was typed: the server's refusal explains. */
function minutesOf({ minutes = "", unit }: Values): string {
  const count = readFrancs(minutes);
  return typeof count === "number" ? `${count * MINUTES[unit as "days"]}` : minutes || "0";
}

function DurationSheet(props: { duration: StaffDurationOnWire | null; onClose(): void }) {
  const { duration } = props;
  const absent = duration ? "minutes" : "active";
  const fields = fieldsOf(DURATION, []).filter(({ path }) => path[0] !== absent);
  const values = duration ?? NEW_DURATION;
  const asks = asksOf(
    fields.filter(({ field }) => field.kind !== "minutes"),
    values,
  );
  const what = {
    button: copy.save,
    title: duration ? `${words.edit} : ${duration.label}` : words.add,
    fields: duration ? asks : { minutes: LENGTH, unit: UNIT, ...asks },
    body: (said: Values) =>
      changesOf(fields, values, duration ? said : { ...said, minutes: minutesOf(said) }),
    done: () => words.saved,
  };
  const change = duration
    ? act("PUT /api/desk/settings/durations/:id", { params: { id: duration.id }, ...what })
    : act("POST /api/desk/settings/durations", what);
  return <ActSheet of={change} onClose={props.onClose} />;
}

const ROWS: Readonly<Record<string, Setting>> = SETTINGS;

/** Who changed what, the last first. */
function History() {
  const words = copy.history;
  return (
    <RecordList
      title={words.title}
      of={() => readPages("GET /api/desk/settings/history")}
      items={({ changes }) => changes}
      row={(change) => ({
        id: change.id,
        title: ROWS[change.key]?.said ?? ROWS[change.key]?.label ?? change.key,
        facts: [
          [
            words.change,
            differencesOf(change.before, change.after)
              .map(({ name, before, after }) => {
                const said = `${before ?? words.initial} → ${after}`;
                return name ? `${name} : ${said}` : said;
              })
              .join(", "),
          ],
          [names.by, words.by(change.changed_by_name, formatInstant(change.changed_at))],
          [names.reason, quoted(change.reason)],
        ],
      })}
      empty={words.none}
    />
  );
}

/** A change of settings, with its reason. */
function SettingsSheet(props: { form: Form; answer: Answer; onClose(): void }) {
  const { form, answer } = props;
  const changes = (said: Values) => changesOf(form.fields, answer.settings, said);
  const change = act("PUT /api/desk/settings", {
    button: copy.save,
    title: form.title,
    fields: {
      ...asksOf(form.fields, answer.settings, answer.defaults),
      reason: { label: copy.reason, max: 500 },
    },
    lack: (said) => Object.keys(changes(said)).length === 0 && kitCopy.unchanged,
    body: ({ reason, ...said }) => ({
      changes: changes(said),
      ...(reason.trim() ? { reason: reason.trim() } : {}),
      version: answer.version,
    }),
    done: () => copy.saved,
  });
  return <ActSheet of={change} onClose={props.onClose} />;
}

/** The fields of a form. A field without a hint shows its default as one. */
function asksOf(fields: readonly Placed[], values: object, defaults?: object): Asks<string> {
  const asks = fields.map(({ field, path }): [string, Ask] => {
    const initial =
      defaults && copy.byDefault(KINDS[field.kind].say(valueAt(defaults, path) as Value));
    return [path.join("."), askOf(field, valueAt(values, path) as Value, field.hint ?? initial)];
  });
  return Object.fromEntries(asks);
}

function askOf(field: Field, value: Value, hint: string | undefined): Ask {
  const { kind, label, choices, words = [copy.on, copy.off] } = field;
  const { suffix, read, wrong = "" } = KINDS[kind];
  const ask: Ask = {
    label,
    hint,
    initial: KINDS[kind].type(value),
    check: (said) => (read(said) === undefined ? wrong : null),
  };
  if (kind === "hours") {
    return {
      ...ask,
      field: (said, onChange) => (
        <HoursInput
          hours={JSON.parse(said) as WorkingHours}
          onChange={(hours) => onChange(JSON.stringify(hours))}
        />
      ),
    };
  }
  if (kind === "switch") return { ...ask, ...switchField({ label, hint, words }) };
  if (choices) return { ...ask, kind: "chips", choices };
  return suffix ? { ...ask, kind: "number", suffix } : ask;
}

/** The settings that were changed, each whole. */
function changesOf(fields: readonly Placed[], values: object, said: Values): object {
  let changes = {};
  for (const { field, path } of fields) {
    const value = KINDS[field.kind].read(said[path.join(".")] ?? "");
    if (value !== undefined && JSON.stringify(value) !== JSON.stringify(valueAt(values, path))) {
      const [name = ""] = path;
      changes = writeField({ [name]: valueAt(values, [name]), ...changes }, path, value);
    }
  }
  return changes;
}

const HOUR_FIELDS = [
  ["from_hour", copy.from],
  ["to_hour", copy.to],
] as const;
const HOURS = Array.from({ length: 25 }, (_, hour) => {
  return { value: String(hour), label: copy.hour(hour) };
});

function HoursInput(props: { hours: WorkingHours; onChange(hours: WorkingHours): void }) {
  const { hours, onChange } = props;
  return (
    <>
      <ChipField
        many
        label={copy.daysLabel}
        value={hours.days.join()}
        choices={copy.longDays.map((label, at) => ({ value: String(at + 1), label }))}
        onChange={(days) =>
          onChange({ ...hours, days: days.split(",").filter(Boolean).map(Number).sort() })
        }
      />
      <Grid least="7rem">
        {HOUR_FIELDS.map(([name, label]) => (
          <SelectField
            key={name}
            label={label}
            value={String(hours[name])}
            choices={HOURS}
            onChange={(hour) => onChange({ ...hours, [name]: Number(hour) })}
          />
        ))}
      </Grid>
    </>
  );
}
