import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { isSettled, type OrderState } from "./order-state.ts";

export const FAST_MS = 2_000;
const SLOW_MS = 15_000;
/** After this many fast answers the page asks less often; events and returns still wake it. */
const FAST_ASKS = 60;

type Following<T> = {
  readonly first: T | null;
  read(): Promise<T>;
  stateOf(order: T): OrderState;
};

/**
 * Follows an order by asking: at once, when the page comes back to the front, and every few
 * seconds until nothing more happens by itself. The last true answer stays during an outage.
 */
export function useOrder<T>({ first, read, stateOf }: Following<T>) {
  const [order, setOrder] = useState<T | null>(first);
  /** Why the last question had no answer; null once it has one. */
  const [failure, setFailure] = useState<unknown>(null);
  const readNow = useEffectEvent(read);
  const askNow = useRef(() => {});

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asks = 0;
    let answered = 0;
    let gone = false;
    async function ask(): Promise<void> {
      clearTimeout(timer);
      asks += 1;
      const turn = asks;
      let settled = false;
      try {
        const next = await readNow();
        // Two reads may be under way: the older answer is ignored.
        if (gone || turn < answered) return;
        answered = turn;
        setOrder(next);
        setFailure(null);
        settled = isSettled(stateOf(next));
      } catch (error) {
        if (gone) return;
        setFailure(error);
      }
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), settled || asks > FAST_ASKS ? SLOW_MS : FAST_MS);
    }
    const look = () => {
      if (document.visibilityState === "visible") void ask();
    };
    askNow.current = () => void ask();
    void ask();
    document.addEventListener("visibilitychange", look);
    window.addEventListener("online", look);
    return () => {
      gone = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("online", look);
    };
  }, [stateOf]);

  /** Asks now: something was done, or somebody does not want to wait. */
  const again = useCallback(() => askNow.current(), []);
  return { order, late: failure !== null, failure, again };
}
