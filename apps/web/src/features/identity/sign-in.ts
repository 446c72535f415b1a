import type { SellerSignInAnswer } from "@sesame/contract/identity";
import type { QueryClient } from "@tanstack/react-query";
import { isOffline, isWorthAsking, setTokenSource } from "../../lib/api.ts";
import { ask, isProofRefused, RequestError, shareOne } from "../../lib/request.ts";
import {
  channelsQuery,
  complaintsWaitingQuery,
  productsQuery,
  recentSalesQuery,
  resources,
  userQuery,
  withdrawalsQuery,
} from "../../lib/resources.ts";
import { getSession, setSession } from "../../lib/session.ts";
import { type KeptPart, save, type SavedStart, savePart, wipeStorage } from "./storage.ts";

const TIMEOUT_MS = 5_000;
const PAUSE_MS = 500;

export type Person = {
  readonly id: string;
  readonly initData: string;
  /** The proof is not good any more: only Telegram can give another. */
  onRefused(error: RequestError): void;
};

export type SignIn = ReturnType<typeof createSignIn>;

/** Trades the init data for a token, as often as a token is refused. */
export function createSignIn(client: QueryClient, who: Person) {
  const { id: person, initData } = who;
  /** After a sign-out nobody is signed in again, and a refused proof is not reported. */
  let left = false;

  const once = async () => {
    const answer = await ask("POST /api/auth/vendeur", {
      headers: { "x-telegram-init-data": initData },
      body: { telegram_id: Number(person) },
      timeoutMs: TIMEOUT_MS,
      begun: takeBegun(initData),
    });
    // A §5: only an explicit success is one, and asking again would change nothing.
    if (answer.success !== true) throw new RequestError("", { status: 200, code: "unknown" });
    const savedAt = new Date().toISOString();
    fill(client, { ...answer, savedAt });
    save(person, answer, savedAt);
    setSession({ at: "live", userId: answer.user.id, token: answer.token });
    return answer;
  };

  /** One attempt after another until `TIMEOUT_MS` is over; throws the last `RequestError`. */
  const enter = shareOne(() => untilTooLate(once));

  const stopKeeping = keepWhatIsRead(client, person);

  setTokenSource({
    current: () => {
      const session = getSession();
      return session.at === "live" ? session.token : null;
    },
    renew: async () => {
      if (left) return null;
      return enter().then(
        (answer) => answer.token,
        (error: unknown) => {
          if (!left && isProofRefused(error)) who.onRefused(error);
          return null;
        },
      );
    },
  });

  return {
    enter,
    async leave() {
      left = true;
      const session = getSession();
      if (session.at === "live") await revoke(session.token);
      setTokenSource({ current: () => null, renew: async () => null });
      stopKeeping();
      wipeStorage();
      client.clear();
      setSession({ at: "none" });
    },
  };
}

/** The parts that are kept, each found by the first call of its resource. */
const KEPT: readonly KeptPart[] = ["user", "channels", "products"];

/** What is read or changed after the sign-in is what the phone shows without a network. */
function keepWhatIsRead(client: QueryClient, person: string): () => void {
  // An unchanged value is not written again: storage is slow on phones.
  const written = new Map<KeptPart, unknown>();
  return client.getQueryCache().subscribe((event) => {
    const part = KEPT.find((each) => resources[each][0] === event.query.queryKey[0]);
    if (part === undefined || event.type !== "updated" || event.action.type !== "success") return;
    const { data } = event.query.state;
    if (getSession().at !== "live" || written.get(part) === data) return;
    written.set(part, data);
    savePart(person, part, data);
  });
}

/** The sign-in request that the page's script has begun with the same proof; used once. */
function takeBegun(initData: string): Promise<Response> | undefined {
  const { sesameStart } = window;
  delete window.sesameStart;
  return sesameStart?.data === initData ? sesameStart.answer : undefined;
}

async function untilTooLate(once: () => Promise<SellerSignInAnswer>): Promise<SellerSignInAnswer> {
  const end = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await once();
    } catch (error) {
      // A server that answers wrongly answers the same again.
      const unreadable = error instanceof RequestError && error.code === "unreadable";
      const silent = isWorthAsking(error) && !unreadable;
      // Without a network the saved data is shown as old at once.
      if (!silent || isOffline() || performance.now() + PAUSE_MS >= end) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

export async function revoke(token: string): Promise<void> {
  await ask("POST /api/auth/logout", { token, body: {} }).catch(() => undefined);
}

/** Puts a start answer, fresh or saved, where the screens read. */
export function fill(client: QueryClient, start: SavedStart): void {
  const at = { updatedAt: Date.parse(start.savedAt) };
  client.setQueryData(userQuery(start.user.id).queryKey, start.user, at);
  client.setQueryData(channelsQuery.queryKey, start.channels, at);
  client.setQueryData(productsQuery(start.user.id).queryKey, start.products, at);
  const newest = { success: true, demandes: start.withdrawalRequests, next_cursor: null } as const;
  client.setQueryData(withdrawalsQuery().queryKey, { pages: [newest], pageParams: [""] }, at);
  // Absent from data saved by an older version: home then reads it.
  if (start.accueil) {
    client.setQueryData(recentSalesQuery.queryKey, start.accueil.transactions, at);
    client.setQueryData(complaintsWaitingQuery.queryKey, start.accueil.complaints_waiting, at);
  }
}
