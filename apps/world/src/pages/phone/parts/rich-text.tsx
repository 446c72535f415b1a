import type { ReactNode } from "react";
import type { EntityView } from "../../../wire.ts";
import css from "./message.module.css";

const BARE_LINK = /(?:https?:\/\/|t\.me\/)[^\s<>"]+[^\s<>".,;:!?)]/g;

/** Text typed by a person carries no entities: its addresses are found here. */
function foundLinks(text: string): EntityView[] {
  return [...text.matchAll(BARE_LINK)].map((match) => ({
    type: "url",
    offset: match.index,
    length: match[0].length,
  }));
}

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
    const nodes: ReactNode[] = [];
    let at = from;
    let index = 0;
    while (index < inside.length) {
      const entity = inside[index] as EntityView;
      index += 1;
      if (entity.offset < at || end(entity) > to) continue;
      const nested: EntityView[] = [];
      while (index < inside.length && (inside[index] as EntityView).offset < end(entity)) {
        nested.push(inside[index] as EntityView);
        index += 1;
      }
      if (entity.offset > at) nodes.push(text.slice(at, entity.offset));
      nodes.push(
        <Entity key={entity.offset} entity={entity} text={text} act={{ onLink, onCommand }}>
          {slice(entity.offset, end(entity), nested)}
        </Entity>,
      );
      at = end(entity);
    }
    if (at < to) nodes.push(text.slice(at, to));
    return nodes;
  };
  return <span className={css.text}>{slice(0, text.length, sorted)}</span>;
}

type EntityProps = {
  entity: EntityView;
  text: string;
  act: Pick<Props, "onLink" | "onCommand">;
  children: ReactNode;
};

function Entity({ entity, text, act, children }: EntityProps) {
  const own = text.slice(entity.offset, end(entity));
  const link = (url: string) => (
    <button type="button" className={css.link} onClick={() => act.onLink(url)}>
      {children}
    </button>
  );
  switch (entity.type) {
    case "bold":
      return <b>{children}</b>;
    case "italic":
      return <i>{children}</i>;
    case "underline":
      return <u>{children}</u>;
    case "strikethrough":
      return <s>{children}</s>;
    case "spoiler":
      return <span className={css.spoiler}>{children}</span>;
    case "code":
      return <code className={css.code}>{children}</code>;
    case "pre":
      return <pre className={css.pre}>{children}</pre>;
    case "blockquote":
    case "expandable_blockquote":
      return <blockquote className={css.quote}>{children}</blockquote>;
    case "text_link":
      return link(entity.url ?? own);
    case "url":
      return link(own);
    case "mention":
      return link(`https://t.me/${own.slice(1)}`);
    case "bot_command":
      return (
        <button type="button" className={css.link} onClick={() => act.onCommand?.(own)}>
          {children}
        </button>
      );
    default:
      return <>{children}</>;
  }
}
