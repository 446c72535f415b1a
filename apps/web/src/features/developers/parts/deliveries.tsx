import type { DeliveryOnWire } from "@sesame/contract/developers";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readPages } from "../../../lib/read.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { Badge, type BadgeTone } from "../../../kit/badge.tsx";
import { Line, Text } from "../../../kit/layout.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { SkeletonRows } from "../../../kit/skeleton.tsx";
import { MoreButton } from "../../../kit/more-button.tsx";
import { developersCopy } from "../messages.fr.ts";
import { LOOK_AGAIN_MS } from "../use-act.ts";
import type { Choice } from "./choices.tsx";
import { DeliverySheet } from "./delivery-sheet.tsx";
import { sayOutcome } from "./say-outcome.ts";

const copy = developersCopy.deliveries;

const TONES: Readonly<Record<DeliveryOnWire["status"], BadgeTone>> = {
  pending: "warning",
  delivered: "positive",
  failed: "danger",
};

/** What was sent, newest first. */
export function Deliveries(props: { events: readonly Choice[]; days: number; closed: boolean }) {
  const list = useInfiniteQuery({
    ...readPages("GET /api/developers/deliveries", { query: { limit: 20 } }),
    refetchInterval: LOOK_AGAIN_MS,
  });
  const [open, setOpen] = useState<string | null>(null);
  const deliveries = list.data?.pages.flatMap((each) => each.deliveries);
  const nameOf = (type: string) =>
    props.events.find(({ key }) => key === type)?.label ?? developersCopy.events[type] ?? type;
  if (!deliveries) {
    return list.isError ? (
      <Section title={copy.title}>
        <Cell
          title={developersCopy.loadFailed}
          after={developersCopy.retry}
          onClick={() => void list.refetch()}
        />
      </Section>
    ) : (
      <SkeletonRows count={2} label={developersCopy.loading} />
    );
  }
  return (
    <>
      <Section title={copy.title} footer={copy.footer(props.days)}>
        {deliveries.length === 0 ? <Cell title={copy.none} /> : null}
        {deliveries.map((delivery) => (
          <Cell
            key={delivery.id}
            title={
              <Text as="span" strong>
                {nameOf(delivery.type)}
              </Text>
            }
            subtitle={
              <>
                <Text as="span" block>
                  {sayShortInstant(delivery.created_at)} · {copy.attempts(delivery.attempts)}
                </Text>
                <Line as="span">
                  <Badge tone={TONES[delivery.status]}>{copy.status[delivery.status]}</Badge>
                  {delivery.last ? sayOutcome(delivery.last) : null}
                </Line>
              </>
            }
            onClick={() => setOpen(delivery.id)}
            chevron
          />
        ))}
      </Section>
      <MoreButton pages={list} label={copy.more} />
      {open === null ? null : (
        <DeliverySheet key={open} id={open} closed={props.closed} onClose={() => setOpen(null)} />
      )}
    </>
  );
}
