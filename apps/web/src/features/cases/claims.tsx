import type { ClaimOnWire } from "@sesame/contract/cases";
import { formatFcfa } from "../../lib/format.ts";
import { useRefresh } from "../../lib/resources.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Text } from "../../kit/layout.tsx";
import { Page } from "../../kit/page.tsx";
import { Paged } from "../../kit/paged.tsx";
import { PullToRefresh } from "../../kit/pull-to-refresh.tsx";
import { joined, Rows } from "../../kit/records.tsx";
import { Cell } from "../../kit/section.tsx";
import { claimsCopy, claimsCopy as copy } from "./messages.fr.ts";
import { AGAIN_MS, CaseBadge, claimsQuery } from "./queries.tsx";

/** /reclamations: those to answer first, then the others. */
export function Claims() {
  const refresh = useRefresh("claims");
  return (
    <PullToRefresh label={copy.retry} onRefresh={refresh}>
      <Page title={copy.title} subtitle={copy.subtitle}>
        <Paged
          of={claimsQuery}
          every={AGAIN_MS}
          rows={({ claims }) => claims}
          words={copy}
          empty={["receipt", copy.none, copy.noneText]}
        >
          {(claims, { since }) =>
            ([true, false] as const).map((waits) => (
              <Rows key={String(waits)} title={waits ? copy.toAnswer : copy.others}>
                {claims
                  .filter(({ status }) => (status === "vendeur") === waits)
                  .map((claim) => (
                    <ClaimRow key={claim.id} claim={claim} now={since} />
                  ))}
              </Rows>
            ))
          }
        </Paged>
      </Page>
    </PullToRefresh>
  );
}

function ClaimRow({ claim, now }: { claim: ClaimOnWire; now: number }) {
  const left = claim.status === "vendeur" ? sayLeft(claim.seller_due_at, now) : null;
  return (
    <Cell
      href={`/reclamations/${claim.id}`}
      before={<Avatar name={claim.buyer.nom} />}
      title={
        <Text as="span" strong>
          {claim.buyer.nom}
        </Text>
      }
      subtitle={
        <>
          <CaseBadge of={claim} />{" "}
          {left ? (
            <Text as="span" tone="amber" strong>
              {copy.due(left)}
            </Text>
          ) : (
            sayShortInstant(claim.closed_at ?? claim.opened_at)
          )}{" "}
          · {joined(claim.kind_label, claim.title)}
        </>
      }
      after={<strong>{formatFcfa(claim.amount)}</strong>}
      chevron
    />
  );
}

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_HOURS = 24;

/** What is left until an instant, by its two biggest units; null once it has passed. */
export function sayLeft(until: string, now: number): string | null {
  const minutes = Math.floor((Date.parse(until) - now) / MINUTE_MS);
  if (!(minutes > 0)) return null;
  const hours = Math.floor(minutes / HOUR_MINUTES);
  const { left } = claimsCopy;
  if (hours >= DAY_HOURS) return left.days(Math.floor(hours / DAY_HOURS), hours % DAY_HOURS);
  return hours > 0 ? left.hours(hours, minutes % HOUR_MINUTES) : left.minutes(minutes);
}
