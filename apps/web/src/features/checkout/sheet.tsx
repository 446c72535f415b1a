import { type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { sayError } from "../../lib/request.ts";
import common from "../../kit/buyer.module.css";
import styles from "./checkout.module.css";
import { checkoutCopy } from "./messages.fr.ts";

type SheetProps = {
  readonly title: string;
  /** A tap beside the sheet closes it too. */
  readonly loose?: boolean;
  onClose(): void;
  readonly children: ReactNode;
};

/** Its `close()` does what Escape does: the focus returns to where it was. */
export function openSheet(): HTMLDialogElement | null {
  return document.querySelector<HTMLDialogElement>("dialog[open]");
}

/** A buyer's sheet. A native dialog: focus stays inside, Escape closes it. */
export function Sheet({ title, loose, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className={styles.sheet}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={(event) => {
        if (loose && event.target === dialog.current) dialog.current.close();
      }}
    >
      <div className={styles.content}>
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

export function CloseButton({ disabled }: { disabled?: boolean }) {
  return (
    <button
      className={common.plain}
      type="button"
      disabled={disabled}
      onClick={() => openSheet()?.close()}
    >
      {checkoutCopy.close}
    </button>
  );
}

/** One call at a time; a failure is said in the server's words, or in `failed`. */
export function useSending(failed: string) {
  const [busy, setBusy] = useState(false);
  const [complaint, setComplaint] = useState<string | null>(null);
  return {
    busy,
    complaint,
    async run(send: () => Promise<unknown>) {
      if (busy) return;
      setBusy(true);
      setComplaint(null);
      await send().catch((error: unknown) => setComplaint(sayError(error, failed)));
      setBusy(false);
    },
  };
}
