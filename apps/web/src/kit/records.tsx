import { Children, type ReactNode } from "react";
import { copyText } from "../lib/copy-text.ts";
import { haptic } from "../telegram/native.ts";
import { Link } from "wouter";
import { Badge, type BadgeTone } from "./badge.tsx";
import { IconButton } from "./button.tsx";
import { Grid, Text } from "./layout.tsx";
import { kitCopy } from "./messages.fr.ts";
import styles from "./records.module.css";
import { Cell, Section } from "./section.tsx";
import { toast } from "./toast.tsx";

/** A name and its value; without a value it is left out. */
export type Fact = readonly [label: string, value: string | null | undefined | false];

/** What would be a tower of words in half the width. */
const LONG = 40;

/** Names and values, two by two where there is room. */
export function FactGrid({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([label, value]) =>
        value ? (
          <div key={label} data-long={value.length > LONG || undefined}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

/** Rows on one card; without one `none` is said, or the whole is left out. */
export function Rows(props: {
  title?: string;
  none?: string;
  footer?: ReactNode;
  action?: ReactNode;
  /** Best or first before the others. */
  ordered?: boolean;
  children: ReactNode;
}) {
  const { title, footer, action, ordered } = props;
  const List = ordered ? "ol" : "ul";
  const rows = Children.toArray(props.children);
  if (rows.length === 0 && props.none === undefined) return null;
  return (
    <Section {...(title ? { title } : {})} footer={footer} action={action}>
      {rows.length === 0 ? <Cell title={props.none} /> : null}
      <List>
        {Children.map(rows, (row) => (
          <li>{row}</li>
        ))}
      </List>
    </Section>
  );
}

/** Cards side by side where there is room. */
export function Records({ heading, children }: { heading?: string; children: ReactNode }) {
  return (
    <>
      {heading ? <h2 className="only-heard">{heading}</h2> : null}
      <Grid least="20.625rem">{children}</Grid>
    </>
  );
}

/** One row of a list: what it is, its mark, its facts, and what may be done. */
export type TableRow = {
  readonly id: string;
  readonly href: string;
  readonly title: string;
  readonly before?: ReactNode;
  readonly mark?: Mark | null;
  /** The same names in each row: the columns of a desk. */
  readonly facts: readonly Fact[];
};

/** Two lines a row on a phone; on a desk each fact stands in its column, beneath its name. */
export function Table(props: { title?: string; none?: string; rows: readonly TableRow[] }) {
  const { rows, none, title } = props;
  const [first] = rows;
  if (!first && none === undefined) return null;
  return (
    <Section {...(title ? { title } : {})}>
      {first ? (
        <ul className={styles.table} style={{ ["--facts" as string]: first.facts.length }}>
          <li className={styles.heads} aria-hidden="true">
            <span />
            {first.facts.map(([name]) => (
              <span key={name}>{name}</span>
            ))}
          </li>
          {rows.map((row) => (
            <li key={row.id}>
              <Link href={row.href} className={styles.row}>
                <span className={styles.lead}>
                  {row.before}
                  <strong>{row.title}</strong>
                </span>
                <span className={styles.values}>
                  {row.facts.map(([name, value]) => (
                    <span key={name}>{value || null}</span>
                  ))}
                </span>
                <span>{row.mark ? <Badge tone={row.mark[0]}>{row.mark[1]}</Badge> : null}</span>
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <Cell title={none} />
      )}
    </Section>
  );
}

export type Mark = readonly [tone: BadgeTone, label: string];

/** Small words of little weight. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <Text size="small" tone="soft">
      {children}
    </Text>
  );
}

/** What is carried elsewhere: read grouped, copied bare. */
export function CopyLine(props: { label: string; shown: string; copied: string; button: string }) {
  return (
    <div className={styles.copied}>
      <dl>
        <dt>{props.label}</dt>
        <dd>{props.shown}</dd>
      </dl>
      <IconButton icon="copy" label={props.button} onClick={() => void copyAloud(props.copied)} />
    </div>
  );
}

export async function copyAloud(text: string, failed?: string): Promise<void> {
  const done = await copyText(text);
  haptic(done ? "success" : "error");
  toast(done ? kitCopy.copied : (failed ?? kitCopy.copyFailed), done ? "good" : "bad");
}

/** A line of a list with words joined by points: what is absent is left out. */
export function joined(...words: readonly (string | null | undefined | false)[]): string {
  return words.filter(Boolean).join(" · ");
}
