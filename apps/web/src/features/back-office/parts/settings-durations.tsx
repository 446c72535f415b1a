import type { DeskDurationOnWire } from "@sesame/contract/back-office";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api.ts";
import { read } from "../../../lib/read.ts";
import { useWrite } from "../../../lib/use-write.ts";
import { Badge } from "../../../kit/badge.tsx";
import { Button } from "../../../kit/button.tsx";
import { ChipField, TextField } from "../../../kit/field.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { Switch } from "../../../kit/switch.tsx";
import { toast } from "../../../kit/toast.tsx";
import { settingsCopy } from "../operator-messages.fr.ts";
import { useRefreshDesk } from "../use-desk.ts";
import { ActSheet } from "./act-sheet.tsx";
import styles from "./settings.module.css";

const copy = settingsCopy.duration;
type Tier = "premium" | "standard" | "basic";

/** What sellers choose from; products keep the minutes they were given. */
export function Durations() {
  const durations = useQuery(read("GET /api/desk/settings/durations", { pick: "durations" })).data;
  const [editing, setEditing] = useState<DeskDurationOnWire | "new" | null>(null);
  if (!durations) return null;
  return (
    <Section title={settingsCopy.durations}>
      <ul>
        {durations.map((each) => (
          <li key={each.id}>
            <Cell
              title={each.label}
              subtitle={[
                copy.products(each.products),
                each.discount > 0 ? `${copy.discount} ${each.discount} %` : null,
              ]
                .filter(Boolean)
                .join(" · ")}
              after={
                <Badge tone={each.active ? "positive" : "neutral"}>
                  {each.active ? copy.active : copy.inactive}
                </Badge>
              }
              onClick={() => setEditing(each)}
              chevron
            />
          </li>
        ))}
      </ul>
      <Button look="plain" icon="plus" onClick={() => setEditing("new")}>
        {copy.add}
      </Button>
      {editing ? (
        <DurationSheet
          duration={editing === "new" ? null : editing}
          onClose={() => setEditing(null)}
        />
      ) : null}
    </Section>
  );
}

type Draft = {
  readonly count: string;
  readonly unit: "days" | "hours";
  readonly label: string;
  readonly description: string;
  readonly discount: string;
  readonly tier: Tier;
  readonly active: boolean;
};

const MINUTES = { days: 1_440, hours: 60 } as const;

function DurationSheet(props: { duration: DeskDurationOnWire | null; onClose(): void }) {
  const { duration } = props;
  const [draft, setDraft] = useState<Draft>(() => draftOf(duration));
  const act = useWrite(
    (body: ReturnType<typeof bodyOf>, key) =>
      duration
        ? call("PUT /api/desk/settings/durations/:id", { params: { id: duration.id }, body, key })
        : call("POST /api/desk/settings/durations", { body, key }),
    { onSettled: useRefreshDesk() },
  );
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  return (
    <ActSheet
      title={duration ? `${copy.edit} : ${duration.label}` : copy.add}
      confirm={settingsCopy.save}
      act={act}
      body={bodyOf(draft, duration === null)}
      onDone={() => {
        toast(copy.saved);
        props.onClose();
      }}
      onClose={props.onClose}
    >
      {duration ? (
        <div className={styles.switch}>
          <span aria-hidden="true">{draft.active ? copy.active : copy.inactive}</span>
          <Switch
            label={copy.active}
            checked={draft.active}
            onChange={(active) => set({ active })}
          />
        </div>
      ) : (
        <>
          <TextField
            label={copy.minutes}
            value={draft.count}
            inputMode="numeric"
            onChange={(count) => set({ count })}
          />
          <ChipField
            label={copy.unit}
            value={draft.unit}
            choices={[
              { value: "days", label: copy.units.days },
              { value: "hours", label: copy.units.hours },
            ]}
            onChange={(unit) => set({ unit: unit === "hours" ? "hours" : "days" })}
          />
        </>
      )}
      {duration ? <p className={styles.small}>{copy.activeHint}</p> : null}
      <TextField label={copy.label} value={draft.label} onChange={(label) => set({ label })} />
      <TextField
        label={copy.description}
        value={draft.description}
        onChange={(description) => set({ description })}
      />
      <TextField
        label={copy.discount}
        value={draft.discount}
        inputMode="numeric"
        suffix="%"
        onChange={(discount) => set({ discount })}
      />
      <ChipField
        label={copy.tier}
        value={draft.tier}
        choices={(["premium", "standard", "basic"] as const).map((value) => ({
          value,
          label: copy.tiers[value],
        }))}
        onChange={(tier) => set({ tier: tier as Tier })}
      />
    </ActSheet>
  );
}

function draftOf(duration: DeskDurationOnWire | null): Draft {
  const tier = duration?.price_tier ?? "standard";
  return {
    count: "",
    unit: "days",
    label: duration?.label ?? "",
    description: duration?.description ?? "",
    discount: String(duration?.discount ?? 0),
    tier: tier === "test" ? "standard" : tier,
    active: duration?.active ?? true,
  };
}

/** Numbers as numbers; what cannot be read goes as typed, and the server says why it is refused. */
function bodyOf(draft: Draft, isNew: boolean) {
  const number = (text: string) => (/^\d{1,7}$/.test(text.trim()) ? Number(text) : text);
  const count = number(draft.count);
  const shared = {
    label: draft.label,
    description: draft.description,
    discount: number(draft.discount),
    price_tier: draft.tier,
  };
  if (!isNew) return { ...shared, active: draft.active };
  return { ...shared, minutes: typeof count === "number" ? count * MINUTES[draft.unit] : count };
}
