import { Children, type ReactNode } from "react";
import { copyText } from "../lib/copy-text.ts";
import { haptic } from "../telegram/native.ts";
import { Text } from "./layout.tsx";
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
