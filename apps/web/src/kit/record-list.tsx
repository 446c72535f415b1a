import { type CSSProperties, type ReactNode, useState } from "react";
import { Link } from "wouter";
import { Badge, type BadgeTone } from "./badge.tsx";
import { IconButton } from "./button.tsx";
import { FilterChips } from "./choices.tsx";
import { Card, Grid, Line, Stack, Text } from "./layout.tsx";
import { kitCopy } from "./messages.fr.ts";
import { ExportButton, Paged, type PagesOf, type PagedState } from "./paged.tsx";
import { copyAloud, Note } from "./records.tsx";
import styles from "./records.module.css";
import type { Nothing } from "./screen.tsx";
import { Cell, Section } from "./section.tsx";
import { Acts, type Offer } from "./use-action.tsx";

export type Mark = readonly [tone: BadgeTone, label: string];

/** A name and its value; without a value it is left out. `said`: before it, where no column names it. */
export type Fact = readonly [
  label: string,
  value: string | null | undefined | false,
  said?: string | false,
];

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

/** One row of a list: what it is, its mark, its facts, and where it leads or what it opens on. */
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
      <span>{row.mark ? <Badge tone={row.mark[0]}>{row.mark[1]}</Badge> : null}</span>
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

/** One thing of a list with what may be done about it, as data. */
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
  const { facts = [], acts = [], level = 3 } = props;
  const badges = (props.badges ?? []).filter((badge) => badge !== false && badge !== null);
  const links = (props.links ?? []).filter(({ href }) => href !== null);
  return (
    <Card as="article" gap={2}>
      <div className={styles.part}>
        {badges.length > 0 || props.when ? (
          <Line as="p">
            {badges.map(([tone, label]) => (
              <Badge key={label} tone={tone}>
                {label}
              </Badge>
            ))}
            {props.when ? (
              <Text as="span" size="small" tone="soft">
                {props.when}
              </Text>
            ) : null}
          </Line>
        ) : null}
        <Line gap={3}>
          {props.lead}
          <Text as={`h${level}`} size="body" strong>
            {props.title}
          </Text>
        </Line>
        {props.text ? <Text>{props.text}</Text> : null}
      </div>
      <div className={styles.part}>
        {props.children}
        {facts.length > 0 ? <FactGrid facts={facts} /> : null}
        {props.below}
      </div>
      <div className={styles.part}>
        {links.length > 0 ? (
          <Line as="p" gap={4}>
            {links.map(({ href, label }) => (
              <Link key={`${href} ${label}`} href={href ?? ""} className={styles.link}>
                {label}
              </Link>
            ))}
          </Line>
        ) : null}
        {props.note ? <Note>{props.note}</Note> : null}
        {acts.length > 0 ? <Acts of={acts} size="small" /> : null}
      </div>
    </Card>
  );
}

type Cards = {
  readonly title?: string;
  /** Heard alone. */
  readonly heading?: string;
  /** On a desktop a card a line, its parts side by side; else cards side by side. */
  readonly lines?: boolean;
};

/** Cards side by side where there is room; without one `none` is said, or the whole is left out. */
export function Records(props: Cards & { none?: string; of: readonly RecordOf[] }) {
  const { title, heading, lines, none, of } = props;
  const cards = of.map((each) => <RecordCard key={each.id} {...each} />);
  if (of.length === 0) return <Table title={title} none={none} rows={[]} />;
  const shown = lines ? (
    <div className={styles.lines}>{cards}</div>
  ) : (
    <Grid least="20.625rem">{cards}</Grid>
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
      <Text as="h2" size="heading">
        {title}
      </Text>
      {shown}
    </Stack>
  );
}

type Answer = { readonly next_cursor: string | null };

/** A list of the server as data, in rows or in cards, with its views and its file. */
export function RecordList<P extends Answer, T, V extends string = never>(
  props: Cards & {
    of(view: V): PagesOf<P>;
    /** Those of a page, each as a row or as a card. */
    items(page: P): readonly T[];
    row?(item: T): TableRow;
    card?(item: T): RecordOf;
    /** Each with what is said when nothing is in it; the first is shown first. */
    readonly views?: Readonly<Record<V, readonly [label: string, ...nothing: Nothing]>>;
    readonly empty?: Nothing | string;
    /** Asked again after so many milliseconds. */
    readonly every?: number;
    readonly csv?: { readonly of: string; readonly name: string };
    head?(state: PagedState<P>): ReactNode;
    foot?(state: PagedState<P>): ReactNode;
  },
) {
  const { of, views, items, row, card, empty, csv, foot, ...how } = props;
  const names = Object.keys(views ?? {}) as V[];
  const [view, setView] = useState(names[0] as V);
  const [, drawing = "search", ...said] = views?.[view] ?? [""];
  const table = (all: readonly T[]) => (
    <Table
      title={how.title}
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
        foot={(state) => (
          <>
            {foot?.(state)}
            {csv ? <ExportButton {...csv} /> : null}
          </>
        )}
      >
        {(all) => (card ? <Records {...how} of={all.map(card)} /> : table(all))}
      </Paged>
    </>
  );
}
