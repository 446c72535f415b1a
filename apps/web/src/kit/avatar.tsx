import { type ReactNode, useState } from "react";
import { initialsOf } from "../lib/text.ts";
import styles from "./content.module.css";

/** A picture, or the initials. */
export function Avatar(props: { name: string; photo?: string | null; size?: number }) {
  const { name, photo, size = 42 } = props;
  const [broken, setBroken] = useState(false);
  const shown = photo && !broken ? photo : null;
  return (
    <AvatarDisc letters={shown ? "" : initialsOf(name)} size={size}>
      {shown ? <img src={shown} alt="" onError={() => setBroken(true)} /> : null}
    </AvatarDisc>
  );
}

/** `letters`: none under a picture. */
export function AvatarDisc(props: { letters: string; size: number; children?: ReactNode }) {
  const { letters, size, children } = props;
  return (
    <span
      data-avatar=""
      // Drawn by CSS, not text of the page: a name stands beside them.
      data-letters={letters || undefined}
      className={styles.avatar}
      style={{ width: size, height: size, fontSize: size * 0.4 }}
      aria-hidden="true"
    >
      {children}
    </span>
  );
}
