import type { ReactNode } from "react";
import styles from "./content.module.css";

type Mark = { readonly ground: string; readonly ink: string; readonly shape: ReactNode };

/**
 * An operator known by its colours and a drawing of ours: nobody's logo. Decorative: its name
 * stands beside it.
 */
export function OperatorMark({ operator, size = 34 }: { operator: string; size?: number }) {
  const { ground, ink, shape } = MARKS[operator] ?? UNKNOWN;
  return (
    <svg
      className={styles.mark}
      data-avatar=""
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill={ink}
      stroke={ink}
      strokeWidth="0"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <rect width="32" height="32" rx="9" fill={ground} />
      {shape}
    </svg>
  );
}

const MARKS: Readonly<Record<string, Mark>> = {
  ORANGE: {
    ground: "#ff7900",
    ink: "#141414",
    shape: (
      <>
        <circle cx="16" cy="16" r="8.5" fill="none" strokeWidth="2.8" />
        <path d="M16 12v8M12.5 16h7" fill="none" strokeWidth="2.4" />
      </>
    ),
  },
  MTN: {
    ground: "#ffcb05",
    ink: "#1b2a4a",
    shape: (
      <>
        <ellipse cx="16" cy="16" rx="11" ry="7" fill="none" strokeWidth="2.4" />
        <circle cx="16" cy="16" r="2.6" />
      </>
    ),
  },
  MOOV: {
    ground: "#0a5fb4",
    ink: "#ffffff",
    shape: (
      <>
        <path d="M7 21V12l4.5 6 4.5-6 4.5 6 4.5-6v9" fill="none" strokeWidth="2.6" />
        <circle cx="25" cy="7.4" r="2.4" fill="#f5821f" />
      </>
    ),
  },
  WAVE: {
    ground: "#1dc3f2",
    ink: "#0b2540",
    shape: (
      <path
        d="M5 13c3.7-4 7.3-4 11 0s7.3 4 11 0M5 20c3.7-4 7.3-4 11 0s7.3 4 11 0"
        fill="none"
        strokeWidth="2.6"
      />
    ),
  },
  FREE: {
    ground: "#c8102e",
    ink: "#ffffff",
    shape: <path d="M11 25V9.5h11M11 16.5h8.5" fill="none" strokeWidth="3" />,
  },
  EXPRESSO: {
    ground: "#5b2a86",
    ink: "#f7c948",
    shape: <path d="M8 9l7 7-7 7M16.5 9l7 7-7 7" fill="none" strokeWidth="3" />,
  },
  TMONEY: {
    ground: "#0f6b4f",
    ink: "#ffd23f",
    shape: <path d="M8 10h16M16 10v14M12 24h8" fill="none" strokeWidth="3" />,
  },
};

const UNKNOWN: Mark = {
  ground: "#6b7684",
  ink: "#ffffff",
  shape: <circle cx="16" cy="16" r="5" />,
};
