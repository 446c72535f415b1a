import type { ProductOnWire } from "@sesame/contract/catalogue";
import { lazy, Suspense, useState } from "react";
import { useLocation } from "wouter";
import { newIdempotencyKey, sayError } from "../../lib/request.ts";
import { useChannels } from "../../lib/use-seller.ts";
import { haptic, useClosingConfirmation } from "../../telegram/native.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import styles from "./catalogue.module.css";
import { catalogueCopy } from "./messages.fr.ts";
import { bodyOf, complaintOf, formOf, isComplete, KEEP_DURATION } from "./form.ts";
import { ImageField } from "./parts/image-field.tsx";
import { MissingProduct } from "./parts/missing-product.tsx";
import { type Outcome, OutcomeDialog } from "./parts/outcome-dialog.tsx";
import { ProductFields } from "./parts/product-fields.tsx";
import { useAnyProduct, useSaveProduct } from "./products.ts";

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
  const [outcome, setOutcome] = useState<Outcome>({ at: "none" });
  const save = useSaveProduct(product.id);
  const [, navigate] = useLocation();
  const moved = groupId !== (product.group_id ?? "");
  useClosingConfirmation((form !== initial || image !== null || moved) && outcome.at !== "done");
  const submit = () => {
    if (save.isPending) return;
    const complaint = complaintOf(form, true, "edit");
    if (complaint) return setOutcome({ at: "error", message: complaint });
    save.mutate(
      { form: bodyOf(form, image, moved ? groupId : null), key: newIdempotencyKey() },
      {
        onSuccess: (answer) => {
          haptic("success");
          setOutcome({ at: "done", product: answer.product ?? null });
        },
        onError: (error) => {
          haptic("error");
          setOutcome({ at: "error", message: sayError(error, copy.saveFailed) });
        },
      },
    );
  };
  const kept = initial.duration === KEEP_DURATION ? product.duration_label : null;
  return (
    <Page title={copy.editTitle} subtitle={copy.for(product.group?.name ?? "")}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <ImageField
          image={image}
          current={product.image_url}
          required={false}
          onChange={setImage}
        />
        <ProductFields form={form} keptDuration={kept} onChange={setForm} />
        <GroupField value={groupId} onChange={setGroupId} />
        <Button type="submit" busy={save.isPending} disabled={!isComplete(form, true, "edit")}>
          {save.isPending ? copy.saving : copy.save}
        </Button>
        <p className="only-heard" role="status">
          {save.isPending ? copy.saving : ""}
        </p>
      </form>
      <OutcomeDialog
        outcome={outcome}
        title={copy.saved}
        onClose={() => {
          if (outcome.at === "done") navigate("/ProductsList");
          else setOutcome({ at: "none" });
        }}
      />
    </Page>
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
