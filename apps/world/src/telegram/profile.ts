import { textOf } from "@sesame/kernel";
import type { BotCommand, MenuButton } from "grammy/types";
import { badRequest } from "./api-error.ts";
import { type Call, changed, json, type Reader, takes, text } from "./call.ts";
import type { Bot } from "./state.ts";

/** What a bot says of itself: commands by scope and language, texts, the button of the menu. */
export const DEFAULT_SCOPE_KEY = JSON.stringify([{ type: "default" }, ""]);

/** What is said in a language of its own is checked, and shown nowhere. */
export function saysOfItself(
  name: string,
  reader: Reader<string>,
  keep: (bot: Bot, said: string) => void,
) {
  return takes({ [name]: reader, language_code: text }, ({ town, bot, params }) => {
    if (params.language_code === "") keep(bot, params[name] ?? "");
    return changed(town);
  });
}

export function scopeKey(call: Call): string {
  const scope = json(call, "scope") ?? { type: "default" };
  return JSON.stringify([scope, text(call, "language_code")]);
}

export function commands(call: Call, name: string): BotCommand[] {
  const value = json(call, name);
  if (!Array.isArray(value)) throw badRequest("expected an Array of BotCommand");
  if (value.length > 100) throw badRequest("BOT_COMMANDS_TOO_MUCH");
  return value.map((each: Partial<BotCommand> | null) => {
    const command = textOf(each?.command).replace(/^\//, "");
    const description = textOf(each?.description);
    if (!/^[a-z0-9_]{1,32}$/.test(command)) throw badRequest("BOT_COMMAND_INVALID");
    if (description === "" || description.length > 256) {
      throw badRequest("BOT_COMMAND_DESCRIPTION_INVALID");
    }
    return { command, description };
  });
}

export function menuButton(call: Call, name: string): MenuButton {
  type Given = { type?: string; text?: string; web_app?: { url?: string } } | null;
  const {
    type,
    text: words,
    web_app,
  } = (json(call, name) ?? { type: "default" }) as NonNullable<Given>;
  if (type === "commands" || type === "default") return { type };
  if (type !== "web_app") throw badRequest("MenuButton has unsupported type");
  const url = web_app?.url ?? "";
  const { allowLocalAddresses } = call.town.settings;
  if (!URL.canParse(url) || !(allowLocalAddresses || url.startsWith("https:"))) {
    throw badRequest("menu button Web App URL is invalid: Only HTTPS links are allowed");
  }
  if (!words) throw badRequest("BUTTON_TEXT_INVALID");
  return { type, text: words, web_app: { url } };
}
