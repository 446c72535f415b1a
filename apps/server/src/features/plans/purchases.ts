import { PAYMENT_PROVIDERS } from "@sesame/contract/checkout";
import {
  endOfGrace,
  type PlanPurchasesAnswer,
  planToWire,
  premiumStateOf,
} from "@sesame/contract/plans";
import { fcfaToJson } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { type PurchaseRow, viewPremium, viewPurchases } from "./plans.view.ts";

/** Null when there is no such seller. */
export async function purchasesOf(
  { db, clock }: App,
  sellerId: bigint,
): Promise<Omit<PlanPurchasesAnswer, "success"> | null> {
  const premium = await viewPremium(db, sellerId);
  if (!premium) return null;
  const { plan, premium_since: since, premium_until: until } = premium;
  const now = clock.now();
  const state = premiumStateOf({ plan, premiumUntil: until }, now);
  const purchases = await viewPurchases(db, sellerId);
  return {
    now: now.toISOString(),
    type_plan: planToWire(plan),
    premium_state: state,
    premium_since: since?.toISOString() ?? null,
    premium_until: until?.toISOString() ?? null,
    grace_until: state === "none" || !until ? null : endOfGrace(until).toISOString(),
    abonnements: purchases.map((row) => purchaseToWire(row, sellerId)),
  };
}

function purchaseToWire(
  row: PurchaseRow,
  sellerId: bigint,
): PlanPurchasesAnswer["abonnements"][number] {
  const refunded = row.status === "refunded";
  return {
    id: String(row.id),
    prix: fcfaToJson(row.price),
    dateCreation: row.paid_at.toISOString(),
    dateRenouvellement: refunded ? null : (row.access_until?.toISOString() ?? null),
    typeAbonnement: "payant",
    userId: String(sellerId),
    estRenouvellement: row.is_renewal,
    moyen: nameOf(row.provider),
    rembourse: refunded,
  };
}

function nameOf(provider: string): string {
  const known = Object.values(PAYMENT_PROVIDERS).find(({ id }) => id === provider);
  return known?.name ?? provider;
}
