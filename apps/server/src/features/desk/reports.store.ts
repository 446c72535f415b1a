import { sql } from "kysely";
import { type Db, maybe } from "../../postgres/database.ts";

export type ReportedProduct = {
  readonly id: bigint;
  readonly seller_id: bigint;
  readonly title: string;
};

export async function findReportedProduct(
  db: Db,
  reference: string,
): Promise<ReportedProduct | null> {
  return maybe<ReportedProduct>(db)`
    SELECT id, seller_id, title FROM products
    WHERE reference = ${reference} AND archived_at IS NULL
  `;
}

/** A person's reports take turns: his number of them is limited. */
export async function countReports(tx: Db, personId: bigint, since: Date): Promise<number> {
  await sql`
    SELECT pg_advisory_xact_lock(hashtextextended(${`reports:${personId}`}, 0))
  `.execute(tx);
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM product_reports
    WHERE person_id = ${personId} AND created_at > ${since}
  `.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function hasReported(
  tx: Db,
  { productId, personId }: { productId: bigint; personId: bigint },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM product_reports WHERE product_id = ${productId} AND person_id = ${personId}
  `.execute(tx);
  return rows.length > 0;
}

export type NewReport = {
  readonly productId: bigint;
  readonly personId: bigint;
  readonly code: string;
  readonly words: string | null;
};

/** → how many there are now, and of how many who had bought it. */
export async function insertReport(
  tx: Db,
  report: NewReport,
  now: Date,
): Promise<{ reports: number; buyers: number }> {
  const { productId, personId } = report;
  // Two buyers at once: the product's row makes them take turns, so that the last counts both.
  await sql`SELECT FROM products WHERE id = ${productId} FOR NO KEY UPDATE`.execute(tx);
  await sql`
    INSERT INTO product_reports (product_id, person_id, reason_code, words, is_buyer, created_at)
    VALUES (${productId}, ${personId}, ${report.code}, ${report.words}, EXISTS (
      SELECT FROM orders o WHERE o.buyer_id = ${personId} AND o.product_id = ${productId}
        AND o.status IN ('paid', 'refunded')), ${now})
    ON CONFLICT (product_id, person_id) DO NOTHING
  `.execute(tx);
  const { rows } = await sql<{ reports: number; buyers: number }>`
    SELECT count(*)::int AS reports, count(*) FILTER (WHERE is_buyer)::int AS buyers
    FROM product_reports WHERE product_id = ${productId}
  `.execute(tx);
  return rows[0] ?? { reports: 0, buyers: 0 };
}
