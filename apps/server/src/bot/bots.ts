import { setTimeout as sleep } from "node:timers/promises";
import { assert, type Clock, Outage } from "@sesame/kernel";
import type { App } from "../app.ts";
import type { Config } from "../config.ts";
import type { HttpServer } from "../http/server.ts";
import type { Loop } from "../jobs/loop.ts";
import { backOffMs } from "../jobs/outbox.ts";
import type { Listener } from "../postgres/listener.ts";
import { type BotName, type BotGateway, createGateway } from "./gateway.ts";
import * as incoming from "./incoming.ts";
import { createUpdateLoop, type UpdateHandler } from "./update-loop.ts";
import { UPDATES_CHANNEL } from "./updates.store.ts";
import { type Db, many } from "../postgres/database.ts";
import { sql } from "kysely";

/** The French texts of a bot's own menu. */
export type BotFace = {
  readonly commands: readonly { readonly command: string; readonly description: string }[];
  readonly description: string;
  readonly shortDescription: string;
  /** The button beside the text field; null keeps the list of commands. */
  readonly menuButton: { readonly text: string; readonly url: string } | null;
};

export type Telegram = ReturnType<typeof createTelegram>;

/** A server starts even while Telegram is down. */
const NAMES_PATIENCE_MS = 2_000;

const LONGEST_WAIT_MS = 30_000;
const DRAIN_MS = 4_000;

const BOTH: readonly BotName[] = ["seller", "buyer"];

/** The bots' gateways and names, for all features. */
export function createTelegram(config: Config, db: Db, clock: Clock) {
  const end = new AbortController();
  const { telegramApiRoot: apiRoot, messageSpacingMs } = config;
  const line = { apiRoot, messageSpacingMs, clock, end: end.signal };
  const seller = createGateway({ ...line, bot: "seller", token: config.sellerBot.token });
  const buyer = config.oneBot
    ? seller
    : createGateway({ ...line, bot: "buyer", token: config.buyerBot.token });
  return {
    names: createBotNames(config, db),
    /** The bot of a part; one bot may play both. */
    gatewayOf: (bot: BotName) => (bot === "seller" ? seller : buyer),
    /** The parts of the bot of `bot`. */
    partsOf: (bot: BotName): readonly BotName[] => (config.oneBot ? BOTH : [bot]),
    /** Aborts the calls in progress: their callers retry at the next start. */
    hangUp: () => end.abort(),
  };
}

export type BotApiOptions = {
  readonly http: HttpServer;
  readonly listener: Listener;
  readonly faces: Readonly<Record<BotName, BotFace>>;
  readonly handlers: Readonly<Record<BotName, readonly UpdateHandler[]>>;
};

export type BotApi = ReturnType<typeof createBotApi>;

/** Telegram's updates, by webhook or by polling, to the parts' handlers. */
export function createBotApi(app: App, options: BotApiOptions) {
  const { config, telegram, log } = app;
  const bots: readonly BotName[] = config.oneBot ? ["seller"] : BOTH;
  const secret = config.publicUrl.startsWith("https://") ? config.telegramWebhookSecret : null;
  if (secret) incoming.registerTelegramWebhooks(app, options.http, { secret, bots });
  const updateLoops = bots.map((bot) => {
    const handlers = telegram.partsOf(bot).flatMap((part) => options.handlers[part]);
    return createUpdateLoop(app, bot, [...new Set(handlers)]);
  });
  if (config.roles.has("bot")) {
    options.listener.on(UPDATES_CHANNEL, () => {
      for (const loop of updateLoops) loop.wake();
    });
    options.listener.onResume(() => {
      for (const loop of updateLoops) loop.wake();
    });
  }
  const gateways = bots.map(telegram.gatewayOf);
  const pollers = secret ? [] : gateways.map((gateway) => incoming.createPoller(app, gateway));
  const abort = new AbortController();
  const loops: readonly Loop[] = [...pollers, ...updateLoops];
  /** Retries until it succeeds: an outage of Telegram at the start must not stop the server. */
  const persist = async (what: string, act: () => Promise<void>) => {
    for (let attempts = 1; !abort.signal.aborted; attempts++) {
      try {
        return await act();
      } catch (error) {
        if (abort.signal.aborted) return;
        log.warn({ err: error }, `telegram: ${what} failed, trying again`);
        const waitMs = Math.min(LONGEST_WAIT_MS, backOffMs(attempts));
        await sleep(waitMs, undefined, { signal: abort.signal, ref: false }).catch(() => {});
      }
    }
  };
  const introduce = async () => {
    for (const gateway of gateways) {
      if (secret) await setWebhook(gateway, { url: config.publicUrl, secret });
      await introduceBot(gateway, options.faces[gateway.bot]);
    }
  };
  return {
    /** Pollers, when there is no webhook, and the loops that handle updates: the role `bot`. */
    loops,
    /** Registers the bots at Telegram once. Throws in an outage. */
    introduce,
    /** Starts the loops, and registers the bots at Telegram, with retries until it succeeds. */
    open() {
      for (const loop of loops) loop.start();
      void persist("introduction", introduce);
    },
    /** Reads the stored names and requests them from Telegram; waits for Telegram only without a stored name. */
    async learnNames() {
      await telegram.names.recall();
      const asked = persist("getMe", () => askNames(app, gateways));
      if (telegram.names.seller() && telegram.names.buyer()) return;
      await Promise.race([asked, sleep(NAMES_PATIENCE_MS, undefined, { ref: false })]);
    },
    async stop() {
      abort.abort();
      // A silent Telegram must not outlast the drain (WIRE §3).
      setTimeout(telegram.hangUp, DRAIN_MS).unref();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

async function askNames({ telegram }: App, gateways: readonly BotGateway[]): Promise<void> {
  for (const gateway of gateways) {
    const me = await gateway.me();
    if (!me.ok) throw new Outage(me.refusal.said, { party: "telegram", retryable: true });
    for (const bot of telegram.partsOf(gateway.bot)) {
      await telegram.names.learn({
        bot,
        telegram_id: BigInt(me.value.id),
        // Telegram's bots always have one; an emulator's may not.
        username: me.value.username ?? "",
      });
    }
  }
}

/**
 * The service works even if Telegram refuses one of these calls, and one without an answer does not
 * stop the others; the descriptions matter least.
 */
async function introduceBot(gateway: BotGateway, face: BotFace): Promise<void> {
  const { menuButton } = face;
  const said = await Promise.allSettled([
    gateway.call("setMyCommands", { commands: [...face.commands] }),
    gateway.call("setChatMenuButton", {
      menu_button: menuButton
        ? { type: "web_app", text: menuButton.text, web_app: { url: menuButton.url } }
        : { type: "commands" },
    }),
    gateway.call("setMyDescription", { description: face.description }),
    gateway.call("setMyShortDescription", { short_description: face.shortDescription }),
  ]);
  const unsaid = said.find((each) => each.status === "rejected");
  if (unsaid) throw unsaid.reason;
}

async function setWebhook(gateway: BotGateway, at: { url: string; secret: string }): Promise<void> {
  assert(at.url.startsWith("https://"), "Telegram posts to https only");
  const answer = await gateway.call("setWebhook", {
    url: at.url + incoming.webhookPath(gateway.bot),
    secret_token: at.secret,
    allowed_updates: [...incoming.ALLOWED_UPDATES],
  });
  if (!answer.ok) throw new Outage(answer.refusal.said, { party: "telegram", retryable: true });
}

type KnownBot = {
  readonly bot: BotName;
  readonly telegram_id: bigint;
  readonly username: string;
};

/** The bots' names on Telegram, without the @; null until Telegram gave them once. */
function createBotNames({ publicUrl, buyerAppName, sellerBot, buyerBot }: Config, db: Db) {
  const known = new Map<BotName, KnownBot>();
  const tokens = { seller: sellerBot.token, buyer: buyerBot.token };
  const usernameOf = (bot: BotName) => known.get(bot)?.username ?? null;
  const urlOf = (bot: BotName) => {
    const username = usernameOf(bot);
    return username ? `https://t.me/${username}` : publicUrl;
  };
  /** The canonical purchase link (decision 36): opens the buyer's mini app with the product. */
  const shareLink = (reference: string): string => {
    const username = usernameOf("buyer");
    // Without a name yet: the product's own page, which opens Telegram.
    if (!username) return `${publicUrl}/?tgWebAppStartParam=${reference}`;
    const app = buyerAppName ? `/${buyerAppName}` : "";
    return `https://t.me/${username}${app}?startapp=${reference}`;
  };
  return {
    seller: () => usernameOf("seller"),
    buyer: () => usernameOf("buyer"),
    /** The id of the bot, the actor of its own acts: the beginning of its token. */
    idOf: (bot: BotName) => known.get(bot)?.telegram_id ?? BigInt(tokens[bot].split(":")[0] ?? "0"),
    shareLink,
    /** The buyers' bot; with a start parameter, its mini app with it. */
    buyerUrl: (start?: string) => (start === undefined ? urlOf("buyer") : shareLink(start)),
    sellerUrl: () => urlOf("seller"),
    async learn(bot: KnownBot): Promise<void> {
      known.set(bot.bot, bot);
      await sql`
        INSERT INTO bots AS b (bot, telegram_id, username)
        VALUES (${bot.bot}, ${bot.telegram_id}, ${bot.username})
        ON CONFLICT (bot) DO UPDATE SET telegram_id = excluded.telegram_id, username = excluded.username
        WHERE (b.telegram_id, b.username) IS DISTINCT FROM (excluded.telegram_id, excluded.username)
      `.execute(db);
    },
    /** Reads the stored names, which a start without Telegram needs. */
    async recall(): Promise<void> {
      const kept = await many<KnownBot>(db)`SELECT bot, telegram_id, username FROM bots`;
      for (const bot of kept) {
        if (tokens[bot.bot].startsWith(`${bot.telegram_id}:`)) known.set(bot.bot, bot);
      }
    },
  };
}
