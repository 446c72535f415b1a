import { useState } from "react";
import common from "../../kit/buyer.module.css";
import styles from "./checkout.module.css";
import { CloseButton, openSheet, Sheet, useSending } from "./sheet.tsx";

type Kind = readonly [kind: string, label: string, means?: string, message?: string];

export type WordsSheetProps = {
  /** The reasons to choose from, each with an explanation and a label of the words for the chosen one. */
  readonly kinds: readonly Kind[];
  /** Chosen already. */
  readonly chosen?: string | undefined;
  readonly words: Readonly<Record<"title" | "reason" | "message" | "send" | "failed", string>>;
  readonly max: number;
  /** → the answer to show here; null: the page shows it. */
  send(report: { motif: string; message: string }): Promise<string | null>;
  onClose(): void;
};

/** A buyer's word: about a product (decision 99), or about what went wrong with a purchase. */
export function WordsSheet(props: WordsSheetProps) {
  const { kinds, words, max } = props;
  const [motif, setMotif] = useState(props.chosen ?? "");
  const [message, setMessage] = useState("");
  const [answer, setAnswer] = useState<string | null>(null);
  const sending = useSending(words.failed);
  // A single reason is no choice.
  const only = kinds.length === 1 ? kinds[0] : null;
  const [, , means, label = words.message] = kinds.find(([kind]) => kind === motif) ?? [];
  const submit = () => {
    // Another sheet may be open once the answer is here.
    const mine = openSheet();
    return sending.run(async () => {
      const said = await props.send({ motif, message: message.trim() });
      if (said === null) mine?.close();
      else setAnswer(said);
    });
  };
  return (
    <Sheet title={only?.[1] ?? words.title} onClose={props.onClose}>
      {answer !== null ? (
        <p role="status">{answer}</p>
      ) : (
        <>
          {only ? null : (
            <fieldset className={styles.choices} disabled={sending.busy}>
              <legend className={styles.hidden}>{words.reason}</legend>
              {kinds.map(([kind, name]) => (
                <label key={kind} className={styles.choice}>
                  <input
                    type="radio"
                    name="motif"
                    value={kind}
                    checked={motif === kind}
                    onChange={() => setMotif(kind)}
                  />
                  <span>{name}</span>
                </label>
              ))}
            </fieldset>
          )}
          {means ? <p className={common.note}>{means}</p> : null}
          <textarea
            className={common.field}
            aria-label={label}
            placeholder={label}
            maxLength={max}
            rows={3}
            value={message}
            onChange={(event) => setMessage(event.target.value)}
          />
          <p className={common.complaint} role="alert">
            {sending.complaint}
          </p>
          <button
            className={common.action}
            type="button"
            aria-busy={sending.busy}
            onClick={() => void submit()}
          >
            {words.send}
          </button>
        </>
      )}
      <CloseButton />
    </Sheet>
  );
}
