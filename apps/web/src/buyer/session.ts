import { ask } from "../lib/request.ts";
import { personIn, readLaunch } from "../telegram/launch.ts";

type Stored = { readonly person: string; readonly token: string };

const KEY = "sesame.buyer";

let signingIn: Promise<string> | null = null;

/** The buyer's token: kept for this web view and this person, fetched with init data otherwise. */
export async function buyerToken(options: { fresh?: boolean } = {}): Promise<string | null> {
  const launch = readLaunch();
  if (!launch) return null;
  const person = personIn(launch.initData) ?? "";
  const stored = readStored();
  if (stored && stored.person === person && !options.fresh) return stored.token;
  signingIn ??= signIn(person, launch.initData).finally(() => {
    signingIn = null;
  });
  return signingIn;
}

async function signIn(person: string, initData: string): Promise<string> {
  const { token } = await ask("POST /api/auth/acheteur", {
    headers: { "x-telegram-init-data": initData },
    body: {},
  });
  store({ person, token });
  return token;
}

function readStored(): Stored | null {
  try {
    const text = sessionStorage.getItem(KEY);
    return text ? (JSON.parse(text) as Stored) : null;
  } catch {
    return null;
  }
}

function store(stored: Stored): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(stored));
  } catch {
    // Without storage each page signs in again: slower, still right.
  }
}
