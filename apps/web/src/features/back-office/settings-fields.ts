import {
  type Field,
  fieldsOf,
  type Kind,
  type KindOnWire,
  type Row,
  SETTING_SECTIONS,
  type Setting,
  SETTINGS,
  type SettingsOnWire,
  valueAt,
  type WorkingHours,
} from "@sesame/contract/back-office";
import { formatFcfa } from "../../lib/format.ts";
import type { AnswerOf } from "@sesame/contract/routes";
import { readFrancs } from "../../kit/use-form.tsx";

export type SettingsAnswer = AnswerOf<"GET /api/desk/settings">;
import { settingsCopy as copy } from "./operator-messages.fr.ts";

type Value = KindOnWire[Kind];

/** What a form holds of it: words as they are typed, a switch and hours as they are. */
export type Draft = Exclude<Value, number | null>;

export type FormField = Field & { readonly path: readonly string[] };

/** Fields of one form, saved together. */
export type Form = {
  readonly title: string;
  readonly fields: readonly FormField[];
};

export function formOf(title: string, rows: readonly (readonly [readonly string[], Row])[]): Form {
  const placed = rows.flatMap(([path, row]) => fieldsOf(row, path));
  return { title, fields: placed.map(({ path, field }) => ({ ...field, path })) };
}

/** The forms that the table says, in the order of the screen. */
export const FORMS = Object.entries(SETTING_SECTIONS).map(([section, title]) => {
  const rows = Object.entries<Setting>(SETTINGS).filter(([, row]) => row.section === section);
  return formOf(
    title,
    rows.map(([key, row]) => [[key], row]),
  );
});

export function readField({ path }: FormField, settings: SettingsOnWire): Value {
  return valueAt(settings, path) as Value;
}

/** The settings with one value changed. */
export function writeField<T>(settings: T, path: readonly string[], value: Value): T {
  const [name, ...rest] = path;
  if (name === undefined) return value as T;
  const old = settings as Record<string, unknown>;
  return { ...old, [name]: writeField(old[name], rest, value) } as T;
}

/** How a number is said and typed. */
type Unit = {
  readonly suffix: string;
  say(value: number): string;
  readonly wrong: string;
  /** Typed with a comma too. */
  readonly decimal?: true;
};

const francs: Unit = { suffix: "FCFA", say: formatFcfa, wrong: copy.wrongFrancs };

const UNITS: Readonly<Record<Exclude<Kind, "text" | "switch" | "hours">, Unit>> = {
  francs,
  star: francs,
  days: { suffix: copy.daysUnit, say: copy.daysCount, wrong: copy.wrongDays },
  calls: { suffix: copy.callsUnit, say: copy.callsCount, wrong: copy.wrongCalls },
  percent: {
    suffix: "%",
    say: (value) => copy.percent(decimal(value / 100)),
    wrong: copy.wrongNumber,
    decimal: true,
  },
  times: {
    suffix: copy.timesUnit,
    say: (value) => copy.times(decimal(value)),
    wrong: copy.wrongNumber,
    decimal: true,
  },
};

export function unitOf(kind: Kind): Unit | null {
  return kind === "text" || kind === "switch" || kind === "hours" ? null : UNITS[kind];
}

/** As it is read. */
export function sayValue(kind: Kind, value: Value): string {
  if (value === null || value === "") return copy.instance;
  if (typeof value === "number") return unitOf(kind)?.say(value) ?? String(value);
  if (typeof value === "boolean") return value ? copy.on : copy.off;
  return typeof value === "string" ? value : sayHours(value);
}

export function sayHours({ days, from_hour: from, to_hour: to }: WorkingHours): string {
  const first = days[0];
  const last = days.at(-1);
  if (first === undefined || last === undefined) return copy.noDay;
  const run = days.length > 2 && last - first === days.length - 1;
  const named = (day: number) => copy.days[day - 1] ?? "";
  const words = run ? `${named(first)}–${named(last)}` : days.map(named).join(", ");
  return copy.hours(words, from, to);
}

/** As it is typed. */
export function typeValue(kind: Kind, value: Value): Draft {
  if (value === null) return "";
  if (typeof value !== "number") return value;
  return decimal(kind === "percent" ? value / 100 : value);
}

export type Typed =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly complaint: string };

/** What was typed, as the wire takes it. */
export function readTyped(kind: Kind, typed: Draft): Typed {
  if (typeof typed !== "string") return { ok: true, value: typed };
  const unit = unitOf(kind);
  if (!unit) return { ok: true, value: typed.trim() || null };
  if (!unit.decimal) {
    const whole = readFrancs(typed);
    return typeof whole === "number"
      ? { ok: true, value: whole }
      : { ok: false, complaint: unit.wrong };
  }
  const number = Number(typed.trim().replace(",", "."));
  if (typed.trim() === "" || !Number.isFinite(number) || number < 0) {
    return { ok: false, complaint: unit.wrong };
  }
  return { ok: true, value: kind === "percent" ? Math.round(number * 100) : number };
}

function decimal(value: number): string {
  return String(value).replace(".", ",");
}
