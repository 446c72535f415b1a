import type { Config } from "./config.ts";
import { isLoopbackUrl } from "@sesame/kernel";

// Each is open when its keys are set (WIRE §1); roots are scheme, host and port only.

export function readMoneroo(env: Environment, mode: Mode) {
  const secretKey = readSecret(env, "MONEROO_SECRET_KEY", mode);
  if (!secretKey) return null;
  return {
    secretKey,
    webhookSecret: requireSecret(env, "MONEROO_WEBHOOK_SECRET", mode),
    apiRoot: readRoot(env, "MONEROO_API_ROOT", "https://api.moneroo.io"),
  };
}

export function readPaydunya(env: Environment, mode: Mode) {
  const masterKey = readSecret(env, "PAYDUNYA_MASTER_KEY", mode);
  if (!masterKey) return null;
  return {
    masterKey,
    privateKey: requireSecret(env, "PAYDUNYA_PRIVATE_KEY", mode),
    token: requireSecret(env, "PAYDUNYA_TOKEN", mode),
    apiRoot: readRoot(env, "PAYDUNYA_API_ROOT", "https://app.paydunya.com"),
  };
}

export function readFedapay(env: Environment, mode: Mode) {
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
    orangeBurkinaMode: readMode(env, "FEDAPAY_ORANGE_BURKINA_MODE", "orange-bf"),
  };
}

const KKIAPAY_KEYS = ["KKIAPAY_PRIVATE_KEY", "KKIAPAY_SECRET_KEY", "KKIAPAY_PUBLIC_KEY"];

/** Open when one of its three keys is set; then all of them are required. */
export function readKkiapay(env: Environment, mode: Mode) {
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

export function readCryptopay(env: Environment, mode: Mode) {
  const token = readSecret(env, "CRYPTOPAY_TOKEN", mode);
  return token === null
    ? null
    : { token, apiRoot: readRoot(env, "CRYPTOPAY_API_ROOT", "https://pay.crypt.bot") };
}

/** Needs no key: the buyers' bot creates the invoices. */
export function readStarsEnabled(env: Environment): boolean {
  const value = env["STARS_ENABLED"] || "0";
  if (value === "1" || value === "true") return true;
  if (value === "0" || value === "false") return false;
  throw new ConfigError(`STARS_ENABLED: neither 1 nor 0: ${value}`);
}

/**
 * The addresses of providers for sellers' own keys, whether or not the instance has an account
 * there: the same settings and defaults as its own.
 */
export function readProviderRoots(env: Environment) {
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

type Accounts = Pick<Config, "moneroo" | "paydunya" | "fedapay" | "kkiapay" | "cryptopay">;

/** The keys and secrets of the provider accounts, by the names of their variables. */
export function accountsOf({ moneroo, paydunya, fedapay, kkiapay, cryptopay }: Accounts) {
  const accounts = Object.entries({ moneroo, paydunya, fedapay, kkiapay, cryptopay });
  return accounts.flatMap(([provider, account]) =>
    Object.entries(account ?? {}).flatMap(([field, value]): (readonly [string, string])[] => {
      const name = `${provider}_${field.replaceAll(/[A-Z]/g, "_$&")}`.toUpperCase();
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}

/** A public key is no secret: browsers have it. */
export const providerSecretsOf = (config: Accounts) =>
  accountsOf(config).filter(([name]) => /_(?<!PUBLIC_)(?:KEY|SECRET|TOKEN)$/.test(name));

const requireSecret = (env: Environment, name: string, mode: Mode): string =>
  readSecret(env, name, mode) ?? missing(name);

/** Null when it is not set. */
export function readSecret(env: Environment, name: string, mode: Mode): string | null {
  const value = env[name] || null;
  if (value !== null) refuseWeak(name, value, mode);
  return value;
}

function readWidgetUrl(env: Environment, name: string, fallback: string): string {
  readSafeUrl(env, name, fallback);
  return env[name] || fallback;
}

function readMode(env: Environment, name: string, fallback: string): string {
  const value = env[name] || fallback;
  if (!/^[a-z_-]{2,40}$/.test(value)) throw new ConfigError(`${name}: not a mode: ${value}`);
  return value;
}

/** Invalid configuration: the server refuses to start and names the variable. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

export type Environment = Readonly<Record<string, string | undefined>>;

export type Mode = { readonly production: boolean };

export function missing(name: string): never {
  throw new ConfigError(`${name}: missing`);
}

/** Scheme, host and port only, for every service (WIRE §1). */
export function readRoot(env: Environment, name: string, fallback: string): string {
  const url = readSafeUrl(env, name, fallback);
  if (url.pathname !== "/" || url.search || url.hash || url.username || url.password) {
    throw new ConfigError(`${name}: scheme, host and port only`);
  }
  return url.origin;
}

/** An address to which keys or people are sent: https, or http on this machine. */
export function readSafeUrl(env: Environment, name: string, fallback: string): URL {
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
export function readOrigins(env: Environment, name: string, fallback: string): string[] {
  return readList(env[name] || fallback).map((value) => {
    if (!URL.canParse(value) || new URL(value).origin !== value.replace(/\/$/, "")) {
      throw new ConfigError(`${name}: not an origin: ${value}`);
    }
    requireSafeUrl(name, value);
    return new URL(value).origin;
  });
}

export function readList(value: string): string[] {
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
export function isRepetition(text: string): boolean {
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
