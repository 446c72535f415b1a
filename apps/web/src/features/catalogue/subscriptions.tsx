import type { VendorSubscriptionOnWire } from "@sesame/contract/reports";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { offerFile } from "../../lib/offer-file.ts";
import { readAll, readPages } from "../../lib/read.ts";
import { useProduct } from "../../lib/use-seller.ts";
import { Button } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { NotYet } from "../../kit/not-yet.tsx";
import { Page } from "../../kit/page.tsx";
import { Section } from "../../kit/section.tsx";
import { Segmented } from "../../kit/segmented.tsx";
import { toast } from "../../kit/toast.tsx";
import { MoreButton } from "../../kit/more-button.tsx";
import { catalogueCopy } from "./messages.fr.ts";
import { SubscriptionRow } from "./parts/subscription-row.tsx";
import { csvText } from "@sesame/contract/csv";

export function subscriptionsCsv(rows: readonly VendorSubscriptionOnWire[]): string {
  const lines = rows.map((row) => [
    row.dateCreation,
    row.nomClient,
    row.typeAbonnement,
    row.prix,
    row.net,
    row.dateRenouvellement ?? "",
    sayKind(row),
  ]);
  return csvText([[...catalogueCopy.subscriptions.columns], ...lines]);
}

function sayKind(row: VendorSubscriptionOnWire): string {
  if (row.groupId === "") return catalogueCopy.donation.kind;
  return row.estRenouvellement ? catalogueCopy.card.renewal : catalogueCopy.card.fresh;
}

const copy = catalogueCopy.subscriptions;

type Kind = "all" | "fresh" | "renewed";

/** Every subscription of a product, with a filter and an export (decision 40). */
export function Subscriptions({ id }: { id: string }) {
  const product = useProduct(id);
  const gift = product?.group === null ? catalogueCopy.donation : null;
  const pages = useInfiniteQuery(
    readPages("GET /api/subscriptions", { query: { product: id, limit: 30 } }),
  );
  const [kind, setKind] = useState<Kind>("all");
  const rows = (pages.data?.pages.flatMap((page) => page.subscriptions) ?? []).filter((row) =>
    isOfKind(row, kind),
  );
  return (
    <Page title={gift?.giftsTitle ?? copy.title} subtitle={product?.title}>
      {gift ? null : (
        <Segmented
          label={copy.filter}
          segments={[
            { value: "all", label: copy.all },
            { value: "fresh", label: copy.fresh },
            { value: "renewed", label: copy.renewed },
          ]}
          value={kind}
          onChange={setKind}
        />
      )}
      {pages.isPending || pages.isError ? (
        <NotYet
          query={pages}
          copy={{
            loading: catalogueCopy.card.historyLoading,
            loadFailed: catalogueCopy.card.historyFailed,
            retry: catalogueCopy.retry,
          }}
          rows={6}
        />
      ) : rows.length === 0 ? (
        <EmptyState drawing="receipt" title={gift?.historyNone ?? copy.none} />
      ) : (
        <Section>
          <ul>
            {rows.map((subscription) => (
              <SubscriptionRow key={subscription.id} subscription={subscription} />
            ))}
          </ul>
        </Section>
      )}
      <MoreButton pages={pages} label={copy.more} />
      {rows.length > 0 ? <Export id={id} kind={kind} /> : null}
    </Page>
  );
}

function isOfKind(row: VendorSubscriptionOnWire, kind: Kind): boolean {
  return kind === "all" || row.estRenouvellement === (kind === "renewed");
}

function Export({ id, kind }: { id: string; kind: Kind }) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const query = { product: id, limit: 100 };
      const pages = await readAll("GET /api/subscriptions", { query });
      const rows = pages.flatMap((page) => page.subscriptions).filter((row) => isOfKind(row, kind));
      await offerFile(`abonnements-${id}.csv`, subscriptionsCsv(rows));
    } catch {
      toast(copy.exportFailed, "bad");
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button look="plain" icon="arrowIn" busy={busy} onClick={() => void download()}>
      {copy.export}
    </Button>
  );
}
