import type { PlansAnswer } from "@sesame/contract/plans";
import { Cell, Section } from "../../../ui/section.tsx";
import { plansCopy as copy } from "../copy.fr.ts";
import styles from "../plans.module.css";
import type { PlanTerms } from "./plan-card.tsx";

type Row = readonly [label: string, free: string, premium: string];

/** The detailed table of A §2, from the terms the server enforces. */
export function Comparison(props: {
  free: PlanTerms;
  premium: PlanTerms;
  providers: PlansAnswer["providers"];
}) {
  const { free, premium, providers } = props;
  return (
    <>
      <Section title={copy.compareTitle}>
        {/* Rows are laid out as grids, which would take the table from screen readers: hence roles. */}
        <table className={styles.table} role="table">
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader" scope="col" className="only-heard">
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
            {rowsOf(free, premium).map(([label, left, right]) => (
              <tr key={label} role="row">
                <th role="rowheader" scope="row">
                  {label}
                </th>
                <td role="cell">{left}</td>
                <td role="cell">{right}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
      {providers.length === 0 ? (
        <Section title={copy.paymentsTitle}>
          <Cell title={copy.noPayments} icon="warning" tint="orange" />
        </Section>
      ) : (
        <Section title={copy.paymentsTitle}>
          {providers.map((provider) => (
            <Cell
              key={provider.id}
              icon="wallet"
              tint="green"
              title={provider.name}
              subtitle={provider.methods.join(", ") || provider.description}
            />
          ))}
        </Section>
      )}
    </>
  );
}

function rowsOf(free: PlanTerms, premium: PlanTerms): Row[] {
  const has = (terms: PlanTerms, capability: PlanTerms["capabilities"][number]) =>
    terms.capabilities.includes(capability) ? copy.yes : copy.no;
  const withdrawals = (terms: PlanTerms) =>
    terms.withdrawals === "weekly" ? copy.weekly : copy.instant;
  const groups = (terms: PlanTerms) =>
    terms.groups_max === null ? copy.unlimited : copy.groupsMax(terms.groups_max);
  const support = (terms: PlanTerms) =>
    terms.capabilities.includes("priority-support") ? copy.priority : copy.standard;
  const payments = (terms: PlanTerms) =>
    terms.capabilities.includes("own-aggregators") ? copy.own : copy.builtIn;
  const { rows } = copy;
  return [
    [rows.payments, payments(free), payments(premium)],
    [rows.fee, copy.percent(free.fee_percent), copy.percent(premium.fee_percent)],
    [rows.withdrawals, withdrawals(free), withdrawals(premium)],
    [rows.support, support(free), support(premium)],
    [rows.groups, groups(free), groups(premium)],
    [rows.statistics, has(free, "advanced-statistics"), has(premium, "advanced-statistics")],
    [rows.api, has(free, "developer-api"), has(premium, "developer-api")],
    [rows.configuration, has(free, "custom-configuration"), has(premium, "custom-configuration")],
  ];
}
