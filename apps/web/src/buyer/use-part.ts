import { useEffect, useState } from "react";

export const AGAIN_MS = 3_000;

/**
 * A chunk of the page, fetched when it is needed; null until then. After a failure it is fetched again:
 * a short network failure must not break what is already shown.
 */
export function usePart<T>(needed: boolean, load: () => Promise<T>): T | null {
  const [part, setPart] = useState<{ readonly is: T } | null>(null);
  useEffect(() => {
    if (!needed || part) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    const fetchPart = () => {
      load().then(
        (is) => {
          if (!gone) setPart({ is });
        },
        () => {
          if (!gone) timer = setTimeout(fetchPart, AGAIN_MS);
        },
      );
    };
    fetchPart();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [needed, part, load]);
  return part?.is ?? null;
}
