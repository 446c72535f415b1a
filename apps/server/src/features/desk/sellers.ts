import type { DeskSellerOnWire, MeasureOnWire } from "@sesame/contract/desk";
import { planToWire } from "@sesame/contract/plans";
import { addMs, DAY_MS } from "@sesame/kernel";
import type { Principal } from "../../http/principal.ts";
import type { Db } from "../../postgres/database.ts";
import { alertToWire } from "./alerts.ts";
import { findAlertsOfSeller } from "./alerts.view.ts";
import { auditRowToWire } from "./audit.ts";
import { findAuditOfSeller } from "./audit.view.ts";
import { foundOrderToWire, foundWithdrawalToWire } from "./search.ts";
import { findWithdrawalsOfSeller } from "./search-money.view.ts";
import { findOrdersOfSeller } from "./search.view.ts";
import { judgeMeasure, judgeProductMeasure, mayOf, type Measure } from "./sellers-judge.ts";
import {
  findGroups,
  findHolds,
  findProducts,
  findSeller,
  type GroupRow,
  type HoldRow,
  type ProductRow,
  type SellerRow,
} from "./sellers.view.ts";

const SHOWN = 10;
const DEEDS_SHOWN = 20;
const RECENT_MS = 30 * DAY_MS;

/** All that is known of a seller, and what the caller may do about him. Null: there is none. */
export async function viewSeller(
  db: Db,
  { id, caller }: { id: bigint; caller: Principal },
  now: Date,
): Promise<DeskSellerOnWire | null> {
  const seller = await findSeller(db, id, now);
  if (!seller) return null;
  const may = (measure: Measure) => mayOf(judgeMeasure(measure, seller, { caller, now }));
  const holds = await findHolds(db, id);
  const groups = await findGroups(db, id);
  const products = await findProducts(db, id, addMs(now, -RECENT_MS));
  const alerts = await findAlertsOfSeller(db, id);
  return {
    ...identityOf(seller),
    ...moneyOf(seller),
    holds: holds.map(holdToWire),
    last_sales: (await findOrdersOfSeller(db, id, SHOWN)).map(foundOrderToWire),
    withdrawals: (await findWithdrawalsOfSeller(db, id, SHOWN)).map(foundWithdrawalToWire),
    groups: groups.map(groupToWire),
    products: products.map((product) => productToWire(product, caller)),
    alerts: alerts.map((alert) => alertToWire(alert, caller)),
    audit: (await findAuditOfSeller(db, id, DEEDS_SHOWN)).map(auditRowToWire),
    may: {
      suspend: may("suspend"),
      resume: may("resume"),
      freeze: may("freeze"),
      unfreeze: may("unfreeze"),
      reopen: may("reopen"),
      "write-off": may("write-off"),
    },
  };
}

function identityOf(row: SellerRow) {
  const { name, username, photo_url, display_name, country, whatsapp_number } = row;
  return {
    id: String(row.id),
    name,
    username,
    photo_url,
    telegram_id: Number(row.telegram_id),
    display_name,
    country,
    whatsapp_number,
    type_plan: row.plan && planToWire(row.plan),
    premium_until: row.premium_until?.toISOString() ?? null,
    since: row.created_at.toISOString(),
    closed_at: row.closed_at?.toISOString() ?? null,
    suspended: suspensionToWire(row),
    frozen: freezeToWire(row),
  };
}

function moneyOf(row: SellerRow) {
  const { write_off_amount: amount, write_off_at: at } = row;
  return {
    owed: Number(row.owed),
    write_off:
      amount === null || at === null
        ? null
        : { amount: Number(amount), by: row.write_off_name, since: at.toISOString() },
    balances: {
      gratuit: accountToWire(row.free_posted, row.free_held),
      payant: accountToWire(row.premium_posted, row.premium_held),
    },
    payout: {
      method: row.method,
      phone: row.phone,
      automatic: row.automatic,
      number_changed_at: row.number_changed_at?.toISOString() ?? null,
    },
    sales: {
      count: row.sales,
      gross: Number(row.gross),
      net: Number(row.net),
      running_accesses: row.running_accesses,
    },
  };
}

function accountToWire(posted: bigint, held: bigint) {
  return { posted: Number(posted), held: Number(held), available: Number(posted - held) };
}

type Suspension = Pick<SellerRow, "suspended_at" | "suspended_reason" | "suspended_review_at">;

function suspensionToWire(row: Suspension): MeasureOnWire | null {
  if (row.suspended_at === null) return null;
  return {
    reason: row.suspended_reason,
    since: row.suspended_at.toISOString(),
    review_at: row.suspended_review_at?.toISOString() ?? null,
    by: "operator",
  };
}

function freezeToWire(row: SellerRow): MeasureOnWire | null {
  if (row.frozen_at === null) return null;
  return {
    reason: row.frozen_reason,
    since: row.frozen_at.toISOString(),
    review_at: row.frozen_review_at?.toISOString() ?? null,
    by: row.frozen_by ?? "operator",
  };
}

function holdToWire(row: HoldRow): DeskSellerOnWire["holds"][number] {
  return {
    id: String(row.id),
    reference: row.reference,
    amount: Number(row.amount),
    since: row.created_at.toISOString(),
  };
}

function groupToWire(row: GroupRow): DeskSellerOnWire["groups"][number] {
  return {
    id: String(row.id),
    title: row.title,
    type: row.kind === "channel" ? "canal" : "groupe",
    members: row.member_count,
    healthy: row.healthy,
  };
}

function productToWire(row: ProductRow, caller: Principal): DeskSellerOnWire["products"][number] {
  const { reference, title, sales_30_days, reports, archived } = row;
  return {
    id: String(row.id),
    reference,
    title,
    price: Number(row.price),
    sales_30_days,
    reports,
    on_sale: row.switched_on && !archived && row.suspended_at === null,
    archived,
    suspended: suspensionToWire(row),
    may: {
      suspend: mayOf(judgeProductMeasure("suspend", row, caller)),
      resume: mayOf(judgeProductMeasure("resume", row, caller)),
    },
  };
}
