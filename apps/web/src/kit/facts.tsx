import type { ReactNode } from "react";
import styles from "./content.module.css";

/** A name and its value; without a value it is left out. `strong`: a total. */
export type Fact = readonly [
  name: string,
  value: ReactNode | null | undefined | false,
  strong?: boolean,
];

/** Names and values of one thing, one line each; a long value goes below its name. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value, strong]) =>
        value || value === 0 ? (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd data-strong={strong || undefined}>{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
