import { type BasisPoints, basisPoints, type Fcfa, fcfa } from "@sesame/kernel";
import type { SettingsRefusal } from "./refusals.fr.ts";
import {
  DURATION,
  type Field,
  type Kind,
  type KindOnWire,
  type Row,
  SETTINGS,
  type WorkingHours,
} from "./settings.fr.ts";

export type { WorkingHours };

type Of<R, Values> = R extends { readonly parts: infer P; readonly partial: true }
  ? { readonly [K in keyof P]?: Of<P[K], Values> }
  : Whole<R, Values>;
type Whole<R, Values> = R extends { readonly parts: infer P }
  ? { readonly [K in keyof P]: Whole<P[K], Values> }
  : R extends { readonly kind: infer K extends keyof Values }
    ? Values[K]
    : never;

export type SettingKey = keyof typeof SETTINGS;
export const SETTING_KEYS = Object.keys(SETTINGS) as readonly SettingKey[];

/** Types on the wire and in the database. */
export type SettingsOnWire = { readonly [K in SettingKey]: Of<(typeof SETTINGS)[K], KindOnWire> };

type Kinds = Omit<KindOnWire, "francs" | "percent"> & { francs: Fcfa; percent: BasisPoints };

/** Types in the code. */
export type InstanceSettings = { readonly [K in SettingKey]: Whole<(typeof SETTINGS)[K], Kinds> };

export type MethodSettings = InstanceSettings["methods"]["mtn-ci"];

/** A field and its path: ["withdrawals", "min"]. */
export type Placed = { readonly path: readonly string[]; readonly field: Field };

export function fieldsOf(row: Row, path: readonly string[]): readonly Placed[] {
  if (!("parts" in row)) return [{ path, field: row }];
  return Object.entries(row.parts).flatMap(([name, part]) => fieldsOf(part, [...path, name]));
}

export function valueAt(settings: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (value, name) => (value as Record<string, unknown> | undefined)?.[name],
    settings,
  );
}

/** Why a value is refused; null when it is valid. An absent value is not checked. */
function checkField({ kind, bounds, sound, refusal }: Field, value: unknown) {
  const isSound = bounds ? isWithin(kind, value, bounds) : (sound?.(value as never) ?? true);
  return value === undefined || isSound ? null : (refusal ?? null);
}

function isWithin(kind: Kind, value: unknown, [min, max]: readonly [number, number]): boolean {
  const isNumber = kind === "times" ? Number.isFinite(value) : Number.isInteger(value);
  return isNumber && (value as number) >= min && (value as number) <= max;
}

/** The first reason to refuse a row's value, in the order of the table; null when it is valid. */
export function checkRow(row: Row, value: unknown): SettingsRefusal | null {
  for (const { path, field } of fieldsOf(row, [])) {
    const refusal = checkField(field, valueAt(value, path));
    if (refusal) return refusal;
  }
  return "refuse" in row ? (row.refuse?.(value as never) ?? null) : null;
}

/** The first reason to refuse these settings; null when they are valid. */
export function checkSettings(settings: SettingsOnWire): SettingsRefusal | null {
  for (const key of SETTING_KEYS) {
    const refusal = checkRow(SETTINGS[key], settings[key]);
    if (refusal) return refusal;
  }
  return null;
}

/** The settings with the changes: a changed setting is replaced whole, except a partial one. */
export function withChanges(
  settings: SettingsOnWire,
  changes: Partial<Record<SettingKey, unknown>>,
): SettingsOnWire {
  const changed = SETTING_KEYS.filter((key) => changes[key] !== undefined).map((key) => {
    const isPartial = "partial" in SETTINGS[key];
    return [key, isPartial ? Object.assign({}, settings[key], changes[key]) : changes[key]];
  });
  return { ...settings, ...Object.fromEntries(changed) };
}

/** An absent part has its default. */
export function settingsFromWire(wire: SettingsOnWire): InstanceSettings {
  const entries = SETTING_KEYS.map((key) => [key, readRow(SETTINGS[key], wire[key])]);
  return Object.fromEntries(entries) as InstanceSettings;
}

function readRow(row: Row, value: unknown): unknown {
  if ("parts" in row)
    return mapParts(row.parts, (part, name) => readRow(part, valueAt(value, [name])));
  const chosen = value === undefined ? row.initial : value;
  if (row.kind === "francs") return fcfa(chosen as number);
  return row.kind === "percent" ? basisPoints(chosen as number) : chosen;
}

function initialOf(row: Row): unknown {
  return "parts" in row ? mapParts(row.parts, initialOf) : row.initial;
}

function mapParts(
  parts: Readonly<Record<string, Row>>,
  read: (part: Row, name: string) => unknown,
) {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, read(part, name)]));
}

export type DurationFields = Whole<typeof DURATION, KindOnWire>;

/** A duration before an operator changes it. */
export const NEW_DURATION = initialOf(DURATION) as DurationFields;

export const DEFAULTS_ON_WIRE = mapParts(SETTINGS, initialOf) as SettingsOnWire;

export const DEFAULT_SETTINGS = settingsFromWire(DEFAULTS_ON_WIRE);
