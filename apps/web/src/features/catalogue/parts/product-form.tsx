import type { ProductOnWire } from "@sesame/contract/catalogue";
import { type ReactNode, useRef, useState } from "react";
import { useLocation } from "wouter";
import { newIdempotencyKey, sayError } from "../../../lib/request.ts";
import { haptic } from "../../../telegram/native.ts";
import { Button } from "../../../kit/button.tsx";
import { Drawing } from "../../../kit/drawings.tsx";
import { Stack } from "../../../kit/layout.tsx";
import { Dialog } from "../../../kit/modal.tsx";
import { Page } from "../../../kit/page.tsx";
import { catalogueCopy } from "../messages.fr.ts";
import type { useSaveProduct } from "../products.ts";

const copy = catalogueCopy.form;

/** How a publication or an edit ended (A §4). */
type Outcome =
  | { readonly at: "none" }
  | { readonly at: "error"; readonly message: string }
  | { readonly at: "done"; readonly product: ProductOnWire | null };

/** Sends a product's form, and keeps how it ended. */
export function useSending(write: ReturnType<typeof useSaveProduct>, failed: string) {
  const [outcome, setOutcome] = useState<Outcome>({ at: "none" });
  // One key for one content: a second tap after a silence counts once.
  const attempt = useRef<{ content: readonly unknown[]; key: string } | null>(null);
  const send = (content: readonly unknown[], complaint: string | null, body: () => FormData) => {
    if (write.isPending) return;
    if (complaint) return setOutcome({ at: "error", message: complaint });
    const same = attempt.current?.content.every((part, at) => part === content[at]);
    const key = (same && attempt.current?.key) || newIdempotencyKey();
    attempt.current = { content, key };
    write.mutate(
      { form: body(), key },
      {
        onSuccess: ({ product }) => {
          haptic("success");
          setOutcome({ at: "done", product: product ?? null });
        },
        onError: (error) => {
          haptic("error");
          setOutcome({ at: "error", message: sayError(error, failed) });
        },
      },
    );
  };
  return { outcome, send, busy: write.isPending, dismiss: () => setOutcome({ at: "none" }) };
}

export const NEW_WORDS = { send: copy.publish, sending: copy.publishing, sent: copy.published };
export const EDIT_WORDS = { send: copy.save, sending: copy.saving, sent: copy.saved };

/** The page of a form that makes or changes a product. */
export function ProductForm(props: {
  title: string;
  subtitle?: string | undefined;
  words: { readonly send: string; readonly sending: string; readonly sent: string };
  sending: ReturnType<typeof useSending>;
  complete: boolean;
  onSubmit(): void;
  /** When the good news is closed. */
  onSent?(): void;
  children: ReactNode;
}) {
  const { words, sending } = props;
  const [, navigate] = useLocation();
  return (
    <Page title={props.title} subtitle={props.subtitle}>
      <Stack
        as="form"
        gap={4}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          props.onSubmit();
        }}
      >
        {props.children}
        <Button type="submit" busy={sending.busy} disabled={!props.complete}>
          {sending.busy ? words.sending : words.send}
        </Button>
        <p className="only-heard" role="status">
          {sending.busy ? words.sending : ""}
        </p>
      </Stack>
      <OutcomeDialog
        outcome={sending.outcome}
        title={words.sent}
        onClose={() => {
          if (sending.outcome.at !== "done") return sending.dismiss();
          props.onSent?.();
          navigate("/ProductsList");
        }}
      />
    </Page>
  );
}

function OutcomeDialog(props: { outcome: Outcome; title: string; onClose(): void }) {
  const { outcome, onClose } = props;
  const [, navigate] = useLocation();
  if (outcome.at === "none") return null;
  if (outcome.at === "error") {
    return (
      <Dialog
        title={copy.errorTitle}
        onClose={onClose}
        actions={[{ label: catalogueCopy.understood, run: onClose }]}
      >
        <p role="alert">{outcome.message}</p>
      </Dialog>
    );
  }
  const { product } = outcome;
  const see = product
    ? [{ label: copy.share, run: () => navigate(`/ProductCard/${product.id}`) }]
    : [];
  return (
    <Dialog
      title={props.title}
      locked
      picture={<Drawing name="door" />}
      onClose={onClose}
      actions={[...see, { label: copy.toList, look: "tinted", run: onClose }]}
    >
      {product?.status === "pending" && product.status_reason
        ? copy.publishedPending(product.status_reason)
        : null}
    </Dialog>
  );
}
