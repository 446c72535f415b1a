import { z } from "zod";
import { route } from "../common/route.ts";
import { id, idOnWire, instantOnWire, next_cursor, success, unchecked } from "../common/wire.ts";
import type { DurationFields, SettingKey, SettingsOnWire } from "./policy.ts";
import { settingsRefusals } from "./refusals.fr.ts";
import { DURATION, type Field, type Kind, type Row, SETTINGS } from "./settings.fr.ts";

/** The kinds that are not whole numbers. */
const SHAPES: Partial<Readonly<Record<Kind, (field: Field) => z.ZodType>>> = {
  francs: () => z.int().nonnegative(),
  times: () => z.number(),
  text: ({ length = 0 }) => z.string().max(length).nullable(),
  switch: () => z.boolean(),
  hours: () => z.object({ days: z.array(z.int()).max(7), from_hour: z.int(), to_hour: z.int() }),
  words: () => z.string(),
  tier: ({ choices = {} }) => z.enum(Object.keys(choices)),
};

function shapeOf(row: Row): z.ZodType {
  if (!("parts" in row)) return SHAPES[row.kind]?.(row) ?? z.int();
  const [first] = Object.values(row.parts);
  if (!("partial" in row) || !first) return z.object(shapesOf(row.parts, shapeOf));
  return z.partialRecord(z.enum(Object.keys(row.parts)), shapeOf(first));
}

function shapesOf<P extends object>(parts: P, shape: (part: Row) => z.ZodType) {
  const shapes = Object.entries<Row>(parts as Record<string, Row>).map(([name, part]) => [
    name,
    shape(part),
  ]);
  return Object.fromEntries(shapes) as Record<keyof P, z.ZodType>;
}

/** Each setting on the wire and in the database. Amounts in francs. */
export const settingsOnWire = z.object(
  shapesOf(SETTINGS, shapeOf) as {
    [K in SettingKey]: z.ZodType<SettingsOnWire[K], SettingsOnWire[K]>;
  },
);

const settings = {
  access: "operator",
  answer: success({ settings: settingsOnWire, defaults: settingsOnWire, version: z.string() }),
} as const;

export const readStaffSettings = route("GET /api/desk/settings", {
  summary: "Les réglages en vigueur et leurs défauts",
  ...settings,
});

/**
 * The settings named in the body are replaced whole; the others stay. `version` is that of the
 * answer on which the change is based: the change is refused if somebody changed a setting since.
 */
export const changeStaffSettings = route("PUT /api/desk/settings", {
  summary: "Changer des réglages : frais, limites, horaires, seuils, liens",
  ...settings,
  owns: null,
  body: z.object({
    changes: z.strictObject(settingsOnWire.partial().shape),
    reason: z.string().max(500).optional(),
    version: z.string().max(20).optional(),
  }),
  refusals: settingsRefusals,
  example: { body: { changes: { stars_only: false }, reason: "Fin de l'essai" } },
});

export const settingChangeOnWire = z.object({
  id,
  key: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  reason: z.string().nullable(),
  changed_at: instantOnWire,
  changed_by: id,
  /** First and last name. */
  changed_by_name: z.string(),
});

/** Newest first. */
export const listSettingChanges = route("GET /api/desk/settings/history", {
  summary: "Chaque changement d'un réglage : qui, quand, avant, après",
  access: "operator",
  query: z.object({ key: z.string().max(40).optional(), cursor: idOnWire.optional() }),
  answer: success({ changes: z.array(settingChangeOnWire), next_cursor }),
});

const { parts } = DURATION;

/** One duration that sellers can choose; products keep the minutes they were created with. */
export const staffDurationOnWire = z.object({
  id,
  ...(shapesOf(parts, shapeOf) as {
    [K in keyof DurationFields]: z.ZodType<DurationFields[K], DurationFields[K]>;
  }),
  price_tier: z.enum([...Object.keys(parts.price_tier.choices), "test"]),
  /** Products on sale with this many minutes. */
  products: z.int(),
});
export type StaffDurationOnWire = z.input<typeof staffDurationOnWire>;

/** All durations, shortest first. */
const durations = {
  access: "operator",
  answer: success({ durations: z.array(staffDurationOnWire) }),
} as const;

export const listStaffDurations = route("GET /api/desk/settings/durations", {
  summary: "Les durées proposées aux vendeurs",
  ...durations,
});

/** A field with its own refusal is accepted unchecked here, so that the refusal explains the fault. */
const said = shapesOf(parts, (part) =>
  "refusal" in part ? unchecked() : shapeOf(part).optional(),
) as Record<keyof DurationFields, z.ZodOptional<z.ZodType>>;

export const addStaffDuration = route("POST /api/desk/settings/durations", {
  summary: "Ajouter une durée",
  ...durations,
  owns: null,
  body: z
    .object({ ...said, price_tier: said.price_tier.default(parts.price_tier.initial) })
    .omit({ active: true }),
  refusals: settingsRefusals,
  example: { body: { minutes: 20_160, label: "2 semaines", description: "", discount: 0 } },
});

/** An absent field stays as it is; minutes never change. */
export const editStaffDuration = route("PUT /api/desk/settings/durations/:id", {
  summary: "Renommer, décrire, activer ou désactiver une durée ; les produits gardent la leur",
  ...durations,
  owns: null,
  body: z.object(said).omit({ minutes: true }),
  refusals: settingsRefusals,
  example: { params: { id: "999999999" }, body: { label: "Deux semaines" } },
});
