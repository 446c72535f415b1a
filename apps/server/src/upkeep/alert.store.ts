import type { BrokenInvariant } from "@sesame/ledger";
import { sql } from "kysely";
import type { Db } from "../postgres/database.ts";

/**
 * Of `desk_alerts`: the books, the sales, the time sold, the sellers' money out, the buyers' money
 * back, the audit log.
 */
export type BrokenKind =
  | "ledger.broken"
  | "sale.broken"
  | "access.broken"
  | "withdrawal.broken"
  | "refund.broken"
  | "audit.broken";

/**
 * Puts what is broken on the desk, once each, and again when it breaks after it was resolved. Nothing
 * is resolved here: somebody has to look.
 */
export async function alertBroken(
  db: Db,
  broken: { readonly kind: BrokenKind; readonly invariants: readonly BrokenInvariant[] },
  now: Date,
): Promise<void> {
  const { kind, invariants } = broken;
  if (invariants.length === 0) return;
  await sql`
    INSERT INTO desk_alerts AS d (kind, subject, details, created_at)
    SELECT DISTINCT ON (b.subject) ${kind}, b.subject, b.details, ${now}::timestamptz
    FROM unnest(
      ${invariants.map(({ invariant, subject }) => `${invariant}: ${subject}`)}::text[],
      ${invariants.map((details) => JSON.stringify(details))}::jsonb[]
    ) AS b(subject, details)
    ON CONFLICT (kind, subject) DO UPDATE
      SET details = excluded.details, created_at = excluded.created_at, resolved_at = NULL
      WHERE d.resolved_at IS NOT NULL
  `.execute(db);
}

/**
 * An agent paid more from a float than the books have in it: money was put in that nobody noted, or is
 * missing. Of floats that are counted or filled; over as soon as there is enough again.
 */
export async function alertOverdrawnFloats(db: Db, now: Date): Promise<void> {
  await sql`
    WITH float AS (
      SELECT a.key, -ledger_balance(a.id) AS francs FROM ledger_accounts a
      WHERE a.key LIKE 'float:%' AND (
        EXISTS (SELECT FROM day_closes c WHERE c.account = a.key)
        OR EXISTS (SELECT FROM float_moves m WHERE a.key IN (m.account, m.other)))
    ), over AS (
      UPDATE desk_alerts d SET resolved_at = ${now} FROM float
      WHERE d.kind = 'float.overdrawn' AND d.subject = float.key AND d.resolved_at IS NULL
        AND float.francs >= 0
    )
    INSERT INTO desk_alerts AS d (kind, subject, details, created_at)
    SELECT 'float.overdrawn', key, jsonb_build_object('account', key, 'amount', francs), ${now}
    FROM float WHERE francs < 0
    ON CONFLICT (kind, subject) DO UPDATE SET details = excluded.details, resolved_at = NULL,
      created_at = CASE WHEN d.resolved_at IS NULL THEN d.created_at ELSE excluded.created_at END
      -- What somebody has closed at this amount stays closed.
      WHERE d.resolved_by IS NULL OR d.details->>'amount' <> excluded.details->>'amount'
  `.execute(db);
}
