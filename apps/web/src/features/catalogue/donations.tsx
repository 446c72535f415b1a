import type { ProductOnWire } from "@sesame/contract/catalogue";
import { useState } from "react";
import { useLocation } from "wouter";
import { formatFcfa, formatNumber } from "../../lib/format.ts";
import { useProducts } from "../../lib/use-seller.ts";
import { Button } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { NotYet } from "../../kit/not-yet.tsx";
import { Page } from "../../kit/page.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { catalogueCopy, donationCopy as copy } from "./messages.fr.ts";
import { DonationForm } from "./edit-donation.tsx";

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
      ) : (
        <NotYet query={products} copy={{ ...catalogueCopy, loading: copy.loading }} rows={3} />
      )}
    </Page>
  );
}

function Shelf({ dons, onCreate }: { dons: readonly ProductOnWire[]; onCreate(): void }) {
  const [, navigate] = useLocation();
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
      <Section title={copy.yours}>
        {dons.map((don) => (
          <Cell
            key={don.id}
            icon="star"
            title={don.title}
            subtitle={copy.received(formatNumber(don.sales), don.sales > 1)}
            after={formatFcfa(don.revenue_net)}
            onClick={() => navigate(`/ProductCard/${don.id}`)}
            chevron
          />
        ))}
      </Section>
      {create}
    </>
  );
}
