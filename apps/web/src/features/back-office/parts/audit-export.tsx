import { useState } from "react";
import { Section } from "../../../kit/section.tsx";
import styles from "../audit.module.css";
import { auditCopy as copy } from "../operator-messages.fr.ts";
import { ExportButton } from "./export-button.tsx";

/** The lines of some days, both included. */
export function AuditExport({ today }: { today: string }) {
  const [from, setFrom] = useState(`${today.slice(0, 8)}01`);
  const [to, setTo] = useState(today);
  return (
    <Section title={copy.exportTitle}>
      <div className={styles.days}>
        <label>
          {copy.from}
          <input
            type="date"
            value={from}
            max={to}
            onChange={(event) => setFrom(event.target.value || from)}
          />
        </label>
        <label>
          {copy.to}
          <input
            type="date"
            value={to}
            min={from}
            onChange={(event) => setTo(event.target.value || to)}
          />
        </label>
      </div>
      <div className={styles.export}>
        <ExportButton
          path={`/api/desk/audit/export?from=${from}&to=${to}`}
          name={`journal-${from}-${to}.csv`}
        />
      </div>
    </Section>
  );
}
