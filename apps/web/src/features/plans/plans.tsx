import type { UserOnWire } from "@sesame/contract/identity";
import type { PlansAnswer } from "@sesame/contract/plans";
import type { AnswerOf } from "@sesame/contract/routes";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { Faq } from "../../kit/faq.tsx";
import { formatDay, formatFcfa, listWays } from "../../lib/format.ts";
import { HOME, paymentPath, sayWay } from "../../lib/text.ts";
import { read } from "../../lib/read.ts";
import { plansQuery, userQuery } from "../../lib/resources.ts";
import { useChannels, useUser } from "../../lib/use-seller.ts";
import { haptic } from "../../telegram/native.ts";
import { Badge, Banner, Button, TintedButton } from "../../kit/button.tsx";
import { Card, Cell, Heading, Line, Points, Section, Stack, Text } from "../../kit/layout.tsx";
import { NotYet, Page } from "../../kit/screen.tsx";
import { Segmented } from "../../kit/choices.tsx";
import { toast } from "../../kit/toast.tsx";
import { type Act, ActSheet, act } from "../../kit/use-action.tsx";
import { Rows } from "../../kit/records.tsx";
import { plansCopy as copy } from "./messages.fr.ts";
import styles from "./plans.module.css";

type Shown = "gratuit" | "payant";

export function Plans() {
  const plans = useQuery(plansQuery);
  const user = useUser();
  const isPremium = user?.type_plan === "payant";
  return (
    <Page title={copy.title} subtitle={isPremium ? copy.premiumSubtitle : copy.subtitle}>
      {/* A §2. A plain link: what is loaded anew signs in anew. */}
      {user?.id ? null : (
        <Banner>
          {copy.signInAgain} <a href="/">{copy.signInLink}</a>
        </Banner>
      )}
      {plans.data?.plans ? (
        <PlansContent answer={plans.data} />
      ) : (
        <NotYet query={plans} copy={copy} rows={6} />
      )}
    </Page>
  );
}

function PlansContent({ answer }: { answer: PlansAnswer }) {
  const user = useUser();
  const [shown, setShown] = useState<Shown>(user?.type_plan ?? "gratuit");
  const [trying, setTrying] = useState(false);
  const [, navigate] = useLocation();
  const free = answer.plans.find((plan) => plan.type_plan === "gratuit");
  const premium = answer.plans.find((plan) => plan.type_plan === "payant");
  const trial = useTrial(free?.fee_percent ?? 0);
  if (!free || !premium) return null;
  const current = user?.plan ? user.type_plan : null;
  const choose = (plan: Shown) => {
    haptic("light");
    if (plan === "payant") navigate("/PaymentSelector");
    else if (user?.id) setTrying(true);
    else toast(copy.updateFailed(copy.idMissing), "bad");
  };
  const shared = { answer, current, choose };
  return (
    <Stack gap={5}>
      <PremiumState answer={answer} />
      <Segmented
        label={copy.toggle}
        choices={{ gratuit: copy.free, payant: copy.premium }}
        value={shown}
        onChange={setShown}
      />
      <Stack gap={4} data-shown={shown}>
        {(shown === "payant" ? [premium, free] : [free, premium]).map((terms) => (
          <PlanCard key={terms.type_plan} terms={terms} {...shared} />
        ))}
      </Stack>
      {/* The detailed table of A §2: each line is the server's, which enforces it. */}
      <Section title={copy.compareTitle}>
        {/* Rows are laid out as grids, which would take the table from screen readers: hence roles. */}
        <table className={styles.table} role="table">
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader" scope="col" className="visually-hidden">
                {copy.feature}
              </th>
              <th role="columnheader" scope="col">
                {copy.free}
              </th>
              <th role="columnheader" scope="col">
                {copy.premium}
              </th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {answer.comparison.map((line) => (
              <tr key={line.key} role="row">
                <th role="rowheader" scope="row">
                  {line.label}
                </th>
                <td role="cell">{line.free}</td>
                <td role="cell">{line.premium}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
      <Section title={copy.paymentsTitle}>
        {answer.providers.length === 0 ? (
          <Cell title={copy.noPayments} icon="warning" />
        ) : (
          listWays(answer.providers).map((provider) => {
            const [title, rest] = sayWay(provider);
            return (
              <Cell
                key={provider.id}
                icon={provider.id === "stars" ? "star" : "wallet"}
                title={title}
                subtitle={rest || provider.description}
              />
            );
          })
        )}
      </Section>
      <Faq of="plans" title={copy.faqTitle} />
      <Stack>
        {current === "payant" ? null : (
          <Button onClick={() => choose("gratuit")}>
            {current === "gratuit" ? copy.keepFree : copy.chooseFree}
          </Button>
        )}
        <TintedButton onClick={() => choose("payant")}>
          {current === "payant" ? copy.renew : copy.choosePremium}
        </TintedButton>
      </Stack>
      {trying ? <ActSheet of={trial} onClose={() => setTrying(false)} /> : null}
    </Stack>
  );
}

/** The free plan, with the instance's built-in payments (decision 3). */
function useTrial(percent: number): Act {
  const id = useUser()?.id ?? "";
  const [, navigate] = useLocation();
  const client = useQueryClient();
  return act("PUT /api/users/:id", {
    params: { id },
    button: copy.trial,
    title: copy.trialTitle,
    text: copy.trialText(percent),
    body: () => ({ plan: true, type_plan: "gratuit", deja: true }),
    after: ({ user }) => {
      if (user) client.setQueryData(userQuery(user.id).queryKey, user);
      navigate(HOME);
    },
    failed: ({ message }) => copy.updateFailed(message),
  });
}

const EUROS = new Intl.NumberFormat("fr-FR", { minimumFractionDigits: 2 });

function PlanCard(props: {
  terms: PlansAnswer["plans"][number];
  answer: PlansAnswer;
  current: Shown | null;
  choose(plan: Shown): void;
}) {
  const { terms, answer, current } = props;
  const premium = terms.type_plan === "payant";
  const points = premium
    ? copy.premiumPoints(terms.fee_percent)
    : copy.freePoints(terms.fee_percent, terms.groups_max ?? 0);
  const freeFee = answer.plans.find((each) => each.type_plan === "gratuit")?.fee_percent ?? 0;
  return (
    <Card as="article" big={premium} data-plan={terms.type_plan}>
      <Line as="header" between>
        <Heading>{premium ? copy.premium : copy.free}</Heading>
        {current === terms.type_plan ? (
          <Badge tone={premium ? "on-brand" : "accent"}>{copy.current}</Badge>
        ) : null}
      </Line>
      <Line as="p" gap={3}>
        <Text as="strong" size="hero">
          {premium ? formatFcfa(terms.price) : copy.freePrice}
        </Text>
        {premium ? (
          <Text as="span" size="small">
            {terms.period_days ? copy.perPeriod(terms.period_days) : ""}{" "}
            {copy.inEuros(EUROS.format(terms.price_eur))}
          </Text>
        ) : null}
      </Line>
      <Text {...(premium ? {} : { tone: "soft" })}>
        {premium ? copy.premiumTagline : copy.freeTagline}
      </Text>
      <Points points={points} />
      {premium && answer.break_even !== null ? (
        <Text size="small">{copy.breakEven(formatFcfa(answer.break_even), freeFee)}</Text>
      ) : null}
      {/* The free plan needs no button: it follows when premium ends. */}
      {current === terms.type_plan || current === "payant" ? null : (
        <Button
          look={premium ? "on-brand" : "filled"}
          onClick={() => props.choose(terms.type_plan)}
        >
          {premium ? copy.choosePremium : copy.chooseFree}
        </Button>
      )}
    </Card>
  );
}

const { state } = copy;
const DAY_MS = 86_400_000;
/** So many days before its end a warning is shown; the first reminder is sent the same day. */
const SOON_DAYS = 7;

/** The premium plan of this seller: until when, what comes after, and what was bought. */
function PremiumState({ answer }: { answer: PlansAnswer }) {
  const user = useUser();
  const bought = useQuery({
    ...read("GET /api/users/:id/abonnement", { params: { id: user?.id ?? "" } }),
    enabled: user !== undefined,
  }).data;
  if (!user) return null;
  const list = bought?.abonnements ?? [];
  return (
    <>
      <Running user={user} bought={bought} answer={answer} />
      <Rows title={state.purchases}>
        {list.map(({ id, dateCreation: day, dateRenouvellement: end, ...purchase }, at) => {
          // Newest first: a renewal begins where the one before it ends.
          const before = list[at + 1]?.dateRenouvellement ?? day;
          const begins = formatDay(before > day ? before : day);
          return (
            <Cell
              key={id}
              title={purchase.estRenouvellement ? state.renewal : state.first}
              subtitle={
                end
                  ? state.period(begins, formatDay(end), purchase.moyen)
                  : state.bought(formatDay(day), purchase.moyen)
              }
              after={
                purchase.rembourse ? (
                  <Badge tone="neutral">{state.refunded}</Badge>
                ) : (
                  formatFcfa(purchase.prix)
                )
              }
              href={paymentPath(id)}
            />
          );
        })}
      </Rows>
    </>
  );
}

function Running(props: {
  user: UserOnWire;
  bought: AnswerOf<"GET /api/users/:id/abonnement"> | undefined;
  answer: PlansAnswer;
}) {
  const { user, bought, answer } = props;
  const [opened] = useState(Date.now);
  // Both instants come from one answer: the phone's clock may be days off.
  const until = bought?.premium_until ?? user.premium_until;
  const now = bought ? Date.parse(bought.now) : opened;
  if (!until || (user.premium_state ?? "none") === "none") return null;
  const grace = user.premium_state === "grace";
  const fallback =
    bought?.grace_until ?? new Date(Date.parse(until) + answer.grace_days * DAY_MS).toISOString();
  const daysLeft = Math.ceil((Date.parse(until) - now) / DAY_MS);
  const graceLeft = Math.max(0, Math.ceil((Date.parse(fallback) - now) / DAY_MS));
  const soon = grace || daysLeft <= SOON_DAYS;
  return (
    <Stack as="section" aria-label={state.title}>
      {soon ? (
        <Banner icon="clock">
          {grace ? state.grace(graceLeft, formatDay(fallback)) : state.endsSoon(daysLeft)}
        </Banner>
      ) : null}
      <Section title={state.title} footer={grace ? undefined : state.renewNote}>
        <Cell
          icon="star"
          title={grace ? state.ended(formatDay(until)) : state.until(formatDay(until))}
          subtitle={
            grace ? state.graceText(formatDay(fallback)) : state.days(Math.max(0, daysLeft))
          }
        />
        {soon ? <WhatChanges answer={answer} day={formatDay(fallback)} /> : null}
      </Section>
      <Button href="/PaymentSelector">{state.renew}</Button>
    </Stack>
  );
}

/** What the fall back to the free plan will mean for this seller. */
function WhatChanges({ answer, day }: { answer: PlansAnswer; day: string }) {
  const channels = useChannels().data ?? [];
  const free = answer.plans.find(({ type_plan: plan }) => plan === "gratuit");
  const over = Math.max(0, channels.length - (free?.groups_max ?? channels.length));
  const changes = [
    state.fee(free?.fee_percent ?? 0),
    ...(over > 0 ? [state.over(over)] : []),
    state.keys,
    state.withdrawals,
    state.kept,
  ];
  return (
    <Stack gap={1} pad>
      <p>{state.changes(day)}</p>
      <ul>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </Stack>
  );
}
