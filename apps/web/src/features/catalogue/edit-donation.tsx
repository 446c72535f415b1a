import type { ProductOnWire } from "@sesame/contract/catalogue";
import { useState } from "react";
import { useClosingConfirmation } from "../../telegram/native.ts";
import { catalogueCopy, donationCopy as copy } from "./messages.fr.ts";
import {
  donationBody,
  donationComplaint,
  donationFormOf,
  isDonationComplete,
  NEW_DONATION,
} from "./donation-form.ts";
import { DonationFields } from "./parts/donation-fields.tsx";
import { ImageField } from "./parts/image-field.tsx";
import { useSaveProduct } from "./products.ts";
import { EDIT_WORDS, NEW_WORDS, ProductForm, useSending } from "./parts/product-form.tsx";

const shared = catalogueCopy.form;
const WORDS = {
  new: { ...NEW_WORDS, send: copy.publish, sent: copy.published },
  edit: { ...EDIT_WORDS, sent: copy.saved },
} as const;

/** A don that is made, or one that is there and changes: the same few fields. */
export function DonationForm({ product }: { product: ProductOnWire | null }) {
  const [initial] = useState(() => (product ? donationFormOf(product) : NEW_DONATION));
  const [form, setForm] = useState(initial);
  const [image, setImage] = useState<Blob | null>(null);
  const write = useSaveProduct(product?.id ?? null);
  const sending = useSending(write, product ? shared.saveFailed : shared.publishFailed);
  useClosingConfirmation((form !== initial || image !== null) && sending.outcome.at !== "done");
  return (
    <ProductForm
      title={product ? copy.editTitle : copy.newTitle}
      subtitle={product ? undefined : copy.subtitle}
      words={product ? WORDS.edit : WORDS.new}
      sending={sending}
      complete={isDonationComplete(form)}
      onSubmit={() =>
        sending.send([form, image], donationComplaint(form), () =>
          donationBody(form, image, product === null),
        )
      }
    >
      <DonationFields form={form} onChange={setForm} />
      <ImageField
        image={image}
        current={product?.image_url ?? null}
        required={false}
        label={copy.image}
        onChange={setImage}
      />
    </ProductForm>
  );
}
