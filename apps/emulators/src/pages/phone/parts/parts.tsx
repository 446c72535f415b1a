import { type ReactNode, useState } from "react";
import type { BotView, Place } from "../../../wire.ts";
import { formatClock, useEmulatorNow, useEmulators } from "../../emulators.ts";
import { phoneCopy } from "../messages.fr.ts";
import css from "../phone.module.css";
import { usePhone, goBack } from "../phone-state.ts";

/** Own line drawings on a 24 grid; every one decorative: the button around it carries the name. */
const PATHS = {
  back: "M15 5l-7 7 7 7",
  close: "M6 6l12 12M18 6L6 18",
  more: "M12 5.5v.01M12 12v.01M12 18.5v.01",
  compose: "M4 20h4L19 9l-4-4L4 16v4zM13 7l4 4",
  send: "M4 12l16-8-5 16-3.5-6.5L4 12z",
  slow: "M4 16a8 8 0 0 1 16 0M12 16l-3.5-4M4 19h16",
  wallet: "M4 8.5V17a2 2 0 0 0 2 2h13V9H6a2 2 0 0 1 0-4h11v4M15.5 14v.01",
} as const;

type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width={22}
      height={22}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "more" ? 2.8 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

const TINTS = ["#d9705b", "#d58a35", "#7f63c9", "#4b9e58", "#3a93b8", "#4a7fd0", "#c65d92"];

export function Avatar({ id, name, size = 40 }: { id: number; name: string; size?: number }) {
  const isBot = useEmulators().bots.some((bot) => bot.id === id);
  const words = name.trim().split(/\s+/);
  const letters = isBot ? [] : [words[0], words.length > 1 ? words.at(-1) : ""];
  const background = isBot ? "#0b6e5f" : TINTS[Math.abs(id) % TINTS.length];
  return (
    <span
      className={css.avatar}
      // Drawn, not written: the name stands beside them.
      data-letters={letters.map((word) => Array.from(word ?? "")[0] ?? "").join("")}
      style={{ width: size, height: size, fontSize: size * 0.38, background }}
      aria-hidden="true"
    />
  );
}

/** The emulators' time on every phone: after a jump of the clock they all show it. */
export function StatusBar() {
  return <time className={css.status}>{formatClock(useEmulatorNow(1000))}</time>;
}

type IconButtonProps = {
  icon: IconName;
  label: string;
  onClick: () => void;
  expanded?: boolean;
  pressed?: boolean;
  /** Something new waits behind it. */
  dot?: boolean;
};

export function IconButton({ icon, label, onClick, expanded, pressed, dot }: IconButtonProps) {
  return (
    <button
      type="button"
      className={css.iconButton}
      title={label}
      aria-label={label}
      aria-expanded={expanded}
      aria-pressed={pressed}
      onClick={onClick}
    >
      <Icon name={icon} />
      {dot && <i aria-hidden="true" />}
    </button>
  );
}

type HeaderProps = {
  title: string;
  subtitle?: string;
  avatarId?: number;
  /** Name of what a tap on the title opens. */
  opens?: { label: string; run: () => void } | undefined;
  /** Where the arrow leads, when that is not the screen before. */
  back?: { label: string; run: () => void };
};

export function ScreenHeader({ title, subtitle, avatarId, opens, back }: HeaderProps) {
  const { dispatch } = usePhone();
  return (
    <header className={css.header}>
      <IconButton
        icon="back"
        label={back?.label ?? phoneCopy.back}
        onClick={back?.run ?? (() => dispatch(goBack))}
      />
      <Cell
        title={title}
        subtitle={subtitle}
        before={avatarId !== undefined && <Avatar id={avatarId} name={title} size={38} />}
        label={opens?.label}
        onClick={opens?.run}
      />
    </header>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.section} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

type CellProps = {
  title: string;
  subtitle?: string | undefined;
  before?: ReactNode;
  after?: ReactNode;
  /** Name for whoever does not see the cell, when its words say too little or too much. */
  label?: string | undefined;
  onClick?: (() => void) | undefined;
};

export function Cell({ title, subtitle, before, after, label, onClick }: CellProps) {
  const inside = (
    <>
      {before}
      <span className={css.words}>
        <b>{title}</b>
        {subtitle !== undefined && <small>{subtitle}</small>}
      </span>
      {after}
    </>
  );
  if (onClick === undefined) return <div className={css.row}>{inside}</div>;
  return (
    <button type="button" className={css.row} aria-label={label} onClick={onClick}>
      {inside}
    </button>
  );
}

type SheetProps = { label: string; onClose: () => void; children: ReactNode };

/** A panel that rises from the bottom of the phone; Escape or the veil puts it away. */
export function BottomSheet({ label, onClose, children }: SheetProps) {
  return (
    <Over role="dialog" label={label} onClose={onClose}>
      <div className={css.header}>
        <h3 className={css.grow}>{label}</h3>
        <IconButton icon="close" label={phoneCopy.close} onClick={onClose} />
      </div>
      {children}
    </Over>
  );
}

export type Question = {
  message: string;
  buttons: { id: string; text: string }[];
  /** null: put away without choosing. */
  onChoice: (id: string | null) => void;
};

/** The small centred question of Telegram: one or two answers. */
export function AlertBox({ message, buttons, onChoice }: Question) {
  return (
    <Over role="alertdialog" label={message} onClose={() => onChoice(null)}>
      <p>{message}</p>
      <div className={css.answers}>
        {buttons.map(({ id, text }) => (
          <button type="button" key={id} onClick={() => onChoice(id)}>
            {text}
          </button>
        ))}
      </div>
    </Over>
  );
}

/** Above whatever the phone shows. It has the keyboard's focus as soon as it appears. */
function Over({ role, label, onClose, children }: SheetProps & { role: string }) {
  return (
    <div className={css.over} data-role={role}>
      <div className={css.veil} onClick={onClose} aria-hidden="true" />
      <div
        role={role}
        aria-label={label}
        tabIndex={-1}
        ref={focusOnce}
        onKeyDown={(event) => event.key === "Escape" && onClose()}
      >
        {children}
      </div>
    </div>
  );
}

/** As a `ref`: gives the keyboard's focus to what has just appeared. */
export const focusOnce = (box: HTMLElement | null) => box?.focus({ preventScroll: true });

type ActionProps = {
  text: string;
  /** Absent: it sends the form around it. */
  onClick?: () => unknown;
  disabled?: boolean;
  busy?: boolean;
  /** At the foot of a screen, when there is only one thing to do. */
  big?: boolean;
};

export function Action({ text, onClick, disabled, busy, big = false }: ActionProps) {
  return (
    <button
      type={onClick ? "button" : "submit"}
      className={big ? css.bigAction : css.wide}
      disabled={disabled}
      aria-busy={busy}
      onClick={() => void onClick?.()}
    >
      {text}
    </button>
  );
}

type ComposerProps = { place: Place; bot?: BotView };

/** Writes as the holder of the phone. */
export function Composer({ place, bot }: ComposerProps) {
  const phone = usePhone();
  const [text, setText] = useState("");
  return (
    <form
      className={css.composer}
      onSubmit={(event) => {
        event.preventDefault();
        const words = text.trim();
        if (words === "") return;
        void phone.act("sendMessage", { to: place, text: words });
        setText("");
      }}
    >
      {bot !== undefined && <BotMenu bot={bot} />}
      <input
        aria-label={phoneCopy.composer.write}
        placeholder={phoneCopy.composer.write}
        value={text}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className={css.iconButton} aria-label={phoneCopy.composer.send}>
        <Icon name="send" />
      </button>
    </form>
  );
}

function BotMenu({ bot: { role, menuButton } }: { bot: BotView }) {
  const phone = usePhone();
  if (menuButton.type !== "web_app") return null;
  const { pathname, search } = new URL(menuButton.url, location.origin);
  return (
    <button
      type="button"
      className={css.small}
      onClick={() => void phone.openApp({ bot: role, mode: "menu", path: pathname + search })}
    >
      {menuButton.text}
    </button>
  );
}
