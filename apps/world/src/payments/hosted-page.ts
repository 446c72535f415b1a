import type { CheckoutAction, CheckoutView } from "../wire.ts";

/** A provider's page as the customer's browser reads and uses it. */
export type HostedPage = {
  /** Null when the provider knows no such token. */
  page(token: string): CheckoutView | null;
  act(token: string, action: CheckoutAction): CheckoutView | null;
};
