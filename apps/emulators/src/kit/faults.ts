import { type Clock, MINUTE_MS } from "@sesame/kernel";
import type { FaultRule, PaymentRule, PayoutRule } from "../wire.ts";

/** Faults that a provider will show. They end with the process, as all simulated faults do. */
export type Faults<R extends FaultRule> = ReturnType<typeof startFaults<R>>;

type Defaults<R extends FaultRule> = Partial<Record<R["kind"], Partial<Omit<R, "kind">>>>;

const LOOKUPS = { call: "lookup", times: null } as const;
const SLOW_MS = 4_000;

/** By default a fault hits one call; conditions (`down`, `keys`) last until they are removed. */
const PAYMENT_DEFAULTS: Defaults<PaymentRule> = { down: { times: null }, keys: { times: null } };
const PAYOUT_DEFAULTS: Defaults<PayoutRule> = {
  down: { call: "any", times: null },
  slow: { call: "any", times: null, afterMs: SLOW_MS },
  "429": { call: "any" },
  nonsense: LOOKUPS,
  "unknown-word": LOOKUPS,
  "no-word": LOOKUPS,
  "wrong-amount": LOOKUPS,
  "wrong-reference": LOOKUPS,
};

type Deps = { clock: Pick<Clock, "now">; changed(): void };

export const paymentFaults = (deps: Deps): Faults<PaymentRule> =>
  startFaults<PaymentRule>(deps, "create", PAYMENT_DEFAULTS);

export const payoutFaults = (deps: Deps): Faults<PayoutRule> =>
  startFaults<PayoutRule>(deps, "submit", PAYOUT_DEFAULTS);

function startFaults<R extends FaultRule>(
  { clock, changed }: Deps,
  usual: R["call"],
  defaults: Defaults<R>,
) {
  const rules: R[] = [];
  const { limit, takeTurn } = rateLimit(clock);
  const rule = (given: Pick<R, "kind"> & Partial<R>): R =>
    ({ call: usual, times: 1, afterMs: 0, ...defaults[given.kind as R["kind"]], ...given }) as R;
  return {
    rules,
    /** Beyond it every call is answered 429. */
    limit,
    add(given: Pick<R, "kind"> & Partial<R>) {
      rules.push(rule(given));
      changed();
    },
    /** The rule for this call, if any: the call counts as one of its times. */
    take(call: R["call"]): R | null {
      if (!takeTurn(call === "create"))
        return rule({ kind: "429" } as Pick<R, "kind"> & Partial<R>);
      const found = rules.find((each) => each.call === "any" || each.call === call);
      if (found === undefined) return null;
      if (found.times !== null) {
        found.times -= 1;
        if (found.times <= 0) rules.splice(rules.indexOf(found), 1);
        changed();
      }
      return { ...found };
    },
    /** Removes the rules of a call, or all of them. */
    clear(call?: R["call"]) {
      const kept = call === undefined ? [] : rules.filter((each) => each.call !== call);
      rules.splice(0, rules.length, ...kept);
      changed();
    },
  };
}

/** As Laravel's throttle counts: a window begins with the first call, and is over a minute later. */
function rateLimit(clock: Pick<Clock, "now">) {
  let windowStart = Number.NEGATIVE_INFINITY;
  let calls = 0;
  const limit = {
    /** Moneroo's is 120 calls, documented; off unless a test sets it. */
    perMinute: null as number | null,
    /** Calls that were let through, by kind: tests count them instead of measuring time. */
    counts: { initialize: 0, verify: 0, refused: 0 },
  };
  const takeTurn = (creates: boolean): boolean => {
    const now = clock.now().getTime();
    if (now - windowStart >= MINUTE_MS) {
      windowStart = now;
      calls = 0;
    }
    calls += 1;
    const isLetThrough = limit.perMinute === null || calls <= limit.perMinute;
    limit.counts[isLetThrough ? (creates ? "initialize" : "verify") : "refused"] += 1;
    return isLetThrough;
  };
  return { limit, takeTurn };
}
