import { Fragment, useEffect, useRef } from "react";
import type { MessageView, Place, ServiceView } from "../../../wire.ts";
import { formatClock, formatDay } from "../../emulators/format.ts";
import { phoneCopy } from "../messages.fr.ts";
import { usePhone } from "../phone-state.ts";
import css from "../phone.module.css";
import { Avatar } from "./parts.tsx";
import { RichText } from "./rich-text.tsx";

type ListProps = {
  label: string;
  messages: MessageView[];
  place: Place;
  /** In a group each message names its author. */
  named: boolean;
  empty: string;
  /** A tap on an address; it is opened when absent. */
  onLink?: ((url: string) => void) | undefined;
};

export function MessageList({ label, messages, place, named, empty, onLink }: ListProps) {
  const wall = useRef<HTMLDivElement>(null);
  const last = messages.at(-1)?.messageId;
  // The list hangs from its foot: zero is the newest message.
  useEffect(() => {
    wall.current?.scrollTo({ top: 0 });
  }, [last]);
  return (
    <div className={css.wall} ref={wall}>
      <div role="log" aria-label={label}>
        {messages.length === 0 && <p className={css.pill}>{empty}</p>}
        {messages.map((message, at) => {
          const before = messages[at - 1];
          const day = formatDay(message.sentAt);
          const newDay = before === undefined || formatDay(before.sentAt) !== day;
          return (
            <Fragment key={message.messageId}>
              {newDay && <p className={css.pill}>{day}</p>}
              {message.service === null ? (
                <Bubble message={message} place={place} named={named} onLink={onLink} />
              ) : (
                <p className={css.pill}>{serviceText(message.service)}</p>
              )}
            </Fragment>
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

type BubbleProps = Pick<ListProps, "place" | "named" | "onLink"> & { message: MessageView };

function Bubble({ message, place, named, onLink }: BubbleProps) {
  const phone = usePhone();
  const mine = message.from.id === phone.person.id;
  const text = shownText(message);
  return (
    <div className={css.message} data-mine={mine}>
      {named && !mine && <Avatar id={message.from.id} name={message.from.name} size={32} />}
      <div className={css.column}>
        <div className={css.bubble}>
          {named && !mine && <b>{message.from.name}</b>}
          <RichText
            text={text}
            entities={text === message.text ? message.entities : []}
            onLink={onLink ?? ((url) => void phone.openUrl(url))}
            onCommand={(command) => void phone.act("sendMessage", { to: place, text: command })}
          />
          <span className={css.meta}>
            {message.edited && `${phoneCopy.edited} `}
            {formatClock(message.sentAt)}
          </span>
        </div>
        <Keyboard message={message} place={place} />
      </div>
    </div>
  );
}

function Keyboard({ message, place }: { message: MessageView; place: Place }) {
  const phone = usePhone();
  return message.buttons.map((buttons, row) => (
    <div className={css.keys} key={`${row}-${buttons[0]?.text ?? ""}`}>
      {buttons.map((button, column) => (
        <button
          type="button"
          key={`${column}-${button.text}`}
          onClick={() =>
            void phone.pressButton(place, { messageId: message.messageId, row, column }, button)
          }
        >
          {button.text}
        </button>
      ))}
    </div>
  ));
}
