import styles from "./thread.module.css";

export type ThreadMessage = {
  readonly id: string;
  /** On the reader's own side. */
  readonly mine: boolean;
  readonly author: string;
  /** ISO 8601, and as it is said. */
  readonly at: string;
  readonly when: string;
  /** Null: what stands in `gone`. */
  readonly words: string | null;
};

/** A conversation, oldest first. */
export function Thread(props: {
  label: string;
  messages: readonly ThreadMessage[];
  /** In the place of words that are no more. */
  gone: string;
}) {
  return (
    <ol className={styles.thread} aria-label={props.label}>
      {props.messages.map((message) => (
        <li key={message.id} data-mine={message.mine}>
          <p className={styles.author}>
            <strong>{message.author}</strong>
            <time dateTime={message.at}>{message.when}</time>
          </p>
          {message.words === null ? (
            <p className={styles.gone}>{props.gone}</p>
          ) : (
            <p className={styles.words}>{message.words}</p>
          )}
        </li>
      ))}
    </ol>
  );
}
