import type { Lane } from "@sesame/contract/desk";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

/**
 * Waits for whoever decides about the request: agents, and the seller who cancels. Everything else
 * is read and locked after it.
 */
export async function lockWithdrawal(tx: Db, id: bigint): Promise<boolean> {
  const { rows } = await sql`SELECT FROM withdrawals WHERE id = ${id} FOR UPDATE`.execute(tx);
  return rows.length > 0;
}

export async function writeClaim(
  tx: Db,
  claim: { id: bigint; by: bigint; until: Date },
): Promise<void> {
  await sql`
    UPDATE withdrawals SET claimed_by = ${claim.by}, claimed_until = ${claim.until}
    WHERE id = ${claim.id}
  `.execute(tx);
}

export async function dropClaim(tx: Db, id: bigint): Promise<void> {
  await sql`
    UPDATE withdrawals SET claimed_by = NULL, claimed_until = NULL WHERE id = ${id}
  `.execute(tx);
}

/** The request waits for the second agent, and is free to be taken. */
export async function writeFirstApproval(
  tx: Db,
  approval: { id: bigint; by: bigint; lane: Lane; now: Date },
): Promise<void> {
  await sql`
    UPDATE withdrawals SET first_approved_by = ${approval.by}, first_approved_at = ${approval.now},
      first_approved_lane = ${approval.lane}, claimed_by = NULL, claimed_until = NULL
    WHERE id = ${approval.id}
  `.execute(tx);
}
