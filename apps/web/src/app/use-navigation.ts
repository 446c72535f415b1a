import { useEffect, useRef } from "react";
import { useLocation, useSearch } from "wouter";
import { haptic, useBackButton } from "../telegram/native.ts";
import { keep, readKept } from "../lib/storage.ts";
import { closeTopOverlay, useAnyOverlay } from "../kit/toast.tsx";
import { addressOf, type Back, isSameScreen, remember } from "./navigation.ts";

function readHistory(key: string): string[] {
  const kept = readKept("session", key);
  return Array.isArray(kept) ? kept.filter((path) => typeof path === "string") : [];
}

/**
 * Keeps the session's history and gives "back" its rules; returns "back" for use outside Telegram. Without
 * storage it leads where `backFrom` leads without a history.
 */
export function useNavigation(of: {
  /** Where the history is kept. */
  readonly key: string;
  isMain(path: string): boolean;
  backFrom(path: string, history: readonly string[]): Back;
}): () => void {
  const { key } = of;
  const [path, navigate] = useLocation();
  const here = addressOf(path, useSearch());
  const previous = useRef(here);
  const goingBack = useRef(false);
  useEffect(() => {
    const left = previous.current;
    const back = goingBack.current;
    previous.current = here;
    goingBack.current = false;
    // Another query of the same screen is no other place.
    if (isSameScreen(left, here)) return;
    if (!back) keep("session", key, remember(readHistory(key), left));
    window.scrollTo(0, 0);
  }, [here, key]);
  const covered = useAnyOverlay();
  const goBack = () => {
    haptic("light");
    if (closeTopOverlay()) return;
    const { to, history } = of.backFrom(here, readHistory(key));
    keep("session", key, history);
    goingBack.current = true;
    navigate(to, { replace: true });
  };
  useBackButton(covered || !of.isMain(path), goBack);
  return goBack;
}
