import type { BuyerOnWire, UserOnWire } from "@sesame/contract/identity";
import { PLAN_TERMS, planToWire, premiumStateOf } from "@sesame/contract/plans";
import type { PayoutFieldsOnWire } from "@sesame/contract/withdrawals";
import { fcfa, fcfaToJson } from "@sesame/kernel";
import type { BuyerRow, SellerRow } from "./users.view.ts";

export type StaffIds = {
  readonly agents: ReadonlySet<bigint>;
  readonly operators: ReadonlySet<bigint>;
};

/** A §3 and B §3. */
export function userToWire(
  row: SellerRow,
  payouts: PayoutFieldsOnWire,
  { staff, now }: { staff: StaffIds; now: Date },
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
    agent: staff.agents.has(row.telegram_id),
    operator: staff.operators.has(row.telegram_id),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function buyerToWire(row: BuyerRow, staff: StaffIds): BuyerOnWire {
  return {
    id: String(row.id),
    telegram_id: Number(row.telegram_id),
    username: row.username,
    nom: fullName(row),
    first_name: row.first_name,
    last_name: row.last_name,
    photo_url: row.photo_url,
    can_be_written_to: row.reachable,
    agent: staff.agents.has(row.telegram_id),
    operator: staff.operators.has(row.telegram_id),
  };
}

function fullName(row: { first_name: string; last_name: string | null }): string {
  return row.last_name ? `${row.first_name} ${row.last_name}` : row.first_name;
}
