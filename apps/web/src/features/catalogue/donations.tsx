import type { ProductOnWire } from "@sesame/contract/catalogue";
import { useState } from "react";
import { useProducts } from "../../lib/use-seller.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import styles from "./catalogue.module.css";
import { catalogueCopy } from "./copy.fr.ts";
import { donationCopy as copy } from "./donation-copy.fr.ts";
import { DonationForm } from "./edit-donation.tsx";
import { ProductActions } from "./parts/product-actions.tsx";
import { ProductItem } from "./parts/product-item.tsx";

/** Tile Donation (decision 45): the seller's dons, or the form of the first. */
export function Donations() {
  const products = useProducts();
  const [creating, setCreating] = useState(false);
  if (creating) return <DonationForm product={null} />;
  const dons = products.data?.filter(({ kind }) => kind === "donation");
  return (
    <Page title={copy.title} subtitle={copy.subtitle}>
      {dons ? (
        <Shelf dons={dons} onCreate={() => setCreating(true)} />
      ) : products.isError ? (
        <EmptyState
          drawing="broken"
          title={catalogueCopy.loadFailed}
          action={<Button onClick={() => void products.refetch()}>{catalogueCopy.retry}</Button>}
        />
      ) : (
        <SkeletonRows count={3} label={copy.loading} />
      )}
    </Page>
  );
}

function Shelf({ dons, onCreate }: { dons: readonly ProductOnWire[]; onCreate(): void }) {
  const [acting, setActing] = useState<string | null>(null);
  const chosen = dons.find(({ id }) => id === acting);
  const create = (
    <Button icon="plus" onClick={onCreate}>
      {copy.create}
    </Button>
  );
  if (dons.length === 0) {
    return (
      <EmptyState drawing="coins" title={copy.noneTitle} text={copy.noneText} action={create} />
    );
  }
  return (
    <>
      <ul className={styles.list} aria-label={copy.yours}>
        {dons.map((don) => (
          <ProductItem
            key={don.id}
            product={don}
            grid={false}
            onActions={() => setActing(don.id)}
          />
        ))}
      </ul>
      {create}
      {chosen ? <ProductActions product={chosen} onClose={() => setActing(null)} /> : null}
    </>
  );
}
