import { useId } from "react";
import styles from "./controls.module.css";

/** One of several filters of a list, on one line that scrolls sideways. */
export function FilterChips<V extends string>(props: {
  label: string;
  choices: readonly { readonly value: V; readonly label: string }[];
  value: NoInfer<V>;
  onChange(value: NoInfer<V>): void;
}) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={props.label} className={styles.line}>
      {props.choices.map(({ value, label }) => (
        <label key={value} className={styles.filter}>
          <input
            type="radio"
            className="only-heard"
            name={name}
            value={value}
            checked={value === props.value}
            onChange={(event) => {
              event.target.parentElement?.scrollIntoView({ inline: "nearest", block: "nearest" });
              props.onChange(value);
            }}
          />
          {label}
        </label>
      ))}
    </div>
  );
}
