import { addMs, type Clock, type Outage } from "@sesame/kernel";

/** Whether somebody outside answers: while nobody does, one probe at a time finds out. */
export type Circuit = {
  /** How many of `free` may begin now, with `underWay` begun already. */
  admits(free: number, underWay: number): number;
  isOpen(): boolean;
  noteAnswer(): void;
  noteOutage(outage: Outage): void;
};

/** Fewer may be one chat's or one person's trouble. */
const OUTAGES_IN_A_ROW = 5;
const FIRST_WAIT_MS = 1_000;
/** A party that is back is found out within this time. */
const LONGEST_WAIT_MS = 60_000;

export function createCircuit(clock: Clock): Circuit {
  let inARow = 0;
  let probeAt = new Date(0);
  const isOpen = () => inARow >= OUTAGES_IN_A_ROW;
  return {
    isOpen,
    admits(free, underWay) {
      if (!isOpen()) return Math.max(0, free);
      if (underWay > 0) return 0;
      const leftMs = probeAt.getTime() - clock.now().getTime();
      // More than it can be: the clock has been set back.
      return leftMs > 0 && leftMs <= LONGEST_WAIT_MS ? 0 : Math.min(1, free);
    },
    noteAnswer() {
      inARow = 0;
    },
    noteOutage(outage) {
      if (!isSilence(outage)) return;
      inARow += 1;
      if (!isOpen()) return;
      const doubled = FIRST_WAIT_MS * 2 ** Math.min(10, inARow - OUTAGES_IN_A_ROW);
      const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(doubled, outage.retryAfterMs ?? 0));
      probeAt = addMs(clock.now(), waitMs);
    },
  };
}

/**
 * Whether the party did not answer or asked to wait. An outage without a cause is one chat's or one
 * payment's (a missing right, an answer that makes no sense): it says nothing about the others.
 */
export function isSilence({ cause, retryAfterMs }: Outage): boolean {
  return cause !== undefined || retryAfterMs !== undefined;
}
