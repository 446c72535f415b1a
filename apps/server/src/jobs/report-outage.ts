import type { Outage } from "@sesame/kernel";

type Log = { warn(fields: object, message: string): void };

/** What repeats within this time is counted and said in one line. */
const EVERY_MS = 10_000;

type Counted = { saidAt: number; readonly since: Map<string, number> };

/** By log and party: thirty loops that meet one silent database are one line in ten seconds. */
const counted = new WeakMap<Log, Map<string, Counted>>();

/**
 * Says that `party` did not do what `place` (a loop, a route) asked of it. The first time at once;
 * then one line in ten seconds, with how often each place met it since the line before.
 */
export function reportOutage(
  log: Log,
  { party, message }: Pick<Outage, "party" | "message">,
  place: string | { readonly name: string; readonly nowMs: number },
): void {
  const { name, nowMs } =
    typeof place === "string" ? { name: place, nowMs: performance.now() } : place;
  const parties = counted.get(log) ?? new Map<string, Counted>();
  counted.set(log, parties);
  const known = parties.get(party) ?? { saidAt: Number.NEGATIVE_INFINITY, since: new Map() };
  known.since.set(name, (known.since.get(name) ?? 0) + 1);
  parties.set(party, known);
  if (nowMs - known.saidAt < EVERY_MS) return;
  const places = Object.fromEntries(known.since);
  known.since.clear();
  known.saidAt = nowMs;
  log.warn({ party, message, places }, "outage");
}
