import { lazy, Suspense } from "react";
import { CrashBoundary } from "./crash-boundary.tsx";

const Desk = lazy(async () => ({ default: (await import("./desk-app.tsx")).DeskApp }));

/** The agents' desk lives at one address; its code is loaded there and nowhere else. */
export function isDeskAddress(pathname: string): boolean {
  return /^\/bureau(\/|$)/i.test(pathname);
}

export function DeskDoor() {
  return (
    <CrashBoundary>
      <Suspense fallback={<FirstPaint />}>
        <Desk />
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
