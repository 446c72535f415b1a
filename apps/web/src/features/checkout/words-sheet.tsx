import { useLayoutEffect, useId, useRef, useState } from "react";
import { sayError } from "../../lib/request.ts";
import common from "../../kit/buyer.module.css";
import styles from "./checkout.module.css";
import { checkoutCopy } from "./messages.fr.ts";

type Kind = readonly [kind: string, label: string, means?: string];

export type WordsSheetProps = {
  /** The reasons to choose from, each with an explanation for the chosen one. */
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
  const dialog = useRef<HTMLDialogElement>(null);
  const [motif, setMotif] = useState(props.chosen ?? "");
  const [message, setMessage] = useState("");
  const [answer, setAnswer] = useState<string | null>(null);
  const sending = useSending(words.failed);
  const titleId = useId();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const means = kinds.find(([kind]) => kind === motif)?.[2];
  const submit = () =>
    sending.run(async () => {
      const said = await props.send({ motif, message: message.trim() });
      if (said === null) dialog.current?.close();
      else setAnswer(said);
    });
  return (
    <dialog ref={dialog} className={styles.sheet} aria-labelledby={titleId} onClose={props.onClose}>
      <div className={styles.content}>
        <h2 id={titleId}>{words.title}</h2>
        {answer !== null ? (
          <p role="status">{answer}</p>
        ) : (
          <>
            <fieldset className={styles.choices} disabled={sending.busy}>
              <legend className={styles.hidden}>{words.reason}</legend>
              {kinds.map(([kind, label]) => (
                <label key={kind} className={styles.choice}>
                  <input
                    type="radio"
                    name="motif"
                    value={kind}
                    checked={motif === kind}
                    onChange={() => setMotif(kind)}
                  />
                  <span>{label}</span>
                </label>
              ))}
            </fieldset>
            {means ? <p className={common.note}>{means}</p> : null}
            <textarea
              className={common.field}
              aria-label={words.message}
              placeholder={words.message}
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
        <button className={common.plain} type="button" onClick={() => dialog.current?.close()}>
          {checkoutCopy.close}
        </button>
      </div>
    </dialog>
  );
}

/** One call at a time; a failure is said in the server's words, or in `failed`. */
export function useSending(failed: string) {
  const [state, setState] = useState<{ busy: boolean; complaint: string | null }>({
    busy: false,
    complaint: null,
  });
  return {
    ...state,
    async run(send: () => Promise<unknown>) {
      if (state.busy) return;
      setState({ busy: true, complaint: null });
      try {
        await send();
        setState({ busy: false, complaint: null });
      } catch (error) {
        setState({ busy: false, complaint: sayError(error, failed) });
      }
    },
  };
}
