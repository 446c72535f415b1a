/** 0 access, 1 messages about money and access, 2 reminders, 3 the rest. */
export type SendPriority = 0 | 1 | 2 | 3;

export type Pacer = {
  /** Resolves when it is this message's turn. */
  turn(priority: SendPriority): Promise<void>;
};

/**
 * Telegram takes about 30 messages a second from a bot. Evenly spaced at 28.6 it never answered 429
 * (QUALITY P9); a burst, even short, does.
 */
export const MESSAGE_SPACING_MS = 35;

/** Lets messages go one by one, the most urgent first. Paced by the machine: it is about the wire. */
export function createPacer(spacingMs: number): Pacer {
  const waiting: Array<{ priority: SendPriority; go: () => void }> = [];
  let nextAt = 0;
  let timer: NodeJS.Timeout | null = null;

  function release(): void {
    timer = null;
    const first = waiting.shift();
    if (!first) return;
    nextAt = performance.now() + spacingMs;
    first.go();
    plan();
  }

  function plan(): void {
    if (timer || waiting.length === 0) return;
    const inMs = nextAt - performance.now();
    if (inMs <= 0) release();
    else timer = setTimeout(release, inMs);
  }

  return {
    turn(priority) {
      return new Promise((go) => {
        const later = waiting.findIndex((other) => other.priority > priority);
        waiting.splice(later === -1 ? waiting.length : later, 0, { priority, go });
        plan();
      });
    },
  };
}
