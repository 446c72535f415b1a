import { type ComponentProps, type ReactNode, useId } from "react";
import { formatNumber } from "../lib/format.ts";
import { type ChoicesOf, listed, Options } from "./choices.tsx";
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

/** Attributes of the input, whatever its type. */
type Control = Pick<
  ComponentProps<"input">,
  "id" | "value" | "required" | "aria-invalid" | "aria-describedby"
> & { onChange(event: { readonly target: { readonly value: string } }): void };

function Frame(props: Shared & { aside?: ReactNode; children(control: Control): ReactNode }) {
  const { label, hint, error, required, value } = props;
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <Stack gap={2} data-wrong={error ? "" : undefined}>
      <Line between>
        <Text as="label" htmlFor={id} size="small" tone="soft" strong>
          {label}
          {required ? <span aria-hidden="true"> *</span> : null}
        </Text>
        {props.aside}
      </Line>
      <div className={styles.box}>
        {props.children({
          id,
          value,
          required,
          "aria-invalid": error ? true : undefined,
          "aria-describedby": error || hint ? hintId : undefined,
          onChange: (event) => props.onChange(event.target.value),
        })}
      </div>
      <Hint {...props} id={hintId} />
    </Stack>
  );
}

function Hint({ id, error, hint }: Pick<Shared, "hint" | "error"> & { id: string }) {
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

/** Within this many characters of its end, a long text shows its length. */
const NEAR_END = 20;

export function TextField(
  props: Shared & {
    placeholder?: string | undefined;
    maxLength?: number | undefined;
    inputMode?: "text" | "numeric" | "tel" | "email";
    suffix?: string | undefined;
    autoComplete?: string;
    /** Nobody reads it over a shoulder, and the browser does not keep it. */
    secret?: boolean;
    /** A day, 2026-11-26, between these, both included. */
    date?: { readonly min?: string; readonly max?: string } | undefined;
  },
) {
  const { maxLength: max = 0, value } = props;
  const isNearEnd = max >= 100 && value.length >= max - NEAR_END;
  const counter = isNearEnd ? <Counter length={value.length} max={max} /> : undefined;
  return (
    <Frame {...props} aside={counter}>
      {(control) => (
        <>
          <input
            {...control}
            type={props.secret ? "password" : props.date ? "date" : "text"}
            className={styles.input}
            {...props.date}
            placeholder={props.placeholder}
            maxLength={props.maxLength}
            inputMode={props.inputMode ?? "text"}
            autoComplete={props.autoComplete ?? (props.secret ? "new-password" : "off")}
          />
          {props.suffix ? <span className={styles.suffix}>{props.suffix}</span> : null}
        </>
      )}
    </Frame>
  );
}

/**
 * Whole francs, grouped as they are typed, nine digits at most. What is no whole number stays as it was
 * typed, with an error below: 12.5 is not 125.
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

/** `length`: its characters; absent, they are counted as people and the server count them. */
export function TextArea(props: Shared & { max: number; length?: number }) {
  const { length = [...props.value].length } = props;
  return (
    <Frame {...props} aside={<Counter length={length} max={props.max} />}>
      {(control) => <textarea {...control} className={styles.area} rows={4} />}
    </Frame>
  );
}

export function SelectField(props: Shared & { choices: ChoicesOf; empty?: string | undefined }) {
  return (
    <Frame {...props}>
      {(control) => (
        <select {...control} className={styles.input}>
          {props.empty === undefined ? null : <option value="">{props.empty}</option>}
          {listed(props.choices).map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Frame>
  );
}

/** A few choices side by side, one of them chosen; or `many`, with commas between them. */
export function ChipField(props: Shared & { choices: ChoicesOf; many?: boolean }) {
  const hintId = useId();
  const { label, required, many, value, error, hint, choices, onChange } = props;
  const chosen = many ? value.split(",").filter(Boolean) : [value];
  const toggled = (one: string) =>
    (chosen.includes(one) ? chosen.filter((each) => each !== one) : [...chosen, one]).join();
  return (
    <Stack as="fieldset" gap={2} aria-describedby={error || hint ? hintId : undefined}>
      <Text as="legend" size="small" tone="soft" strong>
        {label}
        {required ? <span aria-hidden="true"> *</span> : null}
      </Text>
      <div className={styles.chips}>
        <Options
          choices={choices}
          many={many}
          className={styles.chip}
          isChosen={(each) => chosen.includes(each)}
          onChoose={(one) => onChange(many ? toggled(one) : one)}
        />
      </div>
      <Hint {...props} id={hintId} />
    </Stack>
  );
}
