import type { ReactNode } from "react";
import styles from "./content.module.css";

export type Fact = { readonly name: string; readonly value: ReactNode; readonly strong?: boolean };

/** Names and values of one thing, one line each; a long value goes below its name. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value, strong }) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd data-strong={strong || undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
