import { useEffect, useState } from "react";

const AGAIN_MS = 3_000;

/**
 * A part of the page that is fetched when it is needed. Null until then: a network that is away
 * for a while must not take down what is already shown, so it is asked for again.
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
