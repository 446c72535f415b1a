import type { ChannelOnWire } from "@sesame/contract/groups";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { formatFcfa } from "../../lib/format.ts";
import { durationsQuery } from "../../lib/resources.ts";
import { useUserId } from "../../lib/session.ts";
import { useChannels } from "../../lib/use-seller.ts";
import { Banner } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { ChipField } from "../../kit/field.tsx";
import { Page } from "../../kit/page.tsx";
import { Waiting } from "../../kit/screen.tsx";
import { toast } from "../../kit/toast.tsx";
import { Fields, useForm } from "../../kit/use-form.tsx";
import { draftImage, dropDraft, fillForm, keepDraft, readDraft, templateOf } from "./draft.ts";
import {
  bodyOf,
  lackOf,
  EMPTY_FORM,
  isChanged,
  type ProductField,
  type ProductForm,
} from "./form.ts";
import { catalogueCopy } from "./messages.fr.ts";
import { TEMPLATES, type TemplateId } from "./offers.fr.ts";
import { ImageField, ProductFormPage, useProductAsks } from "./product-form.tsx";
import { ChooseGroup, groupComplaint } from "./choose-group.tsx";

const copy = catalogueCopy.form;

export function NewProduct({ idGroup }: { idGroup: string }) {
  const channels = useChannels();
  const sellerId = useUserId();
  const channel = channels.data?.find(
    (each) => String(each.telegram_group_id) === idGroup || each.id === idGroup,
  );
  if (channel) return <Form channel={channel} place={`${sellerId}:${channel.id}`} />;
  return channels.isPending ? <Waiting /> : <UnknownGroup channels={channels.data} />;
}

function UnknownGroup({ channels }: { channels: readonly ChannelOnWire[] | undefined }) {
  const [choosing, setChoosing] = useState(
    channels !== undefined && groupComplaint(channels) !== null,
  );
  return (
    <Page title={copy.new.title}>
      <EmptyState
        drawing="group"
        title={copy.groupUnknown}
        text={copy.groupUnknownText}
        action={<Button onClick={() => setChoosing(true)}>{catalogueCopy.chooser.title}</Button>}
      />
      {choosing ? <ChooseGroup onClose={() => setChoosing(false)} /> : null}
    </Page>
  );
}

function Form({ channel, place }: { channel: ChannelOnWire; place: string }) {
  const [begun] = useState(() => readDraft(place) ?? EMPTY_FORM);
  const form = useForm<ProductField>(useProductAsks(null), begun);
  const [image, setImage] = useState(() => draftImage(place));
  const words = JSON.stringify(form.values);
  const started = isChanged(form.values, EMPTY_FORM);
  // Words and picture change apart: the picture takes its time while the words are typed.
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
        <Banner
          tone="warning"
          icon="warning"
          action={<Link href={`/GroupeDetail/${channel.id}`}>{copy.seeGroup}</Link>}
        >
          {copy.notSellable(channel.details.state_label)}
        </Banner>
      )}
      <TemplateField
        form={form.values}
        onChange={(values) => {
          for (const [name, value] of Object.entries(values)) form.set(name as ProductField, value);
        }}
      />
      <ImageField image={image} current={null} required onChange={setImage} />
      <Fields form={form} />
    </ProductFormPage>
  );
}

const TEMPLATE_IDS = Object.keys(TEMPLATES) as TemplateId[];

/** Three offers to begin with (decision 44): they fill the form, and publish nothing. */
function TemplateField(props: { form: ProductForm; onChange(form: ProductForm): void }) {
  const durations = useQuery(durationsQuery).data;
  if (!durations) return null;
  return (
    <ChipField
      label={copy.template}
      hint={copy.templateHint}
      value={templateOf(props.form)}
      choices={TEMPLATE_IDS.map((id) => ({
        value: id,
        label: TEMPLATES[id].name,
        note: formatFcfa(Number(TEMPLATES[id].price)),
      }))}
      onChange={(id) =>
        props.onChange(fillForm(props.form, TEMPLATES[id as TemplateId], durations))
      }
    />
  );
}
