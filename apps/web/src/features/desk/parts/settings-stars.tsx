import type { SettingsAnswer } from "@sesame/contract/settings";
import { useState } from "react";
import { Cell, Section } from "../../../ui/section.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { settingsCopy as copy } from "../operator-messages.fr.ts";
import { SettingsSheet } from "./settings-sheet.tsx";

/** Telegram's rule on digital goods, as a switch: nothing but Stars for a new payment. */
export function StarsOnlySection({ answer }: { answer: SettingsAnswer }) {
  const [asking, setAsking] = useState(false);
  const on = answer.settings.stars_only;
  return (
    <Section footer={copy.starsOnlyText}>
      <Cell
        icon="star"
        tint="orange"
        title={copy.fields.starsOnly}
        subtitle={on ? copy.starsOnlyOn : copy.starsOnlyOff}
        after={
          <Switch label={copy.fields.starsOnly} checked={on} onChange={() => setAsking(true)} />
        }
      />
      {asking ? (
        <SettingsSheet
          title={copy.starsOnlyTitle(!on)}
          version={answer.version}
          changes={{ stars_only: !on }}
          onClose={() => setAsking(false)}
        >
          {null}
        </SettingsSheet>
      ) : null}
    </Section>
  );
}
