import type { ReactNode } from "react";
import styles from "./drawings.module.css";

export type DrawingName =
  | "door"
  | "product"
  | "group"
  | "receipt"
  | "search"
  | "phone"
  | "link"
  | "coins"
  | "broken";

/** Small pictures in two tones, drawn for light and dark alike. */
export function Drawing({ name, size = 120 }: { name: DrawingName; size?: number }) {
  return (
    <svg
      className={styles.drawing}
      width={size}
      height={size}
      viewBox="0 0 120 120"
      aria-hidden="true"
      focusable="false"
    >
      <circle cx="60" cy="60" r="52" className={styles.ground} />
      {SHAPES[name]}
    </svg>
  );
}

const SHAPES: Record<DrawingName, ReactNode> = {
  door: (
    <>
      <path d="M38 92V52a22 22 0 0 1 44 0v40z" className={styles.soft} />
      <path d="M38 92V52a22 22 0 0 1 22-22l12 12v50z" className={styles.strong} />
      <circle cx="66" cy="64" r="3.4" className={styles.paper} />
      <path d="M30 92h60" className={styles.line} />
    </>
  ),
  product: (
    <>
      <rect x="34" y="40" width="52" height="46" rx="9" className={styles.strong} />
      <path d="M48 50v-8a12 12 0 0 1 24 0v8" className={styles.line} />
      <path d="M60 58v16M52 66h16" className={styles.paperLine} />
      <circle cx="90" cy="38" r="8" className={styles.soft} />
    </>
  ),
  group: (
    <>
      <circle cx="44" cy="52" r="11" className={styles.soft} />
      <path d="M26 84c0-11 8-18 18-18s18 7 18 18z" className={styles.soft} />
      <circle cx="70" cy="48" r="14" className={styles.strong} />
      <path d="M47 90c0-14 10-23 23-23s23 9 23 23z" className={styles.strong} />
      <path d="M70 72v12M64 78h12" className={styles.paperLine} />
    </>
  ),
  receipt: (
    <>
      <path d="M40 30h40v58l-6.7-5-6.6 5-6.7-5-6.7 5-6.6-5L40 88z" className={styles.strong} />
      <path d="M49 46h22M49 57h22M49 68h13" className={styles.paperLine} />
    </>
  ),
  search: (
    <>
      <circle cx="55" cy="55" r="21" className={styles.soft} />
      <circle cx="55" cy="55" r="21" className={styles.thickLine} />
      <path d="M71 71l16 16" className={styles.thickLine} />
    </>
  ),
  phone: (
    <>
      <rect x="42" y="26" width="36" height="68" rx="9" className={styles.strong} />
      <rect x="47" y="34" width="26" height="46" rx="4" className={styles.paper} />
      <path d="M71 45 52 53l6.5 2.3L61 62.5l3.5-4.3 5 3.5z" className={styles.strong} />
      <circle cx="60" cy="87" r="3" className={styles.paper} />
    </>
  ),
  link: (
    <>
      <rect x="28" y="50" width="38" height="24" rx="12" className={styles.thickLine} />
      <rect x="54" y="46" width="38" height="24" rx="12" className={styles.softLine} />
    </>
  ),
  coins: (
    <>
      <ellipse cx="52" cy="80" rx="24" ry="9" className={styles.soft} />
      <ellipse cx="52" cy="70" rx="24" ry="9" className={styles.strong} />
      <ellipse cx="52" cy="60" rx="24" ry="9" className={styles.soft} />
      <circle cx="76" cy="46" r="18" className={styles.strong} />
      <path d="M71 40h11M71 46h8M71 40v14" className={styles.paperLine} />
    </>
  ),
  broken: (
    <>
      <path
        d="M34 44a8 8 0 0 1 8-8h36a8 8 0 0 1 8 8v34a8 8 0 0 1-8 8H42a8 8 0 0 1-8-8z"
        className={styles.strong}
      />
      <path d="M34 70l14-14 10 10 8-8 20 18" className={styles.paperLine} />
      <path d="M62 30 56 48l10 6-8 20" className={styles.groundLine} />
    </>
  ),
};
