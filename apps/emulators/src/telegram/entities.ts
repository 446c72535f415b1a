import { badRequest } from "./state.ts";
import type { MessageEntity } from "grammy/types";

type FormattedText = { text: string; entities: MessageEntity[] };

/** Reads a text with its parse mode, as the Bot API does: same tags, same complaints. */
export function formatText(source: string, parseMode: string): FormattedText {
  const mode = parseMode.toLowerCase();
  if (mode !== "" && mode !== "html" && mode !== "none") throw badRequest("unsupported parse_mode");
  const parsed = mode === "html" ? parseHtml(source) : { text: source, entities: [] };
  const trimmed = trim(parsed);
  return { text: trimmed.text, entities: withDetected(trimmed) };
}

type OpenTag = {
  name: string;
  start: number;
  entity: Pick<MessageEntity, "type"> | null;
};

function parseHtml(source: string): FormattedText {
  const entities: MessageEntity[] = [];
  const open: OpenTag[] = [];
  let text = "";
  let at = 0;
  const wrong = (complaint: string) => badRequest(`can't parse entities: ${complaint}`);
  const here = () => `at byte offset ${Buffer.byteLength(source.slice(0, at))}`;
  const closeTag = (name: string) => {
    const opened = open.pop();
    if (opened === undefined) throw wrong(`Unexpected end tag ${here()}`);
    if (name !== "" && name !== opened.name) {
      throw wrong(`Unmatched end tag ${here()}, expected "</${opened.name}>", found "</${name}>"`);
    }
    const length = text.length - opened.start;
    if (opened.entity === null || length === 0) return;
    entities.push({ ...opened.entity, offset: opened.start, length } as MessageEntity);
  };
  while (at < source.length) {
    const char = source[at] ?? "";
    let length = 1;
    if (char === "&") {
      const [decoded, taken] = decodeReference(source.slice(at));
      text += decoded;
      length = taken;
    } else if (char === "<") {
      const end = source.indexOf(">", at);
      if (end < 0) throw wrong(`Unclosed start tag ${here()}`);
      const tag = source.slice(at + 1, end);
      length = end + 1 - at;
      if (tag.startsWith("/")) closeTag(tag.slice(1).trim().toLowerCase());
      else {
        const name = (/^[^\s/]*/.exec(tag)?.[0] ?? "").toLowerCase();
        const type = TAGS[name];
        if (type === undefined) throw wrong(`Unsupported start tag "${name}" ${here()}`);
        const url = type === "text_link" ? hrefOf(tag) : null;
        const entity = url === null ? { type } : { type, url };
        open.push({ name, start: text.length, entity: url === "" ? null : entity });
      }
    } else {
      text += char;
    }
    at += length;
  }
  const unclosed = open.pop();
  if (unclosed) throw wrong(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
  return { text, entities: inOrder(entities) };
}

/** Outer entities stand before those inside them. */
function inOrder(entities: MessageEntity[]): MessageEntity[] {
  return entities.sort((a, b) => a.offset - b.offset || b.length - a.length);
}

const REFERENCES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"' };

function decodeReference(rest: string): [string, number] {
  const named = /^&(lt|gt|amp|quot);/.exec(rest);
  if (named !== null) return [REFERENCES[named[1] ?? ""] ?? "", named[0].length];
  const numeric = /^&#(x[0-9a-f]+|[0-9]+);/i.exec(rest);
  const code = Number((numeric?.[1] ?? "").replace(/^x/i, "0x"));
  if (numeric === null || code <= 0 || code > 0x10ffff) return ["&", 1];
  return [String.fromCodePoint(code), numeric[0].length];
}

/** The tags the phones show; custom emoji and classes of spans are not among them. */
const TAGS: Record<string, MessageEntity["type"]> = {
  a: "text_link",
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline",
  ins: "underline",
  s: "strikethrough",
  strike: "strikethrough",
  del: "strikethrough",
  code: "code",
  pre: "pre",
  blockquote: "blockquote",
  "tg-spoiler": "spoiler",
};

function hrefOf(tag: string): string {
  const match = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s]+))/i.exec(tag);
  const value = match?.[1] ?? match?.[2] ?? match?.[3] ?? "";
  return value.replace(/&(lt|gt|amp|quot);/g, (_, word: string) => REFERENCES[word] ?? "");
}

/** Telegram cuts off the spaces around a text; entities move with it. */
function trim({ text, entities }: FormattedText): FormattedText {
  const cut = text.length - text.trimStart().length;
  const kept = text.trim();
  const moved = entities.flatMap((entity) => {
    const start = Math.max(0, entity.offset - cut);
    const end = Math.min(kept.length, entity.offset + entity.length - cut);
    return end > start ? [{ ...entity, offset: start, length: end - start }] : [];
  });
  return { text: kept, entities: moved };
}

const DETECTED: [RegExp, "url" | "email" | "mention" | "hashtag" | "bot_command"][] = [
  [/https?:\/\/[^\s<>"]+[^\s<>".,;:!?)']/g, "url"],
  [/(?<![\w/.])(?:t\.me|telegram\.me)\/[^\s<>"]+[^\s<>".,;:!?)']/g, "url"],
  [/(?<![\w.+-])[\w.+-]+@[\w-]+\.[a-z]{2,}/gi, "email"],
  [/(?<![\w/@])@[a-z]\w{3,31}/gi, "mention"],
  [/(?<![\w/])#[\p{L}_]\w*/gu, "hashtag"],
  [/(?<![\w/@<])\/[a-z]\w{0,63}(?:@\w+)?(?![\w/])/gi, "bot_command"],
];

/** Telegram finds addresses, mentions and commands by itself, where no markup stands. */
function withDetected({ text, entities }: FormattedText): MessageEntity[] {
  const all = [...entities];
  const opaque = ["text_link", "code", "pre", "url", "email", "mention", "hashtag", "bot_command"];
  for (const [pattern, type] of DETECTED) {
    for (const match of text.matchAll(pattern)) {
      const [from, to] = [match.index, match.index + match[0].length];
      const covered = all.some(
        ({ type: of, offset, length }) =>
          opaque.includes(of) && offset < to && from < offset + length,
      );
      if (!covered) all.push({ type, offset: from, length: to - from });
    }
  }
  return inOrder(all);
}
