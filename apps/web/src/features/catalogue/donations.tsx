import {
  DESCRIPTION_MAX,
  isPriceAllowed,
  lengthOf,
  missingFields,
  PRICE_MAX,
  PRICE_MIN,
  type ProductOnWire,
  REQUIRED_FOR_DONATION,
  readPrice,
  REQUIRED_FIELD_NAMES,
  readSuggestions,
  SUGGESTIONS_MAX,
  TITLE_MAX,
} from "@sesame/contract/catalogue";
import { useId, useState } from "react";
import { formatFcfa, formatNumber } from "../../lib/format.ts";
import { useProducts } from "../../lib/use-seller.ts";
import { Button } from "../../kit/button.tsx";
import { Empty, NotYet, Page } from "../../kit/screen.tsx";
import { Cell, Grid, Section, Stack, Text } from "../../kit/layout.tsx";
import { kitCopy } from "../../kit/messages.fr.ts";
import { type Asks, Field, Fields, useForm } from "../../kit/use-form.tsx";
import { donationCopy as copy } from "./donation-messages.fr.ts";
import { PRICE_RANGE } from "./form.ts";
import { catalogueCopy } from "./messages.fr.ts";
import { ImageField, isChanged, ProductFormPage } from "./product-form.tsx";
import { Note } from "../../kit/records.tsx";

/** Tile Donation (decision 45): the seller's dons, or the form of the first. */
export function Donations() {
  const products = useProducts();
  const [creating, setCreating] = useState(false);
  if (creating) return <DonationForm product={null} />;
  const dons = products.data?.filter(({ kind }) => kind === "donation");
  const create = (
    <Button icon="plus" onClick={() => setCreating(true)}>
      {copy.create}
    </Button>
  );
  return (
    <Page title={copy.title} subtitle={copy.subtitle}>
      {dons?.length === 0 ? (
        <Empty of={["coins", catalogueCopy.donation.historyNone, copy.noneText]}>{create}</Empty>
      ) : dons ? (
        <>
          <Section title={copy.yours}>
            {dons.map((don) => (
              <Cell
                key={don.id}
                icon="star"
                title={don.title}
                subtitle={catalogueCopy.donation.gifts(formatNumber(don.sales), don.sales > 1)}
                after={formatFcfa(don.revenue_net)}
                href={`/ProductCard/${don.id}`}
              />
            ))}
          </Section>
          {create}
        </>
      ) : (
        <NotYet query={products} copy={{ ...catalogueCopy, loading: copy.loading }} rows={3} />
      )}
    </Page>
  );
}

/** `minimum`: digits alone. `suggestions`: as many as may be offered, joined by commas. */
type DonationWords = Readonly<Record<"title" | "message" | "minimum" | "suggestions", string>>;

/** What most sellers would choose: it can be published as it is, once it has a title. */
export const NEW_DONATION: DonationWords = {
  title: "",
  message: "",
  minimum: "500",
  suggestions: "1000,2000,5000",
};

export function donationFormOf(product: ProductOnWire): DonationWords {
  return {
    title: product.title,
    message: product.description,
    minimum: String(product.price),
    suggestions: product.suggestions.join(","),
  };
}

/** A don's price is its minimum. */
const NAMES = { ...REQUIRED_FIELD_NAMES, price: copy.minimum };

/** Why the form cannot be sent yet; null when it can. */
export function donationLack(form: DonationWords): string | null {
  const fields = { title: form.title, price: form.minimum, duration: "", hasImage: false };
  const names = missingFields(fields, REQUIRED_FOR_DONATION);
  if (names.length > 0) return kitCopy.missing(names.map((name) => NAMES[name]));
  if (lengthOf(form.message) > DESCRIPTION_MAX) {
    return kitCopy.wrong(copy.message, kitCopy.tooLong(DESCRIPTION_MAX));
  }
  const minimum = readPrice(form.minimum);
  const most = formatFcfa(Number(PRICE_MAX));
  if (minimum === null || !isPriceAllowed(minimum)) {
    return copy.badMinimum(formatNumber(Number(PRICE_MIN)), most);
  }
  const offered = readSuggestions(form.suggestions, minimum);
  return offered ? null : copy.badSuggestion(formatNumber(Number(minimum)), most);
}

export function donationBody(form: DonationWords, image: Blob | null, isNew: boolean): FormData {
  const body = new FormData();
  if (isNew) body.set("kind", "donation");
  body.set("title", form.title.trim());
  body.set("price", form.minimum);
  body.set("description", form.message);
  body.set("suggestions", form.suggestions.split(",").filter(Boolean).join(","));
  if (image) body.set("image", image, "image");
  return body;
}

const ASKS: Asks<keyof DonationWords> = {
  title: { label: NAMES.title, placeholder: copy.namePlaceholder, max: TITLE_MAX, required: true },
  message: { label: copy.message, kind: "words", max: DESCRIPTION_MAX },
  minimum: {
    label: copy.minimum,
    kind: "francs",
    required: true,
    hint: PRICE_RANGE,
  },
  suggestions: {
    label: catalogueCopy.donation.suggestions,
    field: (value, onChange) => <Suggestions value={value} onChange={onChange} />,
  },
};

/** Creates a donation or changes one: the same fields. */
export function DonationForm({ product }: { product: ProductOnWire | null }) {
  const [begun] = useState(() => (product ? donationFormOf(product) : NEW_DONATION));
  const [image, setImage] = useState<Blob | null>(null);
  const form = useForm(ASKS, begun);
  return (
    <ProductFormPage
      product={product}
      words={product ? copy.edit : copy.new}
      subtitle={product ? undefined : copy.subtitle}
      changed={image !== null || isChanged(form.values, begun)}
      lack={donationLack(form.values)}
      content={[JSON.stringify(form.values), image]}
      body={() => donationBody(form.values, image, product === null)}
    >
      <Fields form={form} />
      <ImageField
        image={image}
        current={product?.image_url ?? null}
        label={copy.image}
        onChange={setImage}
      />
    </ProductFormPage>
  );
}

/** One place for each amount that may be offered. */
function Suggestions({ value, onChange }: { value: string; onChange(value: string): void }) {
  const id = useId();
  const typed = value.split(",");
  const places = Array.from({ length: SUGGESTIONS_MAX }, (_, nth) => typed[nth] ?? "");
  return (
    <Stack as="fieldset" gap={2} aria-describedby={id}>
      <Text as="legend" strong>
        {catalogueCopy.donation.suggestions}
      </Text>
      <Grid>
        {places.map((amount, nth) => (
          <Field
            // biome-ignore lint/suspicious/noArrayIndexKey: as many places, always the same
            key={nth}
            ask={{ label: copy.suggestion(nth + 1), kind: "francs" }}
            value={amount}
            onChange={(digits) => onChange(places.with(nth, digits).join(","))}
          />
        ))}
      </Grid>
      <Note id={id}>{copy.suggestionsHint}</Note>
    </Stack>
  );
}
