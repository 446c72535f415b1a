import { describe, expect, test } from "vitest";
import { sayRefusal } from "../common/refusal.ts";
import {
  checkRow,
  checkSettings,
  DEFAULTS_ON_WIRE,
  fieldsOf,
  NEW_DURATION,
  SETTING_KEYS,
  valueAt,
} from "./policy.ts";
import { settingsRefusals } from "./refusals.fr.ts";
import { DURATION, type Field, type Row, SETTING_SECTIONS, SETTINGS } from "./settings.fr.ts";
import { settingsOnWire } from "./settings-routes.ts";

/** How a sentence writes a number of each kind. */
function written(kind: Field["kind"], value: number): string {
  if (kind === "percent") return `${value / 100}`;
  if (kind === "minutes") return value < 1_440 ? `${value}` : `${value / (366 * 24 * 60)} ans`;
  return String(value).replace(".", ",");
}

/** A wrong value of a single field. */
function faultsOf(field: Field): string[] {
  const { kind, label, bounds, sound, refusal, initial } = field;
  const faults: string[] = [];
  if (label.trim() === "") faults.push("no words");
  if (kind === "switch") return faults;
  if (kind === "tier") {
    if (!Object.hasOwn(field.choices ?? {}, String(initial))) faults.push("no such choice");
    return faults;
  }
  if (!refusal || !settingsRefusals[refusal.kind]) return [...faults, "no sentence"];
  const { body } = sayRefusal(refusal, settingsRefusals);
  if (!bounds) return sound ? faults : [...faults, "no check"];
  const [min, max] = bounds;
  const words = body.message.replaceAll(/(\d) (?=\d)/g, "$1");
  for (const bound of bounds) {
    if (checkRow(field, bound)) faults.push(`${bound} is refused`);
    const whole = new RegExp(`(?<![\\d,])${written(kind, bound)}(?![\\d,])`);
    if (!whole.test(words)) faults.push(`${bound} is not in the sentence`);
  }
  for (const beyond of [min - 1, max + 1, min + 0.25, Number.NaN, `${min}`, null]) {
    const isSound = kind === "times" && beyond === min + 0.25;
    if (!isSound && checkRow(field, beyond)?.kind !== refusal.kind) {
      faults.push(`${beyond} is accepted`);
    }
  }
  return faults;
}

/** The faults of a setting, including those of its default. */
function faultsOfSetting(row: Row, initial: unknown): string[] {
  const faults = fieldsOf(row, []).flatMap(({ path, field }) =>
    faultsOf(field).map((fault) => [...path, fault].join(" ")),
  );
  return checkRow(row, initial) ? [...faults, "its default is refused"] : faults;
}

describe("each setting", () => {
  test.each(SETTING_KEYS)("%s has labels, a valid default and a sentence of its bounds", (key) => {
    expect(faultsOfSetting(SETTINGS[key], DEFAULTS_ON_WIRE[key])).toEqual([]);
  });

  test("is in a section of the screen, and no section is empty", () => {
    const sections = new Set(SETTING_KEYS.map((key) => SETTINGS[key].section));
    expect([...sections].toSorted()).toEqual(Object.keys(SETTING_SECTIONS).toSorted());
  });

  test("has its default's form on the wire", () => {
    expect(settingsOnWire.parse(DEFAULTS_ON_WIRE)).toEqual(DEFAULTS_ON_WIRE);
    expect(checkSettings(DEFAULTS_ON_WIRE)).toBeNull();
  });

  test.each(Object.values(SETTINGS.hours.parts).map((field) => [field.label, field] as const))(
    "of hours refuses days out of order, none and an end before the start: %s",
    (_label, field) => {
      for (const broken of [{ days: [] }, { days: [2, 1] }, { days: [8] }, { to_hour: 9 }]) {
        expect(checkRow(field, { ...field.initial, ...broken })?.kind).toBe(
          "settings.hours-invalid",
        );
      }
    },
  );

  test.each(fieldsOf(SETTINGS.texts, []))("of texts is text or null: $path", ({ path, field }) => {
    expect(checkRow(field, valueAt(DEFAULTS_ON_WIRE.texts, path))).toBeNull();
    expect(checkRow(field, "javascript:alert(1)")).toEqual(field.refusal);
  });
});

describe("a duration", () => {
  test("has labels, and sentences with its bounds, for each of its fields", () => {
    const fields = fieldsOf(DURATION, []).map(({ field }) => field);
    expect(fields.flatMap(faultsOf)).toEqual([]);
  });

  test("is refused without fields, for its minutes first, then its name", () => {
    const kindOf = (said: object) => checkRow(DURATION, { ...NEW_DURATION, ...said })?.kind;
    expect(kindOf({})).toBe("settings.duration-minutes");
    expect(kindOf({ minutes: 60 })).toBe("settings.duration-name");
    expect(kindOf({ minutes: 60, label: null })).toBe("settings.duration-name");
    expect(kindOf({ minutes: 60, label: "Une heure" })).toBeUndefined();
  });

  test("that is renamed needs no other field", () => {
    expect(checkRow(DURATION, { label: "Quinze jours" })).toBeNull();
  });
});

describe("a row that is broken is found", () => {
  const sound = SETTINGS.second_agent_from;
  test.each<[string, Partial<Field>, string[]]>([
    ["nothing", {}, []],
    ["its default", { initial: 0 }, ["its default is refused"]],
    ["its words", { label: " " }, ["no words"]],
    ["its upper bound", { bounds: [1, 5_000_000] }, ["5000000 is not in the sentence"]],
    ["its sentence", { refusal: { kind: "settings.unheard-of" as never } }, ["no sentence"]],
    [
      "the sentence, which is another's",
      { refusal: { kind: "settings.hours-invalid" } },
      ["1 is not in the sentence", "10000000 is not in the sentence"],
    ],
  ])("where %s is wrong", (_what, broken, faults) => {
    const row: Field = { ...sound, ...broken };
    expect(faultsOfSetting(row, row.initial)).toEqual(faults);
  });
});
