import { Icon, type IconName } from "./icons.tsx";
import type { ReactNode } from "react";
import styles from "./content.module.css";
import { classes } from "../lib/text.ts";

export type BadgeTone = "positive" | "warning" | "danger" | "accent" | "neutral" | "on-brand";

export function Badge({ tone, children }: { tone: BadgeTone; children: ReactNode }) {
  return <span className={classes(styles.badge, styles[tone])}>{children}</span>;
}

type BannerTone = "warning" | "danger" | "accent";

/** Several banners as data: those whose condition holds. */
export function Banners(props: {
  of: readonly (readonly [tone: BannerTone, icon: IconName, words: ReactNode] | false | null)[];
}) {
  return props.of.map((each, at) =>
    each ? (
      <Banner key={at} tone={each[0]} icon={each[1]}>
        {each[2]}
      </Banner>
    ) : null,
  );
}

export type Mark = readonly [tone: BadgeTone, label: string];

/** A badge for each mark that holds. */
export function Marks({ of }: { of: readonly (Mark | false | null | undefined)[] }) {
  return of.map((mark) =>
    mark ? (
      <Badge key={mark[1]} tone={mark[0]}>
        {mark[1]}
      </Badge>
    ) : null,
  );
}

/** A notice above the content that stays as long as its cause. */
export function Banner(props: {
  tone: BannerTone;
  icon?: IconName;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classes(styles.banner, styles[props.tone])} role="status">
      <Icon name={props.icon ?? "warning"} size={20} />
      <div className={styles.words}>{props.children}</div>
      {props.action}
    </div>
  );
}
