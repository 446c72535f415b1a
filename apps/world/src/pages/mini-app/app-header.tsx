import { useState } from "react";
import { Icon } from "../phone/parts/icon.tsx";
import { usePhone } from "../phone/phone-context.ts";
import { StatusBar } from "../phone/status-bar.tsx";
import { isDarkColor } from "../phone/theme.ts";
import type { OpenApp } from "../phone/ui-state.ts";
import type { AppState } from "./app-state.ts";
import { miniAppCopy as copy } from "./copy.fr.ts";
import type { Post } from "./handlers.ts";
import css from "./mini-app.module.css";

type Props = { app: OpenApp; state: AppState; color: string; post: Post; onClose: () => void };

/** The client's own bar: close or back, the bot's name, the menu. */
export function AppHeader({ app, state, color, post, onClose }: Props) {
  const [menuOpen, setMenuOpen] = useState(false);
  const ink = isDarkColor(color) ? "#ffffff" : "#000000";
  const bar = { background: color, color: ink };
  return (
    <div className={css.top} style={bar}>
      <StatusBar />
      <div className={css.header}>
        {state.back ? (
          <button
            type="button"
            className={css.headerButton}
            aria-label={copy.back}
            onClick={() => post("back_button_pressed")}
          >
            <Icon name="back" />
          </button>
        ) : (
          <button
            type="button"
            className={css.headerButton}
            aria-label={copy.close}
            onClick={onClose}
          >
            <Icon name="close" />
          </button>
        )}
        <span className={css.headerWords}>
          <b>{app.launch.botName}</b>
          <small>{copy.subtitle}</small>
        </span>
        <button
          type="button"
          className={css.headerButton}
          aria-label={copy.menu}
          aria-expanded={menuOpen}
          onClick={() => setMenuOpen(!menuOpen)}
        >
          <Icon name="more" />
        </button>
      </div>
      {menuOpen && <Menu state={state} onClose={onClose} onDone={() => setMenuOpen(false)} />}
    </div>
  );
}

type MenuProps = Pick<Props, "state" | "onClose"> & { onDone: () => void };

function Menu({ state, onClose, onDone }: MenuProps) {
  const phone = usePhone();
  const items: { text: string; run: () => void }[] = [
    {
      text: copy.minimise,
      run: () => phone.dispatch({ type: "minimiseApp", minimised: true }),
    },
    ...(state.back ? [{ text: copy.close, run: onClose }] : []),
  ];
  return (
    <>
      <div className={css.menuVeil} onClick={onDone} aria-hidden="true" />
      <div className={css.menu} role="menu">
        {items.map((item) => (
          <button
            type="button"
            role="menuitem"
            key={item.text}
            className={css.menuItem}
            onClick={() => {
              onDone();
              item.run();
            }}
          >
            {item.text}
          </button>
        ))}
      </div>
    </>
  );
}
