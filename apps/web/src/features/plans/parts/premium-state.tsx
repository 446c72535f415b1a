import type { PlansAnswer } from "@sesame/contract/plans";
import type { AnswerOf } from "@sesame/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { formatDay, formatFcfa } from "../../../lib/format.ts";
import { paymentPath } from "../../../lib/payment-path.ts";
import { read } from "../../../lib/read.ts";
import { useChannels, useUser } from "../../../lib/use-seller.ts";
import { Badge } from "../../../kit/badge.tsx";
import { Banner } from "../../../kit/banner.tsx";
import { Button } from "../../../kit/button.tsx";
import { Stack } from "../../../kit/layout.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { plansCopy } from "../messages.fr.ts";

const copy = plansCopy.state;
const DAY_MS = 86_400_000;
/** From here on its end is said as a warning: the first reminder is of the same day. */
const SOON_DAYS = 7;

/** The premium plan of this seller: until when, what comes after, and what was bought. */
export function PremiumState({ answer }: { answer: PlansAnswer }) {
  const user = useUser();
  const purchases = useQuery({
    ...read("GET /api/users/:id/abonnement", { params: { id: user?.id ?? "" } }),
    enabled: user !== undefined,
  });
  const [opened] = useState(Date.now);
  if (!user) return null;
  const state = user.premium_state ?? "none";
  // The end and the instant of one answer: a phone's own clock may be days off.
  const told = purchases.data;
  const until = told?.premium_until ?? user.premium_until;
  const now = told ? Date.parse(told.now) : opened;
  return (
    <>
      {state === "none" || !until ? null : (
        <Running
          grace={state === "grace"}
          until={until}
          graceUntil={told?.grace_until ?? null}
          now={now}
          answer={answer}
        />
      )}
      <Purchases purchases={told} />
    </>
  );
}

function Running(props: {
  grace: boolean;
  until: string;
  graceUntil: string | null;
  now: number;
  answer: PlansAnswer;
}) {
  const { grace, until, now, answer } = props;
  const [, navigate] = useLocation();
  const fallback =
    props.graceUntil ?? new Date(Date.parse(until) + answer.grace_days * DAY_MS).toISOString();
  const daysLeft = Math.ceil((Date.parse(until) - now) / DAY_MS);
  const graceLeft = Math.max(0, Math.ceil((Date.parse(fallback) - now) / DAY_MS));
  const soon = grace || daysLeft <= SOON_DAYS;
  return (
    <Stack as="section" aria-label={copy.title}>
      {soon ? (
        <Banner tone="warning" icon="clock">
          {grace ? copy.grace(graceLeft, formatDay(fallback)) : copy.endsSoon(daysLeft)}
        </Banner>
      ) : null}
      <Section title={copy.title} footer={grace ? undefined : copy.renewNote}>
        <Cell
          icon="star"
          title={grace ? copy.ended(formatDay(until)) : copy.until(formatDay(until))}
          subtitle={grace ? copy.graceText(formatDay(fallback)) : copy.days(Math.max(0, daysLeft))}
        />
        {soon ? <WhatChanges answer={answer} day={formatDay(fallback)} /> : null}
      </Section>
      <Button onClick={() => navigate("/PaymentSelector")}>{copy.renew}</Button>
    </Stack>
  );
}

/** What the fall back to the free plan will mean for this seller. */
function WhatChanges({ answer, day }: { answer: PlansAnswer; day: string }) {
  const channels = useChannels().data ?? [];
  const free = answer.plans.find(({ type_plan: plan }) => plan === "gratuit");
  const over = Math.max(0, channels.length - (free?.groups_max ?? channels.length));
  const changes = [
    copy.fee(plansCopy.percent(free?.fee_percent ?? 0)),
    ...(over > 0 ? [copy.over(over)] : []),
    copy.keys,
    copy.withdrawals,
    copy.kept,
  ];
  return (
    <Stack gap={1} pad>
      <p>{copy.changes(day)}</p>
      <ul>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </Stack>
  );
}

function Purchases({
  purchases,
}: {
  purchases: AnswerOf<"GET /api/users/:id/abonnement"> | undefined;
}) {
  if (!purchases || purchases.abonnements.length === 0) return null;
  return (
    <Section title={copy.purchases}>
      <ul>
        {purchases.abonnements.map((purchase) => (
          <li key={purchase.id}>
            <Cell
              title={purchase.estRenouvellement ? copy.renewal : copy.first}
              subtitle={
                purchase.dateRenouvellement
                  ? copy.period(
                      formatDay(purchase.dateCreation),
                      formatDay(purchase.dateRenouvellement),
                      purchase.moyen,
                    )
                  : copy.bought(formatDay(purchase.dateCreation), purchase.moyen)
              }
              after={
                purchase.rembourse ? (
                  <Badge tone="neutral">{copy.refunded}</Badge>
                ) : (
                  formatFcfa(purchase.prix)
                )
              }
              href={paymentPath(purchase.id)}
              chevron
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}
