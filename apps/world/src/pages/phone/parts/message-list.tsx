import { useEffect, useRef } from "react";
import type { ButtonView, MessageView, Place, ServiceView } from "../../../wire.ts";
import { formatClock, formatDay } from "../../world/format.ts";
import { phoneCopy } from "../copy.fr.ts";
import { usePhone } from "../phone-context.ts";
import { Avatar } from "./avatar.tsx";
import { Icon } from "./icon.tsx";
import css from "./message.module.css";
import { RichText } from "./rich-text.tsx";

type ListProps = {
  label: string;
  messages: MessageView[];
  place: Place;
  /** In a group each message names its author. */
  named: boolean;
  empty: string;
  /** A tap on an address; it is opened when absent. */
  onLink?: (url: string) => void;
};

export function MessageList({ label, messages, place, named, empty, onLink }: ListProps) {
  const log = useRef<HTMLDivElement>(null);
  const last = messages.at(-1)?.messageId;
  useEffect(() => {
    if (last === undefined) return;
    // The list hangs from its foot: zero is the newest message.
    log.current?.scrollTo({ top: 0 });
  }, [last]);
  return (
    <div className={css.wall} ref={log}>
      <div className={css.log} role="log" aria-label={label}>
        {messages.length === 0 && <p className={css.empty}>{empty}</p>}
        {messages.map((message, at) => {
          const before = messages[at - 1];
          const day = formatDay(message.sentAt);
          const newDay = before === undefined || formatDay(before.sentAt) !== day;
          return (
            <div key={message.messageId} className={css.item}>
              {newDay && <p className={css.pill}>{day}</p>}
              {message.service === null ? (
                <Bubble message={message} place={place} named={named} onLink={onLink} />
              ) : (
                <p className={css.pill}>{serviceText(message.service)}</p>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

export function serviceText(service: ServiceView): string {
  return phoneCopy.service[service.kind](service.names, "stars" in service ? service.stars : 0);
}

/** Telegram shows the command of a deep link without its parameter. */
export function shownText(message: MessageView): string {
  return /^\/start(@\w+)? \S+$/.test(message.text) ? "/start" : message.text;
}

function Bubble({
  message,
  place,
  named,
  onLink,
}: Pick<ListProps, "place" | "named"> & {
  message: MessageView;
  onLink: ListProps["onLink"];
}) {
  const phone = usePhone();
  const mine = message.from.id === phone.person.id;
  const text = shownText(message);
  return (
    <div className={mine ? css.rowMine : css.row}>
      {named && !mine && (
        <Avatar id={message.from.id} name={message.from.name} bot={message.from.isBot} size={32} />
      )}
      <div className={css.column}>
        <div className={mine ? css.bubbleMine : css.bubble}>
          {named && !mine && <p className={css.author}>{message.from.name}</p>}
          {message.photoUrl !== null && (
            <img className={css.photo} src={message.photoUrl} alt={phoneCopy.photo} />
          )}
          {text !== "" && (
            <RichText
              text={text}
              entities={text === message.text ? message.entities : []}
              onLink={onLink ?? ((url) => void phone.openUrl(url))}
              onCommand={(command) => void phone.act("sendMessage", { to: place, text: command })}
            />
          )}
          <span className={css.meta}>
            {message.edited && `${phoneCopy.edited} `}
            {formatClock(message.sentAt)}
            {mine && <Icon name="check" size={13} />}
          </span>
        </div>
        <Keyboard message={message} place={place} />
      </div>
    </div>
  );
}

const LEADS_OUT: ReadonlySet<ButtonView["kind"]> = new Set(["url", "share"]);

function Keyboard({ message, place }: { message: MessageView; place: Place }) {
  const phone = usePhone();
  if (message.buttons.length === 0) return null;
  return (
    <div className={css.keyboard}>
      {message.buttons.map((buttons, row) => (
        <div className={css.keys} key={`${row}-${buttons[0]?.text ?? ""}`}>
          {buttons.map((button, column) => (
            <button
              type="button"
              key={`${column}-${button.text}`}
              className={css.key}
              onClick={() =>
                phone.pressButton(place, { messageId: message.messageId, row, column }, button)
              }
            >
              {button.text}
              {LEADS_OUT.has(button.kind) && <KeyMark name="link" />}
              {button.kind === "web_app" && <KeyMark name="window" />}
              {button.kind === "copy" && <KeyMark name="copy" />}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

function KeyMark({ name }: { name: "link" | "window" | "copy" }) {
  return (
    <span className={css.keyMark}>
      <Icon name={name} size={11} />
    </span>
  );
}
