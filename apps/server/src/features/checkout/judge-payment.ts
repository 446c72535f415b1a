import type { Fcfa } from "@sesame/kernel";
import type { FetchedPayment } from "@sesame/providers";

export type ExpectedPayment = {
  readonly providerPaymentId: string;
  readonly amount: Fcfa;
  /** Ours, as given to the provider. */
  readonly reference: string;
};

export type MismatchReason =
  | "id"
  | "amount"
  | "currency"
  | "reference"
  | "environment"
  | "partly-refunded";

/**
 * `mismatch`: the provider says yes to something else. `received` is what surely came in, in
 * francs; null when that cannot be said (another currency, a sandbox, another payment).
 */
export type Judgement =
  | { readonly kind: "paid" }
  | { readonly kind: "refused" }
  | { readonly kind: "pending" }
  /** Paid and given back there before we knew: no money for us, and the desk should look. */
  | { readonly kind: "refunded" }
  | {
      readonly kind: "mismatch";
      readonly reason: MismatchReason;
      readonly received: Fcfa | null;
    };

/**
 * What a provider's answer means for the payment we asked about (ARCHITECTURE §4): only a yes to
 * exactly what was ordered is money. Null is "unknown payment": a sandbox forgets after 90 days.
 */
export function judgePayment(
  expected: ExpectedPayment,
  answer: FetchedPayment | null,
  mode: { readonly production: boolean },
): Judgement {
  if (answer === null) return { kind: "pending" };
  // What is left of the money is not said, and it is no payment in full: a person decides.
  if (answer.verdict === "partly-refunded") {
    return { kind: "mismatch", reason: "partly-refunded", received: null };
  }
  if (answer.verdict !== "paid") return { kind: answer.verdict };
  const reason = findMismatch(expected, answer, mode);
  if (reason === null) return { kind: "paid" };
  const believable = reason === "amount" || reason === "reference";
  return { kind: "mismatch", reason, received: believable ? answer.amount : null };
}

function findMismatch(
  expected: ExpectedPayment,
  answer: FetchedPayment,
  mode: { readonly production: boolean },
): MismatchReason | null {
  if (mode.production && answer.environment !== "live") return "environment";
  if (answer.providerPaymentId !== expected.providerPaymentId) return "id";
  if (answer.currency !== "XOF") return "currency";
  // Every provider gives our reference back: an answer without it is not about our order.
  if (answer.reference !== expected.reference) return "reference";
  if (answer.amount !== expected.amount) return "amount";
  return null;
}
