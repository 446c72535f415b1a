import { Fragment, useEffect, useRef, type ReactNode } from "react";
import type { Message, MessageEntity, Place } from "../../../wire.ts";
import { formatClock, formatDay, userName } from "../../emulators.ts";
import { phoneCopy } from "../messages.fr.ts";
import { usePhone } from "../phone-state.ts";
import css from "../phone.module.css";
import { Avatar } from "./parts.tsx";

type ListProps = {
  label: string;
  messages: Message[];
  place: Place;
  /** In a group each message names its author. */
  named: boolean;
  empty: string;
  /** A tap on an address; it is opened when absent. */
  onLink?: ((url: string) => void) | undefined;
};

export function MessageList({ label, messages, place, named, empty, onLink }: ListProps) {
  const wall = useRef<HTMLDivElement>(null);
  const last = messages.at(-1)?.message_id;
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
          const day = formatDay(message.date * 1_000);
          const newDay = before === undefined || formatDay(before.date * 1_000) !== day;
          const service = phoneCopy.service(message);
          return (
            <Fragment key={message.message_id}>
              {newDay && <p className={css.pill}>{day}</p>}
              {service === null ? (
                <Bubble message={message} place={place} named={named} onLink={onLink} />
              ) : (
                <p className={css.pill}>{service}</p>
              )}
            </Fragment>
          );
        })}
      </div>
    </div>
  );
}

/** Telegram shows the command of a deep link without its parameter. */
export function shownText({ text = "" }: Message): string {
  return /^\/start(@\w+)? \S+$/.test(text) ? "/start" : text;
}

type BubbleProps = Pick<ListProps, "place" | "named" | "onLink"> & { message: Message };

function Bubble({ message, place, named, onLink }: BubbleProps) {
  const phone = usePhone();
  const { from, entities = [] } = message;
  const author = named && from?.id !== phone.person.id ? from : undefined;
  const text = shownText(message);
  return (
    <div className={css.message} data-mine={from?.id === phone.person.id}>
      {author && <Avatar id={author.id} name={userName(author)} size={32} />}
      <div className={css.column}>
        <div className={css.bubble}>
          {author && <b>{userName(author)}</b>}
          <RichText
            text={text}
            entities={text === message.text ? entities : []}
            onLink={onLink ?? ((url) => void phone.openUrl(url))}
            onCommand={(command) => void phone.act("sendMessage", { to: place, text: command })}
          />
          <span className={css.meta}>
            {message.edit_date !== undefined && `${phoneCopy.edited} `}
            {formatClock(message.date * 1_000)}
          </span>
        </div>
        <Keyboard message={message} place={place} />
      </div>
    </div>
  );
}

function Keyboard({ message, place }: { message: Message; place: Place }) {
  const phone = usePhone();
  const { message_id: messageId, reply_markup: markup } = message;
  return markup?.inline_keyboard.map((buttons, row) => (
    <div className={css.keys} key={`${row}-${buttons[0]?.text ?? ""}`}>
      {buttons.map((button, column) => (
        <button
          type="button"
          key={`${column}-${button.text}`}
          onClick={() => void phone.pressButton(place, { messageId, row, column }, button)}
        >
          {button.text}
        </button>
      ))}
    </div>
  ));
}

const BARE_LINK = /(?:https?:\/\/|t\.me\/)[^\s<>"]+[^\s<>".,;:!?)]/g;

/** Text typed by a person carries no entities: its addresses are found here. */
function foundLinks(text: string): MessageEntity[] {
  return [...text.matchAll(BARE_LINK)].map((match) => ({
    type: "url" as const,
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

const end = (entity: MessageEntity) => entity.offset + entity.length;

type Props = {
  text: string;
  entities: MessageEntity[];
  onLink: (url: string) => void;
  onCommand?: (command: string) => void;
};

/** Text and entities as React nodes: nothing is ever read as HTML. */
export function RichText({ text, entities, onLink, onCommand }: Props) {
  const known = entities.length > 0 ? entities : foundLinks(text);
  const sorted = [...known].sort((a, b) => a.offset - b.offset || b.length - a.length);
  const slice = (from: number, to: number, inside: MessageEntity[]): ReactNode[] => {
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
  const shown = (entity: MessageEntity, children: ReactNode[]) => {
    const own = text.slice(entity.offset, end(entity));
    const addresses: Record<string, string> = { url: own, mention: `https://t.me/${own.slice(1)}` };
    const url = "url" in entity ? entity.url : addresses[entity.type];
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
