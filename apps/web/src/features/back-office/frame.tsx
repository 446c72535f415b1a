import type { AnswerOf } from "@sesame/contract/routes";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { haptic } from "../../telegram/native.ts";
import { classes } from "../../lib/text.ts";
import { Empty, NotYet, Page } from "../../kit/screen.tsx";
import { Icon, type IconName } from "../../kit/icons.tsx";
import over from "../../kit/over.module.css";
import { staffCopy as copy } from "./messages.fr.ts";
import styles from "./frame.module.css";
import { type StaffTab, staffTabOf } from "./place.ts";
import { backOfficeQuery, useBackOffice } from "./use-staff.ts";

type Counts = AnswerOf<"GET /api/desk">["counts"];
type Tab = readonly [
  tab: StaffTab,
  href: string | ((counts: Counts | undefined) => string),
  icon: IconName,
  waiting?: (counts: Counts) => number,
];

const TABS: readonly Tab[] = [
  ["queue", "/bureau", "wallet", (counts) => counts.pending + counts.to_pay + counts.uncertain],
  [
    "buyers",
    firstCases,
    "people",
    (counts) => counts.refunds_to_pay + counts.complaints_operator + counts.tickets,
  ],
  ["day", "/bureau/jour", "document"],
  ["search", "/bureau/recherche", "search"],
  ["alerts", "/bureau/alertes", "warning", (counts) => counts.alerts],
  ["settings", "/bureau/reglages", "gear"],
];

/** The back office's navigation: at the bottom of a phone, along the left of a desktop. */
export function StaffNav() {
  const [path] = useLocation();
  const staff = useBackOffice();
  const current = staffTabOf(path);
  const tabs = TABS.filter(([tab]) => tab !== "settings" || staff?.me.operator);
  return (
    <nav className={classes(over.bar, styles.nav)} aria-label={copy.nav}>
      <p className={styles.brand}>
        <span className={styles.mark} aria-hidden="true" />
        {copy.brand}
      </p>
      {tabs.map(([tab, href, icon, waiting]) => {
        const count = (staff && waiting?.(staff.counts)) ?? 0;
        return (
          <Link
            key={tab}
            href={typeof href === "string" ? href : href(staff?.counts)}
            className={classes(over.tab, styles.tab)}
            aria-current={tab === current ? "page" : undefined}
            onClick={() => haptic("selection")}
          >
            <span className={styles.icon}>
              <Icon name={icon} />
              {count > 0 ? (
                <span className={styles.count} aria-hidden="true">
                  {count > 99 ? "99+" : count}
                </span>
              ) : null}
            </span>
            <span className={over.name}>{copy.tabs[tab]}</span>
            {count > 0 ? <span className="visually-hidden">{copy.waitingHere(count)}</span> : null}
          </Link>
        );
      })}
      {staff ? <p className={styles.me}>{staff.me.name}</p> : null}
    </nav>
  );
}

/** The first list of cases in which something waits. */
function firstCases(counts: Counts | undefined): string {
  if (counts && counts.refunds_to_pay === 0) {
    if (counts.complaints_operator > 0) return "/bureau/reclamations";
    if (counts.tickets > 0) return "/bureau/assistance";
  }
  return "/bureau/remboursements";
}

/** A list, and beside it on a desktop the chosen item; on a phone one or the other. */
export function Panes(props: { wide: boolean; list: ReactNode; detail: ReactNode | null }) {
  const { wide, list, detail } = props;
  if (!wide) return detail ?? list;
  return (
    <div className={styles.panes}>
      <section className={styles.list} aria-label={copy.panes.list}>
        {list}
      </section>
      <section className={styles.detail} aria-label={copy.panes.detail}>
        {detail}
      </section>
    </div>
  );
}

/** The server refuses agents; here they read why. */
export function OperatorOnly({ children }: { children: ReactNode }) {
  const query = useQuery(backOfficeQuery);
  if (query.data?.me.operator) return children;
  const { title, text } = copy.operatorOnly;
  return (
    <Page title={copy.tabs.settings}>
      {query.data ? <Empty of={["door", title, text]} /> : <NotYet query={query} />}
    </Page>
  );
}
