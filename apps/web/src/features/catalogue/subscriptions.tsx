import type { ProductOnWire } from "@sesame/contract/catalogue";
import { csvText } from "@sesame/contract/csv";
import type { VendorSubscriptionOnWire } from "@sesame/contract/reports";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatFcfa } from "../../lib/format.ts";
import { offerFile } from "../../lib/offer-file.ts";
import { read, readAll, readPages } from "../../lib/read.ts";
import { sayShortDay, sayShortInstant } from "../../lib/time-words.fr.ts";
import { useProduct } from "../../lib/use-seller.ts";
import { Fold } from "../../kit/accordion.tsx";
import { Avatar } from "../../kit/avatar.tsx";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Card, Line, MoreLink, Text } from "../../kit/layout.tsx";
import { Paged } from "../../kit/paged.tsx";
import { Page } from "../../kit/page.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { Segmented } from "../../kit/segmented.tsx";
import { SkeletonRows } from "../../kit/skeleton.tsx";
import { toast } from "../../kit/toast.tsx";
import { catalogueCopy } from "./messages.fr.ts";

const copy = catalogueCopy.subscriptions;
const words = catalogueCopy.card;

type Kind = "all" | "fresh" | "renewed";

/** Every subscription of a product, with a filter and an export (decision 40). */
export function Subscriptions({ id }: { id: string }) {
  const product = useProduct(id);
  const gift = product?.group === null ? catalogueCopy.donation : null;
  const [kind, setKind] = useState<Kind>("all");
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
      <Paged
        of={readPages("GET /api/subscriptions", { query: { product: id, limit: 30 } })}
        rows={(page) => page.subscriptions.filter((each) => isOfKind(each, kind))}
        waiting={6}
        empty={["receipt", gift?.historyNone ?? copy.none]}
        foot={({ first }) =>
          first.subscriptions.length > 0 ? <Export id={id} kind={kind} /> : null
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

export function subscriptionsCsv(rows: readonly VendorSubscriptionOnWire[]): string {
  const lines = rows.map((row) => [
    row.dateCreation,
    row.nomClient,
    row.typeAbonnement,
    row.prix,
    row.net,
    row.dateRenouvellement ?? "",
    row.groupId === "" ? catalogueCopy.donation.kind : sayKind(row),
  ]);
  return csvText([[...copy.columns], ...lines]);
}

function sayKind({ estRenouvellement }: VendorSubscriptionOnWire): string {
  return estRenouvellement ? words.renewal : words.fresh;
}

/** A §2: the newest. */
const NEWEST = 5;

/** The newest of a product, folded away at will. */
export function SubscriptionHistory({ product }: { product: ProductOnWire }) {
  const query = { product: product.id, limit: NEWEST };
  const newest = useQuery(read("GET /api/subscriptions", { query }));
  const rows = newest.data?.subscriptions.slice(0, NEWEST) ?? [];
  const gift = product.group ? null : catalogueCopy.donation;
  return (
    <Card flush gap={1}>
      <Fold
        open
        title={
          <Text as="h2" size="heading">
            {gift?.giftsTitle ?? words.history}
          </Text>
        }
      >
        {newest.isPending ? (
          <SkeletonRows count={3} label={words.historyLoading} />
        ) : rows.length === 0 ? (
          <Text tone="soft" pad>
            {newest.isError ? words.historyFailed : (gift?.historyNone ?? words.historyNone)}
          </Text>
        ) : (
          <>
            <SubscriptionRows rows={rows} />
            <MoreLink href={`/ProductCard/${product.id}/abonnements`}>
              {words.seeAll(newest.data?.total ?? rows.length)}
            </MoreLink>
          </>
        )}
      </Fold>
    </Card>
  );
}

function SubscriptionRows({ rows }: { rows: readonly VendorSubscriptionOnWire[] }) {
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.id}>
          <Cell
            before={<Avatar name={row.nomClient} />}
            title={row.nomClient}
            subtitle={
              <>
                <Line as="span" between>
                  <span>{sayShortInstant(row.dateCreation)}</span>
                  <KindBadge subscription={row} />
                </Line>
                {row.dateRenouvellement ? (
                  <Text as="span" block>
                    {words.until(sayShortDay(row.dateRenouvellement))}
                  </Text>
                ) : null}
                {row.direct ? (
                  <Text as="span" block>
                    {words.direct}
                  </Text>
                ) : null}
              </>
            }
            after={<strong>{formatFcfa(row.prix)}</strong>}
          />
        </li>
      ))}
    </ul>
  );
}

function KindBadge({ subscription }: { subscription: VendorSubscriptionOnWire }) {
  const { valide, groupId, estRenouvellement } = subscription;
  if (valide === false) return <Badge tone="neutral">{words.refunded}</Badge>;
  if (groupId === "" && valide) return null;
  return <Badge tone={estRenouvellement ? "accent" : "positive"}>{sayKind(subscription)}</Badge>;
}
