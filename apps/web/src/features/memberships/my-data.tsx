import { useState } from "react";
import { sayError } from "../../lib/request.ts";
import styles from "../../kit/buyer.module.css";
import { dataCopy as copy } from "./messages.fr.ts";

export type MyDataProps = {
  /** Gives the person a file with what is kept of him. */
  onExport(): Promise<void>;
  /** Throws with the reason while something still needs him. */
  onErase(): Promise<unknown>;
};

type Step =
  | { readonly at: "closed"; readonly complaint: string | null }
  | { readonly at: "asking" }
  | { readonly at: "busy" }
  | { readonly at: "erased" };

/** What is kept of a buyer: to be read about, had, and erased (decision 101). */
export function MyData({ onExport, onErase }: MyDataProps) {
  const [step, setStep] = useState<Step>({ at: "closed", complaint: null });
  const asking = step.at === "asking";
  const run = async (act: () => Promise<unknown>, done: Step) => {
    setStep({ at: "busy" });
    try {
      await act();
      setStep(done);
    } catch (error) {
      setStep({ at: "closed", complaint: sayError(error, copy.failed) });
    }
  };
  if (step.at === "erased") return <p role="status">{copy.erased}</p>;
  const busy = step.at === "busy";
  return (
    <section className={styles.card} aria-label={copy.title}>
      <strong>{copy.title}</strong>
      <a className={styles.link} href="/confidentialite">
        {copy.privacy}
      </a>
      {asking ? <p>{copy.eraseText}</p> : null}
      {step.at === "closed" && step.complaint ? <p role="alert">{step.complaint}</p> : null}
      <div className={styles.ways}>
        <button
          type="button"
          className={styles.quiet}
          disabled={busy}
          onClick={() =>
            asking
              ? setStep({ at: "closed", complaint: null })
              : void run(onExport, { at: "closed", complaint: null })
          }
        >
          {asking ? copy.cancel : copy.export}
        </button>
        <button
          type="button"
          className={styles.quiet}
          disabled={busy}
          onClick={() => (asking ? void run(onErase, { at: "erased" }) : setStep({ at: "asking" }))}
        >
          {asking ? copy.eraseYes : copy.erase}
        </button>
      </div>
    </section>
  );
}
