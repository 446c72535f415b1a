import type { AnswerOf } from "@sesame/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { formatFcfa, formatInstant } from "../../../lib/format.ts";
import { read } from "../../../lib/read.ts";
import { unreachable } from "@sesame/kernel";
import { NotYet } from "../../../kit/not-yet.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { calendarCopy as copy, sayWholeDay } from "../messages.fr.ts";
import { StatusBadge } from "./status-badge.tsx";
import { Line, Text } from "../../../kit/layout.tsx";

/** What falls on a day, by its time. */
export function DayEvents({ day }: { day: string }) {
  const events = useQuery(read("GET /api/calendar/day", { query: { jour: day } }));
  const title = sayWholeDay(day);
  if (!events.data) return <NotYet query={events} copy={copy} rows={2} />;
  const { evenements, autres } = events.data;
  return (
    <Section title={title} footer={autres > 0 ? copy.others(autres) : undefined}>
      {evenements.length === 0 ? (
        <Text tone="soft" pad>
          {copy.noneDay}
        </Text>
      ) : (
        <ul>
          {evenements.map((event) => (
            <li key={`${event.type} ${event.id}`}>
              <EventRow event={event} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function EventRow({ event }: { event: AnswerOf<"GET /api/calendar/day">["evenements"][number] }) {
  const at = formatInstant(event.date).split(" à ")[1] ?? "";
  switch (event.type) {
    case "expiration":
      return (
        <Cell
          icon="clock"
          title={
            <Text as="span" clamp strong>
              {event.nomClient}
            </Text>
          }
          subtitle={
            <Lines first={event.passee ? copy.expired : copy.expires} second={event.produitNom} />
          }
          after={at}
          href={`/ProductCard/${event.idProduit}/abonnements`}
          chevron
        />
      );
    case "renouvellement":
      return (
        <Cell
          icon="refresh"
          title={
            <Text as="span" clamp strong>
              {event.nomClient}
            </Text>
          }
          subtitle={<Lines first={`${copy.renewed} · ${at}`} second={event.produitNom} />}
          after={
            <Text as="strong" tone="green">
              +{formatFcfa(event.montant)}
            </Text>
          }
          href={`/ProductCard/${event.idProduit}/abonnements`}
          chevron
        />
      );
    case "retrait":
      return (
        <Cell
          icon="arrowOut"
          title={event.automatique ? copy.automaticPayout : copy.payout}
          subtitle={
            <Line as="span" between>
              <span>{`${event.reference_transaction} · ${at}`}</span>
              <StatusBadge status={event.status} />
            </Line>
          }
          after={<strong>{formatFcfa(event.montant)}</strong>}
          href="/HistoriqueRetraits"
          chevron
        />
      );
    case "retrait_automatique":
      return (
        <Cell
          icon="arrowOut"
          title={copy.nextPayout}
          subtitle={copy.nextPayoutText}
          after={at}
          href="/ConfigurationRetrait"
          chevron
        />
      );
    default:
      return unreachable(event);
  }
}

function Lines({ first, second }: { first: string; second: string }) {
  return (
    <>
      <Text as="span" block>
        {first}
      </Text>
      <Text as="span" block>
        {second}
      </Text>
    </>
  );
}
