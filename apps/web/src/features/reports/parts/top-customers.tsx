import type { TopCustomerOnWire } from "@sesame/contract/reports";
import { formatFcfa } from "../../../lib/format.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Cell, Section } from "../../../ui/section.tsx";
import { statisticsCopy as copy } from "../messages.fr.ts";
import styles from "../statistics.module.css";

/** Who paid most in the period, best first. */
export function TopCustomers({ customers }: { customers: readonly TopCustomerOnWire[] }) {
  if (customers.length === 0) return null;
  return (
    <Section title={copy.customers}>
      <ol>
        {customers.map((customer) => (
          <li key={customer.id}>
            <Cell
              before={<Avatar name={customer.nom} />}
              title={<span className={styles.customer}>{customer.nom}</span>}
              subtitle={copy.purchases(customer.achats)}
              after={<strong className={styles.paid}>{formatFcfa(customer.montant)}</strong>}
            />
          </li>
        ))}
      </ol>
    </Section>
  );
}
