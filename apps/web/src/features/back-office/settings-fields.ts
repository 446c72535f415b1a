import {
  fieldsOf,
  type Kind,
  type KindOnWire,
  type Placed,
  SETTING_SECTIONS,
  type Setting,
  SETTINGS,
  valueAt,
  type WorkingHours,
} from "@sesame/contract/back-office";
import { formatFcfa } from "../../lib/format.ts";
import { readFrancs } from "../../kit/use-form.tsx";
import { settingsCopy as copy } from "./operator-messages.fr.ts";

export type Value = KindOnWire[Kind];

/** Fields that are saved together. */
export type Form = { readonly title: string; readonly fields: readonly Placed[] };

/** The screen derived from the contract's table: each section is one form, or a list of forms. */
export const SECTIONS = Object.entries(SETTING_SECTIONS).map(([section, title]) => {
  const rows = Object.entries<Setting>(SETTINGS).filter(([, row]) => row.section === section);
  const apart = rows.flatMap(([key, row]) =>
    "apart" in row
      ? Object.entries(row.parts).map(([name, part]): Form => {
          return { title: part.label, fields: fieldsOf(part, [key, name]) };
        })
      : [],
  );
  const together: Form = { title, fields: rows.flatMap(([key, row]) => fieldsOf(row, [key])) };
  return { title, together, apart };
});

/** A copy of the settings with one value changed. */
export function writeField(settings: object, path: readonly string[], value: Value): object {
  const [name = "", ...rest] = path;
  const part = valueAt(settings, [name]) as object;
  return { ...settings, [name]: rest.length === 0 ? value : writeField(part, rest, value) };
}

/** How values of a kind are shown and typed. */
type KindForm = {
  readonly suffix?: string;
  say(value: Value): string;
  type(value: Value): string;
  /** The value for the wire; undefined: the text cannot be read. */
  read(typed: string): Value | undefined;
  readonly wrong?: string;
};

const asItIs: KindForm = { say: String, type: String, read: (typed) => typed };

/** Spaces between digits are ignored. */
function whole(suffix: string, say: (value: number) => string, wrong: string): KindForm {
  const read = (typed: string) => {
    const value = readFrancs(typed);
    return typeof value === "number" ? value : undefined;
  };
  return { suffix, say, type: String, read, wrong };
}

/** Typed with a comma too; sent as a number of `parts`. */
function decimal(suffix: string, say: (value: string) => string, parts: number): KindForm {
  const type = (value: number) => String(value / parts).replace(".", ",");
  const read = (typed: string) => {
    const value = Number(typed.trim().replace(",", "."));
    if (typed.trim() === "" || !Number.isFinite(value) || value < 0) return undefined;
    return parts === 1 ? value : Math.round(value * parts);
  };
  return { suffix, say: (value: number) => say(type(value)), type, read, wrong: copy.wrongNumber };
}

const francs = whole("FCFA", formatFcfa, copy.wrongFrancs);

export const KINDS: Readonly<Record<Kind, KindForm>> = {
  francs,
  star: francs,
  days: whole(copy.daysUnit, copy.daysCount, copy.wrongDays),
  calls: whole(copy.callsUnit, copy.callsCount, copy.wrongCalls),
  percent: decimal("%", copy.percent, 100),
  times: decimal(copy.timesUnit, copy.times, 1),
  text: {
    say: (text: string | null) => text || copy.instance,
    type: (text: string | null) => text ?? "",
    read: (typed: string) => typed.trim() || null,
  },
  switch: {
    say: (on: boolean) => (on ? copy.on : copy.off),
    type: (on: boolean) => (on ? "1" : ""),
    read: (typed) => typed !== "",
  },
  hours: { say: sayHours, type: JSON.stringify, read: (typed) => JSON.parse(typed) as Value },
  words: asItIs,
  tier: asItIs,
  // Text that is no number is sent as it was typed: the server's refusal explains.
  minutes: { ...asItIs, read: readFrancs },
  discount: { ...asItIs, suffix: "%", read: readFrancs },
};

function sayHours({ days, from_hour: from, to_hour: to }: WorkingHours): string {
  const first = days[0];
  const last = days.at(-1);
  if (first === undefined || last === undefined) return copy.noDay;
  const run = days.length > 2 && last - first === days.length - 1;
  const named = (day: number) => copy.days[day - 1] ?? "";
  const words = run ? `${named(first)}–${named(last)}` : days.map(named).join(", ");
  return copy.hours(words, from, to);
}
