import type { BotRole, ChatKind, OpenedLink } from "../wire.ts";
import { publicChat } from "./access.ts";
import { invoiceView } from "./actors/stars.ts";
import { inviteHash, previewInvite } from "./invite-links.ts";
import { hasRight, isInside, isRight } from "./members.ts";
import { invoiceSlug } from "./stars/links.ts";
import type { Bot, ChatRecord } from "./state.ts";
import type { Town } from "./town.ts";

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
