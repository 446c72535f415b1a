import { type ReactNode, useId } from "react";
import { formatNumber } from "../lib/format.ts";
import styles from "./controls.module.css";
import { Line, Stack, Text } from "./layout.tsx";
import { kitCopy } from "./messages.fr.ts";

type Shared = {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | null;
  readonly required?: boolean;
  readonly value: string;
  onChange(value: string): void;
};

function useIds(props: Pick<Shared, "hint" | "error">) {
  const id = useId();
  const described = props.error || props.hint ? `${id}-hint` : undefined;
  return { id, described };
}

function Frame(
  props: Pick<Shared, "label" | "hint" | "error" | "required"> & {
    id: string;
    aside?: ReactNode;
    children: ReactNode;
  },
) {
  return (
    <Stack gap={2} data-wrong={props.error ? "" : undefined}>
      <Line between>
        <Text as="label" htmlFor={props.id} size="small" tone="soft" strong>
          {props.label}
          {props.required ? <span aria-hidden="true"> *</span> : null}
        </Text>
        {props.aside}
      </Line>
      <div className={styles.box}>{props.children}</div>
      <Hint {...props} id={`${props.id}-hint`} />
    </Stack>
  );
}

function Hint({ id, error, hint }: Pick<Shared, "hint" | "error"> & { id?: string }) {
  return (
    <Text id={id} size="small" tone={error ? "brick" : "soft"}>
      {error ?? hint}
    </Text>
  );
}

function Counter({ length, max }: { length: number; max: number }) {
  return (
    <Text as="span" size="small" tone={length > max ? "brick" : "soft"}>
      <span aria-hidden="true">
        {length}/{max}
      </span>
      <span className="visually-hidden">{kitCopy.characters(length, max)}</span>
    </Text>
  );
}

/** From this many characters before the end on, a long text says how many it has. */
const NEAR_END = 20;

export function TextField(
  props: Shared & {
    placeholder?: string | undefined;
    maxLength?: number | undefined;
    inputMode?: "text" | "numeric" | "tel" | "email";
    suffix?: string | undefined;
    autoComplete?: string;
    /** Not to be read over a shoulder, nor kept by the browser. */
    secret?: boolean;
    /** A day, 2026-11-26, within these, both included. */
    date?: { readonly min?: string; readonly max?: string } | undefined;
  },
) {
  const { id, described } = useIds(props);
  const { maxLength: max = 0, value } = props;
  const isNearEnd = max >= 100 && value.length >= max - NEAR_END;
  return (
    <Frame
      {...props}
      id={id}
      aside={isNearEnd ? <Counter length={value.length} max={max} /> : undefined}
    >
      <input
        id={id}
        type={props.secret ? "password" : props.date ? "date" : "text"}
        className={styles.input}
        value={value}
        {...props.date}
        placeholder={props.placeholder}
        maxLength={props.maxLength}
        inputMode={props.inputMode ?? "text"}
        autoComplete={props.autoComplete ?? (props.secret ? "new-password" : "off")}
        required={props.required}
        aria-invalid={props.error ? true : undefined}
        aria-describedby={described}
        onChange={(event) => props.onChange(event.target.value)}
      />
      {props.suffix ? <span className={styles.suffix}>{props.suffix}</span> : null}
    </Frame>
  );
}

/**
 * Whole francs, grouped as they are typed, nine digits at most. What is no whole number stays as it was
 * typed, and is said: 12.5 is not 125.
 */
export function FrancsField(props: Shared & { placeholder?: string | undefined }) {
  const { value, onChange, ...rest } = props;
  const whole = /^\d*$/.test(value);
  return (
    <TextField
      {...rest}
      value={whole && value !== "" ? formatNumber(Number(value)) : value}
      error={whole ? (rest.error ?? null) : `${rest.label} : ${kitCopy.whole}`}
      inputMode="numeric"
      suffix={kitCopy.franc}
      maxLength={13}
      onChange={(text) => {
        const bare = text.replaceAll(/[^\d.,]/g, "");
        onChange(
          /[.,]/.test(bare) ? bare.replaceAll(",", ".") : bare.replace(/^0+/, "").slice(0, 9),
        );
      }}
    />
  );
}

/** Its characters are counted as people count them, and the server, unless they are told. */
export function TextArea(props: Shared & { max: number; length?: number }) {
  const { id, described } = useIds(props);
  const { length = [...props.value].length } = props;
  return (
    <Frame {...props} id={id} aside={<Counter length={length} max={props.max} />}>
      <textarea
        id={id}
        className={styles.area}
        rows={4}
        value={props.value}
        aria-invalid={props.error ? true : undefined}
        aria-describedby={described}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </Frame>
  );
}

export type Choice = { readonly value: string; readonly label: string; readonly note?: string };

export function SelectField(
  props: Shared & { choices: readonly Choice[]; empty?: string | undefined },
) {
  const { id, described } = useIds(props);
  return (
    <Frame {...props} id={id}>
      <select
        id={id}
        className={styles.input}
        value={props.value}
        required={props.required}
        aria-invalid={props.error ? true : undefined}
        aria-describedby={described}
        onChange={(event) => props.onChange(event.target.value)}
      >
        {props.empty === undefined ? null : <option value="">{props.empty}</option>}
        {props.choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

/** A few choices side by side, one of them chosen; or `many`, with commas between them. */
export function ChipField(props: Shared & { choices: readonly Choice[]; many?: boolean }) {
  const id = useId();
  const { many, value } = props;
  const chosen = many ? value.split(",").filter(Boolean) : [value];
  const toggled = (one: string) =>
    (chosen.includes(one) ? chosen.filter((each) => each !== one) : [...chosen, one]).join();
  return (
    <Stack as="fieldset" gap={2} data-wrong={props.error ? "" : undefined}>
      <Text as="legend" size="small" tone="soft" strong>
        {props.label}
        {props.required ? <span aria-hidden="true"> *</span> : null}
      </Text>
      <div className={styles.chips}>
        {props.choices.map((choice) => (
          <label key={choice.value} className={styles.chip}>
            <input
              type={many ? "checkbox" : "radio"}
              className="visually-hidden"
              name={id}
              value={choice.value}
              checked={chosen.includes(choice.value)}
              onChange={() => props.onChange(many ? toggled(choice.value) : choice.value)}
            />
            <span>{choice.label}</span>
            {choice.note ? <small>{choice.note}</small> : null}
          </label>
        ))}
      </div>
      <Hint {...props} />
    </Stack>
  );
}
