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
  const value = env[name] || fallback;
  if (!URL.canParse(value)) throw new ConfigError(`${name}: not an address: ${value}`);
  const url = new URL(value);
  if (url.pathname !== "/" || url.search || url.hash) {
    throw new ConfigError(`${name}: scheme, host and port only`);
  }
  return url.origin;
}

export function readList(value: string): string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

export function refuseWeak(name: string, value: string, mode: Mode): void {
  if (mode.production && (value.length < 16 || new Set(value).size < 6)) {
    throw new ConfigError(`${name}: too weak`);
  }
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
