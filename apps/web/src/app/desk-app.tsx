import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { DeskNav } from "../features/back-office/frame.tsx";
import { DeskGate } from "../features/back-office/gate.tsx";
import { useDeskSession } from "../features/back-office/session.ts";
import { useDeskLive } from "../features/back-office/use-desk.ts";
import { createQueryClient } from "../lib/read.ts";
import { haptic, startNative, useBackButton } from "../telegram/native.ts";
import { closeTopOverlay, ToastPlace, useAnyOverlay } from "../kit/toast.tsx";
import { ScreenBoundary } from "./crash-boundary.tsx";
import { Ground } from "./ground.tsx";
import { DeskRoutes } from "./desk-routes.tsx";
import { useLocation } from "wouter";
import { deskParentOf, isMainDeskRoute } from "../features/back-office/place.ts";

/** "Back" retraces the steps made in this web view; a page opened by its address leads to its list. */
function useDeskNavigation(): void {
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

/** The agents' desk: same page, loaded apart. */
export function DeskApp() {
  const [client] = useState(createQueryClient);
  const { gate, retry } = useDeskSession();
  useEffect(startNative, []);
  return (
    <QueryClientProvider client={client}>
      {gate.at === "ready" ? <Frame /> : <DeskGate state={gate} onRetry={retry} />}
      <ToastPlace />
    </QueryClientProvider>
  );
}

function Frame() {
  const [path] = useLocation();
  useDeskNavigation();
  useDeskLive();
  return (
    <>
      <Ground>
        <ScreenBoundary key={path}>
          <DeskRoutes />
        </ScreenBoundary>
      </Ground>
      <DeskNav />
    </>
  );
}
