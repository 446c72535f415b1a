import { ok, type Result, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import { noteNews } from "./tell-seller.ts";
import { viewAnyWithdrawal } from "./withdrawals.view.ts";

type Rejection = {
  readonly id: bigint;
  readonly code: string;
  /** The sentence the seller reads. */
  readonly reason: string;
  /** Null: the system by itself. */
  readonly by: bigint | null;
};

/** Gives the francs back and tells the seller, in the transaction of who decides. */
export async function rejectIn(
  tx: Db,
  rejection: Rejection,
  now: Date,
): Promise<Result<null, { kind: "withdrawals.unknown" } | { kind: "withdrawals.not-pending" }>> {
  const { id, reason } = rejection;
  if (await rejectWithdrawal(tx, rejection, now)) {
    await noteNews(tx, id, { news: "rejected", reason, now });
    return ok(null);
  }
  const known = await viewAnyWithdrawal(tx, id);
  return refuse({ kind: known ? "withdrawals.not-pending" : "withdrawals.unknown" });
}

/** False when it is not pending (or not known), and nothing was changed. */
async function rejectWithdrawal(
  tx: Db,
  { id, code, reason, by }: Rejection,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE withdrawals SET status = 'rejected', decided_at = ${now}, decided_by = ${by},
      reject_code = ${code}, reject_reason = ${reason}, claimed_by = NULL, claimed_until = NULL
    WHERE id = ${id} AND status = 'pending'
    RETURNING 1
  `.execute(tx);
  if (rows.length === 0) return false;
  await sql`SELECT release_withdrawal(${id}, ${now})`.execute(tx);
  return true;
}
