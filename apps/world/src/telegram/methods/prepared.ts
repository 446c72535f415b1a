import { HOUR_MS, secretToken, textOf } from "@sesame/kernel";
import { badRequest } from "../api-error.ts";
import { formatText } from "../entities.ts";
import { readKeyboard } from "../keyboards.ts";
import type { PreparedMessage } from "../state.ts";
import type { Town } from "../town.ts";
import type { MethodTable } from "./table.ts";

/** Telegram gives no figure; an hour is what a share sheet may reasonably stay open. */
const PREPARED_LIFE_MS = HOUR_MS;

export const preparedMethods: MethodTable = {
  savePreparedInlineMessage(town, { bot, args }) {
    const personId = args.integer("user_id");
    if (!town.state.persons.has(personId)) throw badRequest("user not found");
    const kinds = ["user", "bot", "group", "channel"].filter((kind) =>
      args.boolean(`allow_${kind}_chats`),
    );
    if (kinds.length === 0) throw badRequest("at least one chat type must be allowed");
    const prepared: PreparedMessage = {
      ...readResult(town, args.json("result")),
      id: secretToken(16, town.chance),
      botId: bot.id,
      personId,
      expiresAtMs: town.clock.now().getTime() + PREPARED_LIFE_MS,
    };
    town.state.prepared.set(prepared.id, prepared);
    return { id: prepared.id, expiration_date: Math.floor(prepared.expiresAtMs / 1000) };
  },
};

type InlineResult = {
  type?: unknown;
  id?: unknown;
  title?: unknown;
  photo_url?: unknown;
  caption?: unknown;
  parse_mode?: unknown;
  input_message_content?: { message_text?: unknown; parse_mode?: unknown };
  reply_markup?: unknown;
};

function readResult(town: Town, value: unknown): Pick<PreparedMessage, "content" | "photoUrl"> {
  if (typeof value !== "object" || value === null) {
    throw badRequest("can't parse inline query result");
  }
  const result = value as InlineResult;
  const id = textOf(result.id);
  if (id === "" || Buffer.byteLength(id) > 64) throw badRequest("RESULT_ID_INVALID");
  const keyboard = readKeyboard(town, result.reply_markup, { isPrivate: false });
  const markup = keyboard === null ? {} : { reply_markup: keyboard };
  const text = (from: unknown, mode: unknown) => formatText(textOf(from), textOf(mode));
  if (result.type === "article") {
    const content = result.input_message_content;
    if (typeof result.title !== "string" || result.title === "") {
      throw badRequest("ARTICLE_TITLE_EMPTY");
    }
    const formatted = text(content?.message_text, content?.parse_mode);
    if (formatted.text === "") throw badRequest("message text is empty");
    return { content: { ...formatted, ...markup }, photoUrl: null };
  }
  if (result.type === "photo") {
    const photoUrl = textOf(result.photo_url);
    if (!URL.canParse(photoUrl)) throw badRequest("WEBDOCUMENT_URL_INVALID");
    const { text: caption, entities } = text(result.caption, result.parse_mode);
    return { content: { caption, caption_entities: entities, ...markup }, photoUrl };
  }
  throw badRequest("unsupported inline query result type");
}
