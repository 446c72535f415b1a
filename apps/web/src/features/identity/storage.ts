import type { SellerSignInAnswer } from "@sesame/contract/identity";

/** What the phone keeps of the last good sign-in, to be read while the server is silent. */
export type SavedStart = Omit<SellerSignInAnswer, "success" | "token" | "accueil"> & {
  readonly accueil?: SellerSignInAnswer["accueil"];
  /** When it was said, ISO 8601. */
  readonly savedAt: string;
};

// A §3. Several Telegram accounts can share a web view's storage: each key carries the person, and
// everything goes when another person comes.
const NAMES = [
  "telegramEnvironment",
  "telegramUserId",
  "telegramUserData",
  "telegramInitData",
  "api_token",
  "auth_response",
  "userInfos",
  "userChannels",
  "userProducts",
  "vendorSubscriptions",
  "withdrawalRequests",
  "splashHidden",
  "productDraft",
  "withdrawalOutbox",
];
const PERSON = "telegramUserId";

/** Where the session has been (app/), and words not sent to the support: another person's are his. */
const OF_THE_SESSION = ["sesame.landed", "sesame.history", "sesame.ticket-draft"];

function keyOf(name: string, person: string): string {
  return `${name}:${person}`;
}

/** Prepares the storage for a person; whatever another one left is wiped. */
export function enterStorage(person: string): void {
  try {
    const before = localStorage.getItem(PERSON);
    if (before === person) return;
    wipeKept();
    if (before !== null) forgetSession();
    localStorage.setItem(PERSON, person);
  } catch {
    // Storage refused: nothing is kept, everything is asked.
  }
}

export function readSaved(person: string): SavedStart | null {
  try {
    const text = localStorage.getItem(keyOf("auth_response", person));
    if (!text) return null;
    const saved = JSON.parse(text) as Partial<SavedStart>;
    const whole = saved.user && saved.savedAt && saved.channels && saved.products;
    return whole ? (saved as SavedStart) : null;
  } catch {
    return null;
  }
}

export function save(person: string, answer: SellerSignInAnswer, savedAt: string): void {
  const { user, channels, products, vendorSubscriptions, withdrawalRequests, accueil } = answer;
  const start: SavedStart = {
    user,
    channels,
    products,
    vendorSubscriptions,
    withdrawalRequests,
    accueil,
    savedAt,
  };
  try {
    localStorage.setItem(keyOf("api_token", person), answer.token);
    localStorage.setItem(keyOf("auth_response", person), JSON.stringify(start));
  } catch {
    // A full storage loses the cache, nothing else.
  }
}

/** The person last seen on this device, and the token left there: to revoke it when clearing. */
export function lastToken(): string | null {
  try {
    const person = localStorage.getItem(PERSON);
    return person ? localStorage.getItem(keyOf("api_token", person)) : null;
  } catch {
    return null;
  }
}

export function lastPerson(): string | null {
  try {
    return localStorage.getItem(PERSON);
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
