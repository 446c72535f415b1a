import { type CSSProperties, type ReactNode, useState } from "react";
import { Link } from "wouter";
import { type Mark, Marks } from "./badge.tsx";
import { IconButton } from "./button.tsx";
import { FilterChips } from "./choices.tsx";
import { kitCopy } from "./messages.fr.ts";
import { Paged, type PagesOf, type PagedState } from "./paged.tsx";
import { copyAloud } from "./records.tsx";
import styles from "./records.module.css";
import type { Nothing } from "./screen.tsx";
import { Cell, Section } from "./section.tsx";

/**
 * A name and its value; without a value it is left out. `said`: stands before the value where no column has
 * its name.
 */
export type Fact = readonly [
  label: string,
  value: string | null | undefined | false,
  said?: string | false,
];

/** From this length on, a value in half the width would be a tower of words. */
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

/** A value to be copied: shown in groups, copied without spaces. */
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

/** One row of a list: its title, its mark, its facts, and its link or what a tap opens below it. */
export type TableRow = {
  readonly id: string;
  readonly href?: string;
  readonly title: string;
  readonly before?: ReactNode;
  readonly mark?: Mark | null;
  /** The same names in each row: the columns on a desktop. A column that no row fills is left out. */
  readonly facts: readonly Fact[];
  /** Opened below it by a tap. */
  readonly more?: ReactNode;
};

/** Two lines a row on a phone; on a desktop each fact stands in its column, beneath its name. */
export function Table(props: {
  title?: string | undefined;
  none?: string | undefined;
  rows: readonly TableRow[];
}) {
  const { rows, none, title } = props;
  const [first] = rows;
  if (!first && none === undefined) return null;
  const columns = (first?.facts ?? [])
    .map(([name]) => name)
    .filter((_, at) => rows.some(({ facts }) => facts[at]?.[1]));
  const widths = {
    "--facts": columns.length,
    "--mark": rows.some(({ mark }) => mark) ? "8.5rem" : "0px",
  };
  return (
    <Section title={title}>
      {first ? (
        <ul className={styles.table} style={widths as CSSProperties}>
          <li className={styles.heads} aria-hidden="true">
            <span />
            {columns.map((name) => (
              <span key={name}>{name}</span>
            ))}
          </li>
          {rows.map((row) => (
            <li key={row.id}>
              <Row row={row} columns={columns} />
            </li>
          ))}
        </ul>
      ) : (
        <Cell title={none} />
      )}
    </Section>
  );
}

function Row({ row, columns }: { row: TableRow; columns: readonly string[] }) {
  const facts = row.facts.filter(([name]) => columns.includes(name));
  const cells = (
    <>
      <span className={styles.lead}>
        {row.before}
        <strong>{row.title}</strong>
      </span>
      <span className={styles.values}>
        {facts.map(([name, value, said]) => (
          <span key={name}>
            {value && said ? <span className={styles.said}>{said} </span> : null}
            {value || null}
          </span>
        ))}
      </span>
      <span>
        <Marks of={[row.mark]} />
      </span>
    </>
  );
  if (row.more) {
    return (
      <details>
        <summary className={styles.row}>{cells}</summary>
        {row.more}
      </details>
    );
  }
  if (row.href === undefined) return <div className={styles.row}>{cells}</div>;
  return (
    <Link href={row.href} className={styles.row}>
      {cells}
    </Link>
  );
}

type Answer = { readonly next_cursor: string | null };

/** A list of the server as data, with its views: a row each, or the result of `children`. */
export function RecordList<P extends Answer, T, V extends string = never>(props: {
  title?: string;
  of(view: V): PagesOf<P>;
  items(page: P): readonly T[];
  row?(item: T): TableRow;
  children?(all: readonly T[]): ReactNode;
  /** Each with the words for when it is empty; the first is shown first. */
  views?: Readonly<Record<V, readonly [label: string, ...nothing: Nothing]>>;
  empty?: Nothing | string;
  /** Milliseconds between two reads. */
  every?: number;
  head?(state: PagedState<P>): ReactNode;
  foot?(state: PagedState<P>): ReactNode;
}) {
  const { of, views, items, row, title, empty, children, ...how } = props;
  const names = Object.keys(views ?? {}) as V[];
  const [view, setView] = useState(names[0] as V);
  const [, drawing = "search", ...said] = views?.[view] ?? [""];
  const table = (all: readonly T[]) => (
    <Table
      title={title}
      none={typeof empty === "string" ? empty : undefined}
      rows={row ? all.map(row) : []}
    />
  );
  return (
    <>
      {views ? (
        <FilterChips
          label={kitCopy.views}
          choices={names.map((value) => ({ value, label: views[value][0] }))}
          value={view}
          onChange={setView}
        />
      ) : null}
      <Paged
        key={view}
        {...how}
        of={of(view)}
        rows={items}
        empty={typeof empty === "string" ? table([]) : (empty ?? [drawing, said[0] ?? "", said[1]])}
      >
        {children ?? table}
      </Paged>
    </>
  );
}
