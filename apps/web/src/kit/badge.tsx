import { Icon, type IconName } from "./icons.tsx";
import type { ReactNode } from "react";
import styles from "./content.module.css";
import { classes } from "../lib/text.ts";

export type BadgeTone = "positive" | "warning" | "danger" | "accent" | "neutral" | "on-brand";

export function Badge({ tone, children }: { tone: BadgeTone; children: ReactNode }) {
  return <span className={classes(styles.badge, styles[tone])}>{children}</span>;
}

/** A word above the content that stays until its cause is gone. */
export function Banner(props: {
  tone: "warning" | "danger" | "accent";
  icon: IconName;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classes(styles.banner, styles[props.tone])} role="status">
      <Icon name={props.icon} size={20} />
      <div className={styles.words}>{props.children}</div>
      {props.action}
    </div>
  );
}
