import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

export type DifferenceRow = {
  readonly id: bigint;
  readonly provider: string;
  readonly what: "payouts" | "payments";
  readonly kind: string;
  readonly subject: string;
  readonly ours: Record<string, unknown> | null;
  readonly theirs: Record<string, unknown> | null;
  readonly first_seen_at: Date;
  readonly last_seen_at: Date;
  readonly gone_at: Date | null;
  /** Of our payout, or our payment. */
  readonly withdrawal_id: bigint | null;
  readonly order_id: bigint | null;
};

/** Newest first. */
export async function findDifferences(
  db: Db,
  page: { status: "open" | "gone" | "all"; before: bigint | null; limit: number },
): Promise<DifferenceRow[]> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (page.status === "open") conditions.push(sql`d.gone_at IS NULL`);
  if (page.status === "gone") conditions.push(sql`d.gone_at IS NOT NULL`);
  if (page.before !== null) conditions.push(sql`d.id < ${page.before}`);
  const { rows } = await sql<DifferenceRow>`
    SELECT d.id, d.provider, d.what, d.kind, d.subject, d.ours, d.theirs, d.first_seen_at,
      d.last_seen_at, d.gone_at,
      (SELECT p.withdrawal_id FROM payouts p
        WHERE p.id = CASE WHEN d.subject ~ '^payout:[0-9]{1,18}$'
          THEN substr(d.subject, 8)::bigint END) AS withdrawal_id,
      (SELECT p.order_id FROM payments p
        WHERE p.id = CASE WHEN d.subject ~ '^payment:[0-9]{1,18}$'
          THEN substr(d.subject, 9)::bigint END) AS order_id
    FROM reconciliation_differences d WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY d.id DESC LIMIT ${page.limit}
  `.execute(db);
  return rows;
}
