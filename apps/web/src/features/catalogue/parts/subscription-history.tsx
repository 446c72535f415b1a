import type { ProductOnWire } from "@sesame/contract/catalogue";
import { useQuery } from "@tanstack/react-query";
import { read } from "../../../lib/read.ts";
import { Fold } from "../../../kit/accordion.tsx";
import { Card, MoreLink, Text } from "../../../kit/layout.tsx";
import { SkeletonRows } from "../../../kit/skeleton.tsx";
import { catalogueCopy } from "../messages.fr.ts";
import { SubscriptionRow } from "./subscription-row.tsx";

const copy = catalogueCopy.card;
/** A §2. */
const NEWEST = 5;

/** The five newest, folded away at will. */
export function SubscriptionHistory({ product }: { product: ProductOnWire }) {
  const newest = useQuery(
    read("GET /api/subscriptions", { query: { product: product.id, limit: NEWEST } }),
  );
  const rows = newest.data?.subscriptions ?? [];
  return (
    <Card flush gap={1}>
      <Fold
        open
        title={
          <Text as="h2" size="heading">
            {product.group ? copy.history : catalogueCopy.donation.giftsTitle}
          </Text>
        }
      >
        {newest.isPending ? (
          <SkeletonRows count={3} label={copy.historyLoading} />
        ) : newest.isError ? (
          <Text tone="soft" pad>
            {copy.historyFailed}
          </Text>
        ) : rows.length === 0 ? (
          <Text tone="soft" pad>
            {product.group ? copy.historyNone : catalogueCopy.donation.historyNone}
          </Text>
        ) : (
          <>
            <ul>
              {rows.slice(0, NEWEST).map((subscription) => (
                <SubscriptionRow key={subscription.id} subscription={subscription} />
              ))}
            </ul>
            <MoreLink href={`/ProductCard/${product.id}/abonnements`}>
              {copy.seeAll(newest.data?.total ?? rows.length)}
            </MoreLink>
          </>
        )}
      </Fold>
    </Card>
  );
}
