import type { FigureOnWire, StatisticsAnswer, StatisticsPeriod } from "@sesame/contract/reports";
import { formatFcfa, formatNumber } from "../../../lib/format.ts";
import { statisticsCopy as copy } from "../messages.fr.ts";
import { Card, Grid, Text } from "../../../kit/layout.tsx";
import styles from "../statistics.module.css";

/** The four figures of a period, each beside that of the period before. */
export function Figures({ statistics }: { statistics: StatisticsAnswer }) {
  const { periode: period, net, brut, ventes, frais, direct } = statistics;
  return (
    <Grid least="8.25rem">
      <Figure
        name={copy.net}
        value={formatFcfa(net.valeur)}
        change={<Change figure={net} period={period} />}
        {...(direct > 0 ? { note: copy.direct(formatFcfa(direct)) } : {})}
      />
      <Figure
        name={copy.gross}
        value={formatFcfa(brut.valeur)}
        change={<Change figure={brut} period={period} />}
        note={frais > 0 ? copy.fees(formatFcfa(frais)) : copy.noFees}
      />
      <Figure
        name={copy.sales}
        value={formatNumber(ventes.valeur)}
        change={<Change figure={ventes} period={period} />}
        note={copy.split(statistics.nouvelles, statistics.renouvellements)}
      />
      <Figure
        name={copy.members}
        value={formatNumber(statistics.membres)}
        note={copy.membersNote}
      />
    </Grid>
  );
}

export function Figure(props: {
  name: string;
  value: string;
  change?: React.ReactNode;
  note?: string;
}) {
  return (
    <Card gap={1}>
      <Text as="span" size="small" tone="soft">
        {props.name}
      </Text>
      <Text as="strong" size="heading">
        {props.value}
      </Text>
      {props.change}
      {props.note ? (
        <Text as="small" size="tiny" tone="soft">
          {props.note}
        </Text>
      ) : null}
    </Card>
  );
}

/** "▲ 12 %", with its meaning in words for those who hear it. Nothing after a period of nothing. */
export function Change(props: { figure: FigureOnWire; period: StatisticsPeriod }) {
  const { evolution } = props.figure;
  if (evolution === null) return null;
  const before = copy.before[props.period];
  const percent = copy.percent(formatNumber(Math.abs(evolution)));
  const direction = evolution > 0 ? "up" : evolution < 0 ? "down" : "same";
  const said = { up: copy.more(percent, before), down: copy.less(percent, before) };
  return (
    <span className={styles.change} data-direction={direction}>
      <span aria-hidden="true">
        {direction === "same" ? "=" : `${direction === "up" ? "▲" : "▼"} ${percent}`}
      </span>
      <span className="only-heard">
        {direction === "same" ? copy.same(before) : said[direction]}
      </span>
    </span>
  );
}
