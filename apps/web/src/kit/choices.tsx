import { useId } from "react";
import styles from "./controls.module.css";

type Choosing<V extends string> = {
  label: string;
  value: V;
  onChange(value: NoInfer<V>): void;
};
type Choices<V extends string> = readonly { readonly value: V; readonly label: string }[];

function Radios<V extends string>(
  props: Choosing<V> & { choices: Choices<NoInfer<V>>; group?: string; one?: string },
) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={props.label} className={props.group}>
      {props.choices.map(({ value, label }) => (
        <label key={value} className={props.one}>
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

/** One of several filters of a list, on one line that scrolls sideways. */
export function FilterChips<V extends string>(
  props: Choosing<V> & { choices: Choices<NoInfer<V>> },
) {
  return <Radios {...props} group={styles.line} one={styles.filter} />;
}

/** One of a few views of the same thing. */
export function Segmented<V extends string>({
  segments,
  ...props
}: Choosing<V> & { segments: Choices<NoInfer<V>> }) {
  return <Radios {...props} choices={segments} group={styles.track} one={styles.segment} />;
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
