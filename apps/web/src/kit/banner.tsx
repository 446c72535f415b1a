import type { ReactNode } from "react";
import styles from "./content.module.css";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icons.tsx";

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
