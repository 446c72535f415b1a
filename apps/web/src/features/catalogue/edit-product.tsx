import type { ProductOnWire } from "@sesame/contract/catalogue";
import { Suspense, useState } from "react";
import { later } from "../../lib/later.ts";
import { useChannels } from "../../lib/use-seller.ts";
import { Waiting } from "../../kit/screen.tsx";
import { Fields, useForm } from "../../kit/use-form.tsx";
import { bodyOf, formOf, isChanged, KEEP_DURATION, lackOf } from "./form.ts";
import { catalogueCopy } from "./messages.fr.ts";
import { ImageField, ProductFormPage, useProductAsks } from "./product-form.tsx";
import { OneProduct } from "./products.tsx";

const copy = catalogueCopy.form;

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
          <Form key={product.id} product={product} />
        )
      }
    </OneProduct>
  );
}

function Form({ product }: { product: ProductOnWire }) {
  const [begun] = useState(() => ({ ...formOf(product), group: product.group_id ?? "" }));
  const [image, setImage] = useState<Blob | null>(null);
  const asks = useProductAsks(begun.duration === KEEP_DURATION ? product.duration_label : null);
  const channels = useChannels().data?.filter((channel) => channel.telegram_group_id) ?? [];
  const form = useForm<keyof typeof begun>(
    (values) => ({
      ...asks(values),
      // A §2: the group is optional here. What is sold from now on opens the chosen one.
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
