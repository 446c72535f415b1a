import { lazy, Suspense } from "react";
import { FirstPaint } from "../kit/skeleton.tsx";
import { CrashBoundary } from "./crash-boundary.tsx";

const Staff = lazy(async () => ({ default: (await import("./staff-app.tsx")).BackOfficeApp }));

/** The agents' back office lives at one address; its code is loaded there and nowhere else. */
export function isBackOfficeAddress(pathname: string): boolean {
  return /^\/bureau(\/|$)/i.test(pathname);
}

export function StaffEntrance() {
  return (
    <CrashBoundary>
      <Suspense fallback={<FirstPaint />}>
        <Staff />
      </Suspense>
    </CrashBoundary>
  );
}
