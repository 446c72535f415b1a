import type { PlansAnswer } from "@sesame/contract/plans";
import { Cell, Section } from "../../../kit/section.tsx";
import { plansCopy as copy } from "../messages.fr.ts";
import styles from "../plans.module.css";

/** The detailed table of A §2: each line is the server's, which enforces it. */
export function Comparison({ answer }: { answer: PlansAnswer }) {
  const { comparison, providers } = answer;
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
            {comparison.map((line) => (
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
        {providers.length === 0 ? (
          <Cell title={copy.noPayments} icon="warning" />
        ) : (
          providers.map((provider) => (
            <Cell
              key={provider.id}
              icon={provider.id === "stars" ? "star" : "wallet"}
              title={provider.name}
              subtitle={provider.methods.join(", ") || provider.description}
            />
          ))
        )}
      </Section>
    </>
  );
}
