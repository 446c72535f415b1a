import type { QueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { expectTokenSource, setTokenSource } from "../../lib/api.ts";
import { isProofRefused, RequestError } from "../../lib/request.ts";
import { getSession, setSession } from "../../lib/session.ts";
import { personIn, readLaunch } from "../../telegram/launch.ts";
import { createSignIn, fill, type Person, type SignIn } from "./sign-in.ts";
import { enterStorage, lastPerson, readSaved } from "./storage.ts";

/** Where the start of the app is. */
export type Boot =
  | { readonly at: "loading" }
  /** Probably inside Telegram, without init data so far. */
  | { readonly at: "checking" }
  /** Init data came late: the sign-in is under way. */
  | { readonly at: "entering" }
  | { readonly at: "outside" }
  | { readonly at: "failed"; readonly message: string }
  | { readonly at: "ready" }
  | { readonly at: "signed-out" };

const POLLS = 30;
const POLL_MS = 100;
const OFFLINE_RETRY_MS = 10_000;

export type BootControl = ReturnType<typeof useBoot>;

export function useBoot(client: QueryClient) {
  const [boot, setBoot] = useState<Boot>(() => firstState(client));
  const signIn = useRef<SignIn | null>(null);

  const enter = useCallback(async () => {
    if (!signIn.current) return;
    try {
      await signIn.current.enter();
      setBoot({ at: "ready" });
    } catch (error) {
      setBoot((before) => afterFailure(before, error));
    }
  }, []);

  useEffect(() => {
    let gone = false;
    void begin((late) => {
      if (late && !gone) setBoot({ at: "entering" });
    }).then((person) => {
      if (gone) return;
      if (!person) return setBoot(restored(client));
      signIn.current = createSignIn(client, {
        ...person,
        onRefused: ({ message }) => setBoot({ at: "failed", message }),
      });
      return enter();
    });
    return () => {
      gone = true;
    };
  }, [client, enter]);

  useOfflineRetry(boot.at === "ready", enter);

  return {
    boot,
    /** Tries to sign in again, e.g. from the offline banner. */
    retry: () => void enter(),
    async logout() {
      await signIn.current?.leave();
      signIn.current = null;
      setBoot({ at: "signed-out" });
    },
  };
}

/** Saved data is shown at once; the server's answer replaces it. */
function firstState(client: QueryClient): Boot {
  expectTokenSource();
  const launch = readLaunch();
  if (!launch) return looksLikeTelegram() ? { at: "checking" } : { at: "outside" };
  const person = personIn(launch.initData);
  if (!person) return { at: "outside" };
  enterStorage(person);
  return showSaved(client, person) ? { at: "ready" } : { at: "loading" };
}

function showSaved(client: QueryClient, person: string): boolean {
  const saved = readSaved(person);
  if (!saved) return false;
  fill(client, saved);
  if (getSession().at === "none") {
    setSession({ at: "cached", userId: saved.user.id, savedAt: saved.savedAt });
  }
  return true;
}

/** No init data came although Telegram is there: the last person's data, read-only (A §4). */
function restored(client: QueryClient): Boot {
  const person = looksLikeTelegram() ? lastPerson() : null;
  if (!person || !showSaved(client, person)) return { at: "outside" };
  setTokenSource({ current: () => null, renew: async () => null });
  goOffline();
  return { at: "ready" };
}

function goOffline(): void {
  const session = getSession();
  if (session.at === "cached") setSession({ ...session, at: "offline" });
  if (session.at !== "live") return;
  const savedAt = readSaved(lastPerson() ?? "")?.savedAt ?? new Date().toISOString();
  setSession({ at: "offline", userId: session.userId, savedAt });
}

function afterFailure(before: Boot, error: unknown): Boot {
  const message = error instanceof RequestError ? error.message : "";
  if (isProofRefused(error) || before.at !== "ready") return { at: "failed", message };
  goOffline();
  return before;
}

/** Waits for init data: at most 30 times 100 ms, and only where Telegram seems to be. */
async function begin(onFound: (late: boolean) => void): Promise<Omit<Person, "onRefused"> | null> {
  for (let poll = 0; poll <= POLLS; poll += 1) {
    const launch = readLaunch();
    const id = launch ? personIn(launch.initData) : null;
    if (launch && id) {
      if (poll > 0) enterStorage(id);
      onFound(poll > 0);
      return { id, initData: launch.initData };
    }
    if (!looksLikeTelegram()) return null;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return null;
}

function looksLikeTelegram(): boolean {
  return location.hash.includes("tgWebApp") || window.TelegramWebviewProxy !== undefined;
}

/** While offline the sign-in is tried again: when the network is back, when the page becomes visible, every 10 s. */
function useOfflineRetry(active: boolean, enter: () => Promise<void>): void {
  useEffect(() => {
    if (!active) return;
    const again = () => {
      if (getSession().at === "offline" && document.visibilityState === "visible") void enter();
    };
    const timer = setInterval(again, OFFLINE_RETRY_MS);
    window.addEventListener("online", again);
    window.addEventListener("offline", goOffline);
    document.addEventListener("visibilitychange", again);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", again);
      window.removeEventListener("offline", goOffline);
      document.removeEventListener("visibilitychange", again);
    };
  }, [active, enter]);
}
