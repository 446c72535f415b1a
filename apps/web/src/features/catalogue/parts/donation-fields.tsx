import {
  DESCRIPTION_MAX,
  lengthOf,
  PRICE_MAX,
  PRICE_MIN,
  TITLE_MAX,
} from "@sesame/contract/catalogue";
import { useId } from "react";
import { formatFcfa, formatNumber } from "../../../lib/format.ts";
import { TextArea, TextField } from "../../../kit/field.tsx";
import { Text } from "../../../kit/layout.tsx";
import { donationCopy as copy } from "../messages.fr.ts";
import type { DonationFormState } from "../donation-form.ts";
import styles from "../catalogue.module.css";

export function DonationFields(props: {
  form: DonationFormState;
  onChange(form: DonationFormState): void;
}) {
  const { form, onChange } = props;
  const set = (part: Partial<DonationFormState>) => onChange({ ...form, ...part });
  const length = lengthOf(form.message);
  const range = copy.minimumHint(formatNumber(Number(PRICE_MIN)), formatFcfa(Number(PRICE_MAX)));
  return (
    <>
      <TextField
        label={copy.name}
        value={form.title}
        placeholder={copy.namePlaceholder}
        maxLength={TITLE_MAX}
        required
        onChange={(title) => set({ title })}
      />
      <TextArea
        label={copy.message}
        value={form.message}
        max={DESCRIPTION_MAX}
        length={length}
        counterLabel={copy.counter(length, DESCRIPTION_MAX)}
        onChange={(message) => set({ message })}
      />
      <Amount
        label={copy.minimum}
        hint={range}
        value={form.minimum}
        required
        onChange={(minimum) => set({ minimum })}
      />
      <Suggestions offered={form.suggestions} onChange={(suggestions) => set({ suggestions })} />
    </>
  );
}

function Suggestions(props: {
  offered: readonly string[];
  onChange(suggestions: readonly string[]): void;
}) {
  const { offered, onChange } = props;
  const id = useId();
  return (
    <fieldset className={styles.offers} aria-describedby={id}>
      <legend>{copy.suggestions}</legend>
      <div>
        {offered.map((value, nth) => (
          <Amount
            // biome-ignore lint/suspicious/noArrayIndexKey: four places, always the same
            key={nth}
            label={copy.suggestion(nth + 1)}
            value={value}
            onChange={(amount) => onChange(offered.with(nth, amount))}
          />
        ))}
      </div>
      <Text size="small" tone="soft" id={id}>
        {copy.suggestionsHint}
      </Text>
    </fieldset>
  );
}

function Amount(props: {
  label: string;
  hint?: string;
  value: string;
  required?: boolean;
  onChange(digits: string): void;
}) {
  const { value, onChange, ...rest } = props;
  return (
    <TextField
      {...rest}
      value={value === "" ? "" : formatNumber(Number(value))}
      inputMode="numeric"
      suffix={copy.franc}
      maxLength={13}
      onChange={(text) => onChange(text.replace(/\D/g, "").replace(/^0+/, "").slice(0, 9))}
    />
  );
}
