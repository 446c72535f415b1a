import { secretToken } from "@sesame/kernel";
import type { Launch, LaunchMode, LaunchOptions } from "../wire.ts";
import { NotPossible } from "./api-error.ts";
import type { Bot, Person } from "./state.ts";
import { botOfRole, dialogOf, personById, type Town, unixNow } from "./town.ts";
import { createHmac } from "node:crypto";

/** What a launch tells the mini app about itself (telegram.md §1.2). */
type InitDataFields = {
  user: {
    id: number;
    first_name: string;
    last_name?: string;
    username?: string;
    language_code: string;
    allows_write_to_pm?: true;
  };
  auth_date: number;
  query_id?: string;
  chat_type?: string;
  chat_instance?: string;
  start_param?: string;
};

/** Only Telegram can make the Ed25519 signature: a demo's is a dummy of the right length. */
const DUMMY_SIGNATURE = "A".repeat(86);

/** Init data signed with a bot's token (telegram.md §1.4): all but `hash` is under the HMAC. */
export function signInitData(fields: InitDataFields, botToken: string): string {
  const { user, ...rest } = fields;
  const params = new URLSearchParams({ user: JSON.stringify(user) });
  for (const [key, value] of Object.entries(rest)) {
    if (value !== undefined) params.set(key, String(value));
  }
  params.set("signature", DUMMY_SIGNATURE);
  const checked = [...params].map(([key, value]) => `${key}=${value}`).sort();
  const secret = createHmac("sha256", "WebAppData").update(botToken).digest();
  params.set("hash", createHmac("sha256", secret).update(checked.join("\n")).digest("hex"));
  // Telegram writes a space as %20: readers that only decode percents would keep a "+".
  return params.toString().replaceAll("+", "%20");
}

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
