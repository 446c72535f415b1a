import { type ComponentProps, type ReactNode, useState } from "react";
import { type ChoicesOf, Options } from "./choices.tsx";
import { ChipField, FrancsField, SelectField, TextArea, TextField } from "./field.tsx";
import { Stack } from "./layout.tsx";
import { kitCopy } from "./messages.fr.ts";
import styles from "./controls.module.css";

const WORDS_MAX = 500;

export type Values = Readonly<Record<string, string>>;

/** One field of a form, as data. */
export type Ask = {
  readonly label: string;
  /**
   * `words`: several lines, at most `max` characters. `choices`: each with a hint. `digits`: a whole number;
   * `francs`: a whole number in groups, FCFA after it.
   */
  readonly kind?:
    | "text"
    | "number"
    | "words"
    | "choices"
    | "chips"
    | "select"
    | "date"
    | "digits"
    | "francs";
  readonly hint?: string | undefined;
  readonly suffix?: string;
  readonly placeholder?: string;
  /** Of a `select`: the choice of nothing. */
  readonly empty?: string;
  readonly choices?: ChoicesOf;
  readonly max?: number;
  readonly initial?: string;
  /** The form is not sent without it. */
  readonly required?: boolean;
  /** The form of a number, spaces left out. */
  readonly pattern?: RegExp;
  /** The error in a sentence, from the trimmed value; null: none. */
  check?(said: string): string | null;
  /** Stands above the field. */
  readonly before?: ReactNode;
  /** Replaces the field. */
  field?(value: string, onChange: (value: string) => void): ReactNode;
};

export type Asks<K extends string> = Readonly<Record<K, Ask | false | null>>;

/** The fields of a form; a function where they depend on the values so far. */
export type FormOf<K extends string> = Asks<K> | ((values: Values) => Asks<K>);

export type FormState<K extends string> = ReturnType<typeof useForm<K>>;

/** `begun`: initial values that are not in `of`. */
export function useForm<K extends string>(of: FormOf<K>, begun: Values = {}) {
  const [typed, setTyped] = useState(begun);
  const asked = (values: Values): Asks<string> => (typeof of === "function" ? of(values) : of);
  /** A hidden field has a value too: what was typed before, or nothing. */
  const fill = (asks: Asks<string>) =>
    Object.fromEntries(
      Object.entries(asks).map(([name, ask]) => [
        name,
        typed[name] ?? (ask ? ask.initial : "") ?? "",
      ]),
    ) as Record<K, string>;
  const asks = asked(fill(asked(typed)));
  const values = fill(asks);
  const shown = Object.entries(asks).flatMap(([name, ask]) =>
    ask ? [[name as K, ask] as const] : [],
  );
  const missing = shown.filter(
    ([name, { required, check }]) => required && !check && values[name].trim() === "",
  );
  const wrong = shown.flatMap(([name, { label, kind, max = WORDS_MAX, pattern, check }]) => {
    const value = values[name].trim();
    const said = check?.(value) ?? null;
    if (said !== null) return [said];
    if (kind === "words" && [...value].length > max) {
      return [kitCopy.wrong(label, kitCopy.tooLong(max))];
    }
    const looks = kind === "francs" ? /^\d*$/ : pattern;
    const fits = value === "" || !looks || looks.test(value.replaceAll(/\s/g, ""));
    return fits ? [] : [kitCopy.wrong(label, kitCopy.whole)];
  });
  const lack = missing.length > 0 ? kitCopy.missing(missing.map(([, { label }]) => label)) : null;
  return {
    values,
    shown,
    /** Why the form cannot be sent yet: « Il manque : titre, prix », or the first error; null when it can. */
    lack: lack ?? wrong[0] ?? null,
    /** The values of the shown fields, trimmed. */
    said: Object.fromEntries(shown.map(([name]) => [name, values[name].trim()])),
    set: (name: K, value: string) => setTyped((before) => ({ ...before, [name]: value })),
    /** Back to the initial values. */
    clear: () => setTyped(begun),
  };
}

/** Sent by its button or by Enter; errors are in our words, not the browser's. */
export function Form({
  onSubmit,
  ...rest
}: Omit<ComponentProps<typeof Stack<"form">>, "as" | "onSubmit"> & { onSubmit(): void }) {
  return (
    <Stack
      as="form"
      gap={4}
      noValidate
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

export function Fields<K extends string>({ form }: { form: FormState<K> }) {
  return form.shown.map(([name, ask]) => (
    <Field key={name} ask={ask} value={form.values[name]} onChange={(to) => form.set(name, to)} />
  ));
}

export function Field(props: { ask: Ask; value: string; onChange(value: string): void }) {
  const { ask, value, onChange } = props;
  const { label, hint, placeholder, kind = "text", max, choices = [], required = false } = ask;
  const said = value.trim();
  // An empty field has no error yet.
  const error = said === "" ? null : (ask.check?.(said) ?? null);
  const shared = { label, hint, error, required, value, onChange, placeholder };
  const field = (() => {
    if (ask.field) return ask.field(value, onChange);
    switch (kind) {
      case "words":
        return <TextArea {...shared} max={max ?? WORDS_MAX} />;
      case "choices":
        return <Choices legend={label} choices={choices} value={value} onChange={onChange} />;
      case "chips":
        return <ChipField {...shared} choices={choices} />;
      case "select":
        return <SelectField {...shared} choices={choices} empty={ask.empty} />;
      case "francs":
        return <FrancsField {...shared} />;
      case "digits":
        return (
          <TextField
            {...shared}
            inputMode="numeric"
            maxLength={max ?? 13}
            onChange={(text) => onChange(text.replaceAll(/\D/g, "").slice(0, 9))}
          />
        );
      case "text":
      case "number":
      case "date":
        return (
          <TextField
            {...shared}
            inputMode={kind === "number" ? "numeric" : "text"}
            date={kind === "date" ? {} : undefined}
            maxLength={max}
            suffix={ask.suffix}
          />
        );
    }
  })();
  return (
    <>
      {ask.before}
      {field}
    </>
  );
}

/** One of a few decisions, each with its explanation. */
export function Choices(props: {
  legend: string;
  choices: ChoicesOf;
  value: string;
  disabled?: boolean;
  onChange(value: string): void;
}) {
  return (
    <Stack as="fieldset" gap={2} disabled={props.disabled}>
      <legend className="visually-hidden">{props.legend}</legend>
      <Options
        shown
        choices={props.choices}
        className={styles.choice}
        isChosen={(each) => each === props.value}
        onChoose={props.onChange}
      />
    </Stack>
  );
}

/** Digits as people type francs, « 12.500 » too; the text itself when it is no amount. */
export function readFrancs(text: string): number | string {
  const bare = text.replaceAll(/\s|\.(?=\d{3}(?!\d))/g, "");
  return /^\d{1,12}$/.test(bare) ? Number(bare) : text;
}
