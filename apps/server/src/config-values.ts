import { isLoopbackUrl } from "@sesame/kernel";

/** The configuration is wrong: the server refuses to start and names the variable. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

export type Environment = Readonly<Record<string, string | undefined>>;

export type Mode = { readonly production: boolean };

export function missing(name: string): never {
  throw new ConfigError(`${name}: missing`);
}

/** Scheme, host and port only, for every party (WIRE §1). */
export function readRoot(env: Environment, name: string, fallback: string): string {
  const url = readSafeUrl(env, name, fallback);
  if (url.pathname !== "/" || url.search || url.hash || url.username || url.password) {
    throw new ConfigError(`${name}: scheme, host and port only`);
  }
  return url.origin;
}

/** An address that keys or people are sent to: https, or http on this machine. */
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

/** Words of documentation and examples that stand where a secret belongs. */
const PLACEHOLDER =
  /(^|[^a-z])(change[-_ ]?(me|this)|placeholder|example|dummy|replace[-_ ]?(me|this)?|insert|your([-_ ]?(own|secret|token|key))?|todo|default|password|passw0rd|x{4,})([^a-z]|$)|[<>…]/i;

/** Refuses, in production, a secret that is short, poor in characters, repeated or an example. */
export function refuseWeak(name: string, value: string, mode: Mode): void {
  if (!mode.production) return;
  if (value.length < 16 || new Set(value).size < 8) throw new ConfigError(`${name}: too weak`);
  if (isRepetition(value)) throw new ConfigError(`${name}: too weak: a repetition`);
  if (PLACEHOLDER.test(value)) throw new ConfigError(`${name}: a placeholder, not a secret`);
}

/** Whether the text is a shorter text written several times. */
export function isRepetition(text: string): boolean {
  return (text + text).indexOf(text, 1) < text.length;
}

/** A whole number within bounds; both are named in the refusal. */
export function readCount(
  env: Environment,
  name: string,
  { least, most, absent }: { least: number; most: number; absent: number },
): number {
  const value = env[name];
  if (!value) return absent;
  const count = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
  if (!(count >= least && count <= most)) {
    throw new ConfigError(`${name}: a whole number from ${least} to ${most}: ${value}`);
  }
  return count;
}
