import type { ReactNode } from "react";
import { Drawing, type DrawingName } from "./drawings.tsx";
import styles from "./content.module.css";

/** Nothing here yet: what it is, and what to do next. */
export function EmptyState(props: {
  drawing: DrawingName;
  title: string;
  text?: string;
  action?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <Drawing name={props.drawing} />
      <h2 className={styles.title}>{props.title}</h2>
      {props.text ? <p className={styles.text}>{props.text}</p> : null}
      {props.action ? <div className={styles.action}>{props.action}</div> : null}
    </div>
  );
}
