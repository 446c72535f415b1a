import { mayOf } from "@sesame/contract";
import * as contract from "@sesame/contract/back-office";
import { type Plan, planToWire } from "@sesame/contract/plans";
import { addMs, DAY_MS } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { Principal } from "../../http/server.ts";
import { type Db, many, maybe } from "../../postgres/database.ts";
import { writeOffsSince } from "../refunds/index.ts";
import { listAlertsOfSeller } from "./alerts.ts";
import { listAuditOfSeller } from "./audit.ts";
import { listOrdersOfSeller, listWithdrawalsOfSeller } from "./search.ts";
import { lockSeller } from "../../people/people.ts";

const SHOWN = 10;
const AUDIT_ENTRIES_SHOWN = 20;
const RECENT_MS = 30 * DAY_MS;

type SellerSheet = z.output<typeof contract.sellerSheet>;
/** Fields added when the row is shown. */
type Added = "holds" | "last_sales" | "withdrawals" | "groups" | "products" | "alerts" | "audit";
type SellerRow = Omit<SellerSheet, Added | "may" | "type_plan"> &
  SellerStanding & { readonly plan: Plan | null };

/** An active measure, from the columns of its row. */
const suspended = (row: RawBuilder<unknown>) => sql`
  CASE WHEN ${row}.suspended_at IS NOT NULL THEN json_build_object('by', 'operator',
    'reason', ${row}.suspended_reason, 'since', ${row}.suspended_at,
    'review_at', ${row}.suspended_review_at) END AS suspended`;

const account = (row: RawBuilder<unknown>) => sql`json_build_object('posted', ${row}.posted,
  'held', ${row}.held, 'available', ${row}.posted - ${row}.held)`;

const findSeller = (db: Db, id: bigint, now: Date) => maybe<SellerRow>(db)`
  SELECT s.id, seller_name(s, p) AS name,
    p.username, p.photo_url, p.telegram_id::float8 AS telegram_id, s.display_name, s.country,
    s.whatsapp_number, s.plan, s.premium_until, s.created_at AS since, s.closed_at, s.suspended_at,
    f.frozen_at, ${suspended(sql`s`)},
    CASE WHEN f.frozen_at IS NOT NULL THEN json_build_object('by', coalesce(f.frozen_by, 'operator'),
      'reason', f.frozen_reason, 'since', f.frozen_at, 'review_at', f.frozen_review_at)
    END AS frozen,
    json_build_object('method', f.method, 'phone', f.phone,
      'automatic', coalesce(f.automatic, false), 'number_changed_at', f.number_changed_at) AS payout,
    json_build_object('gratuit', ${account(sql`free`)}, 'payant', ${account(sql`premium`)})
      AS balances,
    (SELECT json_build_object('count', count(*), 'gross', coalesce(sum(o.price), 0),
        'net', coalesce(sum(o.price - o.fee), 0), 'running_accesses',
        (SELECT count(*) FROM accesses a JOIN groups g ON g.id = a.group_id
          WHERE g.seller_id = s.id AND a.ends_at > ${now}
            AND a.status IN ('waiting', 'inside', 'left')))
      FROM orders o WHERE o.seller_id = s.id AND o.status = 'paid') AS sales,
    coalesce(d.owed, 0)::bigint AS owed, w.asked_by AS write_off_by, w.asked_at AS write_off_at,
    CASE WHEN w.id IS NOT NULL THEN json_build_object('amount', w.amount, 'since', w.asked_at,
      'by', asker.name) END AS write_off
  FROM sellers s
  JOIN people p ON p.id = s.id
  JOIN ledger_accounts free ON free.id = s.free_account_id
  JOIN ledger_accounts premium ON premium.id = s.premium_account_id
  LEFT JOIN payout_profiles f ON f.seller_id = s.id
  LEFT JOIN seller_advances d ON d.seller_id = s.id
  LEFT JOIN write_offs w ON w.seller_id = s.id AND w.decided_at IS NULL
    AND w.asked_at > ${writeOffsSince(now)}
  LEFT JOIN people asker ON asker.id = w.asked_by
  WHERE s.id = ${id}
`;

/** Everything about a seller, and what the caller may do with him. Null: no such seller. */
export async function viewSeller(db: Db, id: bigint, caller: Principal, now: Date) {
  const seller = await findSeller(db, id, now);
  if (!seller) return null;
  const may = (measure: Measure) =>
    mayOf(checkMeasure(measure, seller, caller, now), contract.registryRefusals);
  // The newest products, suspended ones first.
  const products = await many<Omit<SellerSheet["products"][number], "may"> & ProductStanding>(db)`
    SELECT p.id, p.seller_id, p.reference, p.title, p.price, p.suspended_at,
      p.archived_at IS NOT NULL AS archived, ${suspended(sql`p`)},
      p.switched_on AND p.archived_at IS NULL AND p.suspended_at IS NULL AS on_sale,
      (SELECT count(*)::int FROM orders o WHERE o.product_id = p.id AND o.status = 'paid'
        AND o.created_at >= ${addMs(now, -RECENT_MS)}) AS sales_30_days,
      (SELECT count(*)::int FROM product_reports r WHERE r.product_id = p.id) AS reports
    FROM products p WHERE p.seller_id = ${id}
    ORDER BY p.suspended_at IS NULL, p.archived_at IS NOT NULL, p.id DESC LIMIT 50
  `;
  return {
    ...seller,
    type_plan: seller.plan && planToWire(seller.plan),
    // Francs held for pending requests.
    holds: await many<SellerSheet["holds"][number]>(db)`
      SELECT id, reference, amount, created_at AS since FROM withdrawals
      WHERE seller_id = ${id} AND status = 'pending' ORDER BY id DESC LIMIT 50
    `,
    last_sales: await listOrdersOfSeller(db, id, SHOWN),
    withdrawals: await listWithdrawalsOfSeller(db, id, SHOWN),
    groups: await many<SellerSheet["groups"][number]>(db)`
      SELECT g.id, g.title, g.member_count AS members,
        -- Whether membership of it can be sold now: the contract's policy of groups in SQL.
        g.bot_present AND g.public_username IS NULL AND g.seller_lost_rights_at IS NULL
          AND g.can_manage AND g.can_invite AND g.can_restrict AND group_in_quota(g) AS healthy,
        CASE g.kind WHEN 'channel' THEN 'canal' ELSE 'groupe' END AS type
      FROM groups g WHERE g.seller_id = ${id} ORDER BY g.linked_at, g.id LIMIT 50
    `,
    products: products.map((product) => ({
      ...product,
      may: {
        suspend: mayOf(checkProductMeasure("suspend", product, caller), contract.registryRefusals),
        resume: mayOf(checkProductMeasure("resume", product, caller), contract.registryRefusals),
      },
    })),
    alerts: await listAlertsOfSeller(db, id, caller),
    audit: await listAuditOfSeller(db, id, AUDIT_ENTRIES_SHOWN),
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

export type Measure = "suspend" | "resume" | "freeze" | "unfreeze" | "reopen" | "write-off";

/** After this long the operator who requested a write-off may confirm it alone. */
const ALONE_AFTER_MS = DAY_MS;

/** The facts that decide whether a measure about a seller may be taken. */
export type SellerStanding = {
  readonly id: bigint;
  readonly closed_at: Date | null;
  readonly suspended_at: Date | null;
  readonly frozen_at: Date | null;
  /** Francs advanced for the seller. */
  readonly owed: bigint;
  /** The operator who has requested to write them off. */
  readonly write_off_by: bigint | null;
  readonly write_off_at: Date | null;
};

/** Locked until the transaction ends, as the seller's requests and settings are. */
export async function lockStanding(tx: Db, id: bigint, now: Date): Promise<SellerStanding | null> {
  await lockSeller(tx, id);
  return maybe<SellerStanding>(tx)`
    SELECT s.id, s.closed_at, s.suspended_at, f.frozen_at, coalesce(d.owed, 0)::bigint AS owed,
      w.asked_by AS write_off_by, w.asked_at AS write_off_at
    FROM sellers s LEFT JOIN payout_profiles f ON f.seller_id = s.id
    LEFT JOIN seller_advances d ON d.seller_id = s.id
    LEFT JOIN write_offs w ON w.seller_id = s.id AND w.decided_at IS NULL
      AND w.asked_at > ${writeOffsSince(now)}
    WHERE s.id = ${id}
  `;
}

/** The first reason against it; null: it may be taken. Nobody decides about himself. */
export function checkMeasure(
  measure: Measure,
  seller: SellerStanding,
  caller: Principal,
  now: Date,
): contract.RegistryRefusal | null {
  if (!caller.isOperator) return { kind: "desk.operator-only" };
  if (seller.id === caller.personId) return { kind: "desk.own-account" };
  if (measure === "write-off") {
    if (seller.owed === 0n) return { kind: "desk.nothing-owed" };
    const { write_off_by: by, write_off_at: at } = seller;
    const waits = by === caller.personId && at !== null && addMs(at, ALONE_AFTER_MS) > now;
    return waits ? { kind: "desk.write-off-waits" } : null;
  }
  if (measure === "suspend" && seller.closed_at !== null) return { kind: "desk.account-closed" };
  const [column, isSet, kind] = NEEDED[measure];
  return (seller[column] !== null) === isSet ? null : { kind };
}

/** Whether the instant must be set for the measure, and the refusal if it is not so. */
const NEEDED = {
  suspend: ["suspended_at", false, "desk.already-suspended"],
  resume: ["suspended_at", true, "desk.not-suspended"],
  freeze: ["frozen_at", false, "desk.already-frozen"],
  unfreeze: ["frozen_at", true, "desk.not-frozen"],
  reopen: ["closed_at", true, "desk.account-open"],
} as const;

export type ProductStanding = {
  readonly seller_id: bigint;
  readonly suspended_at: Date | null;
};

export function checkProductMeasure(
  measure: "suspend" | "resume",
  product: ProductStanding,
  caller: Principal,
): contract.RegistryRefusal | null {
  if (!caller.isOperator) return { kind: "desk.operator-only" };
  if (product.seller_id === caller.personId) return { kind: "desk.own-account" };
  const [column, isSet, kind] = NEEDED[measure];
  return (product[column] !== null) === isSet ? null : { kind };
}
