import { useEffect, useRef } from "react";
import { useLocation, useSearch } from "wouter";
import { haptic, useBackButton } from "../telegram/native.ts";
import { keep, readKept } from "../lib/storage.ts";
import { closeTopOverlay, useAnyOverlay } from "../kit/toast.tsx";
import { addressOf, backFrom, isMainRoute, isSameScreen, remember } from "./navigation.ts";

const HISTORY = "sesame.history";

function readHistory(): string[] {
  const kept = readKept("session", HISTORY);
  return Array.isArray(kept) ? kept.filter((path) => typeof path === "string") : [];
}

/** Without storage "back" leads home. */
function keepHistory(history: readonly string[]): void {
  keep("session", HISTORY, history);
}

/** Keeps the session's history and gives "back" its rules; returns it for those without Telegram. */
export function useNavigation(): () => void {
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
    if (!back) keepHistory(remember(readHistory(), left));
    window.scrollTo(0, 0);
  }, [here]);
  const covered = useAnyOverlay();
  const goBack = () => {
    haptic("light");
    if (closeTopOverlay()) return;
    const { to, history } = backFrom(here, readHistory());
    keepHistory(history);
    goingBack.current = true;
    navigate(to, { replace: true });
  };
  useBackButton(covered || !isMainRoute(path), goBack);
  return goBack;
}
