import { type Setting, SETTINGS } from "@sesame/contract/back-office";
import type { AnswerOf } from "@sesame/contract/routes";
import { useInfiniteQuery } from "@tanstack/react-query";
import { formatInstant } from "../../../lib/format.ts";
import { readPages } from "../../../lib/read.ts";
import { Cell, Section } from "../../../kit/section.tsx";
import { MoreButton } from "../../../kit/more-button.tsx";
import { deskCopy } from "../messages.fr.ts";
import { differencesOf, settingsCopy } from "../operator-messages.fr.ts";
import styles from "./settings.module.css";

const copy = settingsCopy.history;
const ROWS: Readonly<Record<string, Setting>> = SETTINGS;

/** Who changed what, the last first. */
export function SettingsHistory() {
  const pages = useInfiniteQuery(readPages("GET /api/desk/settings/history"));
  const changes = pages.data?.pages.flatMap((page) => page.changes) ?? [];
  if (pages.isPending) return null;
  return (
    <Section title={copy.title}>
      {changes.length === 0 ? <Cell title={copy.none} /> : null}
      <ul>
        {changes.map((change) => (
          <Change key={change.id} change={change} />
        ))}
      </ul>
      <MoreButton pages={pages} label={deskCopy.more} />
    </Section>
  );
}

function Change(props: { change: AnswerOf<"GET /api/desk/settings/history">["changes"][number] }) {
  const { change } = props;
  const setting = ROWS[change.key];
  return (
    <li className={styles.change}>
      <p className={styles.key}>{setting?.said ?? setting?.label ?? change.key}</p>
      <p className={styles.parts}>
        {differencesOf(change.before, change.after).map(({ name, before, after }) => (
          <span key={name}>
            {name ? `${name} : ` : null}
            <del>{before ?? copy.initial}</del> → <ins>{after}</ins>
          </span>
        ))}
      </p>
      <p className={styles.small}>
        {copy.by(change.changed_by_name, formatInstant(change.changed_at))}
        {change.reason ? ` · « ${change.reason} »` : null}
      </p>
    </li>
  );
}
