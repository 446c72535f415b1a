import type { StatisticsAnswer, StatisticsPeriod } from "@sesame/contract/reports";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { formatFcfa, formatNumber } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { useUserId } from "../../lib/session.ts";
import { keep, readKept } from "../../lib/storage.ts";
import { capital } from "../../lib/time-words.fr.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Button } from "../../kit/button.tsx";
import { Empty, Kept, NotYet, Page } from "../../kit/screen.tsx";
import { Cell, Grid, MoreLink, Name, Section, Text } from "../../kit/layout.tsx";
import { Rows, Note } from "../../kit/records.tsx";
import { Segmented } from "../../kit/choices.tsx";
import { Advanced, Change, Figure } from "./advanced.tsx";
import { homeCopy } from "./home-messages.fr.ts";
import {
  sayDay,
  sayLongDay,
  sayMonth,
  sayShortMonth,
  sayWeekday,
  statisticsCopy as copy,
} from "./messages.fr.ts";
import styles from "./statistics.module.css";
import { TransactionRow } from "./transaction-row.tsx";

type KeptFigures = { readonly data: StatisticsAnswer | undefined; readonly since: number };

/** /Statistics: the server's figures of a week, a month, a year (B §2, decision 74). */
export function Statistics() {
  const [period, setPeriod] = useState<StatisticsPeriod>("week");
  const statistics = useQuery(read("GET /api/statistics", { query: { periode: period } }));
  const { data, dataUpdatedAt, isError, error, refetch } = statistics;
  // The last answer is kept on the phone, and is shown when nothing can be read.
  const place = `statistics:${useUserId()}:${period}`;
  useEffect(() => {
    if (data) keep("local", place, { data, since: dataUpdatedAt });
  }, [place, data, dataUpdatedAt]);
  const kept = isError && !data ? readKept("local", place) : null;
  const { data: shown, since } = (kept ?? { data, since: dataUpdatedAt }) as KeptFigures;
  return (
    <Page refresh={() => statistics.refetch()} title={copy.title} subtitle={copy.span[period]}>
      <Segmented label={copy.period} choices={copy.periods} value={period} onChange={setPeriod} />
      {shown ? (
        <>
          <Kept of={{ data: shown, isError, error, dataUpdatedAt: since, refetch }} />
          <Shown key={period} statistics={shown} />
        </>
      ) : (
        <NotYet query={statistics} copy={copy} rows={6} />
      )}
    </Page>
  );
}

function Shown({ statistics }: { statistics: StatisticsAnswer }) {
  const { periode, net, brut, ventes, frais, direct, dernieres } = statistics;
  const others = statistics.autres_produits;
  return (
    <>
      {/* Each beside that of the period before. */}
      <Grid least="8.25rem">
        <Figure
          name={copy.net}
          value={formatFcfa(net.valeur)}
          change={<Change figure={net} period={periode} />}
          note={direct > 0 ? copy.direct(formatFcfa(direct)) : undefined}
        />
        <Figure
          name={copy.gross}
          value={formatFcfa(brut.valeur)}
          change={<Change figure={brut} period={periode} />}
          note={frais > 0 ? copy.fees(formatFcfa(frais)) : copy.noFees}
        />
        <Figure
          name={copy.sales}
          value={formatNumber(ventes.valeur)}
          change={<Change figure={ventes} period={periode} />}
          note={copy.split(statistics.nouvelles, statistics.renouvellements)}
        />
        <Figure
          name={copy.members}
          value={formatNumber(statistics.membres)}
          note={copy.membersNote}
        />
      </Grid>
      {ventes.valeur > 0 ? (
        <>
          <BarChart bars={statistics.barres} period={periode} before={net.precedent} />
          <Rows title={copy.products}>
            {statistics.produits.map((product) => (
              <ShareRow
                key={product.id}
                name={product.titre}
                share={product}
                href={`/ProductCard/${product.id}`}
              />
            ))}
            {others ? <ShareRow name={copy.otherProducts} share={others} /> : null}
          </Rows>
          <Rows title={copy.customers} ordered>
            {statistics.clients.map((customer) => (
              <Cell
                key={customer.id}
                before={<Avatar name={customer.nom} />}
                title={<Name>{customer.nom}</Name>}
                subtitle={copy.purchases(customer.achats)}
                after={<Text as="strong">{formatFcfa(customer.montant)}</Text>}
              />
            ))}
          </Rows>
        </>
      ) : (
        <Empty of={["coins", copy.none, copy.noneText]}>
          <Button href="/ProductsList">{copy.noneAction}</Button>
        </Empty>
      )}
      <Advanced advanced={statistics.avancees} period={periode} />
      <Rows
        title={homeCopy.recent}
        action={<MoreLink href="/transactions/history">{homeCopy.seeAll}</MoreLink>}
      >
        {dernieres.map((transaction) => (
          <TransactionRow key={transaction.id} transaction={transaction} />
        ))}
      </Rows>
    </>
  );
}

type Bar = StatisticsAnswer["barres"][number];

const WIDTH = 320;
const HEIGHT = 128;
/** The height of the bar of a day without a sale. */
const LEAST = 3;

/**
 * One bar a day, or a month. A finger or the arrow keys go through the bars, whose figures are said
 * above; the same figures stand in a table for those who do not see it.
 */
function BarChart(props: {
  bars: readonly Bar[];
  period: StatisticsPeriod;
  /** Net francs of the period before. */
  before: number;
}) {
  const { bars, period } = props;
  const [chosen, setChosen] = useState(bars.length - 1);
  const bar = bars[chosen] ?? bars[0];
  const title = copy.chart[period === "year" ? "month" : "day"];
  if (!bar) return null;
  const peak = bars.reduce((high, each) => (each.net > high.net ? each : high), bar);
  // Thirty names do not fit: of a month the first, the middle and the last.
  const shown = period === "month" ? [0, Math.floor((bars.length - 1) / 2), bars.length - 1] : null;
  const say = period === "year" ? sayShortMonth : period === "week" ? sayWeekday : sayDay;
  const slot = WIDTH / bars.length;
  const width = Math.min(30, slot * 0.66);
  return (
    <Section pad title={title}>
      <div aria-hidden="true">
        <Note>
          {capital(sayWhen(bar, period))} · {saySales(bar)}
        </Note>
        <Text size="heading">{formatFcfa(bar.net)}</Text>
      </div>
      <Text size="tiny" tone="soft" aria-hidden="true">
        {formatFcfa(peak.net)}
      </Text>
      <div className={styles.bars} style={{ "--bars": bars.length } as React.CSSProperties}>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {bars.map((each, index) => {
            const height = Math.max(LEAST, (each.net / Math.max(1, peak.net)) * HEIGHT);
            return (
              <rect
                key={each.debut}
                x={index * slot + (slot - width) / 2}
                y={HEIGHT - height}
                width={width}
                height={height}
                rx={Math.min(4, width / 3)}
                data-empty={each.net === 0 || undefined}
                data-chosen={index === chosen || undefined}
              />
            );
          })}
        </svg>
        {/* The browser's own slider, unseen over the bars, with a thumb as wide as one bar. */}
        <input
          type="range"
          max={bars.length - 1}
          value={chosen}
          aria-label={title}
          aria-valuetext={copy.barText(sayWhen(bar, period), formatFcfa(bar.net), saySales(bar))}
          onChange={({ target }) => setChosen(Number(target.value))}
        />
      </div>
      <div className={styles.axis} data-few={shown !== null || undefined} aria-hidden="true">
        {bars.map((bar, index) =>
          shown === null || shown.includes(index) ? (
            <span key={bar.debut}>
              {period === "year" ? say(bar.debut)[0]?.toUpperCase() : say(bar.debut)}
            </span>
          ) : null,
        )}
      </div>
      <div className="visually-hidden">
        <table>
          <thead>
            <tr>
              <th scope="col">{copy.date}</th>
              <th scope="col">{copy.net}</th>
              <th scope="col">{copy.sales}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.debut}>
                <th scope="row">{sayWhen(bar, period)}</th>
                <td>{formatFcfa(bar.net)}</td>
                <td>{formatNumber(bar.ventes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Note>
        {peak.net > 0 ? copy.peak(sayWhen(peak, period), formatFcfa(peak.net)) : null}{" "}
        {copy.earlier[period](formatFcfa(props.before))}
      </Note>
    </Section>
  );
}

function sayWhen(bar: Bar, period: StatisticsPeriod): string {
  return period === "year" ? sayMonth(bar.debut) : sayLongDay(bar.debut);
}

function saySales({ ventes }: Pick<Bar, "ventes">): string {
  return copy.salesCount(formatNumber(ventes), ventes > 1);
}

type Share = NonNullable<StatisticsAnswer["autres_produits"]>;

/** What a product brought: its bar is its part of the period's net revenue. */
function ShareRow({ name, share, href }: { name: string; share: Share; href?: string }) {
  const percent = copy.percent(formatNumber(share.part));
  return (
    <Cell
      title={<Name>{name}</Name>}
      subtitle={
        <>
          <span className={styles.track} aria-hidden="true">
            <span className={styles.part} style={{ width: `${Math.max(1, share.part)}%` }} />
          </span>
          {copy.share(percent)} · {saySales(share)}
        </>
      }
      after={<Text as="strong">{formatFcfa(share.net)}</Text>}
      href={href}
      chevron={false}
    />
  );
}
