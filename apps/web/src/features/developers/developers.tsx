import type { DeliveryOnWire } from "@sesame/contract/developers";
import type { AnswerOf } from "@sesame/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, readPages } from "../../lib/read.ts";
import { useSession } from "../../lib/session.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { openLink } from "../../telegram/native.ts";
import { Badge, type BadgeTone, Banner, Button } from "../../kit/button.tsx";
import { Empty, NotYet, Page } from "../../kit/screen.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Cell, Points, Section, Text } from "../../kit/layout.tsx";
import { kitCopy } from "../../kit/messages.fr.ts";
import { Sheet } from "../../kit/modal.tsx";
import { Paged } from "../../kit/paged.tsx";
import { joined, Rows } from "../../kit/records.tsx";
import { act, Acts } from "../../kit/use-action.tsx";
import { Endpoints, Keys } from "./keys.tsx";
import { developersCopy as copy } from "./messages.fr.ts";

/** /Developpeurs: keys, endpoints, what was sent. On the free plan: what premium offers. */
export function Developers() {
  const page = useQuery(read("GET /api/developers"));
  return (
    <Page refresh={() => page.refetch()} title={copy.title} subtitle={copy.subtitle}>
      {page.data ? <Shown page={page.data} /> : <NotYet query={page} copy={copy} />}
    </Page>
  );
}

type Page = AnswerOf<"GET /api/developers">;

function Shown({ page }: { page: Page }) {
  const offline = useSession().at === "offline";
  const owns = page.keys.length > 0 || page.endpoints.length > 0;
  if (!page.open && !owns) {
    return (
      <>
        <Empty of={["link", copy.offer.title, copy.offer.text]}>
          <Button href="/Plans">{copy.plans}</Button>
        </Empty>
        <Section pad>
          <Points points={copy.offer.points} />
        </Section>
      </>
    );
  }
  const closed = offline || !page.open;
  return (
    <>
      {offline ? (
        <Banner icon="offline">{kitCopy.offline}</Banner>
      ) : page.open ? null : (
        <Banner icon="info" action={[copy.plans, "/Plans"]}>
          {copy.resting}
        </Banner>
      )}
      <Keys page={page} closed={closed} />
      <Endpoints page={page} closed={closed} />
      {page.endpoints.length > 0 ? (
        <Deliveries events={page.events} days={page.limits.deliveries_days} closed={closed} />
      ) : null}
      <Section>
        <Cell
          icon="document"
          title={copy.docs}
          subtitle={copy.docsText}
          onClick={() => openLink("/docs")}
          chevron
        />
      </Section>
    </>
  );
}

const sent = copy.deliveries;

const TONES: Readonly<Record<DeliveryOnWire["status"], BadgeTone>> = {
  pending: "warning",
  delivered: "positive",
  failed: "danger",
};

/** An attempt may be under way: the list is read again. */
const LOOK_AGAIN_MS = 5_000;

/** What was sent, newest first. */
function Deliveries(props: { events: Page["events"]; days: number; closed: boolean }) {
  const [open, setOpen] = useState<string | null>(null);
  const nameOf = (type: string) =>
    props.events.find(({ key }) => key === type)?.label ?? copy.events[type] ?? type;
  const rows = (deliveries: readonly DeliveryOnWire[]) => (
    <Rows title={sent.title} footer={sent.footer(props.days)} none={sent.none}>
      {deliveries.map(({ id, type, status, created_at, attempts, last }) => (
        <Cell
          key={id}
          title={<strong>{nameOf(type)}</strong>}
          subtitle={joined(
            sayShortInstant(created_at),
            sent.attempts(attempts),
            last && sayOutcome(last),
          )}
          after={<Badge tone={TONES[status]}>{sent.status[status]}</Badge>}
          onClick={() => setOpen(id)}
          chevron
        />
      ))}
    </Rows>
  );
  return (
    <>
      <Paged
        of={readPages("GET /api/developers/deliveries", { query: { limit: 20 } })}
        every={LOOK_AGAIN_MS}
        rows={({ deliveries }) => deliveries}
        words={copy}
        empty={rows([])}
      >
        {rows}
      </Paged>
      {open === null ? null : (
        <DeliverySheet key={open} id={open} closed={props.closed} onClose={() => setOpen(null)} />
      )}
    </>
  );
}

/** One event to one address: what was sent, each attempt, and once more by hand. */
function DeliverySheet({ id, closed, onClose }: { id: string; closed: boolean; onClose(): void }) {
  const params = { id };
  const shown = useQuery({
    ...read("GET /api/developers/deliveries/:id", { params }),
    refetchInterval: LOOK_AGAIN_MS,
  });
  const log = shown.data?.log ?? [];
  const next = shown.data?.delivery.next_at;
  return (
    <Sheet title={shown.data?.delivery.type ?? sent.title} onClose={onClose} close={copy.close}>
      {shown.data ? (
        <>
          <Section pad>
            <Facts
              facts={[
                [sent.answered, sent.status[shown.data.delivery.status], true],
                [sent.next, next && sayShortInstant(next)],
                [sent.to, shown.data.delivery.url],
                [sent.id, shown.data.delivery.webhook_id],
              ]}
            />
          </Section>
          {log.length > 0 ? (
            <Section title={sent.attempt}>
              {log.map((attempt, nth) => (
                <Cell
                  key={`${attempt.at} ${log.length - nth}`}
                  title={sayOutcome(attempt)}
                  subtitle={
                    <>
                      <Text as="span" block>
                        {sayShortInstant(attempt.at)}
                      </Text>
                      {attempt.answer ? (
                        <Text as="code" block>
                          {attempt.answer.slice(0, 300)}
                        </Text>
                      ) : null}
                    </>
                  }
                />
              ))}
            </Section>
          ) : null}
          <Section title={sent.body}>
            <Text as="pre" code pad size="small">
              {JSON.stringify(JSON.parse(shown.data.body), null, 2)}
            </Text>
          </Section>
        </>
      ) : (
        <NotYet query={shown} copy={copy} rows={3} />
      )}
      <Acts
        of={
          !closed &&
          shown.data &&
          act("POST /api/developers/deliveries/:id/replay", {
            params,
            button: sent.replay,
            icon: "refresh",
            failed: copy.failed,
          })
        }
      />
    </Sheet>
  );
}

type Outcome = NonNullable<DeliveryOnWire["last"]>;

/** "200 · 85 ms", or why nobody answered. */
function sayOutcome({ status_code: status, failure, duration_ms: ms }: Outcome): string {
  if (status !== null) return `${status} · ${sent.milliseconds(ms)}`;
  return (failure !== null && sent.failures[failure]) || sent.status.failed;
}
