/**
 * Above what any honest client does. A person: tabs and phones, each one socket. An address: a whole
 * mobile network may stand behind one, so only sockets that have not said who they are count early.
 */
export const SOCKETS_A_PERSON = 20;
export const SOCKETS_AN_ADDRESS = 10_000;
export const UNKNOWN_SOCKETS_AN_ADDRESS = 1_000;
export const UNKNOWN_SOCKETS = 5_000;
/** A client sends its token with its first packet. */
export const UNKNOWN_FOR_MS = 5_000;
/** As requests of one person on one route. An app sends one event for each order it shows. */
export const EVENTS_A_MINUTE = 240;

export type SocketCounts = {
  /** Whether one more socket may be opened from the address. */
  mayOpen(address: string): boolean;
  /** A socket was opened; → what to call when it has proved who it is, and when it is gone. */
  open(address: string): { identified(): void; gone(): void };
};

/** How many sockets are open, by address, and how many of them have not said who they are. */
export function createSocketCounts(): SocketCounts {
  const all = new Map<string, number>();
  const unknown = new Map<string, number>();
  let unknownInAll = 0;
  const add = (counts: Map<string, number>, key: string, step: 1 | -1): void => {
    const next = (counts.get(key) ?? 0) + step;
    if (next > 0) counts.set(key, next);
    else counts.delete(key);
  };
  return {
    mayOpen: (address) =>
      unknownInAll < UNKNOWN_SOCKETS &&
      (unknown.get(address) ?? 0) < UNKNOWN_SOCKETS_AN_ADDRESS &&
      (all.get(address) ?? 0) < SOCKETS_AN_ADDRESS,
    open(address) {
      let isUnknown = true;
      let isOpen = true;
      add(all, address, 1);
      add(unknown, address, 1);
      unknownInAll += 1;
      const identified = (): void => {
        if (!isUnknown) return;
        isUnknown = false;
        add(unknown, address, -1);
        unknownInAll -= 1;
      };
      return {
        identified,
        gone() {
          if (!isOpen) return;
          isOpen = false;
          identified();
          add(all, address, -1);
        },
      };
    },
  };
}
