import {
  AGGREGATOR_WORDS,
  type AggregatorsRefusal,
  isAggregatorKey,
} from "@sesame/contract/aggregators";
import type { CheckoutRefusal } from "@sesame/contract/checkout";
import type { PlansRefusal } from "@sesame/contract/plans";
import { type Result, refuse } from "@sesame/kernel";
import type { AggregatorsDeps, CreateTrial, OpenedTrial } from "./deps.ts";
import { viewKeysInUse } from "./keys.view.ts";

export type Trial = {
  readonly sellerId: bigint;
  readonly telegramId: bigint;
  /** As it stands in the address. */
  readonly key: string;
};

export type TrialRefusal = AggregatorsRefusal | PlansRefusal | CheckoutRefusal;

/** 100 francs by the seller's own keys, to himself (decision 95). */
export async function startTrial(
  deps: AggregatorsDeps,
  createTrial: CreateTrial,
  { sellerId, telegramId, key }: Trial,
): Promise<Result<OpenedTrial, TrialRefusal>> {
  if (!isAggregatorKey(key)) return refuse({ kind: "aggregators.unknown" });
  const barred = await deps.refuseCapability(deps.db, sellerId, "own-aggregators");
  if (barred) return refuse(barred);
  const own = await viewKeysInUse(deps.db, { sellerId, provider: key });
  const { name } = AGGREGATOR_WORDS[key];
  if (!own) return refuse({ kind: "aggregators.no-own-keys", name });
  if (own.refused_at !== null) return refuse({ kind: "aggregators.keys-refused", name });
  return createTrial({ sellerId, telegramId, provider: key, keyId: own.id });
}
