import type { PaymentProvider, ProviderId } from "@sesame/providers";

/** By what a buyer may pay: `keyId` names the seller's own account, null the instance's. */
export type Offer = { readonly provider: ProviderId; readonly keyId: bigint | null };

/** What checkout asks of aggregators. */
export type AggregatorDoor = {
  /**
   * What may be paid by now, in the instance's order; for null, a plan: the instance's accounts
   * alone. Empty: no method is open.
   */
  offersOf(sellerId: bigint | null): Promise<readonly Offer[]>;
  /**
   * The provider for an account, also one that sells no more: payments opened by it are still asked
   * about, and its notices read. Null: never there. Throws when its secrets cannot be opened.
   */
  providerFor(provider: ProviderId, keyId: bigint | null): Promise<PaymentProvider | null>;
  /**
   * The provider answered `keys` to a payment by a seller's own account: it is asked once more, and
   * when it says no again the keys sell nothing any more and the seller is told.
   */
  noteRefused(keyId: bigint): Promise<void>;
};
