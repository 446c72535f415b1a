import type { PayoutFault, PayoutFaultKind, PayoutStep } from "../wire.ts";

/** How a provider of payouts will misbehave; forgotten with the process, as all simulated faults. */
export type PayoutFaults = {
  readonly rules: PayoutFault[];
  add(kind: PayoutFaultKind, how?: Partial<Omit<PayoutFault, "kind">>): void;
  /** The fault of this call, if any: it counts as one of its times. */
  take(step: PayoutStep): PayoutFault | null;
  clear(): void;
};

const SLOW_MS = 4_000;

/** Unless told otherwise a fault hits the next call that would move money, and that alone. */
const DEFAULTS: Partial<Record<PayoutFaultKind, Partial<PayoutFault>>> = {
  down: { step: "any", times: null },
  slow: { step: "any", times: null, afterMs: SLOW_MS },
  "429": { step: "any" },
  garbage: { step: "lookup", times: null },
  "unknown-word": { step: "lookup", times: null },
  "no-word": { step: "lookup", times: null },
  "wrong-amount": { step: "lookup", times: null },
  "wrong-reference": { step: "lookup", times: null },
};

export function payoutFaults(changed: () => void): PayoutFaults {
  const rules: PayoutFault[] = [];
  return {
    rules,
    add(kind, how = {}) {
      rules.push({ step: "submit", times: 1, afterMs: 0, ...DEFAULTS[kind], ...how, kind });
      changed();
    },
    take(step) {
      const rule = rules.find((each) => each.step === "any" || each.step === step);
      if (rule === undefined) return null;
      if (rule.times !== null) {
        rule.times -= 1;
        if (rule.times <= 0) rules.splice(rules.indexOf(rule), 1);
        changed();
      }
      return { ...rule };
    },
    clear() {
      rules.length = 0;
      changed();
    },
  };
}
