import { useEffect, useEffectEvent } from "react";
import { miniAppCopy } from "./copy.fr.ts";
import css from "./mini-app.module.css";

/** An app that never says it is ready is shown all the same: its own error must be seen. */
const LATE_MS = 6000;

export function Loader({ onLate }: { onLate: () => void }) {
  const late = useEffectEvent(onLate);
  useEffect(() => {
    const timer = setTimeout(() => late(), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={css.loader} role="status" aria-label={miniAppCopy.loading}>
      <svg width="72" height="72" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M5 21.5V11a7 7 0 0 1 14 0v10.5z" fill="currentColor" />
      </svg>
    </div>
  );
}
