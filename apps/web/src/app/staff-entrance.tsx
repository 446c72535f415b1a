import { lazy, Suspense } from "react";
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

/** What the page itself shows before any script. */
function FirstPaint() {
  return (
    <div className="first-paint">
      <span className="first-paint-mark" aria-hidden="true" />
    </div>
  );
}
