import type { StatisticsAnswer, StatisticsPeriod } from "@sesame/contract/reports";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { formatFcfa } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { haptic } from "../../telegram/native.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Button } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { Grid, MoreLink, Text } from "../../kit/layout.tsx";
import { NotYet } from "../../kit/not-yet.tsx";
import { Page } from "../../kit/page.tsx";
import { PullToRefresh } from "../../kit/pull-to-refresh.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { Segmented } from "../../kit/segmented.tsx";
import { Skeleton, SkeletonRows } from "../../kit/skeleton.tsx";
import { Advanced } from "./parts/advanced.tsx";
import { BarChart } from "./parts/bar-chart.tsx";
import { Figures } from "./parts/figures.tsx";
import { ProductShares } from "./parts/product-shares.tsx";
import { TransactionRow } from "./parts/transaction-row.tsx";
import { statisticsCopy as copy } from "./messages.fr.ts";

const PERIODS: readonly StatisticsPeriod[] = ["week", "month", "year"];

/** /Statistics: the server's figures of a week, a month, a year (B §2, decision 74). */
export function Statistics() {
  const [period, setPeriod] = useState<StatisticsPeriod>("week");
  const statistics = useQuery(read("GET /api/statistics", { query: { periode: period } }));
  return (
    <PullToRefresh label={copy.refresh} onRefresh={() => statistics.refetch()}>
      <Page title={copy.title} subtitle={copy.span[period]}>
        <Segmented
          label={copy.period}
          segments={PERIODS.map((value) => ({ value, label: copy.periods[value] }))}
          value={period}
          onChange={(value) => {
            haptic("selection");
            setPeriod(value);
          }}
        />
        {statistics.data ? (
          <Shown key={period} statistics={statistics.data} />
        ) : (
          <NotYet query={statistics} copy={copy}>
            <Loading />
          </NotYet>
        )}
      </Page>
    </PullToRefresh>
  );
}

function Loading() {
  return (
    <>
      <Grid least="8.25rem" role="status" aria-label={copy.loading}>
        {[0, 1, 2, 3].map((each) => (
          <Skeleton key={each} height="104px" radius="14px" />
        ))}
      </Grid>
      <Skeleton height="228px" radius="14px" />
      <SkeletonRows count={3} label={copy.loading} />
    </>
  );
}

function Shown({ statistics }: { statistics: StatisticsAnswer }) {
  const { periode, dernieres } = statistics;
  return (
    <>
      <Figures statistics={statistics} />
      {statistics.ventes.valeur > 0 ? (
        <>
          <BarChart bars={statistics.barres} period={periode} />
          <ProductShares products={statistics.produits} others={statistics.autres_produits} />
          <TopCustomers customers={statistics.clients} />
        </>
      ) : (
        <NoSale />
      )}
      <Advanced advanced={statistics.avancees} period={periode} />
      {dernieres.length > 0 ? (
        <Section
          title={copy.last}
          action={<MoreLink href="/transactions/history">{copy.seeAll}</MoreLink>}
        >
          <ul>
            {dernieres.map((transaction) => (
              <TransactionRow key={transaction.id} transaction={transaction} />
            ))}
          </ul>
        </Section>
      ) : null}
    </>
  );
}

/** Who paid most in the period, best first. */
function TopCustomers({ customers }: { customers: StatisticsAnswer["clients"] }) {
  if (customers.length === 0) return null;
  return (
    <Section title={copy.customers}>
      <ol>
        {customers.map((customer) => (
          <li key={customer.id}>
            <Cell
              before={<Avatar name={customer.nom} />}
              title={
                <Text as="span" clamp strong>
                  {customer.nom}
                </Text>
              }
              subtitle={copy.purchases(customer.achats)}
              after={<Text as="strong">{formatFcfa(customer.montant)}</Text>}
            />
          </li>
        ))}
      </ol>
    </Section>
  );
}

function NoSale() {
  const [, navigate] = useLocation();
  return (
    <EmptyState
      drawing="coins"
      title={copy.none}
      text={copy.noneText}
      action={<Button onClick={() => navigate("/ProductsList")}>{copy.noneAction}</Button>}
    />
  );
}
