import { assert } from "@sesame/kernel";

/**
 * One text for one value: keys in order, dates in ISO 8601, whole numbers as they are whatever
 * their size. Null for what is absent.
 */
export function canonicalJson(value: unknown): string | null {
  return value === undefined || value === null ? null : write(value);
}

/** PostgreSQL stores neither NUL nor half a character: a log must not fail for what it quotes. */
export function soundText<T extends string | null>(text: T): T {
  return (text === null ? null : text.toWellFormed().replaceAll("\0", "\ufffd")) as T;
}

function write(value: unknown): string {
  if (value === undefined || value === null) return "null";
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string") return JSON.stringify(soundText(value));
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (typeof value === "object") return writeObject(value);
  assert(typeof value === "boolean" || Number.isFinite(value), "a value JSON can say");
  return JSON.stringify(value);
}

function writeObject(value: object): string {
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([key, field]) => [soundText(key), field] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${write(field)}`).join(",")}}`;
}
