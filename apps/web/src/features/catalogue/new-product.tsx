import type { ChannelOnWire } from "@sesame/contract/groups";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { formatFcfa } from "../../lib/format.ts";
import { durationsQuery } from "../../lib/resources.ts";
import { useUserId } from "../../lib/session.ts";
import { useChannels } from "../../lib/use-seller.ts";
import { useClosingConfirmation } from "../../telegram/native.ts";
import { Button } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { ChipField } from "../../kit/field.tsx";
import { Page } from "../../kit/page.tsx";
import { SkeletonRows } from "../../kit/skeleton.tsx";
import { toast } from "../../kit/toast.tsx";
import { catalogueCopy, TEMPLATES, type TemplateId } from "./messages.fr.ts";
import { draftImage, dropDraft, keepDraft, readDraft } from "./draft.ts";
import { fillForm, templateOf } from "./fill-form.ts";
import { bodyOf, complaintOf, EMPTY_FORM, isComplete, type ProductFormState } from "./form.ts";
import { AddProduct, groupComplaint } from "./parts/add-product.tsx";
import { ImageField } from "./parts/image-field.tsx";
import { ProductFields } from "./parts/product-fields.tsx";
import { useSaveProduct } from "./products.ts";
import { NEW_WORDS, ProductForm, useSending } from "./parts/product-form.tsx";

const copy = catalogueCopy.form;

export function NewProduct({ idGroup }: { idGroup: string }) {
  const channels = useChannels();
  const sellerId = useUserId();
  const channel = channels.data?.find(
    (each) => String(each.telegram_group_id) === idGroup || each.id === idGroup,
  );
  if (channel) return <Form channel={channel} place={`${sellerId}:${channel.id}`} />;
  if (channels.isPending) {
    return (
      <Page title={copy.newTitle}>
        <SkeletonRows count={4} label={catalogueCopy.loading} />
      </Page>
    );
  }
  return <UnknownGroup channels={channels.data} />;
}

function UnknownGroup({ channels }: { channels: readonly ChannelOnWire[] | undefined }) {
  const [choosing, setChoosing] = useState(
    channels !== undefined && groupComplaint(channels) !== null,
  );
  return (
    <Page title={copy.newTitle}>
      <EmptyState
        drawing="group"
        title={copy.groupUnknown}
        text={copy.groupUnknownText}
        action={<Button onClick={() => setChoosing(true)}>{catalogueCopy.chooser.title}</Button>}
      />
      {choosing ? <AddProduct onClose={() => setChoosing(false)} /> : null}
    </Page>
  );
}

function Form({ channel, place }: { channel: ChannelOnWire; place: string }) {
  const [form, setForm] = useState<ProductFormState>(() => readDraft(place) ?? EMPTY_FORM);
  const [image, setImage] = useState<Blob | null>(() => draftImage(place));
  const sending = useSending(useSaveProduct(null), copy.publishFailed);
  const started = form !== EMPTY_FORM;
  const published = sending.outcome.at === "done";
  useClosingConfirmation(started && !published);
  // Words and picture change apart: the picture takes its time while the words are typed.
  useEffect(() => {
    if (published) dropDraft(place);
    else if (started || image) keepDraft(place, form, image);
  }, [place, form, image, started, published]);
  return (
    <ProductForm
      title={copy.newTitle}
      subtitle={copy.for(channel.name)}
      words={NEW_WORDS}
      sending={sending}
      complete={isComplete(form, image !== null, "new")}
      onSubmit={() =>
        sending.send([form, image], complaintOf(form, image !== null, "new"), () =>
          bodyOf(form, image, channel.id),
        )
      }
      onSent={() => toast(copy.published)}
    >
      <TemplateField form={form} onChange={setForm} />
      <ImageField image={image} current={null} required onChange={setImage} />
      <ProductFields form={form} keptDuration={null} onChange={setForm} />
    </ProductForm>
  );
}

const TEMPLATE_IDS = Object.keys(TEMPLATES) as TemplateId[];

/** Three offers to begin with (decision 44): they fill the form, and publish nothing. */
function TemplateField(props: { form: ProductFormState; onChange(form: ProductFormState): void }) {
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
