import { type ComponentProps, type ReactNode, useId } from "react";
import { haptic } from "../telegram/native.ts";
import { Switch } from "./button.tsx";
import styles from "./controls.module.css";
import { Icon } from "./icons.tsx";
import { Cell, type CellProps, Section, Text } from "./layout.tsx";
import type { Ask } from "./use-form.tsx";

export type Choice<V extends string = string> = {
  readonly value: V;
  readonly label: string;
  /** What it means, below it. */
  readonly hint?: ReactNode;
  /** Beside it, small. */
  readonly note?: string | undefined;
  /** How many there are, over it. */
  readonly count?: number | string;
  readonly alarm?: boolean;
};

/** A list, or words by value in the order they are shown. */
export type ChoicesOf<V extends string = string> =
  | readonly Choice<V>[]
  | Readonly<Record<V, string>>;

export function listed<V extends string>(choices: ChoicesOf<V>): readonly Choice<V>[] {
  if (Array.isArray(choices)) return choices;
  const words = Object.entries(choices as Readonly<Record<V, string>>) as [V, string][];
  return words.map(([value, label]) => ({ value, label }));
}

/** Radio buttons, or check boxes where `many` are chosen; `shown`: with their own marks. */
export function Options<V extends string>(props: {
  choices: ChoicesOf<V>;
  isChosen(value: V): boolean;
  className: string | undefined;
  many?: boolean | undefined;
  shown?: boolean;
  onChoose(value: V): void;
}) {
  const name = useId();
  return listed(props.choices).map(({ value, label, hint, note, count, alarm }) => (
    <label key={value} className={props.className} data-alarm={alarm || undefined}>
      <input
        type={props.many ? "checkbox" : "radio"}
        className={props.shown ? undefined : "visually-hidden"}
        name={name}
        value={value}
        checked={props.isChosen(value)}
        onChange={(event) => {
          event.target.parentElement?.scrollIntoView({ inline: "nearest", block: "nearest" });
          haptic("selection");
          props.onChoose(value);
        }}
      />
      <span>
        {props.shown ? <strong>{label}</strong> : label}
        {hint === undefined ? null : (
          <Text as="small" size="small" tone="soft" block>
            {hint}
          </Text>
        )}
      </span>
      {note ? <small>{note}</small> : null}
      {count === undefined ? null : <strong>{count}</strong>}
    </label>
  ));
}

type OneOf<V extends string> = {
  label: string;
  value: V;
  choices: ChoicesOf<NoInfer<V>>;
  onChange(value: NoInfer<V>): void;
};

function Radios<V extends string>(props: OneOf<V> & { group?: string; one?: string }) {
  const { label, choices, value, group, one, onChange } = props;
  return (
    <div role="radiogroup" aria-label={label} className={group}>
      <Options
        choices={choices}
        className={one}
        isChosen={(each) => each === value}
        onChoose={onChange}
      />
    </div>
  );
}

/** One of several filters of a list, on one line that scrolls sideways. */
export function FilterChips<V extends string>(props: OneOf<V>) {
  return <Radios {...props} group={styles.line} one={styles.filter} />;
}

/** One of a few views of one thing. */
export function Segmented<V extends string>(props: OneOf<V>) {
  return <Radios {...props} group={styles.track} one={styles.segment} />;
}

/** A row with a switch at its end, which its title names unless `title` is given. */
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
