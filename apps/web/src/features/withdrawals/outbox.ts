import { isPayoutMethod, type PayoutMethodId } from "@sesame/contract/withdrawals";
import { newIdempotencyKey } from "../../lib/request.ts";
import { forget, keep, readKept } from "../../lib/storage.ts";

/**
 * A request that was confirmed and whose answer is not known (decision 64): kept on the phone until
 * it is, so that asking again, even after a reload, names the same single request (decision 78).
 */
export type Attempt = {
  readonly key: string;
  /** Whole francs. */
  readonly amount: number;
  readonly method: PayoutMethodId;
  /** E.164. */
  readonly phone: string;
  readonly whatsapp: string;
};

function keyOf(sellerId: string): string {
  return `withdrawalOutbox:${sellerId}`;
}

export function readAttempt(sellerId: string): Attempt | null {
  const kept = readKept("local", keyOf(sellerId));
  return isAttempt(kept) ? kept : null;
}

function isAttempt(kept: unknown): kept is Attempt {
  if (typeof kept !== "object" || kept === null) return false;
  const { key, amount, method, phone, whatsapp } = kept as Record<string, unknown>;
  return (
    [key, phone, whatsapp].every((text) => typeof text === "string" && text !== "") &&
    Number.isSafeInteger(amount) &&
    isPayoutMethod(method)
  );
}

/** The attempt under way when its content is the same, else one with a key of its own; kept. */
export function beginAttempt(sellerId: string, content: Omit<Attempt, "key">): Attempt {
  const before = readAttempt(sellerId);
  const attempt =
    before && isSame(before, content) ? before : { key: newIdempotencyKey(), ...content };
  // Where storage is refused, the key lives as long as the screen.
  keep("local", keyOf(sellerId), attempt);
  return attempt;
}

function isSame(one: Omit<Attempt, "key">, other: Omit<Attempt, "key">): boolean {
  return (
    one.amount === other.amount &&
    one.method === other.method &&
    one.phone === other.phone &&
    one.whatsapp === other.whatsapp
  );
}

/** The answer is known. */
export function endAttempt(sellerId: string): void {
  forget("local", keyOf(sellerId));
}
