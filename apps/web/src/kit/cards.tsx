import type { ReactNode } from "react";
import { type Mark, Marks } from "./badge.tsx";
import { Card, Grid, Line, MoreLink, Stack, Text, Heading } from "./layout.tsx";
import { type Fact, FactGrid, Table } from "./record-list.tsx";
import { Note } from "./records.tsx";
import { Acts, type Offer } from "./use-action.tsx";

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
        {props.when ? (
          <Text as="span" size="small" tone="soft">
            {props.when}
          </Text>
        ) : null}
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
