import type { Clock } from "@sesame/kernel";
import type { PaymentCall, PaymentFault, PaymentFaultRule } from "../wire.ts";
import { type RateLimit, rateLimit } from "./rate-limit.ts";

/** How a provider of payments will misbehave; forgotten with the process, as all simulated faults. */
export type PaymentFaults = {
  readonly rules: PaymentFaultRule[];
  /** Beyond it every call is answered 429. */
  readonly limit: RateLimit;
  /** Null takes away what was set for that call. */
  set(call: PaymentCall, kind: PaymentFault | null, times?: number): void;
  /** The fault of this call, if any: it counts as one of its times. */
  take(call: PaymentCall): PaymentFault | null;
  clear(): void;
};

/** Conditions rather than events: they last until they are taken away. */
const LASTING: ReadonlySet<PaymentFault> = new Set<PaymentFault>(["down", "keys"]);

/** Unless told how often, a fault hits the next such call and that alone. */
export function paymentFaults(changed: () => void, clock: Pick<Clock, "now">): PaymentFaults {
  const rules: PaymentFaultRule[] = [];
  const limit = rateLimit(clock);
  return {
    rules,
    limit,
    set(call, kind, times) {
      const others = rules.filter((rule) => rule.call !== call);
      if (kind === null) rules.splice(0, rules.length, ...others);
      else rules.push({ call, kind, times: times ?? (LASTING.has(kind) ? null : 1) });
      changed();
    },
    take(call) {
      if (!limit.take(call === "create" ? "initialize" : "verify")) return "429";
      const rule = rules.find((each) => each.call === call);
      if (rule === undefined) return null;
      if (rule.times !== null) {
        rule.times -= 1;
        if (rule.times <= 0) rules.splice(rules.indexOf(rule), 1);
        changed();
      }
      return rule.kind;
    },
    clear() {
      rules.length = 0;
      changed();
    },
  };
}
