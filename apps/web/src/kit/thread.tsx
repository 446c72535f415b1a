import styles from "./content.module.css";
import { Line, Stack, Text, When } from "./layout.tsx";

type ThreadMessage = {
  readonly id: string;
  /** On the reader's own side, on another's, or across: nobody's own words. */
  readonly side: "mine" | "theirs" | "nobody";
  readonly author: string;
  /** What the author did, beside saying something. */
  readonly step?: string;
  /** ISO 8601. */
  readonly at: string;
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
            <When at={at} />
          </Line>
          {words ? <Text lines>{words}</Text> : null}
          {words === null && props.gone ? <Text tone="soft">{props.gone}</Text> : null}
        </li>
      ))}
    </Stack>
  );
}
