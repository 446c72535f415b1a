import type { ReactNode } from "react";
import { Link } from "wouter";
import { Badge } from "./badge.tsx";
import { type Fact, FactGrid, type Mark, Note } from "./records.tsx";
import styles from "./records.module.css";
import { Card, Line, Text } from "./layout.tsx";
import { Acts, type Offer } from "./use-action.tsx";

/** One thing of a list with what may be done about it, as data. */
export function RecordCard(props: {
  badges?: readonly (Mark | false | null)[];
  when?: string;
  /** Before the title. */
  lead?: ReactNode;
  title: ReactNode;
  level?: 2 | 3;
  text?: ReactNode;
  children?: ReactNode;
  facts?: readonly Fact[];
  links?: readonly { readonly href: string | null; readonly label: string }[];
  /** Beneath the facts. */
  below?: ReactNode;
  /** How it ended. */
  note?: string | null | false;
  acts?: readonly Offer[];
}) {
  const { facts = [], acts = [], level = 3 } = props;
  const badges = (props.badges ?? []).filter((badge) => badge !== false && badge !== null);
  const links = (props.links ?? []).filter(({ href }) => href !== null);
  return (
    <Card as="article" gap={2}>
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
      {props.children}
      {facts.length > 0 ? <FactGrid facts={facts} /> : null}
      {props.below}
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
    </Card>
  );
}
