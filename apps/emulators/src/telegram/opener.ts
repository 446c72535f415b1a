import { createHmac } from "node:crypto";
import { secretToken, textOf } from "@sesame/kernel";
import type {
  BotRole,
  ChatKind,
  Launch,
  LaunchOptions,
  OpenedLink,
  PhoneId,
  PressedButton,
} from "../wire.ts";
import { THEMES } from "../theme.ts";
import type { SavedEmulators } from "../emulator-state.ts";
import { NotPossible, type Bot, type ChatRecord, type Telegram } from "./state.ts";
import { publicChat } from "./call.ts";
import { inviteHash, previewInvite } from "./invite-links.ts";
import { hasRight, isInside, isRight } from "./members.ts";
import { invoiceSlug, invoiceView } from "./stars.ts";

/** Opens addresses and mini apps on the phone that a person holds. */
export type PhoneOpener = ReturnType<typeof phoneOpener>;

export function phoneOpener(
  emulated: Telegram,
  phones: SavedEmulators["phones"],
  originOf: (phone: PhoneId) => string,
) {
  const phoneOf = (personId: number): PhoneId => {
    const held = (Object.keys(phones) as PhoneId[]).find((id) => phones[id] === personId);
    return held ?? "buyer";
  };
  const miniApp = (options: LaunchOptions) =>
    launch(emulated, options, originOf(options.phone ?? phoneOf(options.personId)));
  return {
    miniApp,
    link(personId: number, url: string, phone?: PhoneId) {
      const at = { personId, ...(phone && { phone }) };
      return openLink({ emulated, personId, openApp: (app) => miniApp({ ...app, ...at }) }, url);
    },
    webApp(
      personId: number,
      { url: address, ...app }: { bot: BotRole; url: string; phone?: PhoneId },
    ): PressedButton {
      const url = new URL(address);
      const ours = [emulated.settings.appUrl, emulated.settings.publicUrl].some(
        (each) => new URL(each).origin === url.origin,
      );
      const path = `${url.pathname}${url.search}`;
      const options: LaunchOptions = { ...app, personId, mode: "inline", path };
      const opened = ours ? miniApp(options) : launch(emulated, options, url.origin);
      return { kind: "miniApp", launch: opened };
    },
  };
}

type LinkOpener = {
  emulated: Telegram;
  personId: number;
  /** How these emulators open the app of a bot. */
  openApp(options: Pick<LaunchOptions, "bot" | "startParam" | "mode">): Launch;
};

const TELEGRAM_HOSTS = ["t.me", "telegram.me", "telegram.dog"];

/** What Telegram's apps do with an address. */
function openLink(opener: LinkOpener, address: string): OpenedLink {
  const url = parseAddress(address);
  if (url === null) return { kind: "unknown", url: address };
  if (!TELEGRAM_HOSTS.includes(url.hostname)) return { kind: "browser", url: url.href };
  const unknown = { kind: "unknown" as const, url: url.href };
  const [first = "", second = ""] = url.pathname.split("/").filter((part) => part !== "");
  const { emulated, personId } = opener;
  if (inviteHash(url.href) !== null) {
    return { kind: "invite", invite: previewInvite(emulated, personId, url.href) };
  }
  if (first === "invoice" || first.startsWith("$") || first.startsWith("%24")) {
    const slug = invoiceSlug(url.href.replace(/[?#].*$/, "")) ?? "";
    if (!emulated.state.stars.invoices.has(slug)) return unknown;
    return { kind: "invoice", invoice: invoiceView(emulated, personId, slug) };
  }
  if (first === "share" && second === "url") {
    const query = url.searchParams;
    return { kind: "share", url: query.get("url") ?? "", text: query.get("text") ?? "" };
  }
  if (first === "c") {
    const chatId = Number(`-100${second}`);
    const inside = isInside(emulated.state.chats.get(chatId)?.members.get(personId));
    return inside ? { kind: "chat", chatId } : unknown;
  }
  const name = first.toLowerCase();
  const bot = emulated.state.bots.find((each) => each.username.toLowerCase() === name);
  if (bot !== undefined) return openBot(opener, bot, { url, appName: second });
  const chat = publicChat(emulated, first);
  return chat === undefined ? unknown : { kind: "chat", chatId: chat.id };
}

function openBot(
  opener: LinkOpener,
  { roles: [bot = "seller"] }: Bot,
  { url, appName }: { url: URL; appName: string },
): OpenedLink {
  const query = url.searchParams;
  const startParam = query.get("startapp");
  if (appName !== "" && appName !== opener.emulated.settings.buyerAppName) {
    return { kind: "unknown", url: url.href };
  }
  if (appName !== "" || startParam !== null) {
    const mode = appName === "" ? "main" : "direct";
    const launched = opener.openApp({ bot, startParam: startParam ?? "", mode });
    return { kind: "miniApp", launch: launched };
  }
  // URLSearchParams reads "+" as a space: either separates the rights.
  const rights = (query.get("admin") ?? "").split(/[ +]/).filter(isRight);
  if (query.has("startgroup")) {
    const payload = query.get("startgroup") || null;
    const choices = choicesOf(opener, ["group", "supergroup"], rights.length > 0);
    return { kind: "addToGroup", bot, payload, rights, choices };
  }
  if (query.has("startchannel")) {
    return { kind: "addToChannel", bot, rights, choices: choicesOf(opener, ["channel"], true) };
  }
  return { kind: "dialog", bot, startPayload: query.get("start") };
}

/**
 * Chats where the person may add a bot; with rights, chats where the person may make
 * administrators.
 */
function choicesOf({ emulated, personId }: LinkOpener, kinds: ChatKind[], withRights: boolean) {
  const fits = (chat: ChatRecord) => {
    const member = chat.members.get(personId);
    return withRights
      ? hasRight(member, "promote_members")
      : isInside(member) && (chat.kind === "group" || hasRight(member, "invite_users"));
  };
  return [...emulated.state.chats.values()]
    .filter((chat) => kinds.includes(chat.kind) && chat.migratedTo === null)
    .filter(fits)
    .map((chat) => ({ chatId: chat.id, title: chat.title, kind: chat.kind }));
}

/** `https://t.me/…` and `t.me/…`. */
function parseAddress(address: string): URL | null {
  const text = /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === "http:" || url.protocol === "https:" ? url : null;
}

/** Only Telegram can make the Ed25519 signature: a demo's is a dummy of the right length. */
const DUMMY_SIGNATURE = "A".repeat(86);

/** Init data signed with a bot's token: all but `hash` is under the HMAC. */
export function signInitData(
  { user, ...rest }: { user: object; [field: string]: unknown },
  botToken: string,
): string {
  const params = new URLSearchParams({ user: JSON.stringify(user) });
  for (const [key, value] of Object.entries(rest)) params.set(key, textOf(value));
  params.set("signature", DUMMY_SIGNATURE);
  const checked = [...params].map(([key, value]) => `${key}=${value}`).sort();
  const secret = createHmac("sha256", "WebAppData").update(botToken).digest();
  params.set("hash", createHmac("sha256", secret).update(checked.join("\n")).digest("hex"));
  // Telegram writes a space as %20: readers that only decode percents would keep a "+".
  return params.toString().replaceAll("+", "%20");
}

const VERSION = "9.6";
const PLATFORM = "weba";

/** The address a phone opens for a mini app, with freshly signed init data. */
function launch(emulated: Telegram, options: LaunchOptions, origin: string): Launch {
  const bot = emulated.botOfRole(options.bot);
  const person = emulated.personById(options.personId);
  const { startParam = "", mode = "main", path = "/" } = options;
  if (!/^[\w-]{0,512}$/.test(startParam)) throw new NotPossible("not a start parameter");
  const url = new URL(path, origin);
  if (startParam !== "") url.searchParams.set("tgWebAppStartParam", startParam);
  const dialog = emulated.dialogOf(person.id, bot);
  const mayWrite = (dialog.started || dialog.writeAccess) && !dialog.blocked;
  const byLink = {
    chat_instance: chatInstance(person.id, bot.id),
    chat_type: "sender",
    ...(startParam !== "" && { start_param: startParam }),
  };
  const initData = {
    user: {
      id: person.id,
      first_name: person.firstName,
      last_name: person.lastName ?? "",
      ...(person.username !== null && { username: person.username }),
      language_code: person.languageCode,
      ...(mayWrite && { allows_write_to_pm: true }),
    },
    ...(mode === "main" || mode === "direct"
      ? byLink
      : { query_id: `AA${secretToken(12, emulated.random)}` }),
    auth_date: emulated.unixNow(),
  };
  const fragment = new URLSearchParams({
    tgWebAppData: signInitData(initData, bot.token),
    tgWebAppVersion: VERSION,
    tgWebAppPlatform: PLATFORM,
    tgWebAppThemeParams: JSON.stringify(THEMES[options.theme ?? "light"]),
  });
  // A fragment is decoded with decodeURIComponent by some readers, for which "+" is no space.
  url.hash = fragment.toString().replaceAll("+", "%20");
  return { url: url.href, botName: bot.name, options };
}

/** Constant for a chat and a bot. */
export function chatInstance(chatId: number, botId: number): string {
  return String(BigInt(chatId) * 1_000_003n + BigInt(botId));
}
