import type { ReactNode } from "react";
import { Link } from "wouter";
import { classes } from "../lib/text.ts";
import { Icon, type IconName } from "./icons.tsx";
import { Arch, Card, Line, Stack, Text, Heading } from "./layout.tsx";
import styles from "./content.module.css";

/** A group of rows on its own card, as in Telegram's Settings. */
export function Section(props: {
  title?: string | undefined;
  footer?: ReactNode;
  action?: ReactNode;
  /** Around content that is no row. */
  pad?: boolean;
  children: ReactNode;
}) {
  return (
    <Stack as="section" gap={2}>
      {props.title ? (
        <Line between>
          <Heading>{props.title}</Heading>
          {props.action}
        </Line>
      ) : null}
      <Card flush={!props.pad} gap={props.pad ? 3 : 0}>
        {props.children}
      </Card>
      {props.footer ? (
        <Text size="small" tone="soft">
          {props.footer}
        </Text>
      ) : null}
    </Stack>
  );
}

export type CellProps = {
  readonly title: ReactNode;
  readonly subtitle?: ReactNode;
  /** At the right end. */
  readonly after?: ReactNode;
  /** At the left end; or `icon` in an arch. */
  readonly before?: ReactNode;
  readonly icon?: IconName;
  readonly tone?: "amber" | "brick" | "soft" | undefined;
  /** Unless given: where there is a link. */
  readonly chevron?: boolean;
  readonly danger?: boolean;
  readonly href?: string;
  readonly disabled?: boolean;
  /** The row of what is shown beside the list. */
  readonly current?: boolean;
  onClick?: () => void;
};

export function Cell(props: CellProps) {
  const { href, onClick } = props;
  const look = classes(
    styles.cell,
    (href !== undefined || onClick !== undefined) && styles.pressable,
    props.danger && styles.sectionDanger,
  );
  if (href !== undefined) {
    return (
      <Link
        href={href}
        className={look}
        aria-current={props.current ? "true" : undefined}
        onClick={onClick}
      >
        <CellContent {...props} />
      </Link>
    );
  }
  if (onClick) {
    return (
      <button type="button" className={look} onClick={onClick} disabled={props.disabled}>
        <CellContent {...props} />
      </button>
    );
  }
  return (
    <div className={look}>
      <CellContent {...props} />
    </div>
  );
}

function CellContent(props: CellProps) {
  const { icon, before, after, subtitle, danger, tone = danger ? "brick" : undefined } = props;
  return (
    <>
      {icon ? <Arch icon={icon} tone={tone} /> : before}
      <span className={styles.flow}>
        <span className={styles.name}>{props.title}</span>
        {subtitle ? <span className={styles.subtitle}>{subtitle}</span> : null}
        {after !== undefined ? <span className={styles.after}>{after}</span> : null}
      </span>
      {(props.chevron ?? props.href !== undefined) ? (
        <span className={styles.chevron}>
          <Icon name="chevron" size={18} />
        </span>
      ) : null}
    </>
  );
}

/** A title that opens its content. */
export function Fold(props: { title: ReactNode; open?: boolean; children: ReactNode }) {
  return (
    <details className={styles.item} open={props.open}>
      <summary>
        {props.title}
        <Icon name="down" size={18} />
      </summary>
      {props.children}
    </details>
  );
}
