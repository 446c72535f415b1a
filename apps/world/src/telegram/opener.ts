import { secretToken } from "@sesame/kernel";
import { createHmac } from "node:crypto";
import { type Opener, invoiceView } from "./actors.ts";
import { NotPossible } from "./api-error.ts";
import { publicChat } from "./call.ts";
import { inviteHash, previewInvite } from "./invite-links.ts";
import { hasRight, isInside, isRight } from "./members.ts";
import { invoiceSlug } from "./stars.ts";
import type { Bot, ChatRecord, Person } from "./state.ts";
import { type Town, botOfRole, dialogOf, personById, unixNow } from "./town.ts";
import type {
  BotRole,
  ChatKind,
  Launch,
  LaunchMode,
  LaunchOptions,
  OpenedLink,
  PhoneId,
} from "../wire.ts";
import type { SavedWorld } from "../world-state.ts";

export type PhoneOpener = Opener & { miniApp(options: LaunchOptions): Launch };

/** Opens mini apps on the origin of the phone that a person holds. */
export function phoneOpener(
  town: Town,
  phones: SavedWorld["phones"],
  originOf: (phone: PhoneId) => string,
): PhoneOpener {
  const phoneOf = (personId: number): PhoneId => {
    const held = (Object.keys(phones) as PhoneId[]).find((id) => phones[id] === personId);
    return held ?? "buyer";
  };
  const miniApp = (options: LaunchOptions) =>
    launch(town, options, originOf(options.phone ?? phoneOf(options.personId)));
  return {
    miniApp,
    link: (personId, url, phone) =>
      openLink(
        {
          town,
          personId,
          openApp: (app) => {
            const options = { ...app, personId, ...(phone && { phone }) };
            return { kind: "miniApp", launch: miniApp(options) };
          },
        },
        url,
      ),
    webApp(personId, app) {
      const url = new URL(app.url);
      const ours = [town.settings.appUrl, town.settings.publicUrl].some(
        (address) => new URL(address).origin === url.origin,
      );
      const { bot, phone } = app;
      const path = `${url.pathname}${url.search}`;
      const options = { personId, bot, mode: "inline" as const, path, ...(phone && { phone }) };
      return {
        kind: "miniApp",
        launch: ours ? miniApp(options) : launch(town, options, url.origin),
      };
    },
  };
}

type LinkOpener = {
  town: Town;
  personId: number;
  /** How this world opens the app of a bot. */
  openApp(options: { bot: BotRole; startParam: string; mode: "main" | "direct" }): OpenedLink;
};

const TELEGRAM_HOSTS = ["t.me", "telegram.me", "telegram.dog"];

/** What Telegram's apps do with an address (telegram.md §2). */
export function openLink(opener: LinkOpener, address: string): OpenedLink {
  const url = parseAddress(address);
  if (url === null) return { kind: "unknown", url: address };
  if (!TELEGRAM_HOSTS.includes(url.hostname)) return { kind: "browser", url: url.href };
  const [first = "", second = ""] = url.pathname.split("/").filter((part) => part !== "");
  const { town, personId } = opener;
  if (inviteHash(url.href) !== null) {
    return { kind: "invite", invite: previewInvite(town, personId, url.href) };
  }
  if (first === "invoice" || first.startsWith("$") || first.startsWith("%24")) {
    const slug = invoiceSlug(url.href.replace(/[?#].*$/, "")) ?? "";
    return town.state.stars.invoices.has(slug)
      ? { kind: "invoice", invoice: invoiceView(town, personId, slug) }
      : { kind: "unknown", url: url.href };
  }
  if (first === "share" && second === "url") {
    const { searchParams } = url;
    const text = searchParams.get("text") ?? "";
    return { kind: "share", url: searchParams.get("url") ?? "", text };
  }
  if (first === "c") {
    const chatId = Number(`-100${second}`);
    const chat = town.state.chats.get(chatId);
    return isInside(chat?.members.get(personId))
      ? { kind: "chat", chatId }
      : { kind: "unknown", url: url.href };
  }
  const bot = botByUsername(town, first);
  if (bot !== undefined) return openBot(opener, bot, { url, appName: second });
  const chat = publicChat(town, first);
  return chat === undefined
    ? { kind: "unknown", url: url.href }
    : { kind: "chat", chatId: chat.id };
}

function openBot(
  opener: LinkOpener,
  bot: Bot,
  { url, appName }: { url: URL; appName: string },
): OpenedLink {
  const role = roleOf(bot);
  const query = url.searchParams;
  const startParam = query.get("startapp");
  if (appName !== "" && appName !== opener.town.settings.buyerAppName) {
    return { kind: "unknown", url: url.href };
  }
  if (appName !== "" || startParam !== null) {
    const mode = appName === "" ? "main" : "direct";
    return opener.openApp({ bot: role, startParam: startParam ?? "", mode });
  }
  // URLSearchParams reads "+" as a space: both part the rights.
  const rights = (query.get("admin") ?? "").split(/[ +]/).filter(isRight);
  if (query.has("startgroup")) {
    return {
      kind: "addToGroup",
      bot: role,
      payload: query.get("startgroup") || null,
      rights,
      choices: choices(opener, ["group", "supergroup"], rights.length > 0),
    };
  }
  if (query.has("startchannel")) {
    return { kind: "addToChannel", bot: role, rights, choices: choices(opener, ["channel"], true) };
  }
  return { kind: "dialog", bot: role, startPayload: query.get("start") };
}

/** Chats where the person may add a bot; with rights, where he may make administrators. */
function choices({ town, personId }: LinkOpener, kinds: ChatKind[], withRights: boolean) {
  const fits = (chat: ChatRecord) => {
    const member = chat.members.get(personId);
    return withRights
      ? hasRight(member, "promote_members")
      : isInside(member) && (chat.kind === "group" || hasRight(member, "invite_users"));
  };
  return [...town.state.chats.values()]
    .filter((chat) => kinds.includes(chat.kind) && !chat.deleted && chat.migratedTo === null)
    .filter(fits)
    .map((chat) => ({ chatId: chat.id, title: chat.title, kind: chat.kind }));
}

function roleOf(bot: Bot): BotRole {
  return bot.roles[0] ?? "seller";
}

function botByUsername(town: Town, name: string): Bot | undefined {
  return town.state.bots.find((bot) => bot.username.toLowerCase() === name.toLowerCase());
}

/** `https://t.me/…`, `t.me/…`, and the `tg://resolve?domain=…` form. */
function parseAddress(address: string): URL | null {
  const text = /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol === "tg:") {
    const { domain, ...rest } = Object.fromEntries(url.searchParams);
    if (url.hostname === "invoice") return new URL(`https://t.me/invoice/${rest.slug ?? ""}`);
    if (url.hostname === "join") return new URL(`https://t.me/+${rest.invite ?? ""}`);
    if (domain === undefined) return null;
    const app = rest.appname === undefined ? "" : `/${rest.appname}`;
    return new URL(`https://t.me/${domain}${app}?${new URLSearchParams(rest)}`);
  }
  return url.protocol === "http:" || url.protocol === "https:" ? url : null;
}

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
