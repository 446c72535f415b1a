import { badRequest } from "./api-error.ts";
import type { MessageEntity } from "./bot-api.ts";

export type FormattedText = { text: string; entities: MessageEntity[] };

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
  entity: Omit<MessageEntity, "offset" | "length"> | null;
};

function parseHtml(source: string): FormattedText {
  const entities: MessageEntity[] = [];
  const open: OpenTag[] = [];
  let text = "";
  let at = 0;
  while (at < source.length) {
    const char = source[at];
    if (char === "&") {
      const [decoded, length] = decodeReference(source.slice(at));
      text += decoded;
      at += length;
    } else if (char !== "<") {
      text += char;
      at += 1;
    } else {
      const end = source.indexOf(">", at);
      if (end < 0) throw cannotParse("Unclosed start tag", source, at);
      const tag = source.slice(at + 1, end);
      if (tag.startsWith("/")) closeTag(source, { at, tag, open, entities, length: text.length });
      else open.push(openTag(source, { at, tag, start: text.length }));
      at = end + 1;
    }
  }
  const unclosed = open.pop();
  if (unclosed !== undefined) {
    throw badRequest(
      `can't parse entities: Can't find end tag corresponding to start tag "${unclosed.name}"`,
    );
  }
  return { text, entities: entities.sort((a, b) => a.offset - b.offset || b.length - a.length) };
}

const REFERENCES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"' };

function decodeReference(rest: string): [string, number] {
  const named = /^&(lt|gt|amp|quot);/.exec(rest);
  if (named !== null) return [REFERENCES[named[1] ?? ""] ?? "", named[0].length];
  const numeric = /^&#(x[0-9a-f]+|[0-9]+);/i.exec(rest);
  if (numeric === null) return ["&", 1];
  const digits = numeric[1] ?? "";
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits);
  return code > 0 && code <= 0x10ffff ? [String.fromCodePoint(code), numeric[0].length] : ["&", 1];
}

const SIMPLE_TAGS: Record<string, "bold" | "italic" | "underline" | "strikethrough" | "code"> = {
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
};

function openTag(source: string, seen: { at: number; tag: string; start: number }): OpenTag {
  const name = (/^[^\s/]*/.exec(seen.tag)?.[0] ?? "").toLowerCase();
  const attribute = (key: string) => {
    const match = new RegExp(`\\b${key}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s]+))`, "i").exec(
      seen.tag,
    );
    const value = match?.[1] ?? match?.[2] ?? match?.[3] ?? "";
    return value.replace(/&(lt|gt|amp|quot);/g, (_, word: string) => REFERENCES[word] ?? "");
  };
  const simple = SIMPLE_TAGS[name];
  const opened = (entity: OpenTag["entity"]): OpenTag => ({ name, start: seen.start, entity });
  if (simple !== undefined) return opened({ type: simple });
  switch (name) {
    case "a": {
      const url = attribute("href");
      return opened(url === "" ? null : ({ type: "text_link", url } as OpenTag["entity"]));
    }
    case "pre":
      return opened({ type: "pre" });
    case "blockquote":
      return opened({
        type: /\bexpandable\b/i.test(seen.tag) ? "expandable_blockquote" : "blockquote",
      });
    case "tg-spoiler":
      return opened({ type: "spoiler" });
    case "span":
      if (attribute("class") === "tg-spoiler") return opened({ type: "spoiler" });
      throw cannotParse('Tag "span" must have class "tg-spoiler"', source, seen.at);
    case "tg-emoji": {
      const id = attribute("emoji-id");
      return opened({ type: "custom_emoji", custom_emoji_id: id } as OpenTag["entity"]);
    }
    default:
      throw cannotParse(`Unsupported start tag "${name}"`, source, seen.at);
  }
}

function closeTag(
  source: string,
  seen: { at: number; tag: string; open: OpenTag[]; entities: MessageEntity[]; length: number },
): void {
  const name = seen.tag.slice(1).trim().toLowerCase();
  const opened = seen.open.pop();
  if (opened === undefined) throw cannotParse("Unexpected end tag", source, seen.at);
  if (name !== "" && name !== opened.name) {
    const wrong = `Unmatched end tag at byte offset ${byteOffset(source, seen.at)}`;
    throw badRequest(
      `can't parse entities: ${wrong}, expected "</${opened.name}>", found "</${name}>"`,
    );
  }
  const length = seen.length - opened.start;
  if (opened.entity === null || length === 0) return;
  seen.entities.push({ ...opened.entity, offset: opened.start, length } as MessageEntity);
}

function cannotParse(complaint: string, source: string, at: number) {
  return badRequest(`can't parse entities: ${complaint} at byte offset ${byteOffset(source, at)}`);
}

function byteOffset(source: string, at: number): number {
  return Buffer.byteLength(source.slice(0, at));
}

/** Spaces around a text do not travel; entities move with what is cut off. */
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
      const span = { offset: match.index, length: match[0].length };
      if (all.some((entity) => opaque.includes(entity.type) && overlap(entity, span))) continue;
      all.push({ type, ...span });
    }
  }
  return all.sort((a, b) => a.offset - b.offset || b.length - a.length);
}

function overlap(
  a: { offset: number; length: number },
  b: { offset: number; length: number },
): boolean {
  return a.offset < b.offset + b.length && b.offset < a.offset + a.length;
}
