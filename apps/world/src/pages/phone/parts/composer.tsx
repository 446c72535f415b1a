import { useState } from "react";
import type { BotView, Place } from "../../../wire.ts";
import { phoneCopy } from "../copy.fr.ts";
import { usePhone } from "../phone-context.ts";
import css from "./composer.module.css";
import { Icon } from "./icon.tsx";

type Props = { onSend: (text: string) => void; bot?: BotView };

export function Composer({ onSend, bot }: Props) {
  const [text, setText] = useState("");
  const [commandsOpen, setCommandsOpen] = useState(false);
  const send = (words: string) => {
    if (words.trim() === "") return;
    onSend(words.trim());
    setText("");
    setCommandsOpen(false);
  };
  return (
    <div className={css.dock}>
      {bot !== undefined && commandsOpen && <Commands bot={bot} onPick={send} />}
      <form
        className={css.composer}
        onSubmit={(event) => {
          event.preventDefault();
          send(text);
        }}
      >
        {bot !== undefined && (
          <BotMenu bot={bot} open={commandsOpen} onToggle={() => setCommandsOpen(!commandsOpen)} />
        )}
        <input
          className={css.input}
          aria-label={phoneCopy.composer.write}
          placeholder={phoneCopy.composer.write}
          value={text}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className={css.send} aria-label={phoneCopy.composer.send}>
          <Icon name="send" />
        </button>
      </form>
    </div>
  );
}

type MenuProps = { bot: BotView; open: boolean; onToggle: () => void };

function BotMenu({ bot, open, onToggle }: MenuProps) {
  const phone = usePhone();
  const menu = bot.menuButton;
  if (menu.type === "web_app") {
    const { pathname, search } = new URL(menu.url, location.origin);
    return (
      <button
        type="button"
        className={css.menu}
        onClick={() => void phone.openApp({ bot: bot.role, mode: "menu", path: pathname + search })}
      >
        <Icon name="window" size={16} />
        {menu.text}
      </button>
    );
  }
  if (bot.commands.length === 0) return null;
  return (
    <button
      type="button"
      className={css.commandsButton}
      aria-label={phoneCopy.composer.commands}
      aria-expanded={open}
      onClick={onToggle}
    >
      <Icon name="menu" size={18} />
    </button>
  );
}

function Commands({ bot, onPick }: { bot: BotView; onPick: (command: string) => void }) {
  return (
    <ul className={css.commands}>
      {bot.commands.map((command) => (
        <li key={command.command}>
          <button
            type="button"
            className={css.command}
            onClick={() => onPick(`/${command.command}`)}
          >
            <b>/{command.command}</b>
            <span>{command.description}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** In place of the text field, when there is only one thing to do. */
export function BigAction({ text, onClick }: { text: string; onClick: () => void }) {
  return (
    <div className={css.dock}>
      <button type="button" className={css.big} onClick={onClick}>
        {text}
      </button>
    </div>
  );
}

export function ReadOnly({ text }: { text: string }) {
  return (
    <div className={css.dock}>
      <p className={css.readOnly}>{text}</p>
    </div>
  );
}

/** Sends as the holder of the phone. */
export function useSend(place: Place): (text: string) => void {
  const phone = usePhone();
  return (text) => void phone.act("sendMessage", { to: place, text });
}
