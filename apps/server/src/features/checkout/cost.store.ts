import { type Fcfa, fcfa } from "@sesame/kernel";
import { postNew } from "@sesame/ledger";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

/**
 * What a provider keeps of a payment `p` that it collected for the instance: as it `said`, or by the
 * operator's rate where it does not say; NULL on a seller's own account.
 */
export const KEPT = sql`CASE WHEN p.key_id IS NULL THEN coalesce(said.cost,
  coalesce(p.received, p.amount) * ((SELECT value FROM settings
    WHERE key = 'collection_costs')->>p.provider)::int / 10000) END`;

/** Books what is kept of payments, in the transaction that makes them paid, which happens once. */
export async function bookCosts(
  tx: Db,
  paid: readonly { paymentId: bigint; cost?: Fcfa | null }[],
  now: Date,
): Promise<void> {
  if (paid.length === 0) return;
  const { rows } = await sql<{ id: bigint; cost: Fcfa; provider: bigint; ours: bigint }>`
    WITH due AS (
      SELECT p.id, p.provider, ${KEPT} AS cost
      FROM unnest(${paid.map(({ paymentId }) => paymentId)}::bigint[],
        ${paid.map(({ cost = null }) => cost)}::bigint[]) AS said(payment_id, cost)
      JOIN payments p ON p.id = said.payment_id
    )
    UPDATE payments p SET cost = due.cost
    FROM due, ledger_accounts provider, ledger_accounts ours
    WHERE p.id = due.id AND due.cost > 0 AND provider.key = 'provider:' || due.provider
      AND ours.key = 'platform:provider-costs'
    RETURNING p.id, p.cost, provider.id AS provider, ours.id AS ours
  `.execute(tx);
  const transfers = rows.map(({ id, cost, provider, ours }) => ({
    id: `collected:${id}`,
    legs: [
      { account: ours, amount: fcfa(-cost) },
      { account: provider, amount: cost },
    ],
    occurredAt: now,
  }));
  await postNew(tx, transfers, now);
}
