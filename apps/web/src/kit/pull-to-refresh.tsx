import { type ReactNode, type TouchEvent, useRef, useState } from "react";
import styles from "./over.module.css";
import { useBusy } from "./button.tsx";
import { Spinner } from "./icons.tsx";
import { kitCopy } from "./messages.fr.ts";

const TRIGGER_PX = 70;
const FARTHEST_PX = 96;

/** A pull at the top of a screen reads it again. A button does the same for those who cannot pull. */
export function PullToRefresh(props: { onRefresh(): Promise<unknown>; children: ReactNode }) {
  const start = useRef<number | null>(null);
  const [pulled, setPulled] = useState(0);
  const [busy, refresh] = useBusy(props.onRefresh);
  const begin = (event: TouchEvent) => {
    start.current = window.scrollY <= 0 && !busy ? (event.touches[0]?.clientY ?? null) : null;
  };
  const pull = (event: TouchEvent) => {
    if (start.current === null) return;
    const distance = (event.touches[0]?.clientY ?? 0) - start.current;
    setPulled(distance > 0 && window.scrollY <= 0 ? Math.min(FARTHEST_PX, distance * 0.5) : 0);
  };
  const release = () => {
    start.current = null;
    const far = pulled >= TRIGGER_PX;
    setPulled(0);
    if (far) refresh();
  };
  const shown = busy ? TRIGGER_PX : pulled;
  return (
    <div onTouchStart={begin} onTouchMove={pull} onTouchEnd={release} onTouchCancel={release}>
      <div
        className={styles.pull}
        style={{ height: shown, opacity: Math.min(1, shown / TRIGGER_PX) }}
        role="status"
      >
        {shown > 12 ? <Spinner /> : null}
        <span className="visually-hidden">{busy ? kitCopy.refresh : ""}</span>
      </div>
      {props.children}
    </div>
  );
}
