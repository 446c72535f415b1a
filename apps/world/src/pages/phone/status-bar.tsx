import { formatClock } from "../world/format.ts";
import { useWorldNow } from "../world/store.ts";
import css from "./phone.module.css";

/** The world's time on every phone: after a jump of the clock they all show it. */
export function StatusBar() {
  const now = useWorldNow(1000);
  return (
    <div className={css.status}>
      <time>{formatClock(now)}</time>
      <span className={css.camera} aria-hidden="true" />
      <svg className={css.signals} viewBox="0 0 56 14" aria-hidden="true">
        <g fill="currentColor">
          <rect x="0" y="9" width="3" height="4" rx="1" />
          <rect x="4.5" y="6.5" width="3" height="6.5" rx="1" />
          <rect x="9" y="4" width="3" height="9" rx="1" />
          <rect x="13.5" y="1.5" width="3" height="11.5" rx="1" />
          <rect x="31" y="3.5" width="16" height="7" rx="2" />
          <rect x="51" y="5" width="2" height="4" rx="1" />
        </g>
        <rect
          x="29"
          y="1.5"
          width="20"
          height="11"
          rx="3.5"
          fill="none"
          stroke="currentColor"
          strokeOpacity="0.5"
        />
      </svg>
    </div>
  );
}
