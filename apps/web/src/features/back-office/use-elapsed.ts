import { useEffect, useState } from "react";

/**
 * Seconds since an answer came. Its ages and countdowns are the server's: the phone's clock only
 * measures what has passed since, so a wrong one does no harm.
 */
export function useElapsedSeconds(since: number, everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return Math.max(0, Math.floor((now - since) / 1_000));
}
