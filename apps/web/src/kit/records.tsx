import { Children, type ReactNode } from "react";
import { copyText } from "../lib/copy-text.ts";
import { haptic } from "../telegram/native.ts";
import { Button } from "./button.tsx";
import styles from "./content.module.css";
import { Line, Stack, Text, When } from "./layout.tsx";
import { kitCopy } from "./messages.fr.ts";
import { Cell, Section } from "./section.tsx";
import { toast } from "./toast.tsx";

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
    <Section title={title} footer={footer} action={action}>
      {rows.length === 0 ? <Cell title={props.none} /> : null}
      <List>
        {Children.map(rows, (row) => (
          <li>{row}</li>
        ))}
      </List>
    </Section>
  );
}

/** Small words of little weight. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <Text size="small" tone="soft">
      {children}
    </Text>
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

type ThreadMessage = {
  readonly id: string;
  /** On the reader's own side, on another's, or across: nobody's own words. */
  readonly side: "mine" | "theirs" | "nobody";
  readonly author: string;
  /** What the author did, beside saying something. */
  readonly step?: string;
  /** ISO 8601, where it is said. */
  readonly at?: string;
  /** Null: what stands in `gone`. */
  readonly words: string | null;
};

/** A conversation, oldest first. */
export function Thread(props: {
  label: string;
  messages: readonly ThreadMessage[];
  /** In the place of words that are no more; null: nothing is. */
  gone: string | null;
}) {
  return (
    <Stack as="ol" gap={2} aria-label={props.label}>
      {props.messages.map(({ id, side, author, step, at, words }) => (
        <li key={id} className={styles.message} data-side={side}>
          <Line as="p" soft>
            <strong>{author}</strong>
            {step ? <span>{step}</span> : null}
            {at ? <When at={at} /> : null}
          </Line>
          {words ? <Text lines>{words}</Text> : null}
          {words === null && props.gone ? <Text tone="soft">{props.gone}</Text> : null}
        </li>
      ))}
    </Stack>
  );
}

/** What is needed of a query that comes page by page. */
type MorePages = {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): Promise<unknown>;
};

/** Under a list whose next page is not here yet. */
export function MoreButton({ pages, label }: { pages: MorePages; label: string }) {
  if (!pages.hasNextPage) return null;
  return (
    <Button
      look="tinted"
      busy={pages.isFetchingNextPage}
      onClick={() => void pages.fetchNextPage()}
    >
      {label}
    </Button>
  );
}
