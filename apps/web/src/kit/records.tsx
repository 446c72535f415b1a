import { Children, type ReactNode } from "react";
import { copyText } from "../lib/copy-text.ts";
import { haptic } from "../telegram/native.ts";
import styles from "./content.module.css";
import {
  Cell,
  Line,
  Section,
  Stack,
  Text,
  When,
  type Of,
  type Tag,
  type TextLook,
} from "./layout.tsx";
import { kitCopy } from "./messages.fr.ts";
import { toast } from "./toast.tsx";

/** Rows on one card; when empty, the sentence `none`, or nothing at all. */
export function Rows(props: {
  title?: string;
  none?: string;
  footer?: ReactNode;
  action?: ReactNode;
  /** The order matters: best or first before the others. */
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

/** Small, soft text. */
export function Note<E extends Tag = "p">(props: Of<E, Omit<TextLook, "size" | "tone">>) {
  return <Text size="small" tone="soft" {...(props as Of<"p", TextLook>)} />;
}

export async function copyAloud(text: string, failed?: string): Promise<void> {
  const done = await copyText(text);
  haptic(done ? "success" : "error");
  toast(done ? kitCopy.copied : (failed ?? kitCopy.copyFailed), done ? "good" : "bad");
}

/** Words joined by points; absent ones are left out. */
export function joined(...words: readonly (string | null | undefined | false)[]): string {
  return words.filter(Boolean).join(" · ");
}

type ThreadMessage = {
  readonly id: string;
  /** Whose message it is; `nobody`: the platform's, across the whole width. */
  readonly side: "mine" | "theirs" | "nobody";
  readonly author: string;
  /** The author's act, beside the words. */
  readonly step?: string;
  /** ISO 8601, when it is shown. */
  readonly at?: string;
  /** Null: erased, `gone` stands in its place. */
  readonly words: string | null;
};

/** A conversation, oldest first. */
export function Thread(props: {
  label: string;
  messages: readonly ThreadMessage[];
  /** In the place of words that were erased; null: nothing. */
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
