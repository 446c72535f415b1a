import { type Clock, MINUTE_MS } from "@sesame/kernel";
import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";

/** The maximum of keys, so that memory is limited. */
const MAX_TRACKED = 10_000;

export type AttemptCounter = ReturnType<typeof createAttemptCounter>;

type Window = { readonly startedMs: number; count: number };

/** Attempts by key, in windows of a minute. */
export function createAttemptCounter(clock: Clock, perMinute: number) {
  const windows = new Map<string, Window>();
  const secondsLeft = ({ startedMs }: Window, nowMs: number) =>
    Math.max(1, Math.ceil((startedMs + MINUTE_MS - nowMs) / 1_000));
  const current = (key: string, nowMs: number): Window | null => {
    const known = windows.get(key);
    const elapsedMs = known ? nowMs - known.startedMs : MINUTE_MS;
    // A clock that was set back starts a minute too.
    return known && elapsedMs >= 0 && elapsedMs < MINUTE_MS ? known : null;
  };
  return {
    /** Counts one; → seconds to wait, when there were too many in this minute. */
    count(key: string): number | null {
      const nowMs = clock.now().getTime();
      const window = current(key, nowMs) ?? { startedMs: nowMs, count: 0 };
      if (window.count === 0) {
        if (windows.size >= MAX_TRACKED) {
          for (const [old, { startedMs }] of windows) {
            if (nowMs - startedMs >= MINUTE_MS) windows.delete(old);
          }
          // If all are recent the oldest half is dropped, so that memory is limited.
          const excess = windows.size < MAX_TRACKED ? 0 : MAX_TRACKED / 2;
          for (const old of [...windows.keys()].slice(0, excess)) windows.delete(old);
        }
        windows.set(key, window);
      }
      window.count += 1;
      return window.count > perMinute ? secondsLeft(window, nowMs) : null;
    },
    /** Seconds to wait before the next one; null while there is room. Counts nothing. */
    waitOf(key: string): number | null {
      const nowMs = clock.now().getTime();
      const known = current(key, nowMs);
      return known && known.count >= perMinute ? secondsLeft(known, nowMs) : null;
    },
  };
}

/**
 * The key of a caller's limit: an IPv4 address, or the /64 of an IPv6 one, which one subscriber
 * has: within it he may take a new address for each request.
 */
export function addressKey(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "").replace(/%.*$/, "");
  if (!isIPv6(bare)) return bare;
  const [head = "", tail] = bare.split("::");
  const groups = head.split(":").filter((group) => group !== "");
  const after = (tail ?? "").split(":").filter((group) => group !== "");
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  const whole = [...groups, ...Array.from({ length: missing }, () => "0"), ...after];
  const network = whole.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}

/** The address of a raw request, chosen like Fastify's `request.ip`. */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const said = [request.headers["x-forwarded-for"] ?? ""].flat().join(",").split(",");
  const hops = said.map((hop) => hop.trim()).filter((hop) => hop !== "");
  const chain = [request.socket.remoteAddress ?? "", ...hops.reverse()];
  return chain[Math.min(trustedProxies, chain.length - 1)] ?? "";
}
