import { personIn, readLaunch } from "../telegram/launch.ts";

const KEY = "sesame.order";
/** As long as a provider is asked about a payment (decision 55). */
const KEPT_MS = 72 * 3_600_000;

type Kept = { readonly orderId: string; readonly at: number };

/**
 * The order this person last began for a product: found again after the app was closed. Only where
 * to look; what it is, the server says.
 */
export function rememberOrder(reference: string, orderId: string): void {
  const kept: Kept = { orderId, at: Date.now() };
  try {
    localStorage.setItem(keyOf(reference), JSON.stringify(kept));
  } catch {
    // Without storage the bot's messages lead back to the order.
  }
}

export function rememberedOrder(reference: string): string | null {
  try {
    const text = localStorage.getItem(keyOf(reference));
    const kept = text ? (JSON.parse(text) as Kept) : null;
    return kept && Date.now() - kept.at < KEPT_MS ? kept.orderId : null;
  } catch {
    return null;
  }
}

export function forgetOrder(reference: string): void {
  try {
    localStorage.removeItem(keyOf(reference));
  } catch {
    // Nothing was kept.
  }
}

function keyOf(reference: string): string {
  const person = personIn(readLaunch()?.initData ?? "") ?? "";
  return `${KEY}.${person}.${reference}`;
}
