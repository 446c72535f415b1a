/** The only clock. Features and SQL read the time from it, never from the machine. */
export type Clock = {
  /** The current instant. */
  now(): Date;
  /** Calls the listener after each jump (demo and tests only); returns the function that unsubscribes. */
  onJump(listener: () => void): () => void;
  /**
   * False while the clocks of the machine and the database differ too much to remove members or to
   * sign anybody in. An injected clock is always trusted.
   */
  isTrusted(): boolean;
  /** Whether it is injected (demo and tests): SQL statements then use its time too. */
  readonly injected: boolean;
};

export const systemClock: Clock = {
  now: () => new Date(),
  onJump: () => () => {},
  isTrusted: () => true,
  injected: false,
};

export type AdjustableClock = Clock & {
  /** Moves the clock forward, in milliseconds, and calls the listeners. */
  advance(byMs: number): void;
  /** Sets the offset from the machine's clock, in milliseconds. */
  setOffset(offsetMs: number): void;
  offsetMs(): number;
};

/** A running clock that can be moved, for the demo and the journeys in a browser. */
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
