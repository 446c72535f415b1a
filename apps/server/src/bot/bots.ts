import { setTimeout as sleep } from "node:timers/promises";
import { assert, Outage } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import type { App } from "../app.ts";
import type { HttpServer } from "../http/server.ts";
import type { Loop } from "../jobs/loop.ts";
import { backOffMs, type JobHandler } from "../jobs/outbox.ts";
import type { Listener } from "../postgres/listener.ts";
import { type BotName, type BotGateway, createGateway } from "./gateway.ts";
import {
  createPoller,
  ALLOWED_UPDATES,
  registerTelegramWebhooks,
  webhookPath,
} from "./incoming.ts";
import { createTellJob } from "./message.ts";
import { createUpdateDesk, type UpdateHandler } from "./update-desk.ts";
import { UPDATES_CHANNEL } from "./updates.store.ts";
import { type Db, many } from "../postgres/database.ts";
import { sql } from "kysely";

/** The French of a bot's own menu. */
export type BotFace = {
  readonly commands: readonly { readonly command: string; readonly description: string }[];
  readonly description: string;
  readonly shortDescription: string;
  /** The button beside the text field; null keeps the list of commands. */
  readonly menuButton: { readonly text: string; readonly url: string } | null;
};

export type Telegram = {
  readonly names: BotNames;
  /** The bot that plays a part; one bot may play both. */
  gatewayOf(bot: BotName): BotGateway;
  /** The parts the bot behind `bot` plays. */
  partsOf(bot: BotName): readonly BotName[];
  readonly tellJob: JobHandler;
  /** Breaks off the calls under way: who made them tries again at the next start. */
  hangUp(): void;
};

/** A server whose Telegram is down starts all the same. */
const NAMES_PATIENCE_MS = 2_000;

const DRAIN_MS = 4_000;

const BOTH: readonly BotName[] = ["seller", "buyer"];

/** The bots' gateways and names: what features speak through. */
export function createTelegram({
  config,
  db,
  clock,
}: Pick<App, "config" | "db" | "clock">): Telegram {
  const end = new AbortController();
  const { telegramApiRoot: apiRoot, messageSpacingMs } = config;
  const line = { apiRoot, messageSpacingMs, clock, end: end.signal };
  const seller = createGateway({ ...line, bot: "seller", token: config.sellerBot.token });
  const buyer = config.oneBot
    ? seller
    : createGateway({ ...line, bot: "buyer", token: config.buyerBot.token });
  const gatewayOf = (bot: BotName) => (bot === "seller" ? seller : buyer);
  const partsOf = (bot: BotName) => (config.oneBot ? BOTH : [bot]);
  return {
    names: createBotNames({
      db,
      publicUrl: config.publicUrl,
      buyerAppName: config.buyerAppName,
      sellerToken: config.sellerBot.token,
      buyerToken: config.buyerBot.token,
    }),
    gatewayOf,
    partsOf,
    tellJob: createTellJob({ db, clock, gatewayOf, partsOf }),
    hangUp: () => end.abort(),
  };
}

export type BotDoorOptions = {
  readonly http: HttpServer;
  readonly listener: Listener;
  readonly faces: Readonly<Record<BotName, BotFace>>;
  readonly handlers: Readonly<Record<BotName, readonly UpdateHandler[]>>;
};

export type BotDoor = {
  /** Pollers, when there is no webhook, and the desks that handle updates: the role `bot`. */
  readonly loops: readonly Loop[];
  /** Starts the loops, and tells Telegram who we are and where to reach us until it has heard. */
  open(): void;
  /** Tells Telegram once. Throws when it is down. */
  introduce(): Promise<void>;
  /** Reads the names learnt before and asks Telegram for them; waits for it only while unnamed. */
  learnNames(): Promise<void>;
  stop(): Promise<void>;
};

/** What comes from Telegram: updates in, by webhook or by polling, to the parts' handlers. */
export function createBotDoor(app: App, options: BotDoorOptions): BotDoor {
  const { config, telegram, log } = app;
  const bots: readonly BotName[] = config.oneBot ? ["seller"] : BOTH;
  const secret = config.publicUrl.startsWith("https://") ? config.telegramWebhookSecret : null;
  if (secret) registerTelegramWebhooks(options.http, { ...app, secret, bots });
  const desks = bots.map((bot) =>
    createUpdateDesk({ ...app, bot, handlers: handlersOf(app, options, bot) }),
  );
  if (config.roles.has("bot")) {
    options.listener.on(UPDATES_CHANNEL, () => {
      for (const desk of desks) desk.wake();
    });
    options.listener.onResume(() => {
      for (const desk of desks) desk.wake();
    });
  }
  const gateways = bots.map(telegram.gatewayOf);
  const pollers = secret ? [] : gateways.map((gateway) => createPoller({ ...app, gateway }));
  const abort = new AbortController();
  const loops = [...pollers, ...desks];
  const introduce = async () => {
    for (const gateway of gateways) {
      if (secret) await setWebhook(gateway, { url: config.publicUrl, secret });
      await introduceBot(gateway, options.faces[gateway.bot]);
    }
  };
  return {
    loops,
    introduce,
    open() {
      for (const loop of loops) loop.start();
      void persist({ what: "introduction", log, signal: abort.signal }, introduce);
    },
    async learnNames() {
      await telegram.names.recall();
      const asked = persist({ what: "getMe", log, signal: abort.signal }, () =>
        askNames(app, gateways),
      );
      if (telegram.names.seller() && telegram.names.buyer()) return;
      await Promise.race([asked, sleep(NAMES_PATIENCE_MS, undefined, { ref: false })]);
    },
    async stop() {
      abort.abort();
      // A Telegram that does not answer must not outlast the drain (WIRE §3).
      setTimeout(telegram.hangUp, DRAIN_MS).unref();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

function handlersOf(
  { telegram }: App,
  { handlers }: BotDoorOptions,
  bot: BotName,
): UpdateHandler[] {
  return [...new Set(telegram.partsOf(bot).flatMap((part) => handlers[part]))];
}

async function askNames({ telegram }: App, gateways: readonly BotGateway[]): Promise<void> {
  for (const gateway of gateways) {
    const me = await gateway.me();
    if (!me.ok) throw new Outage(me.refusal.said, { party: "telegram", retryable: true });
    for (const bot of telegram.partsOf(gateway.bot)) {
      await telegram.names.learn({
        bot,
        telegram_id: BigInt(me.value.id),
        // Telegram's bots all have one; an emulator's may not.
        username: me.value.username ?? "",
      });
    }
  }
}

/**
 * A no to any of these changes nothing to the service, nor does the silence of one to the others;
 * the descriptions matter least.
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
    url: at.url + webhookPath(gateway.bot),
    secret_token: at.secret,
    allowed_updates: [...ALLOWED_UPDATES],
  });
  if (!answer.ok) throw new Outage(answer.refusal.said, { party: "telegram", retryable: true });
}

type Persistence = {
  readonly what: string;
  readonly log: Pick<FastifyBaseLogger, "warn">;
  readonly signal: AbortSignal;
};

const LONGEST_WAIT_MS = 30_000;

/** Tries until it is done: a Telegram that is down at start must not stop the server. */
async function persist(how: Persistence, act: () => Promise<void>): Promise<void> {
  for (let attempts = 1; !how.signal.aborted; attempts++) {
    try {
      return await act();
    } catch (error) {
      if (how.signal.aborted) return;
      how.log.warn({ err: error }, `telegram: ${how.what} failed, trying again`);
      const waitMs = Math.min(LONGEST_WAIT_MS, backOffMs(attempts));
      await sleep(waitMs, undefined, { signal: how.signal, ref: false }).catch(() => {});
    }
  }
}

type KnownBot = {
  readonly bot: BotName;
  readonly telegram_id: bigint;
  readonly username: string;
};

async function rememberBot(db: Db, known: KnownBot): Promise<void> {
  await sql`
    INSERT INTO bots (bot, telegram_id, username)
    VALUES (${known.bot}, ${known.telegram_id}, ${known.username})
    ON CONFLICT (bot) DO UPDATE SET telegram_id = excluded.telegram_id, username = excluded.username
    WHERE (bots.telegram_id, bots.username) IS DISTINCT FROM (excluded.telegram_id, excluded.username)
  `.execute(db);
}

/** Who our bots are on Telegram, without the @; null until Telegram said it once. */
export type BotNames = {
  seller(): string | null;
  buyer(): string | null;
  /** The bot's account: the actor of what it does itself. */
  idOf(bot: BotName): bigint;
  /** The canonical purchase link (decision 36): opens the buyer's mini app on the product. */
  shareLink(reference: string): string;
  /** The buyer's bot; with a start parameter, its mini app on that. */
  buyerUrl(start?: string): string;
  sellerUrl(): string;
  learn(known: KnownBot): Promise<void>;
  /** Reads what was learnt before; the names survive a Telegram that is silent at start. */
  recall(): Promise<void>;
};

export type BotNamesOptions = {
  readonly db: Db;
  readonly publicUrl: string;
  readonly buyerAppName: string | null;
  readonly sellerToken: string;
  readonly buyerToken: string;
};

export function createBotNames(options: BotNamesOptions): BotNames {
  const known = new Map<BotName, KnownBot>();
  const tokens = { seller: options.sellerToken, buyer: options.buyerToken };
  const usernameOf = (bot: BotName) => known.get(bot)?.username ?? null;
  const shareLink = (reference: string): string => {
    const username = usernameOf("buyer");
    // Without a name yet, the product's own page, which opens Telegram.
    if (!username) return `${options.publicUrl}/?tgWebAppStartParam=${reference}`;
    const app = options.buyerAppName ? `/${options.buyerAppName}` : "";
    return `https://t.me/${username}${app}?startapp=${reference}`;
  };
  return {
    seller: () => usernameOf("seller"),
    buyer: () => usernameOf("buyer"),
    // A token begins with the id of its bot's account.
    idOf: (bot) => known.get(bot)?.telegram_id ?? BigInt(tokens[bot].split(":")[0] ?? "0"),
    shareLink,
    buyerUrl(start) {
      if (start !== undefined) return shareLink(start);
      const username = usernameOf("buyer");
      return username ? `https://t.me/${username}` : options.publicUrl;
    },
    sellerUrl() {
      const username = usernameOf("seller");
      return username ? `https://t.me/${username}` : options.publicUrl;
    },
    async learn(bot) {
      known.set(bot.bot, bot);
      await rememberBot(options.db, bot);
    },
    async recall() {
      const kept = await many<KnownBot>(options.db)`SELECT bot, telegram_id, username FROM bots`;
      for (const bot of kept) {
        if (tokens[bot.bot].startsWith(`${bot.telegram_id}:`)) known.set(bot.bot, bot);
      }
    },
  };
}
