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

type TabLink = {
  readonly tab: StaffTab;
  readonly href: string;
  readonly icon: IconName;
  readonly name: string;
};

const TABS: readonly TabLink[] = [
  { tab: "queue", href: "/bureau", icon: "wallet", name: copy.tabs.queue },
  { tab: "buyers", href: "/bureau/remboursements", icon: "people", name: copy.tabs.buyers },
  { tab: "day", href: "/bureau/jour", icon: "document", name: copy.tabs.day },
  { tab: "search", href: "/bureau/recherche", icon: "search", name: copy.tabs.search },
  { tab: "alerts", href: "/bureau/alertes", icon: "warning", name: copy.tabs.alerts },
];

/** Shown to operators alone. */
const OPERATOR_TAB: TabLink = {
  tab: "settings",
  href: "/bureau/reglages",
  icon: "gear",
  name: copy.tabs.settings,
};

/** The back office's navigation: at the bottom of a phone, along the left of a desktop. */
export function StaffNav() {
  const [path] = useLocation();
  const staff = useBackOffice();
  const current = staffTabOf(path);
  const tabs = staff?.me.operator ? [...TABS, OPERATOR_TAB] : TABS;
  const waiting: Partial<Record<StaffTab, number>> = {
    queue: staff ? staff.counts.pending + staff.counts.to_pay + staff.counts.uncertain : 0,
    buyers: staff
      ? staff.counts.refunds_to_pay + staff.counts.complaints_operator + staff.counts.tickets
      : 0,
    alerts: staff?.counts.alerts ?? 0,
  };
  return (
    <nav className={classes(over.bar, styles.nav)} aria-label={copy.nav}>
      <p className={styles.brand}>
        <span className={styles.mark} aria-hidden="true" />
        {copy.brand}
      </p>
      {tabs.map(({ tab, href, icon, name }) => (
        <Link
          key={tab}
          href={tab === "buyers" ? firstCases(staff?.counts) : href}
          className={classes(over.tab, styles.tab)}
          aria-current={tab === current ? "page" : undefined}
          onClick={() => haptic("selection")}
        >
          <span className={styles.icon}>
            <Icon name={icon} />
            <Count of={waiting[tab] ?? 0} />
          </span>
          <span className={over.name}>{name}</span>
          {waiting[tab] ? (
            <span className="visually-hidden">{copy.waitingHere(waiting[tab])}</span>
          ) : null}
        </Link>
      ))}
      {staff ? <p className={styles.me}>{staff.me.name}</p> : null}
    </nav>
  );
}

/** The first list of cases in which something waits. */
function firstCases(counts: AnswerOf<"GET /api/desk">["counts"] | undefined): string {
  if (counts && counts.refunds_to_pay === 0) {
    if (counts.complaints_operator > 0) return "/bureau/reclamations";
    if (counts.tickets > 0) return "/bureau/assistance";
  }
  return "/bureau/remboursements";
}

function Count({ of }: { of: number }) {
  if (of === 0) return null;
  return (
    <span className={styles.count} aria-hidden="true">
      {of > 99 ? "99+" : of}
    </span>
  );
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
