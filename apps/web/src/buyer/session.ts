import type { CallName, Sent } from "@sesame/contract/routes";
import {
  ask,
  type Manner,
  shareOne,
  type TokenSource,
  type Answered,
  withToken,
} from "../lib/request.ts";
import { keep, readKept } from "../lib/storage.ts";
import { personIn, readLaunch } from "../telegram/launch.ts";

type Stored = { readonly person: string | null; readonly token: string; readonly id: string };

const KEY = "sesame.buyer";

/** The buyer's token: kept for this web view and this person, fetched with init data otherwise. */
const buyerTokens: TokenSource = {
  current() {
    return stored()?.token ?? null;
  },
  renew: shareOne(async () => {
    const initData = initDataNow();
    if (!initData) return null;
    const { token, user } = await ask("POST /api/auth/acheteur", {
      headers: { "x-telegram-init-data": initData },
      body: {},
    });
    // A browser without storage signs in again on each page.
    keep("session", KEY, { person: personIn(initData), token, id: user.id } satisfies Stored);
    return token;
  }),
};

function stored(): Stored | null {
  const kept = readKept("session", KEY) as Stored | null;
  return kept && kept.person === personIn(initDataNow()) ? kept : null;
}

/** The person's id, once signed in. */
export const personId = () => stored()?.id;

/** Empty outside Telegram, where there is no person either. */
function initDataNow(): string {
  return readLaunch()?.initData ?? "";
}

/** The web view has no init data: the page was opened outside Telegram. */
export class OutsideTelegram extends Error {
  override name = "OutsideTelegram";
}

type Given<C extends CallName> = Sent<C> & Manner;

/** A declared call with the buyer's token; a refused token is renewed once. */
export function call<C extends CallName>(
  name: C,
  ...[given]: object extends Given<C> ? [given?: Given<C>] : [given: Given<C>]
): Promise<Answered<C>> {
  const once = (token: string) => ask(name, { ...given, token } as Given<C>);
  return withToken(buyerTokens, once, () => new OutsideTelegram());
}

/** Refuses an answer that is not the server's, such as a hotspot's login page. */
export function real<T extends { readonly id: string }>(answer: Partial<T>): T {
  if (typeof answer.id !== "string") throw new Error();
  return answer as T;
}
