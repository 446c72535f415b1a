import {
  type DurationOnWire,
  lengthOf,
  PRICE_MAX,
  PRICE_MIN,
  PRODUCT_CATEGORIES,
  PRODUCT_TEXT_KEYS,
  PRODUCT_TEXTS,
  TITLE_MAX,
} from "@sesame/contract/catalogue";
import { useQuery } from "@tanstack/react-query";
import { formatFcfa, formatNumber } from "../../../lib/format.ts";
import { durationsQuery, plansQuery } from "../../../lib/resources.ts";
import { useUser } from "../../../lib/use-seller.ts";
import { Button } from "../../../kit/button.tsx";
import { type Choice, ChipField, SelectField, TextArea, TextField } from "../../../kit/field.tsx";
import { Line, Text } from "../../../kit/layout.tsx";
import { catalogueCopy } from "../messages.fr.ts";
import { KEEP_DURATION, type ProductFormState, splitOf } from "../form.ts";

const copy = catalogueCopy.form;

export type FieldsProps = {
  readonly form: ProductFormState;
  /** The label of a duration that is no longer offered, when editing. */
  readonly keptDuration: string | null;
  onChange(form: ProductFormState): void;
};

export function ProductFields({ form, keptDuration, onChange }: FieldsProps) {
  const set = (part: Partial<ProductFormState>) => onChange({ ...form, ...part });
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
      <PriceField price={form.price} onChange={(price) => set({ price })} />
      <DurationField
        value={form.duration}
        kept={keptDuration}
        onChange={(duration) => set({ duration })}
      />
      {PRODUCT_TEXT_KEYS.map((key) => {
        const { label, max } = PRODUCT_TEXTS[key];
        const length = lengthOf(form[key]);
        return (
          <TextArea
            key={key}
            label={label}
            value={form[key]}
            max={max}
            length={length}
            counterLabel={copy.counter(length, max)}
            onChange={(text) => set({ [key]: text })}
          />
        );
      })}
      <SelectField
        label={copy.category}
        value={form.category}
        choices={PRODUCT_CATEGORIES.map((value) => ({
          value,
          label: catalogueCopy.category[value] ?? value,
        }))}
        onChange={(category) => set({ category })}
      />
      <TextField
        label={copy.stock}
        hint={copy.stockHint}
        value={form.stock}
        inputMode="numeric"
        placeholder={catalogueCopy.card.unlimited}
        maxLength={9}
        onChange={(stock) => set({ stock: stock.replace(/\D/g, "") })}
      />
    </>
  );
}

function PriceField(props: { price: string; onChange(price: string): void }) {
  const user = useUser();
  const plans = useQuery(plansQuery);
  const terms = plans.data?.plans?.find(
    (each) => each.type_plan === (user?.type_plan ?? "gratuit"),
  );
  const split = splitOf(props.price, terms?.fee_percent ?? null);
  const digits = props.price.replace(/\D/g, "");
  return (
    <TextField
      label={copy.price}
      value={digits === "" ? "" : formatNumber(Number(digits))}
      placeholder={copy.pricePlaceholder}
      inputMode="numeric"
      suffix={copy.franc}
      maxLength={13}
      required
      hint={
        split
          ? copy.youReceive(formatFcfa(split.net), formatFcfa(split.fee))
          : copy.priceRange(formatNumber(Number(PRICE_MIN)), formatFcfa(Number(PRICE_MAX)))
      }
      onChange={(text) => props.onChange(text.replace(/\D/g, "").slice(0, 9))}
    />
  );
}

function DurationField(props: {
  value: string;
  kept: string | null;
  onChange(duration: string): void;
}) {
  const durations = useQuery(durationsQuery);
  if (durations.isPending)
    return (
      <Text size="small" tone="soft">
        {copy.durationsLoading}
      </Text>
    );
  if (!durations.data) {
    return (
      <Line between role="alert">
        <Text tone="brick">{copy.durationsFailed}</Text>
        <Button size="small" look="tinted" onClick={() => void durations.refetch()}>
          {catalogueCopy.retry}
        </Button>
      </Line>
    );
  }
  return (
    <ChipField
      label={copy.duration}
      required
      value={props.value}
      choices={choicesOf(durations.data, props.kept)}
      onChange={props.onChange}
    />
  );
}

function choicesOf(durations: readonly DurationOnWire[], kept: string | null): Choice[] {
  const offered = durations
    .filter((option) => option.active)
    .map((option) => ({
      value: option.id,
      label: option.display_name || option.label,
      ...(option.discount > 0 ? { note: copy.discount(option.discount) } : {}),
    }));
  return kept === null
    ? offered
    : [{ value: KEEP_DURATION, label: copy.keepDuration(kept) }, ...offered];
}
