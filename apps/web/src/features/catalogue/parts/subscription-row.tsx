import type { VendorSubscriptionOnWire } from "@sesame/contract/reports";
import { formatFcfa } from "../../../lib/format.ts";
import { sayShortDay, sayShortInstant } from "../../../lib/time-words.fr.ts";
import { Avatar } from "../../../kit/avatar.tsx";
import { Badge } from "../../../kit/badge.tsx";
import { Line, Text } from "../../../kit/layout.tsx";
import { Cell } from "../../../kit/section.tsx";
import { catalogueCopy } from "../messages.fr.ts";

const copy = catalogueCopy.card;

export function SubscriptionRow({ subscription }: { subscription: VendorSubscriptionOnWire }) {
  const { dateRenouvellement } = subscription;
  return (
    <li>
      <Cell
        before={<Avatar name={subscription.nomClient} />}
        title={subscription.nomClient}
        subtitle={
          <>
            <Line as="span" between>
              <span>{sayShortInstant(subscription.dateCreation)}</span>
              <KindBadge subscription={subscription} />
            </Line>
            {dateRenouvellement ? (
              <Text as="span" block>
                {copy.until(sayShortDay(dateRenouvellement))}
              </Text>
            ) : null}
            {subscription.direct ? (
              <Text as="span" block>
                {copy.direct}
              </Text>
            ) : null}
          </>
        }
        after={<strong>{formatFcfa(subscription.prix)}</strong>}
      />
    </li>
  );
}

function KindBadge({ subscription }: { subscription: VendorSubscriptionOnWire }) {
  if (subscription.groupId === "" && subscription.valide) return null;
  if (subscription.valide === false) return <Badge tone="neutral">{copy.refunded}</Badge>;
  return subscription.estRenouvellement ? (
    <Badge tone="accent">{copy.renewal}</Badge>
  ) : (
    <Badge tone="positive">{copy.fresh}</Badge>
  );
}
