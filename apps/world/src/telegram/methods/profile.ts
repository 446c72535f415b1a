import type { BotCommand, MenuButton } from "grammy/types";
import { badRequest } from "../api-error.ts";
import type { Arguments } from "../arguments.ts";
import { botAsUser } from "../town.ts";
import type { MethodTable } from "./table.ts";

const NAME_MAX_CHARS = 64;
const DESCRIPTION_MAX_CHARS = 512;
const SHORT_DESCRIPTION_MAX_CHARS = 120;
const COMMANDS_MAX = 100;

export const profileMethods: MethodTable = {
  getMe: (_town, { bot }) => ({
    ...botAsUser(bot),
    is_bot: true,
    username: bot.username,
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_guest_queries: false,
    supports_inline_queries: true,
    can_connect_to_business: false,
    has_main_web_app: true,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  }),
  setMyCommands(town, { bot, args }) {
    bot.commands.set(scopeKey(args), readCommands(args.json("commands")));
    town.changed();
    return true;
  },
  getMyCommands: (_town, { bot, args }) => bot.commands.get(scopeKey(args)) ?? [],
  deleteMyCommands(town, { bot, args }) {
    bot.commands.delete(scopeKey(args));
    town.changed();
    return true;
  },
  setMyName(town, { bot, args }) {
    if (args.text("name").length > NAME_MAX_CHARS) throw badRequest("BOT_TITLE_INVALID");
    if (args.text("name") !== "" && args.text("language_code") === "") bot.name = args.text("name");
    town.changed();
    return true;
  },
  getMyName: (_town, { bot }) => ({ name: bot.name }),
  setMyDescription(town, { bot, args }) {
    const text = args.text("description");
    if (text.length > DESCRIPTION_MAX_CHARS) throw badRequest("BOT_DESCRIPTION_INVALID");
    if (args.text("language_code") === "") bot.description = text;
    town.changed();
    return true;
  },
  getMyDescription: (_town, { bot }) => ({ description: bot.description }),
  setMyShortDescription(town, { bot, args }) {
    const text = args.text("short_description");
    if (text.length > SHORT_DESCRIPTION_MAX_CHARS) throw badRequest("BOT_SHORTDESCRIPTION_INVALID");
    if (args.text("language_code") === "") bot.shortDescription = text;
    town.changed();
    return true;
  },
  getMyShortDescription: (_town, { bot }) => ({ short_description: bot.shortDescription }),
  setChatMenuButton(town, { bot, args }) {
    const button = readMenuButton(args.json("menu_button"), town.settings.allowLocalAddresses);
    if (args.has("chat_id")) bot.menuButtons.set(args.integer("chat_id"), button);
    else bot.menuButton = button;
    town.changed();
    return true;
  },
  getChatMenuButton: (_town, { bot, args }) =>
    (args.has("chat_id") ? bot.menuButtons.get(args.integer("chat_id")) : undefined) ??
    bot.menuButton,
};

function scopeKey(args: Arguments): string {
  const scope = args.json("scope");
  return JSON.stringify([scope ?? { type: "default" }, args.text("language_code")]);
}

export const DEFAULT_SCOPE_KEY = JSON.stringify([{ type: "default" }, ""]);

function readCommands(value: unknown): BotCommand[] {
  if (!Array.isArray(value)) throw badRequest("expected an Array of BotCommand");
  if (value.length > COMMANDS_MAX) throw badRequest("BOT_COMMANDS_TOO_MUCH");
  return value.map((each: unknown) => {
    const { command, description } = (each ?? {}) as Partial<BotCommand>;
    const name = String(command ?? "").replace(/^\//, "");
    if (!/^[a-z0-9_]{1,32}$/.test(name)) throw badRequest("BOT_COMMAND_INVALID");
    const text = String(description ?? "");
    if (text === "" || text.length > 256) throw badRequest("BOT_COMMAND_DESCRIPTION_INVALID");
    return { command: name, description: text };
  });
}

function readMenuButton(value: unknown, allowHttp: boolean): MenuButton {
  if (value === undefined) return { type: "default" };
  const button = value as Partial<Extract<MenuButton, { type: "web_app" }>> | null;
  if (button?.type === "web_app") {
    const url = button.web_app?.url ?? "";
    const fits = URL.canParse(url) && (allowHttp || url.startsWith("https:"));
    if (!fits) throw badRequest("menu button Web App URL is invalid: Only HTTPS links are allowed");
    if (!button.text) throw badRequest("BUTTON_TEXT_INVALID");
    return { type: "web_app", text: button.text, web_app: { url } };
  }
  const { type } = (value ?? {}) as { type?: unknown };
  if (type === "commands" || type === "default") return { type };
  throw badRequest("MenuButton has unsupported type");
}
