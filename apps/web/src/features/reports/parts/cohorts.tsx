import type { CohortOnWire } from "@sesame/contract/reports";
import { formatNumber } from "../../../lib/format.ts";
import { Section } from "../../../kit/section.tsx";
import { sayMonth, sayMonthYear, advancedCopy as copy, statisticsCopy } from "../messages.fr.ts";
import { Text } from "../../../kit/layout.tsx";
import styles from "../statistics.module.css";

/** What scrolls must be in the way of Tab. */
const REACHED_BY_KEYS = 0;

/** A row for each month people came in, a column for each month since: the fuller, the more stayed. */
export function Cohorts({ cohorts }: { cohorts: readonly CohortOnWire[] }) {
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
                    <span className="only-heard">{copy.cohortAfter(months)}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {cohorts.map((cohort) => (
                <tr key={cohort.mois}>
                  <th scope="row">
                    <span aria-hidden="true">{sayMonthYear(cohort.mois)}</span>
                    <span className="only-heard">{sayMonth(cohort.mois)}</span>
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
