import type { ProductOnWire } from "@sesame/contract/catalogue";
import { lazy, Suspense, useState } from "react";
import { useChannels } from "../../lib/use-seller.ts";
import { useClosingConfirmation } from "../../telegram/native.ts";
import { SelectField } from "../../kit/field.tsx";
import { Page } from "../../kit/page.tsx";
import { SkeletonRows } from "../../kit/skeleton.tsx";
import { catalogueCopy } from "./messages.fr.ts";
import { bodyOf, complaintOf, formOf, isComplete, KEEP_DURATION } from "./form.ts";
import { ImageField } from "./parts/image-field.tsx";
import { MissingProduct } from "./parts/missing-product.tsx";
import { ProductFields } from "./parts/product-fields.tsx";
import { useAnyProduct, useSaveProduct } from "./products.ts";
import { EDIT_WORDS, ProductForm, useSending } from "./parts/product-form.tsx";

const copy = catalogueCopy.form;

const DonationForm = lazy(async () => ({
  default: (await import("./edit-donation.tsx")).DonationForm,
}));

export function EditProduct({ id }: { id: string }) {
  const { product, isPending } = useAnyProduct(id);
  if (product?.group === null) {
    return (
      <Suspense fallback={<SkeletonRows count={4} label={catalogueCopy.loading} />}>
        <DonationForm key={product.id} product={product} />
      </Suspense>
    );
  }
  if (product) return <Form key={product.id} product={product} />;
  if (isPending) {
    return (
      <Page title={copy.editTitle}>
        <SkeletonRows count={4} label={catalogueCopy.loading} />
      </Page>
    );
  }
  return <MissingProduct />;
}

function Form({ product }: { product: ProductOnWire }) {
  const [initial] = useState(() => formOf(product));
  const [form, setForm] = useState(initial);
  const [image, setImage] = useState<Blob | null>(null);
  const [groupId, setGroupId] = useState(product.group_id ?? "");
  const sending = useSending(useSaveProduct(product.id), copy.saveFailed);
  const moved = groupId !== (product.group_id ?? "");
  const changed = form !== initial || image !== null || moved;
  useClosingConfirmation(changed && sending.outcome.at !== "done");
  const kept = initial.duration === KEEP_DURATION ? product.duration_label : null;
  return (
    <ProductForm
      title={copy.editTitle}
      subtitle={copy.for(product.group?.name ?? "")}
      words={EDIT_WORDS}
      sending={sending}
      complete={isComplete(form, true, "edit")}
      onSubmit={() =>
        sending.send([form, image, groupId], complaintOf(form, true, "edit"), () =>
          bodyOf(form, image, moved ? groupId : null),
        )
      }
    >
      <ImageField image={image} current={product.image_url} required={false} onChange={setImage} />
      <ProductFields form={form} keptDuration={kept} onChange={setForm} />
      <GroupField value={groupId} onChange={setGroupId} />
    </ProductForm>
  );
}

/** A §2: the group is optional here. What is sold from now on opens the chosen one. */
function GroupField(props: { value: string; onChange(groupId: string): void }) {
  const channels = useChannels().data?.filter((channel) => channel.telegram_group_id) ?? [];
  if (channels.length < 2) return null;
  return (
    <SelectField
      label={catalogueCopy.list.groupLabel}
      hint={copy.groupHint}
      value={props.value}
      choices={channels.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={props.onChange}
    />
  );
}
