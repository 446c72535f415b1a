import { useState } from "react";
import styles from "./avatar.module.css";
import { classes } from "./classes.ts";

const HUES = ["h0", "h1", "h2", "h3", "h4", "h5"] as const;

/** A picture, or the initials on a colour that stays the same for the same name. */
export function Avatar(props: { name: string; photo?: string | null; size?: number }) {
  const { name, photo, size = 42 } = props;
  const [broken, setBroken] = useState(false);
  return (
    <span
      data-avatar=""
      // Drawn, not written: a name stands beside them.
      data-letters={photo && !broken ? undefined : initialsOf(name)}
      className={classes(styles.avatar, styles[hueOf(name)])}
      style={{ width: size, height: size, fontSize: size * 0.4 }}
      aria-hidden="true"
    >
      {photo && !broken ? <img src={photo} alt="" onError={() => setBroken(true)} /> : null}
    </span>
  );
}

function hueOf(name: string): (typeof HUES)[number] {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973;
  return HUES[sum % HUES.length] ?? "h0";
}

function initialsOf(name: string): string {
  const words = name.split(/[\s·—–-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words
    .slice(0, 2)
    .map((word) => [...word].find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? "")
    .join("")
    .toUpperCase();
}
