import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { StaffNav } from "../features/back-office/frame.tsx";
import { StaffGate } from "../features/back-office/gate.tsx";
import { useStaffSession } from "../features/back-office/session.ts";
import { useStaffLive } from "../features/back-office/use-staff.ts";
import { createQueryClient } from "../lib/read.ts";
import { haptic, startNative, useBackButton } from "../telegram/native.ts";
import { closeTopOverlay, ToastPlace, useAnyOverlay } from "../kit/toast.tsx";
import { ScreenBoundary } from "./crash-boundary.tsx";
import { Ground } from "./ground.tsx";
import { BackOfficeRoutes } from "./staff-routes.tsx";
import { useLocation } from "wouter";
import { staffParentOf, isMainBackOfficeRoute } from "../features/back-office/place.ts";

/** "Back" retraces the steps made in this web view; a page opened by its address leads to its list. */
function useStaffNavigation(): void {
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
  useBackButton(covered || !isMainBackOfficeRoute(path), () => {
    haptic("light");
    if (closeTopOverlay()) return;
    goingBack.current = true;
    navigate(steps.current.pop() ?? staffParentOf(path), { replace: true });
  });
}

/** The agents' back office: same page, loaded apart. */
export function BackOfficeApp() {
  const [client] = useState(createQueryClient);
  const { gate, retry } = useStaffSession();
  useEffect(startNative, []);
  return (
    <QueryClientProvider client={client}>
      {gate.at === "ready" ? <Frame /> : <StaffGate state={gate} onRetry={retry} />}
      <ToastPlace />
    </QueryClientProvider>
  );
}

function Frame() {
  const [path] = useLocation();
  useStaffNavigation();
  useStaffLive();
  return (
    <>
      <Ground>
        <ScreenBoundary key={path}>
          <BackOfficeRoutes />
        </ScreenBoundary>
      </Ground>
      <StaffNav />
    </>
  );
}
