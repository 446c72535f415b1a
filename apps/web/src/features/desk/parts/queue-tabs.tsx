import { useId } from "react";
import { haptic } from "../../../telegram/native.ts";
import { chooseQueue, type QueueTab } from "../queue-choice.ts";
import { queueCopy as copy } from "../messages.fr.ts";
import styles from "../queue.module.css";

const TABS = ["pending", "to-pay", "uncertain", "done"] as const satisfies readonly QueueTab[];

/** The four lists, with how many wait in each. */
export function QueueTabs(props: { value: QueueTab; counts: Partial<Record<QueueTab, number>> }) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={copy.views} className={styles.tabs}>
      {TABS.map((tab) => (
        <label key={tab} className={styles.tab} data-alarm={alarms(tab, props.counts) || undefined}>
          <input
            type="radio"
            className="only-heard"
            name={name}
            checked={tab === props.value}
            onChange={() => {
              haptic("selection");
              chooseQueue({ tab });
            }}
          />
          <span className={styles.tabName}>{copy.tabs[tab]}</span>
          <span className={styles.tabCount}>{props.counts[tab] ?? copy.uncounted}</span>
        </label>
      ))}
    </div>
  );
}

/** Nobody knows where that money is: it is never one list among others. */
function alarms(tab: QueueTab, counts: Partial<Record<QueueTab, number>>): boolean {
  return tab === "uncertain" && (counts.uncertain ?? 0) > 0;
}
