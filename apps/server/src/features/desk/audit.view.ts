import type { DeskAuditRowOnWire } from "@sesame/contract/desk";
import { type RawBuilder, sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";

export type AuditRow = {
  readonly seq: bigint;
  readonly at: Date;
  readonly actor_id: bigint | null;
  readonly actor_name: string;
  readonly actor_role: DeskAuditRowOnWire["role"];
  readonly action: string;
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly reason: string | null;
  readonly hash: string;
};

export type AuditPage = {
  readonly subject: string | null;
  readonly action: string | null;
  readonly actorId: bigint | null;
  /** The last row shown. */
  readonly before: bigint | null;
  readonly limit: number;
};

const columns = sql`
  a.seq, a.at, a.actor_id, concat_ws(' ', p.first_name, p.last_name) AS actor_name, a.actor_role,
  a.action, a.subject, a.before, a.after, a.reason, encode(a.hash, 'hex') AS hash
`;

/** Newest first. */
export async function findAuditRows(db: Db, page: AuditPage): Promise<AuditRow[]> {
  const { subject, action, actorId, before } = page;
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (subject !== null) conditions.push(sql`a.subject = ${subject}`);
  if (action !== null) conditions.push(sql`a.action = ${action}`);
  if (actorId !== null) conditions.push(sql`a.actor_id = ${actorId}`);
  if (before !== null) conditions.push(sql`a.seq < ${before}`);
  return many<AuditRow>(db)`
    SELECT ${columns} FROM audit_log a LEFT JOIN people p ON p.id = a.actor_id
    WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY a.seq DESC LIMIT ${page.limit}
  `;
}

/** About the seller himself, his products, his requests: newest first. */
export async function findAuditOfSeller(
  db: Db,
  sellerId: bigint,
  limit: number,
): Promise<AuditRow[]> {
  return many<AuditRow>(db)`
    WITH subject AS (
      SELECT 'seller:' || ${sellerId}::bigint AS name
      UNION ALL SELECT 'product:' || p.id FROM products p WHERE p.seller_id = ${sellerId}
      UNION ALL (SELECT 'withdrawal:' || w.id FROM withdrawals w WHERE w.seller_id = ${sellerId}
        ORDER BY w.id DESC LIMIT 50)
    )
    SELECT ${columns}
    FROM subject
    CROSS JOIN LATERAL (
      SELECT * FROM audit_log l WHERE l.subject = subject.name ORDER BY l.seq DESC LIMIT ${limit}
    ) AS a
    LEFT JOIN people p ON p.id = a.actor_id
    ORDER BY a.seq DESC LIMIT ${limit}
  `;
}

/** Of a time, oldest first, in pages: for an export. */
export async function findAuditBetween(
  db: Db,
  time: { from: Date; until: Date; after: bigint; limit: number },
): Promise<AuditRow[]> {
  return many<AuditRow>(db)`
    SELECT ${columns} FROM audit_log a LEFT JOIN people p ON p.id = a.actor_id
    WHERE a.at >= ${time.from} AND a.at < ${time.until} AND a.seq > ${time.after}
    ORDER BY a.seq LIMIT ${time.limit}
  `;
}
