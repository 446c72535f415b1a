import {
  AGGREGATOR_WORDS,
  type AggregatorsRefusal,
  isAggregatorKey,
} from "@sesame/contract/aggregators";
import type { CheckoutRefusal, OpensOnWire, OrderStatus } from "@sesame/contract/checkout";
import type { PlansRefusal } from "@sesame/contract/plans";
import { type Fcfa, type Result, refuse } from "@sesame/kernel";
import type { ProviderId } from "@sesame/providers";
import type { App } from "../../app.ts";
import { refuseCapability } from "../plans/index.ts";
import { viewKeysInUse } from "./keys.view.ts";

/** An order of 100 francs of the seller's to himself, by his own keys (decision 95). */
export type TrialRequest = {
  readonly sellerId: bigint;
  readonly telegramId: bigint;
  readonly provider: ProviderId;
  readonly keyId: bigint;
};

type OpenedTrial = {
  readonly id: bigint;
  readonly status: OrderStatus;
  readonly amount: Fcfa;
  readonly paymentUrl: string;
  readonly opens: OpensOnWire;
};

export type CreateTrial = (request: TrialRequest) => Promise<Result<OpenedTrial, CheckoutRefusal>>;

type Trial = {
  readonly sellerId: bigint;
  readonly telegramId: bigint;
  /** As it stands in the address. */
  readonly key: string;
};

type TrialRefusal = AggregatorsRefusal | PlansRefusal | CheckoutRefusal;

export async function startTrial(
  app: App,
  createTrial: CreateTrial,
  { sellerId, telegramId, key }: Trial,
): Promise<Result<OpenedTrial, TrialRefusal>> {
  if (!isAggregatorKey(key)) return refuse({ kind: "aggregators.unknown" });
  const barred = await refuseCapability(app.db, sellerId, "own-aggregators");
  if (barred) return refuse(barred);
  const own = await viewKeysInUse(app.db, { sellerId, provider: key });
  const { name } = AGGREGATOR_WORDS[key];
  if (!own) return refuse({ kind: "aggregators.no-own-keys", name });
  if (own.refused_at !== null) return refuse({ kind: "aggregators.keys-refused", name });
  return createTrial({ sellerId, telegramId, provider: key, keyId: own.id });
}
