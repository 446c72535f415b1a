import type { AggregatorKey, KeyName } from "@sesame/contract/aggregators";
import type { CheckoutRefusal, OpensOnWire, OrderStatus } from "@sesame/contract/checkout";
import type { Capability, PlansRefusal } from "@sesame/contract/plans";
import type { Clock, Fcfa, Result } from "@sesame/kernel";
import type { PaymentProvider, ProviderId } from "@sesame/providers";
import type { AppButton } from "../../bot/app-button.ts";
import type { Db } from "../../postgres/database.ts";
import type { Vault } from "../../secrets/vault.ts";
import type { Settings } from "../settings/index.ts";

/** A set of keys, by name, as the seller gave them. */
export type Keys = Readonly<Partial<Record<KeyName, string>>>;

export type AggregatorsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly settings: Pick<Settings, "current" | "part">;
  readonly appButton: AppButton;
  readonly publicUrl: string;
  /** There, keys of a provider's sandbox are refused. */
  readonly production: boolean;
  /** The instance's own accounts. */
  readonly instance: readonly PaymentProvider[];
  /** A provider for a set of keys: whole ones, of that provider. */
  readonly connect: (key: AggregatorKey, keys: Keys) => PaymentProvider;
  /** Where each one's calls go. */
  readonly apiUrls: Readonly<Record<ProviderId, string>>;
  /** Null: the seller's plan opens it. */
  readonly refuseCapability: (
    db: Db,
    sellerId: bigint,
    capability: Capability,
  ) => Promise<PlansRefusal | null>;
};

/** An order of 100 francs of the seller's to himself, by his own keys (decision 95). */
export type TrialRequest = {
  readonly sellerId: bigint;
  readonly telegramId: bigint;
  readonly provider: ProviderId;
  readonly keyId: bigint;
};

export type OpenedTrial = {
  readonly id: bigint;
  readonly status: OrderStatus;
  readonly amount: Fcfa;
  readonly paymentUrl: string;
  readonly opens: OpensOnWire;
};

export type CreateTrial = (request: TrialRequest) => Promise<Result<OpenedTrial, CheckoutRefusal>>;
