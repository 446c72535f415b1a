import {
  type DurationOnWire,
  PRODUCT_TEXTS,
  type ProductOnWire,
  REQUIRED_FIELD_NAMES,
  ofTexts,
  TITLE_MAX,
} from "@sesame/contract/catalogue";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, Suspense } from "react";
import { formatFcfa } from "../../lib/format.ts";
import { durationsQuery, plansQuery } from "../../lib/resources.ts";
import { useUser, useChannels } from "../../lib/use-seller.ts";
import { Banner, Button, TintedButton } from "../../kit/button.tsx";
import { Line, Text } from "../../kit/layout.tsx";
import { kitCopy } from "../../kit/messages.fr.ts";
import { Empty, NotYet, Page } from "../../kit/screen.tsx";
import { type Asks, type Values, Fields, useForm } from "../../kit/use-form.tsx";
import {
  EMPTY_FORM,
  KEEP_DURATION,
  PRICE_RANGE,
  bodyOf,
  draftImage,
  dropDraft,
  fillForm,
  formOf,
  keepDraft,
  lackOf,
  readDraft,
  splitOf,
  templateOf,
  type ProductField,
  type ProductForm,
} from "./form.ts";
import { catalogueCopy } from "./messages.fr.ts";
import { OneProduct } from "./products.tsx";
import { type ChannelOnWire } from "@sesame/contract/groups";
import { useUserId } from "../../lib/session.ts";
import { ChipField } from "../../kit/field.tsx";
import { Waiting } from "../../kit/skeleton.tsx";
import { toast } from "../../kit/toast.tsx";
import { TEMPLATES, type TemplateId } from "./offers.fr.ts";
import { later } from "../../lib/later.ts";
import { ImageField, isChanged, ProductFormPage } from "./product-form.tsx";
import { Note } from "../../kit/records.tsx";

const copy = catalogueCopy.form;

export function NewProduct({ idGroup }: { idGroup: string }) {
  const channels = useChannels();
  const sellerId = useUserId();
  const channel = channels.data?.find(
    (each) => String(each.telegram_group_id) === idGroup || each.id === idGroup,
  );
  if (channel) return <NewForm channel={channel} place={`${sellerId}:${channel.id}`} />;
  if (channels.data) return <UnknownGroup channels={channels.data} />;
  return (
    <Page title={copy.new.title}>
      <NotYet query={channels} copy={catalogueCopy.chooser} />
    </Page>
  );
}

function UnknownGroup({ channels }: { channels: readonly ChannelOnWire[] }) {
  // Without a group to choose, the chooser opens at once and says why.
  const [choosing, setChoosing] = useState(channels.every(({ telegram_group_id: chat }) => !chat));
  return (
    <Page title={copy.new.title}>
      <Empty of={["group", copy.groupUnknown, copy.groupUnknownText]}>
        <Button onClick={() => setChoosing(true)}>{catalogueCopy.chooser.title}</Button>
      </Empty>
      {choosing ? (
        <Suspense>
          <ChooseGroup onClose={() => setChoosing(false)} />
        </Suspense>
      ) : null}
    </Page>
  );
}

function NewForm({ channel, place }: { channel: ChannelOnWire; place: string }) {
  const [begun] = useState(() => readDraft(place) ?? EMPTY_FORM);
  const form = useForm<ProductField>(useProductAsks(null), begun);
  const durations = useQuery(durationsQuery).data;
  const [image, setImage] = useState(() => draftImage(place));
  const words = JSON.stringify(form.values);
  const started = isChanged(form.values, EMPTY_FORM);
  // The texts and the picture change separately: a picture is shrunk while the seller types.
  useEffect(() => {
    if (started || image) keepDraft(place, JSON.parse(words) as ProductForm, image);
    else dropDraft(place);
  }, [place, words, image, started]);
  return (
    <ProductFormPage
      product={null}
      words={copy.new}
      subtitle={copy.for(channel.name)}
      changed={started}
      lack={lackOf(form.values, image !== null, "new")}
      content={[words, image]}
      body={() => bodyOf(form.values, image, channel.id)}
      onSent={() => dropDraft(place)}
      onLeave={() => toast(copy.new.sent)}
    >
      {channel.details.sellable ? null : (
        <Banner action={[copy.seeGroup, `/GroupeDetail/${channel.id}`]}>
          {copy.notSellable(channel.details.state_label)}
        </Banner>
      )}
      {/* Three offers to begin with (decision 44): they fill the form, and publish nothing. */}
      {durations ? (
        <ChipField
          label={copy.template}
          hint={copy.templateHint}
          value={templateOf(form.values)}
          choices={Object.entries(TEMPLATES).map(([value, { name, price }]) => ({
            value,
            label: name,
            note: formatFcfa(Number(price)),
          }))}
          onChange={(id) => {
            const filled = fillForm(form.values, TEMPLATES[id as TemplateId], durations);
            for (const [name, value] of Object.entries(filled))
              form.set(name as ProductField, value);
          }}
        />
      ) : null}
      <ImageField image={image} current={null} required onChange={setImage} />
      <Fields form={form} />
    </ProductFormPage>
  );
}

const ChooseGroup = later(() => import("./choose-group.tsx"), "ChooseGroup");

const DonationForm = later(() => import("./donations.tsx"), "DonationForm");

export function EditProduct({ id }: { id: string }) {
  return (
    <OneProduct id={id} title={copy.edit.title}>
      {(product) =>
        product.group === null ? (
          <Suspense fallback={<Waiting />}>
            <DonationForm key={product.id} product={product} />
          </Suspense>
        ) : (
          <EditForm key={product.id} product={product} />
        )
      }
    </OneProduct>
  );
}

function EditForm({ product }: { product: ProductOnWire }) {
  const [begun] = useState(() => ({ ...formOf(product), group: product.group_id ?? "" }));
  const [image, setImage] = useState<Blob | null>(null);
  const asks = useProductAsks(begun.duration === KEEP_DURATION ? product.duration_label : null);
  const channels = useChannels().data?.filter((channel) => channel.telegram_group_id) ?? [];
  const form = useForm<keyof typeof begun>(
    (values) => ({
      ...asks(values),
      // A §2: the group is optional here. Sales from now on open the chosen group.
      group: channels.length > 1 && {
        label: catalogueCopy.list.groupLabel,
        kind: "select",
        hint: copy.groupHint,
        choices: channels.map(({ id, name }) => ({ value: id, label: name })),
      },
    }),
    begun,
  );
  const { group } = form.values;
  return (
    <ProductFormPage
      product={product}
      words={copy.edit}
      subtitle={copy.for(product.group?.name ?? "")}
      changed={image !== null || isChanged(form.values, begun)}
      lack={lackOf(form.values, true, "edit")}
      content={[JSON.stringify(form.values), image]}
      body={() => bodyOf(form.values, image, group === begun.group ? null : group)}
    >
      <ImageField image={image} current={product.image_url} onChange={setImage} />
      <Fields form={form} />
    </ProductFormPage>
  );
}

/** What a product's form asks. `kept`: the name of a duration that is no longer offered. */
function useProductAsks(kept: string | null): (values: Values) => Asks<ProductField> {
  const durations = useQuery(durationsQuery);
  const plan = useUser()?.type_plan ?? "gratuit";
  const terms = useQuery(plansQuery).data?.plans?.find(({ type_plan: type }) => type === plan);
  return ({ price = "" }) => {
    const split = splitOf(price, terms?.fee_percent ?? null);
    return {
      title: {
        label: REQUIRED_FIELD_NAMES.title,
        placeholder: copy.namePlaceholder,
        max: TITLE_MAX,
        required: true,
      },
      price: {
        label: REQUIRED_FIELD_NAMES.price,
        kind: "francs",
        placeholder: copy.pricePlaceholder,
        required: true,
        hint: split ? copy.youReceive(formatFcfa(split.net), formatFcfa(split.fee)) : PRICE_RANGE,
      },
      duration: {
        label: REQUIRED_FIELD_NAMES.duration,
        kind: "chips",
        required: true,
        choices: choicesOf(durations.data ?? [], kept),
        field: durations.data ? undefined : () => <NoDurations of={durations} />,
      },
      ...ofTexts((key) => ({ ...PRODUCT_TEXTS[key], kind: "words" })),
      category: {
        label: catalogueCopy.list.categoryLabel,
        kind: "select",
        choices: catalogueCopy.category,
      },
      stock: {
        label: copy.stock,
        kind: "digits",
        hint: copy.stockHint,
        placeholder: catalogueCopy.card.unlimited,
        max: 9,
      },
    };
  };
}

function choicesOf(durations: readonly DurationOnWire[], kept: string | null) {
  const offered = durations
    .filter(({ active }) => active)
    .map(({ id, display_name, label, discount }) => ({
      value: id,
      label: display_name || label,
      note: discount > 0 ? copy.discount(discount) : undefined,
    }));
  const keep = { value: KEEP_DURATION, label: copy.keepDuration(kept ?? "") };
  return kept === null ? offered : [keep, ...offered];
}

function NoDurations(props: { of: { readonly isPending: boolean; refetch(): unknown } }) {
  return props.of.isPending ? (
    <Note>{copy.durationsLoading}</Note>
  ) : (
    <Line between role="alert">
      <Text tone="brick">{copy.durationsFailed}</Text>
      <TintedButton size="small" onClick={() => void props.of.refetch()}>
        {kitCopy.retry}
      </TintedButton>
    </Line>
  );
}
