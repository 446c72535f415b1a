import type { ReactNode } from "react";
import styles from "./content.module.css";
import { classes } from "./classes.ts";

export type BadgeTone = "positive" | "warning" | "danger" | "accent" | "neutral" | "on-brand";

export function Badge({ tone, children }: { tone: BadgeTone; children: ReactNode }) {
  return <span className={classes(styles.badge, styles[tone])}>{children}</span>;
}
