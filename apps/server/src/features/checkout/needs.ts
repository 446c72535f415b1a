import type { OrderAccessOnWire } from "@sesame/contract/access";
import type { ClaimKind, ClaimOnWire } from "@sesame/contract/claims";
import type { ProductKind } from "@sesame/contract/catalogue";
import type { GroupState } from "@sesame/contract/groups";
import type { Plan, PremiumPrice } from "@sesame/contract/plans";
import type { ProviderRates } from "@sesame/contract/settings";
import type { RefundOnWire } from "@sesame/contract/refunds";
import type { BasisPoints, Chance, Clock, Fcfa } from "@sesame/kernel";
import type { PaymentProvider, ProviderId, Quote } from "@sesame/providers";
import type { FastifyBaseLogger } from "fastify";
import type { Db } from "../../postgres/database.ts";
import type { ProviderHealth } from "./health.ts";

/** What checkout asks of other capabilities; `compose.ts` gives their doors. */

export type ProductForSale = {
  readonly id: bigint;
  readonly kind: ProductKind;
  readonly sellerId: bigint;
  /** Null for a donation. */
  readonly groupId: bigint | null;
  readonly reference: string;
  readonly title: string;
  /** Of a donation, its minimum. */
  readonly price: Fcfa;
  readonly durationMinutes: number;
  /** Places; null without limit. */
  readonly stock: number | null;
  /** The seller's own switch. */
  readonly switchedOn: boolean;
  readonly archived: boolean;
  /** By the operator (decision 99): accesses that run go on, nothing more is sold. */
  readonly suspended: boolean;
};

export type Shelf = { productForSale(db: Db, reference: string): Promise<ProductForSale | null> };

export type GroupDoor = {
  groupForSale(
    db: Db,
    groupId: bigint,
  ): Promise<{ readonly sellerId: bigint; readonly state: GroupState } | null>;
  isAdminOf(db: Db, groupId: bigint, telegramId: bigint): Promise<boolean>;
};

export type AccessDoor = { accessOfOrder(orderId: bigint): Promise<OrderAccessOnWire | null> };

/** By what an order may be paid: `keyId` names the seller's own account, null the instance's. */
export type Offer = { readonly provider: ProviderId; readonly keyId: bigint | null };

export type AggregatorDoor = {
  /** In the order they are shown; for null, a plan: the instance's accounts alone. */
  offersOf(sellerId: bigint | null): Promise<readonly Offer[]>;
  /** Also one that sells no more: its payments are still asked about. Null: never there. */
  providerFor(provider: ProviderId, keyId: bigint | null): Promise<PaymentProvider | null>;
  /** A seller's own account refused a payment's keys. */
  noteRefused(keyId: bigint): Promise<void>;
};

/** What came after a payment: money given back, a claim. */
export type RefundDoor = {
  ofOrder(
    orderId: bigint,
    readerId: bigint,
  ): Promise<{
    readonly refund: RefundOnWire | null;
    readonly claim: ClaimOnWire | null;
    readonly mayClaim: readonly ClaimKind[];
  }>;
};

/** What of the operator's settings decides on an order made now. */
export type CheckoutSettings = {
  /** The platform's share of a sale, for the plan of its seller. */
  feeRateOf(plan: Plan): Promise<BasisPoints>;
  premiumPrice(): Promise<PremiumPrice>;
  /** Calls a minute that each provider allows. */
  providerRates(): Promise<ProviderRates>;
};

export type CheckoutDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Pick<FastifyBaseLogger, "error" | "warn">;
  readonly publicUrl: string;
  /** In production a sandbox's word is never money. */
  readonly production: boolean;
  /** The instance's open ones. */
  readonly providers: readonly ProviderId[];
  readonly aggregators: AggregatorDoor;
  readonly settings: CheckoutSettings;
  /** What a provider that does not count in francs would ask for this price; null: it does. */
  quoteOf(provider: ProviderId, price: Fcfa): Promise<Quote | null>;
  readonly shelf: Shelf;
  readonly groups: GroupDoor;
  readonly access: AccessDoor;
  readonly refunds: RefundDoor;
  readonly health: ProviderHealth;
  /** Where each bot is opened; the buyers', with a start parameter, on that. */
  botUrl(start?: string): string;
  sellerBotUrl(): string;
};
