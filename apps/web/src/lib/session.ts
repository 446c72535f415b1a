import { useSyncExternalStore } from "react";

/** Who is signed in, for every screen. Written by identity alone. */
export type Session =
  | { readonly at: "none" }
  /** From this phone's storage: shown read-only while, or because, the server has not answered. */
  | { readonly at: "cached"; readonly userId: string; readonly savedAt: string }
  | { readonly at: "offline"; readonly userId: string; readonly savedAt: string }
  | { readonly at: "live"; readonly userId: string; readonly token: string };

let session: Session = { at: "none" };
const listeners = new Set<() => void>();

export function getSession(): Session {
  return session;
}

export function setSession(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, getSession);
}

/** The seller's id; empty before any sign-in, when the queries it names stay off. */
export function useUserId(): string {
  const current = useSession();
  return current.at === "none" ? "" : current.userId;
}
