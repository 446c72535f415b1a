import { useEffect, useEffectEvent, useRef } from "react";
import { createStore } from "../lib/store.ts";
import { Icon } from "./icons.tsx";
import styles from "./over.module.css";

/** A §4: a toast is shown for 3 s. */
const SHOWN_MS = 3_000;

type Toast = { readonly id: number; readonly text: string; readonly good: boolean };

const current = createStore<Toast | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a few words over the screen; the next toast replaces them. */
export function toast(text: string, tone: "good" | "bad" = "good"): void {
  clearTimeout(timer);
  current.set({ id: (current.get()?.id ?? 0) + 1, text, good: tone === "good" });
  timer = setTimeout(() => current.set(null), SHOWN_MS);
}

export function ToastPlace() {
  const shown = current.useValue();
  const place = useRef<HTMLDivElement>(null);
  // Over an open sheet too: the last element shown stands on top.
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

// Sheets and dialogs now open, the top one last: "back" closes it before it leaves the screen.
const open = createStore<readonly (() => void)[]>([]);

export function useOverlay(close: () => void): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    const entry = () => closeNow();
    open.set([...open.get(), entry]);
    return () => open.set(open.get().filter((each) => each !== entry));
  }, []);
}

/** False when none is open. */
export function closeTopOverlay(): boolean {
  const top = open.get().at(-1);
  top?.();
  return top !== undefined;
}

export function useAnyOverlay(): boolean {
  return open.useValue().length > 0;
}
