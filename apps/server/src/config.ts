import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type DecidedMode, decideMode, isLoopbackUrl } from "@sesame/kernel";
import { MESSAGE_SPACING_MS } from "./bot/gateway.ts";
import {
  readCryptopay,
  readFedapay,
  readKkiapay,
  readMoneroo,
  readPaydunya,
  readProviderRoots,
  readStarsEnabled,
  accountsOf,
  ConfigError,
  type Environment,
  isRepetition,
  type Mode,
  missing,
  readCount,
  readList,
  readOrigins,
  readRoot,
  providerSecretsOf,
  readSecret,
} from "./config-providers.ts";
import { DEFAULT_POOL_SIZE } from "./postgres/database.ts";

export { ConfigError, type Environment } from "./config-providers.ts";

export type Role = "http" | "bot" | "worker";

/**
 * The environment as one typed value (WIRE §1). Throws `ConfigError` with the variable and the
 * reason. Roots are scheme, host and port only.
 */
export function readConfig(env: Environment) {
  const decided = readMode(env);
  const production = decided.mode === "production";
  const port = readCount(env, "PORT", [0, 65_535], 3_000);
  const dataDir = resolve(env["DATA_DIR"] || "./data");
  const publicUrl = readPublicUrl(env, { port, production });
  const sellerToken =
    readToken(env, "SELLER_BOT_TOKEN", { production }) ?? missing("SELLER_BOT_TOKEN");
  // One bot plays both parts if only one is set.
  const buyerToken = readToken(env, "BUYER_BOT_TOKEN", { production }) ?? sellerToken;
  const config = {
    mode: decided.mode,
    /** The fact that decided the mode, for the log line at start. */
    modeBecause: decided.because,
    production,
    /** Every outside service is emulated: test durations exist, and the clock may be moved. */
    demo: decided.mode === "demo",
    port,
    host: env["HOST"] || (production ? "0.0.0.0" : "127.0.0.1"),
    publicUrl,
    databaseUrl: env["DATABASE_URL"] || missing("DATABASE_URL"),
    /** The maximum of this process's connections, without the listening one. */
    databasePool: readCount(env, "DATABASE_POOL", [2, 500], DEFAULT_POOL_SIZE),
    /**
     * How long /ready answers 503 before the listening socket closes at a stop: within the ten
     * seconds of a stop, with time left to answer requests in progress.
     */
    drainSeconds: readCount(env, "DRAIN_SECONDS", [0, 5], production ? 3 : 0),
    dataDir,
    roles: readRoles(env),
    ...readSecretsKeys(env, { production, dataDir }),
    sellerBot: { token: sellerToken },
    buyerBot: { token: buyerToken },
    /** One token for both parts, so one poller. */
    oneBot: sellerToken === buyerToken,
    telegramApiRoot: readRoot(env, "TELEGRAM_API_ROOT", "https://api.telegram.org"),
    /** Milliseconds between two messages of a bot; tests set none. */
    messageSpacingMs: MESSAGE_SPACING_MS,
    telegramWebhookSecret: readWebhookSecret(env, { production }),
    telegramWebOrigins: readOrigins(env, "TELEGRAM_WEB_ORIGINS", "https://web.telegram.org"),
    buyerAppName: env["BUYER_APP_NAME"] || null,
    agentTelegramIds: readTelegramIds(env, "AGENT_TELEGRAM_IDS"),
    operatorTelegramIds: readTelegramIds(env, "OPERATOR_TELEGRAM_IDS"),
    providerRoots: readProviderRoots(env),
    moneroo: readMoneroo(env, { production }),
    paydunya: readPaydunya(env, { production }),
    fedapay: readFedapay(env, { production }),
    kkiapay: readKkiapay(env, { production }),
    cryptopay: readCryptopay(env, { production }),
    /** Telegram Stars are accepted, by invoices of the buyers' bot. */
    starsEnabled: readStarsEnabled(env),
    timeZone: readTimeZone(env),
    communityUrl: env["COMMUNITY_URL"] || null,
    supportWhatsapp: env["SUPPORT_WHATSAPP"] || null,
    supportTelegram: env["SUPPORT_TELEGRAM"] || null,
    metricsToken: readSecret(env, "METRICS_TOKEN", { production }),
    /** The number of proxies whose header with the caller's address is trusted; 0: none. */
    trustedProxies: readProxies(env),
    logLevel: env["LOG_LEVEL"] || (production ? "info" : "warn"),
    /** Server-sent events with the offset from the machine's clock; demo and tests only. */
    clockUrl: readClockUrl(env),
  };
  requireEmulatedParties(config);
  refuseSharedSecrets(config);
  return config;
}

export type Config = Readonly<ReturnType<typeof readConfig>>;

/**
 * The mode of a server process. The launcher sets `SESAME_DEMO` beside the emulators; a process that
 * is not certainly on loopback is in production mode, which refuses the demo and an injected clock.
 */
export function readMode(env: Environment): DecidedMode {
  const emulated = env["SESAME_DEMO"] === "1";
  const decided = decideMode({
    nodeEnv: env["NODE_ENV"],
    publicUrl: env["PUBLIC_URL"],
    host: env["HOST"],
    emulated,
  });
  if (decided.mode !== "production") return decided;
  if (emulated) throw new ConfigError(`SESAME_DEMO: no demo in production (${decided.because})`);
  if (env["CLOCK_URL"]) {
    throw new ConfigError(`CLOCK_URL: no injected clock in production (${decided.because})`);
  }
  return decided;
}

/** Requires that a demo process calls addresses of this machine only. */
function requireEmulatedParties(config: Config): void {
  if (!config.demo) return;
  const roots = accountsOf(config).filter(([name]) => name.endsWith("_API_ROOT"));
  for (const [name, root] of [["TELEGRAM_API_ROOT", config.telegramApiRoot] as const, ...roots]) {
    if (isLoopbackUrl(root)) continue;
    throw new ConfigError(`${name}: SESAME_DEMO needs every party on loopback`);
  }
}

/** In production one secret has one purpose; both parts may have one bot. */
function refuseSharedSecrets(config: Config): void {
  if (!config.production) return;
  const secrets = {
    SECRETS_KEY: Buffer.from(config.secretsKey).toString("base64"),
    SELLER_BOT_TOKEN: config.sellerBot.token,
    BUYER_BOT_TOKEN: config.oneBot ? null : config.buyerBot.token,
    TELEGRAM_WEBHOOK_SECRET: config.telegramWebhookSecret,
    METRICS_TOKEN: config.metricsToken,
    ...Object.fromEntries(providerSecretsOf(config)),
  };
  const seen = new Map<string, string>();
  for (const [name, value] of Object.entries(secrets)) {
    if (!value) continue;
    const other = seen.get(value);
    if (other !== undefined) throw new ConfigError(`${name}: the same secret as ${other}`);
    seen.set(value, name);
  }
}

function readPublicUrl(env: Environment, at: { port: number; production: boolean }): string {
  const url = env["PUBLIC_URL"] || `http://localhost:${at.port}`;
  if (!URL.canParse(url)) throw new ConfigError(`PUBLIC_URL: not an address: ${url}`);
  const { protocol } = new URL(url);
  if (at.production && (protocol !== "https:" || isLoopbackUrl(url))) {
    throw new ConfigError("PUBLIC_URL: production needs the https address that people open");
  }
  return url.replace(/\/+$/, "");
}

const ROLES: readonly Role[] = ["http", "bot", "worker"];

/** `true` means one proxy. With a higher number than there are, callers could choose their address. */
function readProxies(env: Environment): number {
  const value = env["TRUST_PROXY"] || "0";
  if (value === "true") return 1;
  if (value === "false") return 0;
  if (!/^\d$/.test(value)) throw new ConfigError(`TRUST_PROXY: not a number of proxies: ${value}`);
  return Number(value);
}

function readRoles(env: Environment): ReadonlySet<Role> {
  const names = readList(env["ROLES"] || ROLES.join(","));
  const roles = new Set<Role>();
  for (const name of names) {
    const role = ROLES.find((known) => known === name);
    if (!role) throw new ConfigError(`ROLES: unknown role: ${name}`);
    roles.add(role);
  }
  return roles;
}

function readTelegramIds(env: Environment, name: string): ReadonlySet<bigint> {
  return new Set(
    readList(env[name] ?? "").map((item) => {
      if (!/^\d{1,19}$/.test(item)) throw new ConfigError(`${name}: not a Telegram id: ${item}`);
      return BigInt(item);
    }),
  );
}

function readWebhookSecret(env: Environment, mode: Mode): string | null {
  const secret = readSecret(env, "TELEGRAM_WEBHOOK_SECRET", mode);
  if (secret && !/^[A-Za-z0-9_-]{1,256}$/.test(secret)) {
    throw new ConfigError("TELEGRAM_WEBHOOK_SECRET: only A-Z a-z 0-9 _ - are allowed");
  }
  return secret;
}

function readTimeZone(env: Environment): string {
  const zone = env["TIME_ZONE"] || "Africa/Abidjan";
  try {
    new Intl.DateTimeFormat("fr", { timeZone: zone });
  } catch {
    throw new ConfigError(`TIME_ZONE: unknown: ${zone}`);
  }
  return zone;
}

/** Server-sent events that move the clock: from this machine only. */
function readClockUrl(env: Environment): string | null {
  const url = env["CLOCK_URL"];
  if (!url) return null;
  if (!isLoopbackUrl(url)) throw new ConfigError("CLOCK_URL: only on loopback");
  return url;
}

/** Tokens printed in Telegram's own documentation: everybody can sign in with them. */
const DOCUMENTED_TOKENS: ReadonlySet<string> = new Set([
  "123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11",
  "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
  "4839574812:AAFD39kkdpWt3ywyRZergyOLMaJhac60qcK",
]);

function readToken(env: Environment, name: string, mode: Mode): string | null {
  const token = env[name];
  if (!token) return null;
  if (!/^\d+:.+$/.test(token)) throw new ConfigError(`${name}: not of the form digits:text`);
  if (!mode.production) return token;
  const secret = /^\d{6,}:([\w-]{30,})$/.exec(token)?.[1];
  if (secret === undefined) throw new ConfigError(`${name}: not a token of BotFather`);
  if (new Set(secret).size < 12 || isRepetition(secret) || DOCUMENTED_TOKENS.has(token)) {
    throw new ConfigError(`${name}: a placeholder, not a token`);
  }
  return token;
}

/** The keys that encrypt and decrypt stored secrets; `npm run rotate-keys` reads only these. */
export function readSecretsKeys(env: Environment, mode: { production: boolean; dataDir: string }) {
  const previous = readList(env["SECRETS_KEY_PREVIOUS"] ?? "");
  return {
    secretsKey: readSecretsKey(env, mode),
    /** Earlier keys: they still decrypt, until `npm run rotate-keys` has run. */
    previousSecretsKeys: previous.map((text) => decodeKey(text, "SECRETS_KEY_PREVIOUS")),
  };
}

function readSecretsKey(env: Environment, mode: { production: boolean; dataDir: string }) {
  const given = env["SECRETS_KEY"];
  if (given) return decodeKey(given, "SECRETS_KEY");
  if (mode.production) missing("SECRETS_KEY");
  const path = join(mode.dataDir, "secrets.key");
  mkdirSync(mode.dataDir, { recursive: true });
  try {
    writeFileSync(path, randomBytes(32).toString("base64"), { mode: 0o600, flag: "wx" });
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause) || cause.code !== "EEXIST") throw cause;
  }
  return decodeKey(readFileSync(path, "utf8").trim(), "SECRETS_KEY");
}

function decodeKey(text: string, name: string): Uint8Array {
  const key = Buffer.from(text, "base64");
  if (key.length !== 32) throw new ConfigError(`${name}: not 32 bytes in base64`);
  // 32 random bytes have about 30 different values; fewer than 16 were typed, not random.
  const weak = new Set(key).size < 16 || isRepetition(key.toString("latin1"));
  if (weak) throw new ConfigError(`${name}: too weak`);
  return new Uint8Array(key);
}
