import type { ReactNode } from "react";
import { phoneCopy } from "../copy.fr.ts";
import { usePhone } from "../phone-context.ts";
import { Icon } from "./icon.tsx";
import css from "./parts.module.css";

type Props = {
  title: string;
  subtitle?: string;
  avatar?: ReactNode;
  /** Name of what a tap on the title opens. */
  opens?: string;
  onOpen?: () => void;
  /** Where the arrow leads, when that is not the screen before. */
  back?: { label: string; run: () => void };
};

export function ScreenHeader({ title, subtitle, avatar, opens, onOpen, back }: Props) {
  const { dispatch } = usePhone();
  const words = (
    <>
      {avatar}
      <span className={css.headerWords}>
        <span className={css.headerTitle}>{title}</span>
        {subtitle !== undefined && <span className={css.headerSubtitle}>{subtitle}</span>}
      </span>
    </>
  );
  return (
    <header className={css.header}>
      <button
        type="button"
        className={css.iconButton}
        aria-label={back?.label ?? phoneCopy.back}
        onClick={() => (back === undefined ? dispatch({ type: "back" }) : back.run())}
      >
        <Icon name="back" />
      </button>
      {onOpen === undefined ? (
        <div className={css.headerMain}>{words}</div>
      ) : (
        <button type="button" className={css.headerMain} aria-label={opens} onClick={onOpen}>
          {words}
        </button>
      )}
    </header>
  );
}
