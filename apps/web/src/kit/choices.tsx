import { type ComponentProps, type ReactNode, useId } from "react";
import { haptic } from "../telegram/native.ts";
import { Switch } from "./button.tsx";
import styles from "./controls.module.css";
import { Icon } from "./icons.tsx";
import { Cell, type CellProps, Section } from "./section.tsx";
import type { Ask } from "./use-form.tsx";

type Choosing<V extends string> = {
  label: string;
  value: V;
  onChange(value: NoInfer<V>): void;
};
type Choices<V extends string> = readonly {
  readonly value: V;
  readonly label: string;
  /** How many are there, over it. */
  readonly count?: number | string;
  readonly alarm?: boolean;
}[];

function Radios<V extends string>(
  props: Choosing<V> & { choices: Choices<NoInfer<V>>; group?: string; one?: string },
) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={props.label} className={props.group}>
      {props.choices.map(({ value, label, count, alarm }) => (
        <label key={value} className={props.one} data-alarm={alarm || undefined}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={value}
            checked={value === props.value}
            onChange={(event) => {
              event.target.parentElement?.scrollIntoView({ inline: "nearest", block: "nearest" });
              haptic("selection");
              props.onChange(value);
            }}
          />
          <span>{label}</span>
          {count === undefined ? null : <strong>{count}</strong>}
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

/** A row with a switch at its end, which its title names unless `title` says more. */
export function SwitchCell(
  props: Omit<CellProps, "title" | "after"> & ComponentProps<typeof Switch> & { title?: ReactNode },
) {
  const { label, checked, disabled = false, onChange, title = label, ...cell } = props;
  const say = { label, checked, disabled, onChange };
  return <Cell title={title} {...cell} after={<Switch {...say} />} />;
}

/** A switch as a field of a form: "1" when it is on. `words`: what is on, and what is off. */
export function switchField(of: {
  label: string;
  hint?: string | undefined;
  words?: readonly [on: string, off: string];
}): Ask {
  const { label, hint, words = [label, label] } = of;
  return {
    label,
    field: (value, onChange) => (
      <Section footer={hint}>
        <SwitchCell
          title={words[value === "" ? 1 : 0]}
          label={label}
          checked={value !== ""}
          onChange={(checked) => onChange(checked ? "1" : "")}
        />
      </Section>
    ),
  };
}

export function SearchField(props: {
  label: string;
  placeholder?: string;
  value: string;
  onChange(value: string): void;
}) {
  return (
    <div className={styles.search}>
      <Icon name="search" size={20} />
      <input
        type="search"
        className={styles.input}
        aria-label={props.label}
        placeholder={props.placeholder ?? props.label}
        value={props.value}
        enterKeyHint="search"
        autoComplete="off"
        onChange={(event) => props.onChange(event.target.value)}
      />
    </div>
  );
}
