import { CLAIM_KIND_NAMES, CLAIM_KIND_SENTENCES, type ClaimKind } from "@sesame/contract/cases";
import { useEffect, useId, useRef, useState } from "react";
import { checkoutCopy } from "./messages.fr.ts";
import common from "../../kit/buyer.module.css";
import styles from "./checkout.module.css";
import { useSending } from "./use-sending.ts";

const copy = checkoutCopy.care;

export type ClaimSheetProps = {
  /** The likeliest first: chosen already, so that a claim is two taps. */
  readonly kinds: readonly ClaimKind[];
  send(claim: { motif: string; message: string }): Promise<unknown>;
  onClose(): void;
};

/** What went wrong with a purchase, in two taps: this sheet, and its button. */
export function ClaimSheet({ kinds, send, onClose }: ClaimSheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [motif, setMotif] = useState<ClaimKind | undefined>(kinds[0]);
  const [message, setMessage] = useState("");
  const sending = useSending();
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const submit = () =>
    sending.run(async () => {
      await send({ motif: motif ?? "", message: message.trim() });
      dialog.current?.close();
    });
  return (
    <dialog ref={dialog} className={styles.sheet} aria-labelledby={titleId} onClose={onClose}>
      <div className={styles.content}>
        <h2 id={titleId}>{copy.claimTitle}</h2>
        <fieldset className={styles.choices} disabled={sending.busy}>
          <legend className={styles.hidden}>{copy.claimTitle}</legend>
          {kinds.map((kind) => (
            <label key={kind} className={styles.choice}>
              <input
                type="radio"
                name="motif"
                value={kind}
                checked={motif === kind}
                onChange={() => setMotif(kind)}
              />
              <span>{CLAIM_KIND_NAMES[kind]}</span>
            </label>
          ))}
        </fieldset>
        {motif ? <p className={common.note}>{CLAIM_KIND_SENTENCES[motif]}</p> : null}
        <textarea
          className={common.field}
          aria-label={copy.message}
          placeholder={copy.message}
          maxLength={1000}
          rows={2}
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
          {copy.send}
        </button>
        <button className={common.plain} type="button" onClick={() => dialog.current?.close()}>
          {checkoutCopy.close}
        </button>
      </div>
    </dialog>
  );
}
