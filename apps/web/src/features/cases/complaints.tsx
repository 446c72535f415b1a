import type { ComplaintOnWire } from "@sesame/contract/cases";
import { formatFcfa } from "../../lib/format.ts";
import { useRefresh } from "../../lib/resources.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Cell, Line, Name, Text } from "../../kit/layout.tsx";
import { Page } from "../../kit/screen.tsx";
import { Paged } from "../../kit/paged.tsx";
import { joined, Rows } from "../../kit/records.tsx";
import { complaintsCopy as copy } from "./messages.fr.ts";
import { AGAIN_MS, CaseBadge, complaintsQuery } from "./queries.tsx";

/** /reclamations: those to answer first, then the others. */
export function Complaints() {
  const refresh = useRefresh("complaints");
  return (
    <Page refresh={refresh} title={copy.title} subtitle={copy.subtitle}>
      <Paged
        of={complaintsQuery}
        every={AGAIN_MS}
        rows={({ complaints }) => complaints}
        words={copy}
        empty={["receipt", copy.none, copy.noneText]}
      >
        {(complaints, { since }) =>
          ([true, false] as const).map((waits) => (
            <Rows key={String(waits)} title={waits ? copy.toAnswer : copy.others}>
              {complaints
                .filter(({ status }) => (status === "vendeur") === waits)
                .map((complaint) => (
                  <ComplaintRow key={complaint.id} complaint={complaint} now={since} />
                ))}
            </Rows>
          ))
        }
      </Paged>
    </Page>
  );
}

function ComplaintRow({ complaint, now }: { complaint: ComplaintOnWire; now: number }) {
  const left = sayLeft(complaint.seller_due_at, now);
  return (
    <Cell
      href={`/reclamations/${complaint.id}`}
      before={<Avatar name={complaint.buyer.nom} />}
      title={<Name>{complaint.buyer.nom}</Name>}
      subtitle={
        <>
          <Text as="span" clamp>
            {joined(complaint.kind_label, complaint.title)}
          </Text>
          {complaint.status === "vendeur" ? (
            <Text as="span" block tone="amber" strong>
              {left ? copy.due(left) : copy.overdue}
            </Text>
          ) : (
            <Line as="span">
              <CaseBadge of={complaint} />
              {sayShortInstant(complaint.closed_at ?? complaint.opened_at)}
            </Line>
          )}
        </>
      }
      after={<strong>{formatFcfa(complaint.amount)}</strong>}
      chevron={false}
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
  const { left } = copy;
  if (hours >= DAY_HOURS) return left.days(Math.floor(hours / DAY_HOURS), hours % DAY_HOURS);
  return hours > 0 ? left.hours(hours, minutes % HOUR_MINUTES) : left.minutes(minutes);
}
