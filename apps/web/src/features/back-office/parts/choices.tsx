import { useId } from "react";
import styles from "./sheet.module.css";

/** One of a few decisions, each with what it means. */
export function Choices<V extends string>(props: {
  readonly legend: string;
  readonly choices: readonly {
    readonly value: V;
    readonly label: string;
    readonly hint?: string;
  }[];
  readonly value: NoInfer<V> | null;
  onChange(value: NoInfer<V>): void;
}) {
  const name = useId();
  return (
    <fieldset className={styles.choices}>
      <legend className="only-heard">{props.legend}</legend>
      {props.choices.map(({ value, label, hint }) => (
        <label key={value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            checked={value === props.value}
            onChange={() => props.onChange(value)}
          />
          <span>
            <strong>{label}</strong>
            {hint === undefined ? null : <small>{hint}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
