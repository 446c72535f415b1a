import { useEffect, useId, useRef, useState } from "react";
import { sayError } from "../../lib/request.ts";
import common from "../../kit/buyer.module.css";
import styles from "./checkout.module.css";
import { checkoutCopy } from "./messages.fr.ts";
import { reportCopy as copy } from "./rare-messages.fr.ts";

export type ReportSheetProps = {
  /** → what the platform answers. */
  send(report: { motif: string; message: string }): Promise<string>;
  onClose(): void;
};

type Step =
  | { readonly at: "writing"; readonly complaint: string | null }
  | { readonly at: "sending" }
  | { readonly at: "reported"; readonly answer: string };

/** A buyer's word about a product (decision 99). */
export function ReportSheet({ send, onClose }: ReportSheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [motif, setMotif] = useState("");
  const [message, setMessage] = useState("");
  const [step, setStep] = useState<Step>({ at: "writing", complaint: null });
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const submit = async () => {
    setStep({ at: "sending" });
    try {
      setStep({ at: "reported", answer: await send({ motif, message }) });
    } catch (error) {
      setStep({ at: "writing", complaint: sayError(error, copy.failed) });
    }
  };
  return (
    <dialog ref={dialog} className={styles.sheet} aria-labelledby={titleId} onClose={onClose}>
      <div className={styles.content}>
        <h2 id={titleId}>{copy.title}</h2>
        {step.at === "reported" ? (
          <p role="status">{step.answer}</p>
        ) : (
          <>
            <fieldset className={styles.choices} disabled={step.at === "sending"}>
              <legend className={styles.hidden}>{copy.reason}</legend>
              {copy.reasons.map(([value, label]) => (
                <label key={value} className={styles.choice}>
                  <input
                    type="radio"
                    name="motif"
                    value={value}
                    checked={motif === value}
                    onChange={() => setMotif(value)}
                  />
                  <span>{label}</span>
                </label>
              ))}
            </fieldset>
            <textarea
              className={common.field}
              aria-label={copy.message}
              placeholder={copy.message}
              maxLength={500}
              rows={3}
              value={message}
              onChange={(event) => setMessage(event.target.value)}
            />
            <p className={common.complaint} role="alert">
              {step.at === "writing" ? step.complaint : null}
            </p>
            <button
              className={common.action}
              type="button"
              aria-busy={step.at === "sending"}
              onClick={() => void submit()}
            >
              {copy.send}
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
