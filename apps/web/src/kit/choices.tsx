import { useId } from "react";
import { classes } from "../lib/text.ts";
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

type Segment<V extends string> = { readonly value: V; readonly label: string };

/** One of a few views of the same thing. */
export function Segmented<V extends string>(props: {
  label: string;
  segments: readonly Segment<NoInfer<V>>[];
  value: V;
  onChange(value: NoInfer<V>): void;
}) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={props.label} className={styles.track}>
      {props.segments.map((segment) => {
        const chosen = segment.value === props.value;
        return (
          <label key={segment.value} className={classes(styles.segment, chosen && styles.chosen)}>
            <input
              type="radio"
              className="only-heard"
              name={name}
              value={segment.value}
              checked={chosen}
              onChange={() => props.onChange(segment.value)}
            />
            {segment.label}
          </label>
        );
      })}
    </div>
  );
}

export function Switch(props: {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChange(checked: boolean): void;
}) {
  return (
    <button
      type="button"
      role="switch"
      className={styles.switch}
      aria-checked={props.checked}
      aria-label={props.label}
      disabled={props.disabled}
      onClick={() => props.onChange(!props.checked)}
    >
      <span className={styles.knob} />
    </button>
  );
}
