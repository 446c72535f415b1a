import { sheetInstant } from "../../lib/time-words.fr.ts";
import { csvText } from "@sesame/contract/csv";
import type { VendorSubscriptionOnWire } from "@sesame/contract/reports";
import { useState } from "react";
import { readAll, readPages } from "../../lib/read.ts";
import { useProducts } from "../../lib/use-seller.ts";
import { ExportButton, Paged } from "../../kit/paged.tsx";
import { Page } from "../../kit/screen.tsx";
import { Section } from "../../kit/layout.tsx";
import { Segmented } from "../../kit/choices.tsx";
import { catalogueCopy } from "./messages.fr.ts";
import { SubscriptionRows, sayKind } from "./product-parts.tsx";

const copy = catalogueCopy.subscriptions;

type Kind = "all" | "fresh" | "renewed";

/** Every subscription of a product, with a filter and an export (decision 40). */
export function Subscriptions({ id }: { id: string }) {
  const product = useProducts().data?.find((each) => each.id === id);
  const gift = product?.group === null ? catalogueCopy.donation : null;
  const [kind, setKind] = useState<Kind>("all");
  return (
    <Page title={gift?.giftsTitle ?? copy.title} subtitle={product?.title}>
      {gift ? null : (
        <Segmented
          label={copy.filter}
          choices={{ all: copy.all, fresh: copy.fresh, renewed: copy.renewed }}
          value={kind}
          onChange={setKind}
        />
      )}
      <Paged
        of={readPages("GET /api/subscriptions", { query: { product: id, limit: 30 } })}
        rows={(page) => page.subscriptions.filter((each) => isOfKind(each, kind))}
        empty={["receipt", gift?.historyNone ?? copy.none]}
        foot={({ first }) =>
          first.subscriptions.length > 0 ? (
            <ExportButton
              look="plain"
              of={() => readSubscriptions(id, kind)}
              name={`abonnements-${id}.csv`}
              words={copy}
            />
          ) : null
        }
      >
        {(rows) => (
          <Section>
            <SubscriptionRows rows={rows} />
          </Section>
        )}
      </Paged>
    </Page>
  );
}

function isOfKind(row: VendorSubscriptionOnWire, kind: Kind): boolean {
  return kind === "all" || row.estRenouvellement === (kind === "renewed");
}

async function readSubscriptions(id: string, kind: Kind): Promise<string> {
  const pages = await readAll("GET /api/subscriptions", { query: { product: id, limit: 100 } });
  const rows = pages.flatMap((page) => page.subscriptions);
  return subscriptionsCsv(rows.filter((row) => isOfKind(row, kind)));
}

export function subscriptionsCsv(rows: readonly VendorSubscriptionOnWire[]): string {
  const lines = rows.map((row) => [
    sheetInstant(row.dateCreation),
    row.nomClient,
    row.typeAbonnement,
    row.prix,
    row.net,
    row.dateRenouvellement ? sheetInstant(row.dateRenouvellement) : "",
    row.groupId === "" ? catalogueCopy.donation.kind : sayKind(row),
  ]);
  return csvText([[...copy.columns], ...lines]);
}
