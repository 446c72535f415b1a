import type { Program } from "./children.ts";

const MINUTE_MS = 60_000;
/** A program that falls more often than this within a minute will not stand by being started again. */
export const FALLS_A_MINUTE = 5;
const LONGEST_WAIT_MS = 30_000;

export type Supervised = {
  readonly name: string;
  start(): Program;
  readonly patienceMs: number;
  /** Never given up: it is started again and again, ever more slowly. */
  readonly forEver?: boolean;
  /** Whether a fall now is followed by another start; without it, always. */
  mayRestart?(): boolean;
  /** It ended by itself and well, or fell too often: it will not be started again. */
  onEnd(reason: string, isClean: boolean): void;
  /** Says what happened. */
  say(line: string): void;
};

export type Supervision = {
  /** The one that runs now. */
  current(): Program;
  stop(): Promise<void>;
};

/**
 * Runs a program and starts it again when it falls: at once the first time, then after 0.5, 1, 2 …
 * seconds. Nothing else is stopped meanwhile. An end with code 0 was wished, and is not undone.
 */
export function supervise(options: Supervised): Supervision {
  let stopping = false;
  let timer: NodeJS.Timeout | null = null;
  let falls: number[] = [];
  let program = begin();

  function begin(): Program {
    const next = options.start();
    void next.gone.then(({ reason, clean }) => {
      if (stopping) return;
      if (clean) return options.onEnd(reason, true);
      if (options.mayRestart?.() === false) return options.onEnd(reason, false);
      const now = performance.now();
      falls = [...falls.filter((at) => now - at < MINUTE_MS), now];
      if (falls.length > FALLS_A_MINUTE && options.forEver !== true) {
        const times = `${falls.length} times within a minute`;
        return options.onEnd(`${reason}: it fell ${times}, everything is stopped`, false);
      }
      const waitMs = waitAfter(falls.length);
      options.say(`${reason}: started again in ${waitMs / 1_000} s`);
      timer = setTimeout(() => {
        program = begin();
      }, waitMs);
    });
    return next;
  }

  return {
    current: () => program,
    async stop() {
      stopping = true;
      if (timer) clearTimeout(timer);
      await program.stop(options.patienceMs);
    },
  };
}

/** Milliseconds to wait after so many falls within a minute. */
export function waitAfter(falls: number): number {
  return falls <= 1 ? 0 : Math.min(LONGEST_WAIT_MS, 500 * 2 ** (falls - 2));
}
