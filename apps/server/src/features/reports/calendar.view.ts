import type { TransactionStatus } from "@sesame/contract/reports";
import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";
import { PAYOUT_STATUS } from "./movements.view.ts";
import type { Day, Span } from "./periods.ts";

/** Instants: from the first, before the second. */
export type Between = { readonly from: Date; readonly until: Date };

export type DayCount = { readonly day: Day; readonly count: number };

// An access its admins ended is over, whatever time is left.
const ENDING = sql`a.status <> 'banned'`;

/** How many accesses of the seller's groups end on each day. */
export async function countEndings(
  db: Db,
  sellerId: bigint,
  { from, until, zone }: Between & { readonly zone: string },
): Promise<DayCount[]> {
  return many<DayCount>(db)`
    SELECT (a.ends_at AT TIME ZONE ${zone}::text)::date::text AS day, count(*)::int AS count
    FROM groups g JOIN accesses a ON a.group_id = g.id
    WHERE g.seller_id = ${sellerId} AND a.ends_at >= ${from} AND a.ends_at < ${until} AND ${ENDING}
    GROUP BY 1
  `;
}

/** How many sales prolonged an access, by day: of the totals. */
export async function countRenewals(db: Db, sellerId: bigint, span: Span): Promise<DayCount[]> {
  return many<DayCount>(db)`
    SELECT starts_on::text AS day, sum(renewals)::int AS count FROM sale_totals
    WHERE seller_id = ${sellerId} AND grain = 'day'
      AND starts_on BETWEEN ${span.from}::date AND ${span.to}::date
    GROUP BY starts_on HAVING sum(renewals) > 0
  `;
}

/** How many withdrawals were asked for on each day, the next automatic one with them. */
export async function countPayouts(
  db: Db,
  sellerId: bigint,
  { from, until, zone }: Between & { readonly zone: string },
): Promise<DayCount[]> {
  return many<DayCount>(db)`
    SELECT (p.at AT TIME ZONE ${zone}::text)::date::text AS day, count(*)::int AS count
    FROM (
      SELECT created_at AS at FROM withdrawals WHERE seller_id = ${sellerId}
      UNION ALL
      SELECT next_run_at FROM payout_profiles
      WHERE seller_id = ${sellerId} AND automatic AND frozen_at IS NULL
    ) AS p
    WHERE p.at >= ${from} AND p.at < ${until}
    GROUP BY 1
  `;
}

export type EndingRow = {
  readonly id: bigint;
  readonly at: Date;
  readonly buyer_name: string;
  readonly product_id: bigint;
  readonly title: string;
};

export async function viewEndings(
  db: Db,
  sellerId: bigint,
  { from, until, limit }: Between & { readonly limit: number },
): Promise<EndingRow[]> {
  return many<EndingRow>(db)`
    SELECT a.id, a.ends_at AS at, concat_ws(' ', p.first_name, p.last_name) AS buyer_name,
      o.product_id, o.title
    FROM groups g JOIN accesses a ON a.group_id = g.id
    JOIN orders o ON o.id = a.order_id JOIN people p ON p.id = a.person_id
    WHERE g.seller_id = ${sellerId} AND a.ends_at >= ${from} AND a.ends_at < ${until} AND ${ENDING}
    ORDER BY a.ends_at, a.id LIMIT ${limit}
  `;
}

export type RenewalRow = EndingRow & { readonly price: Fcfa };

export async function viewRenewals(
  db: Db,
  sellerId: bigint,
  { day, limit }: { readonly day: Day; readonly limit: number },
): Promise<RenewalRow[]> {
  return many<RenewalRow>(db)`
    SELECT o.id, o.paid_at AS at, concat_ws(' ', p.first_name, p.last_name) AS buyer_name,
      o.product_id, o.title, o.price
    FROM sale_days d JOIN orders o ON o.id = d.order_id JOIN people p ON p.id = o.buyer_id
    WHERE d.seller_id = ${sellerId} AND d.day = ${day}::date AND d.renewal
    ORDER BY o.paid_at, o.id LIMIT ${limit}
  `;
}

export type CalendarPayoutRow = {
  readonly id: bigint;
  readonly at: Date;
  readonly amount: Fcfa;
  readonly status: TransactionStatus;
  readonly reference: string;
  readonly automatic: boolean;
};

export async function viewPayoutsOfDay(
  db: Db,
  sellerId: bigint,
  { from, until, limit }: Between & { readonly limit: number },
): Promise<CalendarPayoutRow[]> {
  return many<CalendarPayoutRow>(db)`
    SELECT w.id, w.created_at AS at, w.amount, ${PAYOUT_STATUS} AS status, w.reference,
      w.origin = 'automatic' AS automatic
    FROM withdrawals w
    WHERE w.seller_id = ${sellerId} AND w.created_at >= ${from} AND w.created_at < ${until}
    ORDER BY w.created_at, w.id LIMIT ${limit}
  `;
}

/** When the seller's next automatic payout is asked for; null: none. */
export async function viewNextRun(db: Db, sellerId: bigint): Promise<Date | null> {
  const { rows } = await sql<{ next_run_at: Date | null }>`
    SELECT next_run_at FROM payout_profiles
    WHERE seller_id = ${sellerId} AND automatic AND frozen_at IS NULL
  `.execute(db);
  return rows[0]?.next_run_at ?? null;
}
