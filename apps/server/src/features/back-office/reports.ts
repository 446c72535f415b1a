import { REFERENCE_PATTERN } from "@sesame/contract/checkout";
import { REASON_CHARACTERS_MAX } from "@sesame/contract/treasury";
import { type reportProduct } from "@sesame/contract/back-office";
import { addMs, DAY_MS, ok, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import type { z } from "zod";
import { raiseAlert } from "../../alerts/alerts.ts";
import type { App } from "../../app.ts";
import { type Db, maybe, one, takeTurn } from "../../postgres/database.ts";
import { REPORT_REASONS } from "./messages.fr.ts";

type Body = NonNullable<z.output<typeof reportProduct.body>>;

const REPORTS_A_DAY = 10;

/** A buyer's report of a product (decision 99): one for each buyer, one alert for all. */
export function report({ db, clock }: App, { personId, body }: { personId: bigint; body: Body }) {
  return db.transaction().execute(async (tx) => {
    const { reference } = body;
    const sound = typeof reference === "string" && REFERENCE_PATTERN.test(reference);
    const product = sound
      ? await maybe<{ id: bigint; seller_id: bigint; title: string }>(tx)`
          SELECT id, seller_id, title FROM products
          WHERE reference = ${reference} AND archived_at IS NULL
        `
      : null;
    if (!product) return refuse({ kind: "report.product-not-found" });
    if (product.seller_id === personId) return refuse({ kind: "report.own-product" });
    const said = readReport(body);
    if (!said.ok) return said;
    const now = clock.now();
    // A person's reports are serialized, since their number is limited.
    await takeTurn(tx, `reports:${personId}`);
    const before = await one<{ today: number; already: boolean }>(tx)`
      SELECT count(*) FILTER (WHERE created_at > ${addMs(now, -DAY_MS)})::int AS today,
        coalesce(bool_or(product_id = ${product.id}), false) AS already
      FROM product_reports WHERE person_id = ${personId}
    `;
    if (before.already) return ok({ already: true });
    if (before.today >= REPORTS_A_DAY) return refuse({ kind: "report.too-many" });
    const { code, words } = said.value;
    // The lock on the product's row serializes two buyers at once, so that the second counts both.
    await sql`SELECT FROM products WHERE id = ${product.id} FOR NO KEY UPDATE`.execute(tx);
    await sql`
      INSERT INTO product_reports (product_id, person_id, reason_code, words, is_buyer, created_at)
      VALUES (${product.id}, ${personId}, ${code}, ${words}, EXISTS (
        SELECT FROM orders o WHERE o.buyer_id = ${personId} AND o.product_id = ${product.id}
          AND o.status IN ('paid', 'refunded')), ${now})
      ON CONFLICT (product_id, person_id) DO NOTHING
    `.execute(tx);
    const counts = await one<{ reports: number; buyers: number }>(tx)`
      SELECT count(*)::int AS reports, count(*) FILTER (WHERE is_buyer)::int AS buyers
      FROM product_reports WHERE product_id = ${product.id}
    `;
    const last_reason = REPORT_REASONS[code] ?? code;
    await raiseAlert(tx, {
      kind: "product.reported",
      subject: `product:${product.id}`,
      details: { reference: product.title, ...counts, last_reason, last_words: words },
      whenOpen: "anew",
      now,
    });
    return ok({ already: false });
  });
}

function readReport({ motif, message }: Body) {
  if (typeof motif !== "string" || !Object.hasOwn(REPORT_REASONS, motif)) {
    return refuse({ kind: "report.reason-unknown" });
  }
  const words = typeof message === "string" ? message.trim() : "";
  if (words === "" && motif === "other") return refuse({ kind: "report.message-missing" });
  if (words.length > REASON_CHARACTERS_MAX) return refuse({ kind: "report.message-too-long" });
  return ok({ code: motif, words: words === "" ? null : words });
}

/** Deletes what a buyer wrote about products. */
export async function eraseReports(tx: Db, id: bigint): Promise<void> {
  await sql`
    UPDATE product_reports SET words = NULL WHERE person_id = ${id} AND words IS NOT NULL
  `.execute(tx);
}
