import type { ClaimOnWire } from "@sesame/contract/claims";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { formatFcfa } from "../../../lib/format.ts";
import { readPages } from "../../../lib/read.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Cell, Section } from "../../../ui/section.tsx";
import { buyersCopy as copy } from "../people-messages.fr.ts";
import { LOOK_AGAIN_MS } from "../use-desk.ts";
import { PagedList } from "./paged-list.tsx";

export const CLAIM_TONES: Readonly<Record<ClaimOnWire["status"], BadgeTone>> = {
  vendeur: "accent",
  operateur: "warning",
  rembourse: "neutral",
  rejete: "neutral",
  resolu: "positive",
  retire: "neutral",
};

export type BuyersView = "open" | "done";

export function ClaimList({ view }: { view: BuyersView }) {
  const pages = useInfiniteQuery({
    ...readPages("GET /api/desk/claims", { query: { view } }),
    refetchInterval: LOOK_AGAIN_MS,
    placeholderData: keepPreviousData,
  });
  const claims = pages.data?.pages.flatMap((page) => page.claims) ?? [];
  const empty = (
    <EmptyState
      drawing="receipt"
      title={view === "open" ? copy.noClaim : copy.noClaimDone}
      text={view === "open" ? copy.noClaimText : ""}
    />
  );
  return (
    <PagedList pages={pages} items={claims} empty={empty}>
      <Section>
        <ul>
          {claims.map((claim) => (
            <li key={claim.id}>
              <ClaimCell claim={claim} />
            </li>
          ))}
        </ul>
      </Section>
    </PagedList>
  );
}

export function ClaimCell({ claim }: { claim: ClaimOnWire }) {
  const who = claim.seller?.nom ?? copy.claim.facts.platform;
  return (
    <Cell
      href={`/bureau/reclamations/${claim.id}`}
      title={`${formatFcfa(claim.amount)} · ${claim.buyer.nom}`}
      subtitle={
        <>
          <Badge tone={CLAIM_TONES[claim.status]}>{claim.status_label}</Badge> {claim.kind_label}
          {` · ${claim.title} · ${who} · ${sayShortInstant(claim.opened_at)}`}
        </>
      }
      chevron
    />
  );
}
