import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type DecidedMode, decideMode, isLoopbackUrl } from "@sesame/kernel";
import { MESSAGE_SPACING_MS } from "./bot/gateway.ts";
import { DEFAULT_POOL_SIZE } from "./postgres/database.ts";

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

// Each is open when its keys are set (WIRE §1); roots are scheme, host and port only.

function readMoneroo(env: Environment, mode: Mode) {
  const secretKey = readSecret(env, "MONEROO_SECRET_KEY", mode);
  if (!secretKey) return null;
  return {
    secretKey,
    webhookSecret: requireSecret(env, "MONEROO_WEBHOOK_SECRET", mode),
    apiRoot: readRoot(env, "MONEROO_API_ROOT", "https://api.moneroo.io"),
  };
}

function readPaydunya(env: Environment, mode: Mode) {
  const masterKey = readSecret(env, "PAYDUNYA_MASTER_KEY", mode);
  if (!masterKey) return null;
  return {
    masterKey,
    privateKey: requireSecret(env, "PAYDUNYA_PRIVATE_KEY", mode),
    token: requireSecret(env, "PAYDUNYA_TOKEN", mode),
    apiRoot: readRoot(env, "PAYDUNYA_API_ROOT", "https://app.paydunya.com"),
  };
}

function readFedapay(env: Environment, mode: Mode) {
  const secretKey = readSecret(env, "FEDAPAY_SECRET_KEY", mode);
  if (!secretKey) return null;
  // Live and sandbox have a host each, and the key decides which.
  const host = secretKey.startsWith("sk_sandbox_") ? "sandbox-api" : "api";
  return {
    secretKey,
    /** For a browser's widget. */
    publicKey: env["FEDAPAY_PUBLIC_KEY"] || null,
    webhookSecret: requireSecret(env, "FEDAPAY_WEBHOOK_SECRET", mode),
    apiRoot: readRoot(env, "FEDAPAY_API_ROOT", `https://${host}.fedapay.com`),
    widgetUrl: readWidgetUrl(env, "FEDAPAY_WIDGET_URL", FEDAPAY_WIDGET),
    /** How this account spells Orange Money in Burkina. */
    orangeBurkinaMode: readMobileMode(env, "FEDAPAY_ORANGE_BURKINA_MODE", "orange-bf"),
  };
}

const KKIAPAY_KEYS = ["KKIAPAY_PRIVATE_KEY", "KKIAPAY_SECRET_KEY", "KKIAPAY_PUBLIC_KEY"];

/** Open when one of its three keys is set; then all of them are required. */
function readKkiapay(env: Environment, mode: Mode) {
  if (!KKIAPAY_KEYS.some((name) => env[name])) return null;
  // A test key works at the sandbox host only.
  const host = env["KKIAPAY_PRIVATE_KEY"]?.startsWith("tpk_") ? "api-sandbox" : "api";
  const apiRoot = readRoot(env, "KKIAPAY_API_ROOT", `https://${host}.kkiapay.me`);
  return {
    publicKey: env["KKIAPAY_PUBLIC_KEY"] || missing("KKIAPAY_PUBLIC_KEY"),
    privateKey: requireSecret(env, "KKIAPAY_PRIVATE_KEY", mode),
    secretKey: requireSecret(env, "KKIAPAY_SECRET_KEY", mode),
    webhookSecret: requireSecret(env, "KKIAPAY_WEBHOOK_SECRET", mode),
    apiRoot,
    widgetUrl: readWidgetUrl(env, "KKIAPAY_WIDGET_URL", KKIAPAY_WIDGET),
    /** Known by the host: no answer of KkiaPay shows it. */
    sandbox: new URL(apiRoot).hostname.includes("sandbox"),
  };
}

function readCryptopay(env: Environment, mode: Mode) {
  const token = readSecret(env, "CRYPTOPAY_TOKEN", mode);
  return token === null
    ? null
    : { token, apiRoot: readRoot(env, "CRYPTOPAY_API_ROOT", "https://pay.crypt.bot") };
}

/** Needs no key: the buyers' bot creates the invoices. */
function readStarsEnabled(env: Environment): boolean {
  const value = env["STARS_ENABLED"] || "0";
  if (value === "1" || value === "true") return true;
  if (value === "0" || value === "false") return false;
  throw new ConfigError(`STARS_ENABLED: neither 1 nor 0: ${value}`);
}

/**
 * The addresses of providers for sellers' own keys, whether or not the instance has an account
 * there: the same settings and defaults as its own.
 */
function readProviderRoots(env: Environment) {
  return {
    moneroo: readRoot(env, "MONEROO_API_ROOT", "https://api.moneroo.io"),
    /** Live and sandbox have a host each, and the key decides which. */
    fedapay: {
      live: readRoot(env, "FEDAPAY_API_ROOT", "https://api.fedapay.com"),
      sandbox: readRoot(env, "FEDAPAY_API_ROOT", "https://sandbox-api.fedapay.com"),
      widgetUrl: readWidgetUrl(env, "FEDAPAY_WIDGET_URL", FEDAPAY_WIDGET),
    },
    kkiapay: {
      apiRoot: readRoot(env, "KKIAPAY_API_ROOT", "https://api.kkiapay.me"),
      widgetUrl: readWidgetUrl(env, "KKIAPAY_WIDGET_URL", KKIAPAY_WIDGET),
    },
    paydunya: readRoot(env, "PAYDUNYA_API_ROOT", "https://app.paydunya.com"),
    cryptopay: readRoot(env, "CRYPTOPAY_API_ROOT", "https://pay.crypt.bot"),
  };
}

const FEDAPAY_WIDGET = "https://cdn.fedapay.com/checkout.js?v=1.1.7";
const KKIAPAY_WIDGET = "https://cdn.kkiapay.me/k.js";

const PROVIDERS = ["moneroo", "paydunya", "fedapay", "kkiapay", "cryptopay"] as const;

type Accounts = Pick<Config, (typeof PROVIDERS)[number]>;

/** The keys and secrets of the provider accounts, by the names of their variables. */
function accountsOf(accounts: Accounts) {
  return PROVIDERS.flatMap((provider) =>
    Object.entries(accounts[provider] ?? {}).flatMap(
      ([field, value]): (readonly [string, string])[] => {
        const name = `${provider}_${field.replaceAll(/[A-Z]/g, "_$&")}`.toUpperCase();
        return typeof value === "string" ? [[name, value]] : [];
      },
    ),
  );
}

/** A public key is no secret: browsers have it. */
export const providerSecretsOf = (config: Accounts) =>
  accountsOf(config).filter(([name]) => /_(?<!PUBLIC_)(?:KEY|SECRET|TOKEN)$/.test(name));

const requireSecret = (env: Environment, name: string, mode: Mode): string =>
  readSecret(env, name, mode) ?? missing(name);

/** Null when it is not set. */
function readSecret(env: Environment, name: string, mode: Mode): string | null {
  const value = env[name] || null;
  if (value !== null) refuseWeak(name, value, mode);
  return value;
}

function readWidgetUrl(env: Environment, name: string, fallback: string): string {
  readSafeUrl(env, name, fallback);
  return env[name] || fallback;
}

function readMobileMode(env: Environment, name: string, fallback: string): string {
  const value = env[name] || fallback;
  if (!/^[a-z_-]{2,40}$/.test(value)) throw new ConfigError(`${name}: not a mode: ${value}`);
  return value;
}

/** Invalid configuration: the server refuses to start and names the variable. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

export type Environment = Readonly<Record<string, string | undefined>>;

type Mode = { readonly production: boolean };

function missing(name: string): never {
  throw new ConfigError(`${name}: missing`);
}

/** Scheme, host and port only, for every service (WIRE §1). */
function readRoot(env: Environment, name: string, fallback: string): string {
  const url = readSafeUrl(env, name, fallback);
  if (url.pathname !== "/" || url.search || url.hash || url.username || url.password) {
    throw new ConfigError(`${name}: scheme, host and port only`);
  }
  return url.origin;
}

/** An address to which keys or people are sent: https, or http on this machine. */
function readSafeUrl(env: Environment, name: string, fallback: string): URL {
  const value = env[name] || fallback;
  if (!URL.canParse(value)) throw new ConfigError(`${name}: not an address: ${value}`);
  requireSafeUrl(name, value);
  return new URL(value);
}

function requireSafeUrl(name: string, value: string): void {
  const { protocol } = new URL(value);
  if (protocol === "https:" || (protocol === "http:" && isLoopbackUrl(value))) return;
  throw new ConfigError(`${name}: https is required outside this machine`);
}

/** Origins that may frame the app: each is one origin, never `*` and never a path. */
function readOrigins(env: Environment, name: string, fallback: string): string[] {
  return readList(env[name] || fallback).map((value) => {
    if (!URL.canParse(value) || new URL(value).origin !== value.replace(/\/$/, "")) {
      throw new ConfigError(`${name}: not an origin: ${value}`);
    }
    requireSafeUrl(name, value);
    return new URL(value).origin;
  });
}

function readList(value: string): string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Words of documentation and examples in the place of a secret. */
const PLACEHOLDER =
  /(^|[^a-z])(change[-_ ]?(me|this)|placeholder|example|dummy|replace[-_ ]?(me|this)?|insert|your([-_ ]?(own|secret|token|key))?|todo|default|password|passw0rd|x{4,})([^a-z]|$)|[<>…]/i;

/** Refuses, in production, a secret that is short, has few different characters, is repeated or an example. */
function refuseWeak(name: string, value: string, mode: Mode): void {
  if (!mode.production) return;
  if (value.length < 16 || new Set(value).size < 8) throw new ConfigError(`${name}: too weak`);
  if (isRepetition(value)) throw new ConfigError(`${name}: too weak: a repetition`);
  if (PLACEHOLDER.test(value)) throw new ConfigError(`${name}: a placeholder, not a secret`);
}

/** Whether the text is a shorter text written several times. */
function isRepetition(text: string): boolean {
  return (text + text).indexOf(text, 1) < text.length;
}

/** A whole number within bounds; a refusal names both. */
export function readCount(
  env: Environment,
  name: string,
  [least, most]: readonly [least: number, most: number],
  absent: number,
): number {
  const value = env[name];
  if (!value) return absent;
  const count = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
  if (!(count >= least && count <= most)) {
    throw new ConfigError(`${name}: a whole number from ${least} to ${most}: ${value}`);
  }
  return count;
}
