import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { StaffNav } from "../features/back-office/frame.tsx";
import { StaffGate } from "../features/back-office/gate.tsx";
import { useStaffSession } from "../features/back-office/session.ts";
import { useStaffLive } from "../features/back-office/use-staff.ts";
import { createQueryClient } from "../lib/read.ts";
import { startNative } from "../telegram/native.ts";
import { ToastPlace } from "../kit/toast.tsx";
import { ScreenBoundary } from "./crash-boundary.tsx";
import { Ground } from "./ground.tsx";
import { BackOfficeRoutes } from "./staff-routes.tsx";
import { useNavigation } from "./use-navigation.ts";
import { useLocation } from "wouter";
import { staffParentOf, isMainBackOfficeRoute } from "../features/back-office/place.ts";

/**
 * "Back" retraces the steps made in this web view; from a page opened by its address it leads to the page's
 * list.
 */
const NAVIGATION = {
  key: "sesame.staff-history",
  isMain: isMainBackOfficeRoute,
  backFrom: (path: string, history: readonly string[]) => ({
    to: history.at(-1) ?? staffParentOf(path),
    history: history.slice(0, -1),
  }),
};

/** The agents' back office: same page, loaded separately. */
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
  useNavigation(NAVIGATION);
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
