import type {
  AdvancedOnWire,
  FigureOnWire,
  CohortOnWire,
  StatisticsPeriod,
} from "@sesame/contract/reports";
import { formatFcfa, formatNumber } from "../../lib/format.ts";
import { usePremiumGate } from "../../lib/premium-gate.tsx";
import { Badge, TintedButton } from "../../kit/button.tsx";
import { Card, Grid, Heading, Points, Section, Stack, Text } from "../../kit/layout.tsx";
import { ExportButton } from "../../kit/paged.tsx";
import { reportsCopy } from "./home-messages.fr.ts";
import { advancedCopy as copy, sayMonth, sayMonthYear, statisticsCopy } from "./messages.fr.ts";
import styles from "./statistics.module.css";
import { Note } from "../../kit/records.tsx";

/** What premium adds (decision 74); on the free plan, what it would, without a made-up figure. */
export function Advanced(props: { advanced: AdvancedOnWire | null; period: StatisticsPeriod }) {
  const { advanced, period } = props;
  const { pass, gate } = usePremiumGate("advanced-statistics");
  if (!advanced) {
    return (
      <>
        <Section pad title={copy.title} action={<Badge tone="accent">{copy.badge}</Badge>}>
          <p>{copy.teaser}</p>
          <Points points={copy.teaserList} />
          <TintedButton icon="star" onClick={() => pass(() => undefined)}>
            {copy.open}
          </TintedButton>
        </Section>
        {gate}
      </>
    );
  }
  const { mrr, taux_renouvellement: renewal, taux_attrition: churn } = advanced;
  const sayRate = (rate: number | null) =>
    rate === null ? copy.notYet : statisticsCopy.percent(formatNumber(rate));
  return (
    <>
      <Stack as="section">
        <Heading>{copy.title}</Heading>
        <Figure
          name={copy.mrr}
          value={formatFcfa(mrr.valeur)}
          change={<Change figure={mrr} period={period} />}
          note={copy.mrrNote(advanced.abonnes)}
        />
        <Grid least="8.25rem">
          <Figure
            name={copy.renewals}
            value={sayRate(renewal)}
            note={
              renewal === null
                ? copy.nothingEnded
                : copy.renewalsNote(advanced.renouveles, advanced.echeances)
            }
          />
          <Figure
            name={copy.churn}
            value={sayRate(churn)}
            note={copy.churnNote(advanced.perdus, advanced.servis)}
          />
        </Grid>
      </Stack>
      <Cohorts cohorts={advanced.cohortes} />
      <ExportButton
        of={`/api/statistics/export?periode=${period}`}
        name={copy.file(period)}
        words={reportsCopy.transactions}
      />
    </>
  );
}

/** A scrolling area must be reachable by Tab. */
const REACHED_BY_KEYS = 0;

/** Retention: a row for each month of arrival, a column for each month since; a darker cell, more members left. */
function Cohorts({ cohorts }: { cohorts: readonly CohortOnWire[] }) {
  const columns = Math.max(0, ...cohorts.map((cohort) => cohort.restes.length));
  const after = Array.from({ length: columns }, (_, index) => index + 1);
  return (
    <Section title={copy.cohorts} footer={copy.cohortsNote}>
      {cohorts.length === 0 ? (
        <Text tone="soft" pad>
          {copy.noCohort}
        </Text>
      ) : (
        <div
          className={styles.heatScroll}
          tabIndex={REACHED_BY_KEYS}
          role="group"
          aria-label={copy.cohorts}
        >
          <table className={styles.heat}>
            <thead>
              <tr>
                <th scope="col">{copy.cohortMonth}</th>
                <th scope="col">{copy.cohortSize}</th>
                {after.map((months) => (
                  <th key={months} scope="col">
                    <span aria-hidden="true">{copy.cohortShort(months)}</span>
                    <span className="visually-hidden">{copy.cohortAfter(months)}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {cohorts.map((cohort) => (
                <tr key={cohort.mois}>
                  <th scope="row">
                    <span aria-hidden="true">{sayMonthYear(cohort.mois)}</span>
                    <span className="visually-hidden">{sayMonth(cohort.mois)}</span>
                  </th>
                  <td>{formatNumber(cohort.clients)}</td>
                  {after.map((months) => (
                    <Heat key={months} left={cohort.restes[months - 1]} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

function Heat({ left }: { left: CohortOnWire["restes"][number] | undefined }) {
  if (!left) return <td>{"\u00a0"}</td>;
  const percent = statisticsCopy.percent(formatNumber(left.part));
  return (
    <td
      className={styles.cell}
      style={{ "--part": `${Math.round(left.part * 0.34)}%` } as React.CSSProperties}
      title={copy.cohortText(left.clients, percent)}
    >
      {percent}
    </td>
  );
}

/** In a narrow card its letters are smaller: an amount stays on one line. */
export function Figure(props: {
  name: string;
  value: string;
  change?: React.ReactNode;
  note?: string;
}) {
  return (
    <Card gap={1}>
      <Note as="span">{props.name}</Note>
      <div className={styles.figure}>
        <strong>{props.value}</strong>
      </div>
      {props.change}
      {props.note ? (
        <Text as="small" size="tiny" tone="soft">
          {props.note}
        </Text>
      ) : null}
    </Card>
  );
}

const TONES = { up: "green", down: "brick", same: "soft" } as const;

/** "▲ 12 %", in words for screen readers; nothing when the period before had no sale. */
export function Change(props: { figure: FigureOnWire; period: StatisticsPeriod }) {
  const { evolution } = props.figure;
  if (evolution === null) return null;
  const before = statisticsCopy.before[props.period];
  const percent = statisticsCopy.percent(formatNumber(Math.abs(evolution)));
  const direction = evolution > 0 ? "up" : evolution < 0 ? "down" : "same";
  const said = {
    up: statisticsCopy.more(percent, before),
    down: statisticsCopy.less(percent, before),
    same: statisticsCopy.same(before),
  };
  return (
    <Text as="span" size="tiny" strong tone={TONES[direction]}>
      <span aria-hidden="true">
        {direction === "same" ? "=" : `${direction === "up" ? "▲" : "▼"} ${percent}`}
      </span>
      <span className="visually-hidden">{said[direction]}</span>
    </Text>
  );
}
