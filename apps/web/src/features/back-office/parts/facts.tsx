import styles from "./facts.module.css";

export type Fact = readonly [label: string, value: string];

/** What would be a tower of words in half the width. */
const LONG = 40;

/** Names and values, two by two where there is room. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([label, value]) => (
        <div key={label} data-long={value.length > LONG || undefined}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
