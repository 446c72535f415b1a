import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

export async function approveWithdrawal(
  tx: Db,
  approved: { id: bigint; by: bigint; now: Date },
): Promise<void> {
  await sql`
    UPDATE withdrawals SET status = 'approved', decided_at = ${approved.now},
      decided_by = ${approved.by}
    WHERE id = ${approved.id}
  `.execute(tx);
}
