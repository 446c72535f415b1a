import type { AnswerOf } from "@sesame/contract/routes";
import { useState } from "react";
import { Button } from "../../../kit/button.tsx";
import { ChipField, SelectField } from "../../../kit/field.tsx";
import { Sheet } from "../../../kit/modal.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { Switch } from "../../../kit/switch.tsx";
import { chooseQueue, EVERYTHING, type QueueChoice } from "../queue-choice.ts";
import { queueCopy as copy } from "../messages.fr.ts";
import styles from "../queue.module.css";

type Draft = Pick<QueueChoice, "method" | "country" | "plan" | "late" | "mine">;

/** The filters, chosen together and applied at once. */
export function QueueFilters(props: {
  choice: QueueChoice;
  methods: AnswerOf<"GET /api/desk">["methods"];
  onClose(): void;
}) {
  const { method, country, plan, late, mine } = props.choice;
  const [draft, setDraft] = useState<Draft>({ method, country, plan, late, mine });
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const apply = (chosen: Draft) => {
    chooseQueue(chosen);
    props.onClose();
  };
  const countries = [...new Set(props.methods.map((each) => each.country))];
  const methods = props.methods.filter((each) => !draft.country || each.country === draft.country);
  return (
    <Sheet title={copy.filters} onClose={props.onClose}>
      <div className={styles.form}>
        <SelectField
          label={copy.country}
          value={draft.country}
          empty={copy.anyCountry}
          choices={countries.map((value) => ({ value, label: copy.countries[value] ?? value }))}
          onChange={(value) => set({ country: value, method: "" })}
        />
        <SelectField
          label={copy.method}
          value={draft.method}
          empty={copy.anyMethod}
          choices={methods.map(({ id, label }) => ({ value: id, label }))}
          onChange={(value) => set({ method: value })}
        />
        <ChipField
          label={copy.plan}
          value={draft.plan}
          choices={[
            { value: "", label: copy.anyPlan },
            { value: "gratuit", label: copy.free },
            { value: "payant", label: copy.premium },
          ]}
          onChange={(value) => set({ plan: value as Draft["plan"] })}
        />
        <Section>
          <Cell
            title={copy.lateOnly}
            after={
              <Switch
                label={copy.lateOnly}
                checked={draft.late}
                onChange={(checked) => set({ late: checked })}
              />
            }
          />
          <Cell
            title={copy.mineOnly}
            after={
              <Switch
                label={copy.mineOnly}
                checked={draft.mine}
                onChange={(checked) => set({ mine: checked })}
              />
            }
          />
        </Section>
        <Button onClick={() => apply(draft)}>{copy.apply}</Button>
        <Button look="plain" onClick={() => apply(EVERYTHING)}>
          {copy.clear}
        </Button>
      </div>
    </Sheet>
  );
}
