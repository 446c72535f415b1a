import { type ReactNode, useEffect, useRef } from "react";
import { phoneCopy } from "../copy.fr.ts";
import { Icon } from "./icon.tsx";
import css from "./parts.module.css";

type Props = { label: string; onClose: () => void; children: ReactNode };

/** A panel that rises from the bottom of the phone; Escape or the veil puts it away. */
export function BottomSheet({ label, onClose, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  return (
    <div className={css.sheetLayer}>
      <div className={css.veil} onClick={onClose} aria-hidden="true" />
      <div
        className={css.sheet}
        role="dialog"
        aria-label={label}
        tabIndex={-1}
        ref={box}
        onKeyDown={(event) => event.key === "Escape" && onClose()}
      >
        <div className={css.sheetHead}>
          <h3 className={css.sheetTitle}>{label}</h3>
          <button
            type="button"
            className={css.iconButton}
            aria-label={phoneCopy.close}
            onClick={onClose}
          >
            <Icon name="close" size={20} />
          </button>
        </div>
        {children}
      </div>
    </div>
  );
}

type AlertProps = {
  message: string;
  buttons: { id: string; text: string; tone: "default" | "destructive" }[];
  /** null: put away without choosing. */
  onChoice: (id: string | null) => void;
};

/** The small centred question of Telegram: one to three answers. */
export function AlertBox({ message, buttons, onChoice }: AlertProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  return (
    <div className={css.alertLayer}>
      <div className={css.veil} onClick={() => onChoice(null)} aria-hidden="true" />
      <div
        className={css.alert}
        role="alertdialog"
        aria-label={message}
        tabIndex={-1}
        ref={box}
        onKeyDown={(event) => event.key === "Escape" && onChoice(null)}
      >
        <p className={css.alertText}>{message}</p>
        <div className={css.alertButtons}>
          {buttons.map((button) => (
            <button
              type="button"
              key={button.id}
              className={button.tone === "destructive" ? css.alertDanger : css.alertButton}
              onClick={() => onChoice(button.id)}
            >
              {button.text}
            </button>
          ))}
        </div>
      </div>
    </div>
  );
}
