import styles from "./seller.module.css";
import type { DeskOrderOnWire } from "@sesame/contract/refunds";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { Badge, type BadgeTone } from "../../kit/badge.tsx";
import { Banner } from "../../kit/banner.tsx";
import { Button } from "../../kit/button.tsx";
import { Page } from "../../kit/page.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { buyersCopy } from "./people-messages.fr.ts";
import { ClaimCell } from "./parts/case-lists.tsx";
import { type Fact, Facts } from "./parts/facts.tsx";
import { OrderLines, OrderPayments, OrderTrace } from "./parts/order-lists.tsx";
import { RefundCard } from "./parts/refund-card.tsx";
import { RefundOrderSheet } from "./parts/refund-order.tsx";
import { read } from "../../lib/read.ts";
import { LOOK_AGAIN_MS } from "./use-desk.ts";
import { One } from "./parts/states.tsx";

const copy = buyersCopy.sheet;

/** Everything about one order: its payments, its access, its money, what was said and done. */
export function Order({ id }: { id: string }) {
  const query = useQuery({
    ...read("GET /api/desk/orders/:id", { params: { id }, pick: "order" }),
    refetchInterval: LOOK_AGAIN_MS,
  });
  return (
    <One
      query={query}
      title={copy.title(id)}
      missing={copy.missing}
      back={{ label: copy.back, href: "/bureau/recherche" }}
    >
      {(order) => <Shown order={order} />}
    </One>
  );
}

const TONES: Readonly<Record<DeskOrderOnWire["status"], BadgeTone>> = {
  pending: "accent",
  paid: "positive",
  failed: "danger",
  refunded: "warning",
};

function Shown({ order }: { order: DeskOrderOnWire }) {
  return (
    <Page
      title={copy.title(order.id)}
      subtitle={
        <>
          <Badge tone={TONES[order.status]}>{order.status_label}</Badge> {order.title}
        </>
      }
    >
      {order.direct ? (
        <Banner tone="accent" icon="info">
          {copy.direct}
        </Banner>
      ) : null}
      {order.taken_back ? (
        <Banner tone="warning" icon="warning">
          {copy.takenBack}
        </Banner>
      ) : null}
      <Section>
        <Facts facts={factsOf(order)} />
        {order.seller ? (
          <Cell
            icon="user"
            tint="blue"
            title={order.seller.name}
            subtitle={copy.sellerSheet}
            href={`/bureau/vendeurs/${order.seller.id}`}
            chevron
          />
        ) : null}
      </Section>
      <OrderPayments order={order} />
      {order.refunds.length > 0 ? (
        <Section title={copy.refunds}>
          {order.refunds.map((refund) => (
            <RefundCard key={refund.id} refund={refund} />
          ))}
        </Section>
      ) : null}
      {order.claims.length > 0 ? (
        <Section title={copy.claims}>
          <ul>
            {order.claims.map((claim) => (
              <li key={claim.id}>
                <ClaimCell claim={claim} />
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      <RefundAct order={order} />
      <OrderLines order={order} />
      <OrderTrace order={order} />
    </Page>
  );
}

function factsOf(order: DeskOrderOnWire): Fact[] {
  const { facts } = copy;
  const known = (label: string, value: string | null): Fact[] => (value ? [[label, value]] : []);
  const { buyer, access } = order;
  const split: Fact[] =
    order.seller !== null && !order.direct
      ? [
          [facts.fee, formatFcfa(order.fee)],
          [facts.net, formatFcfa(order.net)],
        ]
      : [];
  return [
    [facts.kind, order.kind_label],
    [facts.amount, formatFcfa(order.amount)],
    ...split,
    [facts.buyer, buyer.username ? `${buyer.name} (@${buyer.username})` : buyer.name],
    ...known(facts.group, order.group?.name ?? null),
    [facts.created, formatInstant(order.created_at)],
    ...known(facts.paid, order.paid_at ? formatInstant(order.paid_at) : null),
    ...known(facts.access, access ? access.status_label : null),
    ...known(
      facts.until,
      access
        ? formatInstant(access.ends_at)
        : order.access_until
          ? formatInstant(order.access_until)
          : null,
    ),
  ];
}

/** The operator's: what the seller lacks is advanced (decision 83). */
function RefundAct({ order }: { order: DeskOrderOnWire }) {
  const [asking, setAsking] = useState(false);
  const { allowed, reason } = order.may.refund;
  if (!allowed) return reason ? <p className={styles.small}>{reason}</p> : null;
  return (
    <>
      <Button look="danger-tinted" onClick={() => setAsking(true)}>
        {copy.refund}
      </Button>
      {asking ? <RefundOrderSheet order={order} onClose={() => setAsking(false)} /> : null}
    </>
  );
}
