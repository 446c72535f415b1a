import type { ProductOnWire } from "@sesame/contract/catalogue";
import { useLocation } from "wouter";
import { Drawing } from "../../../ui/drawings.tsx";
import { Dialog } from "../../../ui/modal.tsx";
import { catalogueCopy } from "../messages.fr.ts";

const copy = catalogueCopy.form;

/** How a publication or an edit ended (A §4). */
export type Outcome =
  | { readonly at: "none" }
  | { readonly at: "error"; readonly message: string }
  | { readonly at: "done"; readonly product: ProductOnWire | null };

export function OutcomeDialog(props: { outcome: Outcome; title: string; onClose(): void }) {
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
