import { createStore } from "./store.ts";

/** Who is signed in, for every screen. Only the identity feature writes it. */
type Session =
  | { readonly at: "none" }
  /** From this phone's storage: shown read-only until the server answers, or because it does not. */
  | { readonly at: "cached" | "offline"; readonly userId: string; readonly savedAt: string }
  | { readonly at: "live"; readonly userId: string; readonly token: string };

export const {
  get: getSession,
  set: setSession,
  useValue: useSession,
} = createStore<Session>({ at: "none" });

/** The seller's id; empty before any sign-in, when the queries with it are disabled. */
export function useUserId(): string {
  const current = useSession();
  return current.at === "none" ? "" : current.userId;
}
