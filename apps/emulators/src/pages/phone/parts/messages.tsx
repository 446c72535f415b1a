import { Fragment, useEffect, useRef, type ReactNode } from "react";
import type { MessageView, Place, ServiceView, EntityView } from "../../../wire.ts";
import { formatClock, formatDay } from "../../emulators.ts";
import { phoneCopy } from "../messages.fr.ts";
import { usePhone } from "../phone-state.ts";
import css from "../phone.module.css";
import { Avatar } from "./parts.tsx";

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
  // The list is drawn from the bottom up: scroll position 0 is the newest message.
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

const BARE_LINK = /(?:https?:\/\/|t\.me\/)[^\s<>"]+[^\s<>".,;:!?)]/g;

/** Text typed by a person carries no entities: its addresses are found here. */
function foundLinks(text: string): EntityView[] {
  return [...text.matchAll(BARE_LINK)].map((match) => ({
    type: "url",
    offset: match.index,
    length: match[0].length,
  }));
}

const TAGS: Record<string, "b" | "i" | "u" | "s" | "code" | "pre" | "blockquote"> = {
  bold: "b",
  italic: "i",
  underline: "u",
  strikethrough: "s",
  code: "code",
  pre: "pre",
  blockquote: "blockquote",
};

const end = (entity: EntityView) => entity.offset + entity.length;

type Props = {
  text: string;
  entities: EntityView[];
  onLink: (url: string) => void;
  onCommand?: (command: string) => void;
};

/** Text and entities as React nodes: nothing is ever read as HTML. */
export function RichText({ text, entities, onLink, onCommand }: Props) {
  const known = entities.length > 0 ? entities : foundLinks(text);
  const sorted = [...known].sort((a, b) => a.offset - b.offset || b.length - a.length);
  const slice = (from: number, to: number, inside: EntityView[]): ReactNode[] => {
    const at = inside.findIndex((one) => one.offset >= from && end(one) <= to);
    const entity = inside[at];
    if (entity === undefined) return [text.slice(from, to)];
    const rest = inside.slice(at + 1);
    const children = slice(entity.offset, end(entity), rest);
    return [
      text.slice(from, entity.offset),
      shown(entity, children),
      ...slice(end(entity), to, rest),
    ];
  };
  const shown = (entity: EntityView, children: ReactNode[]) => {
    const own = text.slice(entity.offset, end(entity));
    const url = { url: own, text_link: entity.url ?? own, mention: `https://t.me/${own.slice(1)}` }[
      entity.type
    ];
    const key = `${entity.type}-${entity.offset}`;
    if (url === undefined && entity.type !== "bot_command") {
      const Tag = TAGS[entity.type] ?? "span";
      return <Tag key={key}>{children}</Tag>;
    }
    const press = () => (url === undefined ? onCommand?.(own) : onLink(url));
    return (
      <button key={key} type="button" className={css.link} onClick={press}>
        {children}
      </button>
    );
  };
  return <span className={css.text}>{slice(0, text.length, sorted)}</span>;
}
