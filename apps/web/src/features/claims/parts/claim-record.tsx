import type { ClaimEntryOnWire } from "@sesame/contract/claims";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import styles from "../claims.module.css";
import { claimsCopy as copy } from "../messages.fr.ts";

/** Who said and did what, oldest first: the same for both sides. */
export function ClaimRecord({ entries }: { entries: readonly ClaimEntryOnWire[] }) {
  return (
    <section className={styles.record} aria-labelledby="claim-record">
      <h2 id="claim-record">{copy.record}</h2>
      <ol>
        {entries.map((entry) => (
          <li key={`${entry.at} ${entry.step}`} data-author={entry.author}>
            <p className={styles.author}>
              <strong>{copy.authors[entry.author]}</strong>
              <span>{entry.step_label}</span>
              <time dateTime={entry.at}>{sayShortInstant(entry.at)}</time>
            </p>
            {entry.words ? <p className={styles.words}>{entry.words}</p> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}
