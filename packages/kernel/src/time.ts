/** The one clock. Business code and SQL take their time from it, never from the machine. */
export type Clock = {
  /** The instant it is. */
  now(): Date;
  /** Calls back after each jump (demo and tests only); returns how to stop listening. */
  onJump(listener: () => void): () => void;
  /**
   * False while the machine's clock and the database's differ too much to remove anybody or to sign
   * anybody in. An injected clock is compared with nothing.
   */
  isTrusted(): boolean;
  /** Whether it was injected (demo and tests): then statements take the time from it, too. */
  readonly injected: boolean;
};

export const systemClock: Clock = {
  now: () => new Date(),
  onJump: () => () => {},
  isTrusted: () => true,
  injected: false,
};

export type AdjustableClock = Clock & {
  /** Moves the clock forward, in milliseconds, and wakes the listeners. */
  advance(byMs: number): void;
  /** Sets the distance to the machine's clock, in milliseconds. */
  setOffset(offsetMs: number): void;
  offsetMs(): number;
};

/** A clock that keeps running but can be moved: the demo's and the browser journeys'. */
export function adjustableClock(offsetMs = 0): AdjustableClock {
  return movable(() => Date.now(), offsetMs);
}

/** A clock that stands still until a test moves it. */
export function stoppedClock(start: Date): AdjustableClock {
  return movable(() => start.getTime(), 0);
}

function movable(base: () => number, startOffsetMs: number): AdjustableClock {
  let offset = startOffsetMs;
  const listeners = new Set<() => void>();
  const wake = () => {
    for (const listener of listeners) listener();
  };
  return {
    now: () => new Date(base() + offset),
    isTrusted: () => true,
    injected: true,
    onJump(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    advance(byMs) {
      offset += byMs;
      wake();
    },
    setOffset(offsetMs) {
      if (offsetMs === offset) return;
      offset = offsetMs;
      wake();
    },
    offsetMs: () => offset,
  };
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export function addMs(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms);
}
