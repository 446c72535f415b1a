import { type Db, many } from "../postgres/database.ts";
import type { BotName } from "./gateway.ts";
import { sql } from "kysely";

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
