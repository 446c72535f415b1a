import type { SellerSignInAnswer } from "@sesame/contract/identity";
import { readKept } from "../../lib/storage.ts";

/** What the phone keeps of the last good sign-in, to be read while the server is silent. */
export type SavedStart = Omit<SellerSignInAnswer, "success" | "token" | "accueil"> & {
  readonly accueil?: SellerSignInAnswer["accueil"];
  /** When it was said, ISO 8601. */
  readonly savedAt: string;
};

/** The parts that are read again after the sign-in: each is saved under its own name and replaces the older value. */
const PARTS = {
  user: "userInfos",
  channels: "userChannels",
  products: "userProducts",
} as const satisfies Partial<Record<keyof SavedStart, string>>;

export type KeptPart = keyof typeof PARTS;

const TOKEN = "api_token";
const WHOLE = "auth_response";
/** The person who owns the saved data: several Telegram accounts can share a web view's storage. */
const PERSON = "telegramUserId";

// A §3, and two of our own. Everything goes when another person comes.
const NAMES = [
  PERSON,
  TOKEN,
  WHOLE,
  ...Object.values(PARTS),
  "telegramEnvironment",
  "telegramUserData",
  "telegramInitData",
  "vendorSubscriptions",
  "withdrawalRequests",
  "splashHidden",
  "productDraft",
  "withdrawalOutbox",
  "statistics",
];

/** The session's pages and an unsent message to the support: removed when another person comes. */
const OF_THE_SESSION = ["sesame.landed", "sesame.history", "sesame.ticket-draft"];

/** Prepares the storage for a person; whatever another one left is wiped. */
export function enterStorage(person: string): void {
  try {
    const before = localStorage.getItem(PERSON);
    if (before === person) return;
    wipeKept();
    if (before !== null) forgetSession();
    localStorage.setItem(PERSON, person);
  } catch {
    // The browser refuses storage: nothing is saved, everything is read.
  }
}

export function readSaved(person: string): SavedStart | null {
  if (!ownerIs(person)) return null;
  const parts = Object.entries(PARTS).map(([part, name]) => [part, readKept("local", name)]);
  const saved: Partial<SavedStart> = {
    ...(readKept("local", WHOLE) as Partial<SavedStart> | null),
    ...Object.fromEntries(parts.filter(([, value]) => value !== null)),
  };
  const whole = saved.user && saved.savedAt && saved.channels && saved.products;
  return whole ? (saved as SavedStart) : null;
}

export function save(person: string, answer: SellerSignInAnswer, savedAt: string): void {
  const { success: _, token, ...start } = answer;
  keep(person, () => {
    localStorage.setItem(TOKEN, token);
    localStorage.setItem(WHOLE, JSON.stringify({ ...start, savedAt } satisfies SavedStart));
    for (const name of Object.values(PARTS)) localStorage.removeItem(name);
  });
}

/** What has been read since: without a network, the newest is shown. */
export function savePart(person: string, part: KeptPart, value: unknown): void {
  keep(person, () => localStorage.setItem(PARTS[part], JSON.stringify(value)));
}

function keep(person: string, write: () => void): void {
  try {
    // Another account may have come meanwhile, in another window.
    if (ownerIs(person)) write();
  } catch {
    // A full storage loses the cache, nothing else.
  }
}

function ownerIs(person: string): boolean {
  return lastPerson() === person;
}

/** The token left on this device: to revoke it when clearing. */
export const lastToken = () => kept(TOKEN);

/** The person last seen on this device. */
export const lastPerson = () => kept(PERSON);

function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Clears our keys and no others. */
export function wipeStorage(): void {
  wipeKept();
  forgetSession();
}

function wipeKept(): void {
  const ours = Object.keys(localStorage).filter((key) =>
    NAMES.some((name) => key === name || key.startsWith(`${name}:`)),
  );
  for (const key of ours) localStorage.removeItem(key);
}

function forgetSession(): void {
  for (const key of OF_THE_SESSION) sessionStorage.removeItem(key);
}
