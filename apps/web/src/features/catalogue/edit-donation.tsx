import type { ProductOnWire } from "@sesame/contract/catalogue";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { newIdempotencyKey, sayError } from "../../lib/request.ts";
import { haptic, useClosingConfirmation } from "../../telegram/native.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import styles from "./catalogue.module.css";
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
import { type Outcome, OutcomeDialog } from "./parts/outcome-dialog.tsx";
import { useSaveProduct } from "./products.ts";

const shared = catalogueCopy.form;
const WORDS = {
  new: {
    title: copy.newTitle,
    send: copy.publish,
    sending: shared.publishing,
    sent: copy.published,
    failed: shared.publishFailed,
  },
  edit: {
    title: copy.editTitle,
    send: shared.save,
    sending: shared.saving,
    sent: copy.saved,
    failed: shared.saveFailed,
  },
} as const;

/** A don that is made, or one that is there and changes: the same few fields. */
export function DonationForm({ product }: { product: ProductOnWire | null }) {
  const words = product ? WORDS.edit : WORDS.new;
  const [initial] = useState(() => (product ? donationFormOf(product) : NEW_DONATION));
  const [form, setForm] = useState(initial);
  const [image, setImage] = useState<Blob | null>(null);
  const [outcome, setOutcome] = useState<Outcome>({ at: "none" });
  const write = useSaveProduct(product?.id ?? null);
  const [, navigate] = useLocation();
  // One key for one content: a second tap after a silence counts once.
  const attempt = useRef<{ content: readonly unknown[]; key: string } | null>(null);
  useClosingConfirmation((form !== initial || image !== null) && outcome.at !== "done");
  const submit = () => {
    if (write.isPending) return;
    const complaint = donationComplaint(form);
    if (complaint) return setOutcome({ at: "error", message: complaint });
    const same = attempt.current?.content.every((part, at) => part === [form, image][at]);
    const key = (same && attempt.current?.key) || newIdempotencyKey();
    attempt.current = { content: [form, image], key };
    write.mutate(
      { form: donationBody(form, image, product === null), key },
      {
        onSuccess: (answer) => {
          haptic("success");
          setOutcome({ at: "done", product: answer.product ?? null });
        },
        onError: (error) => {
          haptic("error");
          setOutcome({ at: "error", message: sayError(error, words.failed) });
        },
      },
    );
  };
  return (
    <Page title={words.title} subtitle={product ? undefined : copy.subtitle}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <DonationFields form={form} onChange={setForm} />
        <ImageField
          image={image}
          current={product?.image_url ?? null}
          required={false}
          label={copy.image}
          onChange={setImage}
        />
        <Button type="submit" busy={write.isPending} disabled={!isDonationComplete(form)}>
          {write.isPending ? words.sending : words.send}
        </Button>
        <p className="only-heard" role="status">
          {write.isPending ? words.sending : ""}
        </p>
      </form>
      <OutcomeDialog
        outcome={outcome}
        title={words.sent}
        onClose={() => {
          if (outcome.at === "done") navigate("/ProductsList");
          else setOutcome({ at: "none" });
        }}
      />
    </Page>
  );
}
