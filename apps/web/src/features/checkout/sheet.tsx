import { type ReactNode, useEffect, useId, useRef } from "react";
import styles from "./checkout.module.css";

/** Over the buyers' page. A native dialog: focus stays inside, Escape closes it. */
export function BuyerSheet(props: {
  title: string;
  /** Beside it, a tap closes it: nothing was typed that would be lost. */
  easy?: boolean;
  onClose(): void;
  children(close: () => void): ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      className={styles.sheet}
      aria-labelledby={titleId}
      onClose={props.onClose}
      onClick={(event) => {
        if (props.easy && event.target === dialog.current) close();
      }}
    >
      <div className={styles.content}>
        <h2 id={titleId}>{props.title}</h2>
        {props.children(close)}
      </div>
    </dialog>
  );
}
