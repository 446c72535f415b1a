import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import type { PayoutRow } from "./payout.store.ts";

export async function isProviderIdUsed(
  tx: Db,
  payout: PayoutRow,
  providerPayoutId: string,
): Promise<boolean> {
  await sql`
    SELECT pg_advisory_xact_lock(1885434473, hashtext(${providerPayoutId}::text))
  `.execute(tx);
  const { rows } = await sql`
    SELECT FROM payouts WHERE lane = ${payout.lane} AND id <> ${payout.id}
      AND provider_payout_id = ${providerPayoutId}
  `.execute(tx);
  return rows.length > 0;
}

/** Another than was linked before is taken too: a first look may have shown it was not the one. */
export async function linkProviderId(
  tx: Db,
  payoutId: bigint,
  link: { providerPayoutId: string; now: Date },
): Promise<void> {
  await sql`
    UPDATE payouts SET provider_payout_id = ${link.providerPayoutId}, check_at = ${link.now}
    WHERE id = ${payoutId}
  `.execute(tx);
}
