import type { ReactNode } from "react";
import styles from "./app.module.css";
import { appCopy as copy } from "./messages.fr.ts";
import { Stack } from "../kit/layout.tsx";

/** The frame around every screen. `over`: stands above them all. */
export function Ground(props: { full?: boolean; over?: ReactNode; children: ReactNode }) {
  return (
    <>
      <a href="#content" className={styles.skip}>
        {copy.skip}
      </a>
      <main id="content" tabIndex={-1} className={props.full ? styles.full : styles.content}>
        {props.over ? <Stack page>{props.over}</Stack> : null}
        {props.children}
      </main>
    </>
  );
}
