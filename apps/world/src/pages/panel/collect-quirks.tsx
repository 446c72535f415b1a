import type { CollectorName, KkiapayModes } from "../../wire.ts";
import { control } from "../world/api.ts";
import { useWorld } from "../world/store.ts";
import { collectCopy } from "./collect-copy.fr.ts";
import { Check } from "./fields.tsx";
import css from "./panel.module.css";

const copy = collectCopy.quirks;
const KKIAPAY = Object.entries(copy.kkiapay) as [keyof KkiapayModes, string][];

/** What goes wrong at one provider alone. */
export function CollectQuirks({ name }: { name: CollectorName }) {
  const { faults } = useWorld();
  if (name === "stars") {
    return (
      <Check
        label={copy.lateStars}
        checked={faults.lateStars}
        onChange={(late) => void control("setStars", { late })}
      />
    );
  }
  if (name !== "kkiapay") return null;
  return (
    <div className={css.checks}>
      {KKIAPAY.map(([mode, words]) => (
        <Check
          key={mode}
          label={words}
          checked={faults.kkiapay[mode]}
          onChange={(on) => void control("setKkiapay", { [mode]: on })}
        />
      ))}
    </div>
  );
}
