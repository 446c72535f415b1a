import {
  type DeskDurationOnWire,
  DURATION,
  fieldsOf,
  NEW_DURATION,
} from "@sesame/contract/back-office";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Badge } from "../../../kit/badge.tsx";
import { Button } from "../../../kit/button.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { toast } from "../../../kit/toast.tsx";
import { call } from "../../../lib/api.ts";
import { read } from "../../../lib/read.ts";
import { useWrite } from "../../../lib/use-write.ts";
import { settingsCopy } from "../operator-messages.fr.ts";
import { useRefreshDesk } from "../use-desk.ts";
import { ActSheet } from "./act-sheet.tsx";
import { useFields } from "./settings-sheet.tsx";

const copy = settingsCopy.duration;
const { active, discount } = DURATION.parts;

/** What sellers choose from; products keep the minutes they were given. */
export function Durations() {
  const durations = useQuery(read("GET /api/desk/settings/durations", { pick: "durations" })).data;
  const [editing, setEditing] = useState<DeskDurationOnWire | "new" | null>(null);
  if (!durations) return null;
  return (
    <Section title={DURATION.label}>
      <ul>
        {durations.map((each) => (
          <li key={each.id}>
            <Cell
              title={each.label}
              subtitle={[
                copy.products(each.products),
                ...(each.discount > 0 ? [`${discount.label} ${each.discount} %`] : []),
              ].join(" · ")}
              after={
                <Badge tone={each.active ? "positive" : "neutral"}>
                  {active.words[each.active ? 0 : 1]}
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

function DurationSheet(props: { duration: DeskDurationOnWire | null; onClose(): void }) {
  const { duration } = props;
  const absent = duration ? "minutes" : "active";
  const { inputs, changes } = useFields(
    fieldsOf(DURATION, []).filter(({ path }) => path[0] !== absent),
    duration ?? NEW_DURATION,
  );
  const act = useWrite(
    (body: object, key) =>
      duration
        ? call("PUT /api/desk/settings/durations/:id", { params: { id: duration.id }, body, key })
        : call("POST /api/desk/settings/durations", { body, key }),
    { onSettled: useRefreshDesk() },
  );
  return (
    <ActSheet
      title={duration ? `${copy.edit} : ${duration.label}` : copy.add}
      confirm={settingsCopy.save}
      act={act}
      body={changes ?? {}}
      onDone={() => {
        toast(copy.saved);
        props.onClose();
      }}
      onClose={props.onClose}
    >
      {inputs}
    </ActSheet>
  );
}
