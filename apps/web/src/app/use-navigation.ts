import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { haptic, useBackButton } from "../telegram/native.ts";
import { closeTopOverlay, useAnyOverlay } from "../ui/overlays.ts";
import { backFrom, isMainRoute, remember } from "./navigation.ts";

const HISTORY = "sesame.history";

function readHistory(): string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(HISTORY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}

function keepHistory(history: readonly string[]): void {
  try {
    sessionStorage.setItem(HISTORY, JSON.stringify(history));
  } catch {
    // Without storage "back" leads home.
  }
}

/** Keeps the session's history and gives "back" its rules; returns it for those without Telegram. */
export function useNavigation(): () => void {
  const [path, navigate] = useLocation();
  const previous = useRef(path);
  const goingBack = useRef(false);
  useEffect(() => {
    if (previous.current !== path && !goingBack.current) {
      keepHistory(remember(readHistory(), previous.current));
    }
    if (previous.current !== path) window.scrollTo(0, 0);
    goingBack.current = false;
    previous.current = path;
  }, [path]);
  const covered = useAnyOverlay();
  const back = () => {
    haptic("light");
    if (closeTopOverlay()) return;
    const { to, history } = backFrom(path, readHistory());
    keepHistory(history);
    goingBack.current = true;
    navigate(to, { replace: true });
  };
  useBackButton(covered || !isMainRoute(path), back);
  return back;
}
