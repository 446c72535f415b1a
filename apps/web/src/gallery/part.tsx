import type { ReactNode } from "react";
import styles from "./gallery.module.css";

/** One picture of the comparison: `name` is its file's. */
export function Part(props: { name: string; title: string; children: ReactNode }) {
  return (
    <section className={styles.part} data-part={props.name}>
      <h2 className={styles.partTitle}>{props.title}</h2>
      {props.children}
    </section>
  );
}
