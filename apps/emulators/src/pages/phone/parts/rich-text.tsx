import type { ReactNode } from "react";
import type { EntityView } from "../../../wire.ts";
import css from "../phone.module.css";

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
