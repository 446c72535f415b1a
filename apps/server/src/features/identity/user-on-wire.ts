import type { BuyerOnWire, UserOnWire } from "@sesame/contract/identity";
import { PLAN_TERMS, planToWire, premiumStateOf } from "@sesame/contract/plans";
import type { PayoutFieldsOnWire } from "@sesame/contract/withdrawals";
import { fcfa, fcfaToJson } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { payoutFieldsOf } from "../withdrawals/index.ts";
import { type BuyerRow, findSeller, type SellerRow } from "./users.view.ts";

/** Null when there is no such seller. */
export async function userOf(app: App, sellerId: bigint): Promise<UserOnWire | null> {
  const now = app.clock.now();
  const seller = await findSeller(app.db, sellerId, { zone: app.config.timeZone, now });
  if (!seller) return null;
  return userToWire(app, seller, { payouts: await payoutFieldsOf(app.db, sellerId), now });
}

/** A §3 and B §3. */
export function userToWire(
  app: App,
  row: SellerRow,
  { payouts, now }: { payouts: PayoutFieldsOnWire; now: Date },
): UserOnWire {
  const plan = row.plan ?? "free";
  const terms = PLAN_TERMS[plan];
  const free =
    plan === "premium" ? row.premium_posted - row.premium_held : row.free_posted - row.free_held;
  const available = free > row.owed ? free - row.owed : 0n;
  return {
    id: String(row.id),
    telegram_id: Number(row.telegram_id),
    username: row.username,
    nom: row.display_name ?? fullName(row),
    display_name: row.display_name,
    country: row.country,
    photo_url: row.photo_url,
    deja: row.onboarded,
    plan: row.plan !== null,
    type_plan: planToWire(row.plan),
    premium_until: row.premium_until?.toISOString() ?? null,
    premium_state: premiumStateOf({ plan: row.plan, premiumUntil: row.premium_until }, now),
    capabilities: [...terms.capabilities],
    groups_max: terms.groupsMax,
    balanceGratuit: fcfaToJson(row.free_posted),
    balancePayant: fcfaToJson(row.premium_posted),
    soldeDisponible: fcfaToJson(fcfa(available)),
    revenus_semaine: [...row.week],
    ...payouts,
    whatsapp_number: row.whatsapp_number,
    ...staffRoles(app, row),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function buyerToWire(app: App, row: BuyerRow): BuyerOnWire {
  return {
    id: String(row.id),
    telegram_id: Number(row.telegram_id),
    username: row.username,
    nom: fullName(row),
    first_name: row.first_name,
    last_name: row.last_name,
    photo_url: row.photo_url,
    can_be_written_to: row.reachable,
    ...staffRoles(app, row),
  };
}

function staffRoles({ config }: App, { telegram_id: id }: { telegram_id: bigint }) {
  return {
    agent: config.agentTelegramIds.has(id),
    operator: config.operatorTelegramIds.has(id),
  };
}

function fullName(row: { first_name: string; last_name: string | null }): string {
  return row.last_name ? `${row.first_name} ${row.last_name}` : row.first_name;
}
