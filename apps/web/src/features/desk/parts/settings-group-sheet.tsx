import { useState } from "react";
import { TextField } from "../../../ui/field.tsx";
import { settingsCopy as copy } from "../operator-messages.fr.ts";
import {
  type FieldSpec,
  type GroupSpec,
  readTyped,
  sayValue,
  typeValue,
} from "../settings-fields.ts";
import { SettingsSheet } from "./settings-sheet.tsx";
import type { SettingsAnswer } from "../settings-fields.ts";

const SUFFIX = {
  francs: "FCFA",
  days: copy.daysUnit,
  calls: copy.callsUnit,
  percent: "%",
  factor: copy.timesUnit,
  text: undefined,
} as const;

/** The fields of one group, saved together. */
export function GroupSheet(props: { group: GroupSpec; answer: SettingsAnswer; onClose(): void }) {
  const { group, answer } = props;
  const [typed, setTyped] = useState<readonly string[]>(() =>
    group.fields.map((field) => typeValue(field.unit, field.read(answer.settings))),
  );
  const read = group.fields.map((field, at) => readTyped(field.unit, typed[at] ?? ""));
  return (
    <SettingsSheet
      title={group.title}
      version={answer.version}
      changes={
        read.every((each) => each.ok) ? changesOf(group.fields, read, answer.settings) : null
      }
      onClose={props.onClose}
    >
      {group.fields.map((field, at) => {
        const here = read[at];
        const suffix = SUFFIX[field.unit];
        return (
          <TextField
            key={field.label}
            label={field.label}
            value={typed[at] ?? ""}
            inputMode={field.unit === "text" ? "text" : "numeric"}
            {...(suffix ? { suffix } : {})}
            hint={field.hint ?? copy.byDefault(sayValue(field.unit, field.read(answer.defaults)))}
            error={here && !here.ok ? here.complaint : null}
            onChange={(value) => setTyped(typed.map((old, each) => (each === at ? value : old)))}
          />
        );
      })}
    </SettingsSheet>
  );
}

/** Only what differs travels, and each setting whole. */
function changesOf(
  fields: readonly FieldSpec[],
  read: readonly ReturnType<typeof readTyped>[],
  settings: SettingsAnswer["settings"],
): Partial<SettingsAnswer["settings"]> {
  let changes: Partial<SettingsAnswer["settings"]> = {};
  fields.forEach((field, at) => {
    const here = read[at];
    if (!here?.ok || here.value === field.read(settings)) return;
    changes = { ...changes, ...field.write({ ...settings, ...changes }, here.value) };
  });
  return changes;
}
