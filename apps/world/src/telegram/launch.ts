import { secretToken } from "@sesame/kernel";
import type { Launch, LaunchMode, LaunchOptions } from "../wire.ts";
import { NotPossible } from "./api-error.ts";
import { type InitDataFields, signInitData } from "./init-data.ts";
import type { Bot, Person } from "./state.ts";
import { botOfRole, dialogOf, personById, type Town, unixNow } from "./town.ts";

const DEFAULT_VERSION = "9.6";
const DEFAULT_PLATFORM = "weba";

/** The address a phone opens for a mini app, with freshly signed init data. */
export function launch(town: Town, options: LaunchOptions, origin: string): Launch {
  const bot = botOfRole(town, options.bot);
  const person = personById(town, options.personId);
  const { startParam = "", mode = "main", path = "/" } = options;
  if (!/^[\w-]{0,512}$/.test(startParam)) throw new NotPossible("not a start parameter");
  const url = new URL(path, origin);
  if (startParam !== "") url.searchParams.set("tgWebAppStartParam", startParam);
  const fragment = new URLSearchParams({
    tgWebAppData: signInitData(initData(town, { bot, person, mode, startParam }), bot.token),
    tgWebAppVersion: options.version ?? DEFAULT_VERSION,
    tgWebAppPlatform: options.platform ?? DEFAULT_PLATFORM,
    tgWebAppThemeParams: JSON.stringify(options.theme === "dark" ? DARK : LIGHT),
  });
  // A fragment is decoded with decodeURIComponent by some readers, for which "+" is no space.
  url.hash = fragment.toString().replaceAll("+", "%20");
  return { url: url.href, bot: options.bot, botName: bot.name, personId: person.id };
}

function initData(
  town: Town,
  from: { bot: Bot; person: Person; mode: LaunchMode; startParam: string },
): InitDataFields {
  const { bot, person, mode, startParam } = from;
  const dialog = dialogOf(town, person.id, bot);
  const mayWrite = (dialog.started || dialog.writeAccess) && !dialog.blocked;
  const byLink = mode === "main" || mode === "direct";
  return {
    ...(byLink ? {} : { query_id: `AA${secretToken(12, town.chance)}` }),
    user: {
      id: person.id,
      first_name: person.firstName,
      last_name: person.lastName ?? "",
      ...(person.username === null ? {} : { username: person.username }),
      language_code: person.languageCode,
      ...(mayWrite ? { allows_write_to_pm: true as const } : {}),
    },
    ...(byLink ? { chat_instance: chatInstance(person.id, bot.id), chat_type: "sender" } : {}),
    ...(byLink && startParam !== "" ? { start_param: startParam } : {}),
    auth_date: unixNow(town),
  };
}

/** Constant for a chat and a bot. */
export function chatInstance(chatId: number, botId: number): string {
  return String(BigInt(chatId) * 1_000_003n + BigInt(botId));
}

const LIGHT = {
  bg_color: "#ffffff",
  text_color: "#000000",
  hint_color: "#707579",
  link_color: "#3390ec",
  button_color: "#3390ec",
  button_text_color: "#ffffff",
  secondary_bg_color: "#f4f4f5",
  header_bg_color: "#ffffff",
  bottom_bar_bg_color: "#ffffff",
  accent_text_color: "#3390ec",
  section_bg_color: "#ffffff",
  section_header_text_color: "#707579",
  section_separator_color: "#dfe1e5",
  subtitle_text_color: "#707579",
  destructive_text_color: "#e53935",
};

const DARK = {
  bg_color: "#212121",
  text_color: "#ffffff",
  hint_color: "#aaaaaa",
  link_color: "#8774e1",
  button_color: "#8774e1",
  button_text_color: "#ffffff",
  secondary_bg_color: "#0f0f0f",
  header_bg_color: "#212121",
  bottom_bar_bg_color: "#212121",
  accent_text_color: "#8774e1",
  section_bg_color: "#212121",
  section_header_text_color: "#aaaaaa",
  section_separator_color: "#3b3b3d",
  subtitle_text_color: "#aaaaaa",
  destructive_text_color: "#e53935",
};
