import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { deskParentOf, isMainDeskRoute } from "../features/desk/place.ts";
import { haptic, useBackButton } from "../telegram/native.ts";
import { closeTopOverlay, useAnyOverlay } from "../ui/overlays.ts";

/** "Back" retraces the steps made in this web view; a page opened by its address leads to its list. */
export function useDeskNavigation(): void {
  const [path, navigate] = useLocation();
  const steps = useRef<string[]>([]);
  const previous = useRef(path);
  const goingBack = useRef(false);
  useEffect(() => {
    if (previous.current === path) return;
    if (!goingBack.current) steps.current.push(previous.current);
    goingBack.current = false;
    previous.current = path;
    window.scrollTo(0, 0);
  }, [path]);
  const covered = useAnyOverlay();
  useBackButton(covered || !isMainDeskRoute(path), () => {
    haptic("light");
    if (closeTopOverlay()) return;
    goingBack.current = true;
    navigate(steps.current.pop() ?? deskParentOf(path), { replace: true });
  });
}
