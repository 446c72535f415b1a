import { type RawBuilder, sql } from "kysely";
import { type Db, many, maybe } from "../../postgres/database.ts";

export type AlertRow = {
  readonly id: bigint;
  readonly kind: string;
  readonly subject: string;
  readonly details: Record<string, unknown>;
  readonly created_at: Date;
  readonly resolved_at: Date | null;
  readonly resolved_by: bigint | null;
  readonly resolver_name: string | null;
  readonly resolution: string | null;
  /** Whom it is about; null when it is about nobody, or the platform. */
  readonly seller_id: bigint | null;
  readonly seller_name: string | null;
  readonly withdrawal_id: bigint | null;
};

/**
 * `order:12` and its like name a row of ours: the seller it leads to. The number is read by a CASE:
 * a subject of another shape ("moneroo") must not be cast.
 */
const about = sql`
  CROSS JOIN LATERAL (
    SELECT split_part(a.subject, ':', 1) AS what,
      CASE WHEN a.subject ~ '^[a-z]+:[0-9]{1,18}$' THEN split_part(a.subject, ':', 2)::bigint END
        AS number
  ) AS named
  LEFT JOIN LATERAL (
    SELECT CASE named.what
      WHEN 'seller' THEN named.number
      WHEN 'product' THEN (SELECT p.seller_id FROM products p WHERE p.id = named.number)
      WHEN 'order' THEN (SELECT o.seller_id FROM orders o WHERE o.id = named.number)
      WHEN 'payment' THEN (SELECT o.seller_id FROM payments p JOIN orders o ON o.id = p.order_id
        WHERE p.id = named.number)
      WHEN 'access' THEN (SELECT g.seller_id FROM accesses x JOIN groups g ON g.id = x.group_id
        WHERE x.id = named.number)
      WHEN 'withdrawal' THEN (SELECT w.seller_id FROM withdrawals w WHERE w.id = named.number)
      WHEN 'refund' THEN (SELECT r.seller_id FROM refunds r WHERE r.id = named.number)
      WHEN 'claim' THEN (SELECT c.seller_id FROM claims c WHERE c.id = named.number)
      WHEN 'payout' THEN (SELECT w.seller_id FROM payouts p
        JOIN withdrawals w ON w.id = p.withdrawal_id WHERE p.id = named.number)
    END AS seller_id,
    CASE named.what
      WHEN 'withdrawal' THEN named.number
      WHEN 'payout' THEN (SELECT p.withdrawal_id FROM payouts p WHERE p.id = named.number)
    END AS withdrawal_id
  ) AS led ON true
  LEFT JOIN sellers s ON s.id = led.seller_id
  LEFT JOIN people owner ON owner.id = s.id
  LEFT JOIN people resolver ON resolver.id = a.resolved_by
`;

const columns = sql`
  a.id, a.kind, a.subject, a.details, a.created_at, a.resolved_at, a.resolved_by, a.resolution,
  concat_ws(' ', resolver.first_name, resolver.last_name) AS resolver_name,
  s.id AS seller_id, led.withdrawal_id,
  coalesce(s.display_name, concat_ws(' ', owner.first_name, owner.last_name)) AS seller_name
`;

export type AlertsPage = {
  readonly status: "open" | "resolved" | "all";
  readonly kind: string | null;
  /** The last row shown. */
  readonly after: { readonly at: Date; readonly id: bigint } | null;
  readonly limit: number;
};

/** Newest first. */
export async function findAlerts(db: Db, page: AlertsPage): Promise<AlertRow[]> {
  const { status, kind, after } = page;
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (status === "open") conditions.push(sql`a.resolved_at IS NULL`);
  if (status === "resolved") conditions.push(sql`a.resolved_at IS NOT NULL`);
  if (kind !== null) conditions.push(sql`a.kind = ${kind}`);
  if (after) conditions.push(sql`(a.created_at, a.id) < (${after.at}, ${after.id})`);
  return many<AlertRow>(db)`
    WITH a AS MATERIALIZED (
      SELECT * FROM desk_alerts a WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY a.created_at DESC, a.id DESC LIMIT ${page.limit}
    )
    SELECT ${columns} FROM a ${about} ORDER BY a.created_at DESC, a.id DESC
  `;
}

export async function findAlert(db: Db, id: bigint): Promise<AlertRow | null> {
  return maybe<AlertRow>(db)`
    SELECT ${columns} FROM desk_alerts a ${about} WHERE a.id = ${id}
  `;
}

/** Open ones about a seller, his products and his requests. */
export async function findAlertsOfSeller(db: Db, sellerId: bigint): Promise<AlertRow[]> {
  return many<AlertRow>(db)`
    SELECT ${columns} FROM desk_alerts a ${about}
    WHERE a.resolved_at IS NULL AND led.seller_id = ${sellerId}
    ORDER BY a.created_at DESC, a.id DESC LIMIT 20
  `;
}

export async function countOpenAlerts(db: Db): Promise<{ kind: string; open: number }[]> {
  return many<{ kind: string; open: number }>(db)`
    SELECT kind, count(*)::int AS open FROM desk_alerts WHERE resolved_at IS NULL
    GROUP BY kind ORDER BY kind
  `;
}
