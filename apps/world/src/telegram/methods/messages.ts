import { DAY_MS, MINUTE_MS, textOf } from "@sesame/kernel";
import { type Call, checkMayWrite, resolveTarget, type Target } from "../access.ts";
import { ApiError, badRequest } from "../api-error.ts";
import type { Message } from "../bot-api.ts";
import { type FormattedText, formatText } from "../entities.ts";
import { readKeyboard } from "../keyboards.ts";
import { hasRight, isAdmin } from "../members.ts";
import { type Content, postFromBot, postInChat } from "../messages.ts";
import { readPhoto } from "../photos.ts";
import { type Town, unixNow } from "../town.ts";
import type { MethodTable } from "./table.ts";

const TEXT_MAX_CHARS = 4_096;
const CAPTION_MAX_CHARS = 1_024;
/** How long a pressed button waits for its answer. */
const CALLBACK_LIFE_MS = 15 * MINUTE_MS;

export const messageMethods: MethodTable = {
  sendMessage(town, call) {
    const target = writable(town, call);
    const formatted = readText(call, "text");
    if (formatted.text === "") throw badRequest("message text is empty");
    if (formatted.text.length > TEXT_MAX_CHARS) throw badRequest("message is too long");
    return post(town, call, { target, content: withText(formatted) });
  },
  async sendPhoto(town, call) {
    const target = writable(town, call);
    const caption = readCaption(call);
    const photo = await readPhoto(town, call.args);
    return post(town, call, { target, content: { photo, ...caption } });
  },
  getFile(town, { args }) {
    const id = args.text("file_id");
    const file = town.state.files.get(id);
    if (file === undefined) throw badRequest("invalid file_id");
    return {
      file_id: id,
      file_unique_id: `AQAD${id.slice(4, 16)}`,
      file_size: Buffer.byteLength(file.bytes, "base64"),
      file_path: file.path,
    };
  },
  editMessageText(town, call) {
    const { message, target } = ownMessage(town, call);
    if (message.text === undefined) throw badRequest("there is no text in the message to edit");
    const formatted = readText(call, "text");
    if (formatted.text === "") throw badRequest("message text is empty");
    if (formatted.text.length > TEXT_MAX_CHARS) throw badRequest("message is too long");
    return edit(town, call, { target, message, content: withText(formatted) });
  },
  editMessageCaption(town, call) {
    const { message, target } = ownMessage(town, call);
    if (message.photo === undefined) throw badRequest("there is no caption in the message to edit");
    return edit(town, call, { target, message, content: readCaption(call) });
  },
  editMessageReplyMarkup(town, call) {
    const { message, target } = ownMessage(town, call);
    return edit(town, call, { target, message, content: null });
  },
  deleteMessage(town, call) {
    removeMessage(town, call, call.args.integer("message_id"));
    return true;
  },
  deleteMessages(town, call) {
    const ids = call.args.json("message_ids");
    if (!Array.isArray(ids)) throw badRequest("message identifiers are not specified");
    for (const id of ids) {
      // Those that cannot be found or deleted are passed over.
      if (findMessage(resolveTarget(town, call, "write"), Number(id)) !== undefined) {
        removeMessage(town, call, Number(id));
      }
    }
    return true;
  },
  sendChatAction(town, call) {
    writable(town, call);
    if (call.args.text("action") === "") throw badRequest("wrong parameter action in request");
    return true;
  },
  answerCallbackQuery(town, { bot, args }) {
    const query = bot.callbacks.get(args.text("callback_query_id"));
    const oldestMs = town.clock.now().getTime() - CALLBACK_LIFE_MS;
    if (query === undefined || query.askedAtMs < oldestMs) {
      throw badRequest("query is too old and response timeout expired or query ID is invalid");
    }
    const { personId } = query;
    const text = args.text("text");
    if (text.length > 200) throw badRequest("MESSAGE_TOO_LONG");
    if (text !== "") {
      town.show({ type: "toast", personId, text, alert: args.boolean("show_alert") });
    }
    const url = args.text("url");
    if (url !== "") town.show({ type: "openUrl", personId, url });
    return true;
  },
};

function withText({ text, entities }: FormattedText): Content {
  return entities.length === 0 ? { text } : { text, entities };
}

function readText(call: Call, name: string): FormattedText {
  return formatText(call.args.text(name), call.args.text("parse_mode"));
}

function readCaption(call: Call): Content {
  const { text, entities } = readText(call, "caption");
  if (text.length > CAPTION_MAX_CHARS) throw badRequest("message caption is too long");
  if (text === "") return {};
  return { caption: text, ...(entities.length === 0 ? {} : { caption_entities: entities }) };
}

/** The place of a message, where the bot may write now. */
function writable(town: Town, call: Call): Target {
  const target = resolveTarget(town, call, "write");
  if (target.is === "private") {
    checkMayWrite(town, call.bot, target.dialog);
  } else if (
    target.chat.kind === "channel" &&
    !hasRight(target.chat.members.get(call.bot.id), "post_messages")
  ) {
    throw badRequest("need administrator rights in the channel chat");
  }
  return target;
}

function post(town: Town, call: Call, sent: { target: Target; content: Content }): Message {
  const { target } = sent;
  const isPrivate = target.is === "private";
  const keyboard = readKeyboard(town, call.args.json("reply_markup"), { isPrivate });
  const content = {
    ...sent.content,
    ...repliedTo(call, target),
    ...(keyboard === null ? {} : { reply_markup: keyboard }),
    ...(call.args.boolean("protect_content") ? { has_protected_content: true as const } : {}),
  };
  if (target.is === "private") {
    const { dialog } = target;
    const message = postFromBot(town, call.bot, { dialog, content });
    const forced = readForcedReply(call.args.json("reply_markup"));
    if (forced !== null) dialog.asks = { messageId: message.message_id, ...forced };
    return message;
  }
  return postInChat(town, target.chat, { authorId: call.bot.id, content });
}

/** `force_reply`: the phone opens the answer by itself. */
function readForcedReply(markup: unknown): { placeholder: string | null } | null {
  if (typeof markup !== "object" || markup === null || !("force_reply" in markup)) return null;
  if (markup.force_reply !== true) return null;
  const placeholder =
    "input_field_placeholder" in markup ? textOf(markup.input_field_placeholder) : null;
  return { placeholder };
}

function repliedTo(call: Call, target: Target): Pick<Content, "reply_to_message"> {
  const reply = call.args.json("reply_parameters") as { message_id?: number } | undefined;
  const id = reply?.message_id ?? call.args.integer("reply_to_message_id");
  if (id === 0) return {};
  const message = findMessage(target, id);
  const optional = (reply as { allow_sending_without_reply?: boolean } | undefined)
    ?.allow_sending_without_reply;
  if (message === undefined) {
    if (optional === true) return {};
    throw badRequest("message to be replied not found");
  }
  return { reply_to_message: { ...message, reply_to_message: undefined } };
}

function messagesOf(target: Target): Message[] {
  return target.is === "private" ? target.dialog.messages : target.chat.messages;
}

function findMessage(target: Target, id: number): Message | undefined {
  return messagesOf(target).find((message) => message.message_id === id);
}

function ownMessage(town: Town, call: Call): { target: Target; message: Message } {
  const target = resolveTarget(town, call, "write");
  const message = findMessage(target, call.args.integer("message_id"));
  if (message === undefined) throw badRequest("message to edit not found");
  const ownPost = target.is === "chat" && target.chat.kind === "channel";
  const isService = message.text === undefined && message.photo === undefined;
  if ((message.from?.id !== call.bot.id && !ownPost) || isService) {
    throw badRequest("message can't be edited");
  }
  return { target, message };
}

/** The keyboard goes when a call does not bring one: an edit replaces the whole message. */
function edit(
  town: Town,
  call: Call,
  change: { target: Target; message: Message; content: Content | null },
): Message {
  const { message, content } = change;
  const isPrivate = change.target.is === "private";
  const keyboard = readKeyboard(town, call.args.json("reply_markup"), { isPrivate });
  const before = JSON.stringify(editable(message));
  const next: Message = { ...message, ...(content === null ? {} : CLEARED), ...content };
  delete next.reply_markup;
  if (keyboard !== null) next.reply_markup = keyboard;
  if (JSON.stringify(editable(next)) === before) {
    throw new ApiError(
      400,
      "Bad Request: message is not modified: specified new message content and reply markup are " +
        "exactly the same as a current content and reply markup of the message",
    );
  }
  for (const key of Object.keys(message) as (keyof Message)[]) {
    if (next[key] === undefined) delete message[key];
  }
  Object.assign(message, next, { edit_date: unixNow(town) });
  for (const key of Object.keys(message) as (keyof Message)[]) {
    if (message[key] === undefined) delete message[key];
  }
  town.changed();
  return message;
}

const CLEARED = { entities: undefined, caption: undefined, caption_entities: undefined };

function editable(message: Message): unknown {
  const { text, entities, caption, caption_entities, reply_markup } = message;
  return [text, entities ?? [], caption, caption_entities ?? [], reply_markup];
}

function removeMessage(town: Town, call: Call, id: number): void {
  const target = resolveTarget(town, call, "write");
  const message = findMessage(target, id);
  if (message === undefined) throw badRequest("message to delete not found");
  const own = message.from?.id === call.bot.id;
  const old = town.clock.now().getTime() - message.date * 1000 > 2 * DAY_MS;
  const member = target.is === "chat" ? target.chat.members.get(call.bot.id) : undefined;
  const allowed =
    target.is === "private" ? !old : hasRight(member, "delete_messages") || (own && !old);
  if (!allowed || (target.is === "chat" && target.chat.kind === "channel" && !isAdmin(member))) {
    throw badRequest("message can't be deleted");
  }
  const messages = messagesOf(target);
  messages.splice(messages.indexOf(message), 1);
  town.changed();
}
