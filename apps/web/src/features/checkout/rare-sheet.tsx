import { useState } from "react";
import common from "../../kit/buyer.module.css";
import { sayError } from "../../lib/request.ts";
import styles from "./checkout.module.css";
import { checkoutCopy } from "./messages.fr.ts";

// What the sheets a buyer rarely opens have in common: fetched with the first of them.

/** One of a few. */
export function Choices<T extends string | number>(props: {
  legend: string;
  of: readonly (readonly [value: T, label: string])[];
  chosen: T | null;
  disabled?: boolean;
  /** Short ones, beside each other. */
  side?: boolean;
  onChoose(value: T): void;
}) {
  return (
    <fieldset className={props.side ? styles.amounts : styles.choices} disabled={props.disabled}>
      <legend className={styles.hidden}>{props.legend}</legend>
      {props.of.map(([value, label]) => (
        <label key={value} className={styles.choice}>
          <input
            type="radio"
            name="choice"
            value={value}
            checked={props.chosen === value}
            onChange={() => props.onChoose(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Words that may be added. */
export function Words(props: {
  label: string;
  rows: number;
  max: number;
  value: string;
  onChange(value: string): void;
}) {
  const { label, rows, max, value } = props;
  return (
    <textarea
      className={common.field}
      aria-label={label}
      placeholder={label}
      rows={rows}
      maxLength={max}
      value={value}
      onChange={(event) => props.onChange(event.target.value)}
    />
  );
}

/** What is wrong, and the button. */
export function SendButton(props: {
  label: string;
  complaint: string | null;
  busy?: boolean;
  onSend(): void;
}) {
  return (
    <>
      <p className={common.complaint} role="alert">
        {props.complaint}
      </p>
      <button
        className={common.action}
        type="button"
        aria-busy={props.busy ?? false}
        onClick={props.onSend}
      >
        {props.label}
      </button>
    </>
  );
}

export function CloseButton({ onClose }: { onClose(): void }) {
  return (
    <button className={common.plain} type="button" onClick={onClose}>
      {checkoutCopy.close}
    </button>
  );
}

type Sending = {
  readonly busy: boolean;
  readonly complaint: string | null;
  /** One at a time; what goes wrong is said in the server's words. */
  run(send: () => Promise<unknown>): Promise<void>;
};

export function useSending(failed: string = checkoutCopy.care.failed): Sending {
  const [state, setState] = useState({ busy: false, complaint: null as string | null });
  return {
    ...state,
    async run(send) {
      if (state.busy) return;
      setState({ busy: true, complaint: null });
      try {
        await send();
        setState({ busy: false, complaint: null });
      } catch (error) {
        setState({ busy: false, complaint: sayError(error, failed) });
      }
    },
  };
}
