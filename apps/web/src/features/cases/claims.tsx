import type { ClaimOnWire } from "@sesame/contract/cases";
import { useInfiniteQuery } from "@tanstack/react-query";
import { formatFcfa } from "../../lib/format.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { Line, Text } from "../../kit/layout.tsx";
import { MoreButton } from "../../kit/more-button.tsx";
import { Page } from "../../kit/page.tsx";
import { PullToRefresh } from "../../kit/pull-to-refresh.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { SkeletonRows } from "../../kit/skeleton.tsx";
import { claimsCopy, claimsCopy as copy } from "./messages.fr.ts";
import { LoadFailed } from "./parts/no-case.tsx";
import { CaseBadge, claimsQuery } from "./queries.tsx";

/** /reclamations: those to answer first, then the others. */
export function Claims() {
  const list = useInfiniteQuery(claimsQuery);
  const claims = list.data?.pages.flatMap((page) => page.claims);
  return (
    <PullToRefresh label={copy.retry} onRefresh={() => list.refetch()}>
      <Page title={copy.title} subtitle={copy.subtitle}>
        {claims ? (
          <Shown claims={claims} now={list.dataUpdatedAt} />
        ) : list.isError ? (
          <LoadFailed copy={copy} onRetry={() => void list.refetch()} />
        ) : (
          <SkeletonRows count={4} label={copy.loading} />
        )}
        <MoreButton pages={list} label={copy.more} />
      </Page>
    </PullToRefresh>
  );
}

function Shown({ claims, now }: { claims: readonly ClaimOnWire[]; now: number }) {
  if (claims.length === 0) {
    return <EmptyState drawing="receipt" title={copy.none} text={copy.noneText} />;
  }
  const waiting = claims.filter(({ status }) => status === "vendeur");
  const others = claims.filter(({ status }) => status !== "vendeur");
  const rows = (title: string, list: readonly ClaimOnWire[]) =>
    list.length === 0 ? null : (
      <Section title={title}>
        <ul>
          {list.map((claim) => (
            <ClaimRow key={claim.id} claim={claim} now={now} />
          ))}
        </ul>
      </Section>
    );
  return (
    <>
      {rows(copy.toAnswer, waiting)}
      {rows(copy.others, others)}
    </>
  );
}

function ClaimRow({ claim, now }: { claim: ClaimOnWire; now: number }) {
  const left = claim.status === "vendeur" ? sayLeft(claim.seller_due_at, now) : null;
  return (
    <li>
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
            <Text as="span" block>
              {claim.kind_label}
            </Text>
            <Text as="span" block>
              {claim.title} · {formatFcfa(claim.amount)}
            </Text>
            <Line as="span">
              <CaseBadge of={claim} />
              {left ? (
                <Text as="span" tone="amber" strong>
                  {copy.due(left)}
                </Text>
              ) : (
                sayShortInstant(claim.closed_at ?? claim.opened_at)
              )}
            </Line>
          </>
        }
        chevron
      />
    </li>
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
