import { useEffect, useRef } from "react";
import { createStore } from "../lib/store.ts";
import { Icon } from "./icons.tsx";
import styles from "./over.module.css";

/** A §4: a toast is read for 3 s. */
const SHOWN_MS = 3_000;

type Toast = { readonly id: number; readonly text: string; readonly good: boolean };

const current = createStore<Toast | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says a short word over whatever is shown; the next one replaces it. */
export function toast(text: string, tone: "good" | "bad" = "good"): void {
  clearTimeout(timer);
  current.set({ id: (current.get()?.id ?? 0) + 1, text, good: tone === "good" });
  timer = setTimeout(() => current.set(null), SHOWN_MS);
}

export function ToastPlace() {
  const shown = current.useValue();
  const place = useRef<HTMLDivElement>(null);
  // Over an open sheet too: what was shown last stands on top.
  useEffect(() => {
    if (!shown || !place.current?.showPopover) return;
    place.current.hidePopover();
    place.current.showPopover();
  }, [shown]);
  return (
    <div ref={place} popover="manual" className={styles.place} role="status" aria-live="polite">
      {shown ? (
        <div key={shown.id} className={styles.toast}>
          <Icon name={shown.good ? "check" : "warning"} size={20} />
          <span>{shown.text}</span>
        </div>
      ) : null}
    </div>
  );
}
