import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type KeyName, PROVIDERS } from "@sesame/contract/checkout";
import { AGGREGATOR_KEYS, type AggregatorKey } from "@sesame/contract/payment-accounts";
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
  const places = readPlaces(env);
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
    providerPlaces: places,
    ...readAccounts(env, places, { production }),
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
  requireEmulatedParties(env, config);
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
function requireEmulatedParties(env: Environment, config: Config): void {
  if (!config.demo) return;
  const parties = ["telegram", ...AGGREGATOR_KEYS.filter((provider) => config[provider] !== null)];
  for (const name of parties.map((party) => `${party.toUpperCase()}_API_ROOT`)) {
    if (isLoopbackUrl(env[name] ?? "")) continue;
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

type Addresses = { readonly live: string; readonly sandbox?: string; readonly widget?: string };

/** Each provider's API (scheme, host and port), its sandbox's if it has one, and its widget's script. */
const PLACES: Readonly<Record<AggregatorKey, Addresses>> = {
  moneroo: { live: "https://api.moneroo.io" },
  fedapay: {
    live: "https://api.fedapay.com",
    sandbox: "https://sandbox-api.fedapay.com",
    widget: "https://cdn.fedapay.com/checkout.js?v=1.1.7",
  },
  kkiapay: {
    live: "https://api.kkiapay.me",
    sandbox: "https://api-sandbox.kkiapay.me",
    widget: "https://cdn.kkiapay.me/k.js",
  },
  paydunya: { live: "https://app.paydunya.com" },
  cryptopay: { live: "https://pay.crypt.bot" },
};

type Places = ReturnType<typeof readPlaces>;

/** The addresses for the instance's accounts, and for sellers' own: the same settings and defaults. */
function readPlaces(env: Environment) {
  const read = (provider: AggregatorKey) => {
    const { live, sandbox = live, widget = "" } = PLACES[provider];
    const name = provider.toUpperCase();
    return {
      live: readRoot(env, `${name}_API_ROOT`, live),
      sandbox: readRoot(env, `${name}_API_ROOT`, sandbox),
      widgetUrl: widget && readSafeUrl(env, `${name}_WIDGET_URL`, widget).href,
    };
  };
  const places = AGGREGATOR_KEYS.map((provider) => [provider, read(provider)]);
  return Object.fromEntries(places) as Readonly<Record<AggregatorKey, ReturnType<typeof read>>>;
}

/** A set of keys, by name. */
export type Keys = Readonly<Partial<Record<KeyName, string>>>;

/** A provider as the keys reach it: a test key works at its sandbox only. */
export function placeOf({ live, sandbox, widgetUrl }: Places[AggregatorKey], keys: Keys) {
  const isTest = keys.secretKey?.startsWith("sk_sandbox_") || keys.privateKey?.startsWith("tpk_");
  const apiRoot = isTest ? sandbox : live;
  return { apiRoot, widgetUrl, sandbox: new URL(apiRoot).hostname.includes("sandbox") };
}

const variableOf = (provider: AggregatorKey, name: KeyName) =>
  `${provider}_${name.replaceAll(/[A-Z]/g, "_$&")}`.toUpperCase();

type Account<P extends AggregatorKey> = ReturnType<typeof placeOf> &
  Readonly<Record<(typeof PROVIDERS)[P]["keys"][number]["name"], string>>;

/** Each is open when a key of the account is set; then all are required, but FedaPay's for browsers. */
function readAccounts(env: Environment, places: Places, mode: Mode) {
  const read = <P extends AggregatorKey>(provider: P): Account<P> | null => {
    const rules = PROVIDERS[provider].keys;
    if (!rules.some((rule) => rule.opensAccount && env[variableOf(provider, rule.name)]))
      return null;
    const required = rules.filter(({ secret, optional }) => secret || !optional);
    const keys: Keys = Object.fromEntries(
      required.map(({ name, secret }) => {
        const variable = variableOf(provider, name);
        const value = secret ? readSecret(env, variable, mode) : env[variable];
        return [name, value || missing(variable)];
      }),
    );
    return { ...keys, ...placeOf(places[provider], keys) } as Account<P>;
  };
  const fedapay = read("fedapay");
  return {
    moneroo: read("moneroo"),
    fedapay: fedapay && {
      ...fedapay,
      publicKey: env["FEDAPAY_PUBLIC_KEY"] || null,
      /** How this account spells Orange Money in Burkina. */
      orangeBurkinaMode: readMobileMode(env, "FEDAPAY_ORANGE_BURKINA_MODE", "orange-bf"),
    },
    kkiapay: read("kkiapay"),
    paydunya: read("paydunya"),
    cryptopay: read("cryptopay"),
  };
}

/** The secrets of the provider accounts, by the names of their variables; browsers have a public key. */
export const providerSecretsOf = (config: Pick<Config, AggregatorKey>) =>
  AGGREGATOR_KEYS.flatMap((provider) =>
    PROVIDERS[provider].keys.flatMap(({ name, secret }): (readonly [string, string])[] => {
      const value = (config[provider] as Keys | null)?.[name];
      return secret && value ? [[variableOf(provider, name), value]] : [];
    }),
  );

/** Needs no key: the buyers' bot creates the invoices. */
function readStarsEnabled(env: Environment): boolean {
  const value = env["STARS_ENABLED"] || "0";
  if (value === "1" || value === "true") return true;
  if (value === "0" || value === "false") return false;
  throw new ConfigError(`STARS_ENABLED: neither 1 nor 0: ${value}`);
}

/** Null when it is not set. */
function readSecret(env: Environment, name: string, mode: Mode): string | null {
  const value = env[name] || null;
  if (value !== null) refuseWeak(name, value, mode);
  return value;
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
