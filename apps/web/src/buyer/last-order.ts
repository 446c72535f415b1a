import { forget, keep, readKept } from "../lib/storage.ts";
import { personIn, readLaunch } from "../telegram/launch.ts";

const KEY = "sesame.order";
/** As long as a provider is asked about a payment (decision 55). */
const KEPT_MS = 72 * 3_600_000;

type Kept = { readonly orderId: string; readonly at: number };

/**
 * The order this person last began for a product: found again after the app was closed. Only its
 * number; the server says its state.
 */
export function rememberOrder(reference: string, orderId: string): void {
  // A browser without storage: the bot's messages lead back to the order.
  keep("local", keyOf(reference), { orderId, at: Date.now() } satisfies Kept);
}

export function rememberedOrder(reference: string): string | null {
  const kept = readKept("local", keyOf(reference)) as Kept | null;
  return kept && Date.now() - kept.at < KEPT_MS ? kept.orderId : null;
}

export function forgetOrder(reference: string): void {
  forget("local", keyOf(reference));
}

function keyOf(reference: string): string {
  const person = personIn(readLaunch()?.initData ?? "") ?? "";
  return `${KEY}.${person}.${reference}`;
}
