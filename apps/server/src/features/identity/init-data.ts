import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { BotName } from "../../bot/gateway.ts";
import { DAY_MS, MINUTE_MS, ok, refuse } from "@sesame/kernel";

/** The person who opened the web view, signed by Telegram. */
export type ProvenPerson = {
  readonly telegramId: bigint;
  readonly firstName: string;
  readonly lastName: string | null;
  readonly username: string | null;
  readonly languageCode: string | null;
  readonly photoUrl: string | null;
  readonly provedAt: Date;
  /** The bots it was opened from: both when they are one. */
  readonly bots: readonly BotName[];
  readonly allowsWriting: boolean;
};

const MAX_CHARS = 8_192;
const MAX_AGE_MS = DAY_MS;
const MAX_AHEAD_MS = MINUTE_MS;

const FORGED = refuse({ kind: "identity.init-data-forged" });

/** Verifies init data with the tokens of the bots. */
export function createInitDataVerifier(bots: readonly { name: BotName; token: string }[]) {
  const secrets = bots.map(({ name, token }) => ({
    name,
    // As a key object: from bytes it would be created at each check, four times the work.
    secret: createSecretKey(createHmac("sha256", "WebAppData").update(token).digest()),
  }));
  return (raw: string, now: Date) => {
    if (raw === "") return refuse({ kind: "identity.init-data-missing" });
    const pairs = parsePairs(raw);
    const hash = pairs?.get("hash");
    if (!pairs || !hash || !/^[0-9a-f]{64}$/.test(hash)) return FORGED;
    const signed = signedText(pairs);
    const expected = Buffer.from(hash, "hex");
    // Every bot is tried, so that the time taken does not reveal which one signed.
    const matching = secrets.filter(({ secret }) =>
      timingSafeEqual(createHmac("sha256", secret).update(signed).digest(), expected),
    );
    if (matching.length === 0) return FORGED;
    return readPerson(pairs, { now, bots: matching.map(({ name }) => name) });
  };
}

/** The person named by init data, valid or not; null when it names none. */
export function statedTelegramId(raw: string): bigint | null {
  const user = parsePairs(raw)?.get("user");
  return user ? (readUser(user)?.telegramId ?? null) : null;
}

/** Null for any text that Telegram never sends: a key twice, an empty key, bad escapes. */
function parsePairs(raw: string): ReadonlyMap<string, string> | null {
  if (raw.length > MAX_CHARS) return null;
  const pairs = new Map<string, string>();
  for (const item of raw.split("&")) {
    const at = item.indexOf("=");
    if (at <= 0) return null;
    const key = decode(item.slice(0, at));
    const value = decode(item.slice(at + 1));
    if (key === null || value === null || pairs.has(key)) return null;
    pairs.set(key, value);
  }
  return pairs;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}

/** `signature` stays in: only `hash` is left out. */
function signedText(pairs: ReadonlyMap<string, string>): string {
  return [...pairs]
    .filter(([key]) => key !== "hash")
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join("\n");
}

function readPerson(
  pairs: ReadonlyMap<string, string>,
  context: { now: Date; bots: readonly BotName[] },
) {
  const seconds = pairs.get("auth_date");
  const user = readUser(pairs.get("user") ?? "");
  if (!seconds || !/^\d{1,11}$/.test(seconds) || !user) return FORGED;
  const provedAt = new Date(Number(seconds) * 1_000);
  const ageMs = context.now.getTime() - provedAt.getTime();
  if (ageMs < -MAX_AHEAD_MS) return refuse({ kind: "identity.init-data-future" });
  if (ageMs > MAX_AGE_MS) return refuse({ kind: "identity.init-data-stale" });
  return ok({ ...user, provedAt, bots: context.bots });
}

function readUser(json: string): Omit<ProvenPerson, "provedAt" | "bots"> | null {
  const user = parseJson(json);
  if (typeof user !== "object" || user === null) return null;
  const field = new Map<string, unknown>(Object.entries(user));
  const id = field.get("id");
  if (typeof id !== "number" || !Number.isSafeInteger(id) || id <= 0) return null;
  if (field.get("is_bot") === true) return null;
  return {
    telegramId: BigInt(id),
    firstName: textOf(field.get("first_name")) ?? "",
    lastName: textOf(field.get("last_name")),
    username: textOf(field.get("username")),
    languageCode: textOf(field.get("language_code")),
    photoUrl: textOf(field.get("photo_url")),
    allowsWriting: field.get("allows_write_to_pm") === true,
  };
}

function textOf(value: unknown): string | null {
  // PostgreSQL's text cannot contain NUL.
  return typeof value === "string" && value !== "" ? value.replaceAll("\0", "") : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
