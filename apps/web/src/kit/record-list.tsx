import { type CSSProperties, type ReactNode, useState } from "react";
import { Link } from "wouter";
import { IconButton, type Mark, Marks } from "./button.tsx";
import { FilterChips } from "./choices.tsx";
import { Card, Cell, Grid, Heading, Line, MoreLink, Section, Stack, Text } from "./layout.tsx";
import { kitCopy } from "./messages.fr.ts";
import { type PageAnswer, Paged, type PagedState, type PagesOf } from "./paged.tsx";
import { copyAloud, Note } from "./records.tsx";
import type { Nothing } from "./screen.tsx";
import { Acts, type Offer } from "./use-action.tsx";
import records from "./records.module.css";

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
    <dl className={records.facts}>
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
    <div className={records.copied}>
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
        <ul className={records.table} style={widths as CSSProperties}>
          <li className={records.heads} aria-hidden="true">
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
      <span className={records.lead}>
        {row.before}
        <strong>{row.title}</strong>
      </span>
      <span className={records.values}>
        {facts.map(([name, value, said]) => (
          <span key={name}>
            {value && said ? <span className={records.said}>{said} </span> : null}
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
        <summary className={records.row}>{cells}</summary>
        {row.more}
      </details>
    );
  }
  if (row.href === undefined) return <div className={records.row}>{cells}</div>;
  return (
    <Link href={row.href} className={records.row}>
      {cells}
    </Link>
  );
}

/** A list of the server as data, with its views: a row each, or the result of `children`. */
export function RecordList<P extends PageAnswer, T, V extends string = never>(props: {
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

/** One item of a list with its actions, as data. */
export type RecordOf = {
  readonly id: string;
  readonly badges?: readonly (Mark | false | null)[];
  readonly when?: string;
  /** Before the title. */
  readonly lead?: ReactNode;
  readonly title: ReactNode;
  readonly level?: 2 | 3;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
  readonly facts?: readonly Fact[];
  readonly links?: readonly { readonly href: string | null; readonly label: string }[];
  /** Beneath the facts. */
  readonly below?: ReactNode;
  /** How it ended. */
  readonly note?: string | null | false;
  readonly acts?: readonly Offer[];
};

function RecordCard(props: RecordOf) {
  const { badges = [], facts = [], acts = [], links = [], level = 3 } = props;
  return (
    <Card as="article" gap={2}>
      <Line as="p">
        <Marks of={badges} />
        {props.when ? <Note as="span">{props.when}</Note> : null}
      </Line>
      <Line gap={3}>
        {props.lead}
        <Text as={`h${level}`} size="body" strong>
          {props.title}
        </Text>
      </Line>
      {props.text ? <Text>{props.text}</Text> : null}
      {props.children}
      {facts.length > 0 ? <FactGrid facts={facts} /> : null}
      {props.below}
      <Line as="p" gap={4}>
        {links.map(({ href, label }) =>
          href === null ? null : (
            <MoreLink key={`${href} ${label}`} href={href}>
              {label}
            </MoreLink>
          ),
        )}
      </Line>
      {props.note ? <Note>{props.note}</Note> : null}
      <Acts of={acts} size="small" />
    </Card>
  );
}

/** Cards side by side where there is room; when empty, the sentence `none`, or nothing at all. */
export function Records(props: {
  title?: string;
  /** For screen readers alone. */
  heading?: string;
  none?: string;
  of: readonly RecordOf[];
}) {
  const { title, heading, none, of } = props;
  if (of.length === 0) return <Table title={title} none={none} rows={[]} />;
  const shown = (
    <Grid least="20.625rem">
      {of.map((each) => (
        <RecordCard key={each.id} {...each} />
      ))}
    </Grid>
  );
  if (!title) {
    return (
      <>
        {heading ? <h2 className="visually-hidden">{heading}</h2> : null}
        {shown}
      </>
    );
  }
  return (
    <Stack as="section" gap={2}>
      <Heading>{title}</Heading>
      {shown}
    </Stack>
  );
}
