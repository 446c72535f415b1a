import { type SayInstant, sayInstant } from "@sesame/contract";
import type { AggregatorKey } from "@sesame/contract/payment-accounts";
import type { Random, Clock } from "@sesame/kernel";
import type { PaymentProvider, PayoutProvider } from "@sesame/providers";
import type { FastifyBaseLogger } from "fastify";
import { createTelegram, type Telegram } from "./bot/bots.ts";
import type { MessageButton } from "./bot/message.ts";
import type { Config, Keys } from "./config.ts";
import type { Pictures } from "./pictures/picture-queue.ts";
import { createResolve, type Resolve } from "./outbound/post.ts";
import type { Db } from "./postgres/database.ts";
import { connectProvider, openPayoutProviders, openProviders } from "./providers.ts";
import { createVault, type Vault } from "./secrets/vault.ts";
import { type CurrentSettings, keepCurrent } from "./settings.ts";

export type Log = Pick<FastifyBaseLogger, "info" | "warn" | "error">;

/**
 * Everything a function of the server depends on, without globals: the first argument everywhere,
 * before an open transaction. A test makes its own with another clock, database or provider: `{
 * ...app, clock }`.
 */
export type App = {
  readonly config: Config;
  readonly db: Db;
  /** The database's time, or the injected one of the demo and of tests. */
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The operator's settings. */
  readonly settings: CurrentSettings;
  /** The bots: their gateways and names. */
  readonly telegram: Telegram;
  /** A button of a bot's message that opens a page of the app: `path` begins with a slash. */
  readonly appButton: (text: string, path: string) => MessageButton;
  /** An instant in the instance's time zone, in French. */
  readonly sayInstant: SayInstant;
  /** The instance's accounts for payments, in the order buyers see them. */
  readonly providers: readonly PaymentProvider[];
  /** The instance's accounts for payouts, in the order agents see them. */
  readonly payoutProviders: readonly PayoutProvider[];
  /** A provider with a seller's own keys: complete ones, of that provider. */
  connectProvider(key: AggregatorKey, keys: Keys): PaymentProvider;
  /** Encrypts and decrypts sellers' secrets. */
  readonly vault: Vault;
  /** The process that decodes pictures. */
  readonly pictures: Pictures;
  /** Resolves the host names of sellers' webhook endpoints. */
  readonly resolve: Resolve;
};

type AppParts = Pick<App, "config" | "db" | "clock" | "random" | "log" | "pictures">;

export function createApp(parts: AppParts): App {
  const { config, db, clock } = parts;
  const { secretsKey: current, previousSecretsKeys: previous } = config;
  const settings = keepCurrent(db, () => performance.now());
  const telegram = createTelegram(config, db, clock);
  return {
    ...parts,
    settings,
    telegram,
    appButton: (text, path) => {
      const url = config.publicUrl + path;
      // Telegram opens mini apps over https only; the demo's phones open them anywhere.
      const isInside = config.demo || config.publicUrl.startsWith("https://");
      return isInside ? { text, webApp: url } : { text, url };
    },
    sayInstant: (at) => sayInstant(at, config.timeZone, "long"),
    providers: openProviders({ config, db, clock, settings, telegram }),
    payoutProviders: openPayoutProviders({ config, clock }),
    connectProvider: (key, keys) => connectProvider({ config, clock }, key, keys),
    vault: createVault({ current, previous }),
    resolve: createResolve(),
  };
}

/** One value for each App: a cache, a queue in memory. Created at its first use. */
export function perApp<T>(make: (app: App) => T): (app: App) => T {
  const made = new WeakMap<App, { readonly it: T }>();
  return (app) => {
    const known = made.get(app) ?? { it: make(app) };
    made.set(app, known);
    return known.it;
  };
}
