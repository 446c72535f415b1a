import { useCallback, useEffect, useRef, useState } from "react";
import { isSettled, type OrderState } from "./order-state.ts";

const FAST_MS = 2_000;
const SLOW_MS = 15_000;
/** After this many fast answers the page asks less often; events and returns still wake it. */
const FAST_ASKS = 60;

export type Followed<T> = {
  readonly order: T | null;
  readonly late: boolean;
  refresh(): void;
};

type Following<T> = {
  readonly first: T | null;
  read(): Promise<T>;
  stateOf(order: T): OrderState;
};

/**
 * Follows an order by asking: at once, when the page comes back to the front, and every few
 * seconds until nothing more happens by itself. The last true answer stays during an outage.
 */
export function useOrder<T>({ first, read, stateOf }: Following<T>): Followed<T> {
  const [order, setOrder] = useState<T | null>(first);
  const [late, setLate] = useState(false);
  const asks = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ read, stateOf });
  useEffect(() => {
    latest.current = { read, stateOf };
  });

  const ask = useCallback(async () => {
    clearTimeout(timer.current);
    asks.current += 1;
    let settled = false;
    try {
      const next = await latest.current.read();
      setOrder(next);
      setLate(false);
      settled = isSettled(latest.current.stateOf(next));
    } catch {
      setLate(true);
    }
    clearTimeout(timer.current);
    const pause = settled || asks.current > FAST_ASKS ? SLOW_MS : FAST_MS;
    timer.current = setTimeout(() => void ask(), pause);
  }, []);

  useEffect(() => {
    void ask();
    const wake = () => {
      if (document.visibilityState === "visible") void ask();
    };
    document.addEventListener("visibilitychange", wake);
    window.addEventListener("online", wake);
    return () => {
      clearTimeout(timer.current);
      document.removeEventListener("visibilitychange", wake);
      window.removeEventListener("online", wake);
    };
  }, [ask]);

  return { order, late, refresh: () => void ask() };
}
