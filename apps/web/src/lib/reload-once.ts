import { isOffline } from "./waiting.ts";

const RELOADED = "sesame.reloaded";
/** Again so soon, it is not a new release that is in the way. */
const AGAIN_MS = 60_000;

/** Loads the page anew when one of its files is not there any more; never in a loop. */
export function reloadOnce(): void {
  if (isOffline()) return;
  try {
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - last < AGAIN_MS) return;
    sessionStorage.setItem(RELOADED, String(Date.now()));
  } catch {
    // Nothing to remember the last time by: better a page that says it failed than a loop.
    return;
  }
  location.reload();
}
