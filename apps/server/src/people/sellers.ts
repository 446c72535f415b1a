import { sql } from "kysely";
import type { Db } from "../postgres/database.ts";

/**
 * What is changed of one seller (requests, settings, keys, payment methods) takes turns until the
 * transaction ends, and the seller's plan stands still meanwhile.
 */
export async function lockSeller(tx: Db, sellerId: bigint): Promise<void> {
  await sql`SELECT FROM sellers WHERE id = ${sellerId} FOR NO KEY UPDATE`.execute(tx);
}

/** Opens the seller's two accounts and writes his row, once, whoever calls first. → whether this call did */
export async function createSeller(tx: Db, personId: bigint, now: Date): Promise<boolean> {
  // Two first sign-ins at once wait for each other here.
  await sql`SELECT FROM people WHERE id = ${personId} FOR NO KEY UPDATE`.execute(tx);
  const keys = [`seller:${personId}:free`, `seller:${personId}:premium`];
  const { numAffectedRows } = await sql`
    INSERT INTO sellers (id, free_account_id, premium_account_id, created_at, updated_at)
    SELECT ${personId}, opened[1], opened[2], ${now}, ${now}
    FROM ledger_open_accounts(${keys}::text[], true, ${now}) AS opened
    ON CONFLICT (id) DO NOTHING
  `.execute(tx);
  return numAffectedRows === 1n;
}

/** What a seller's row becomes; what is left out stays. */
type SellerChange = {
  readonly plan?: "free" | undefined;
  readonly onboarded?: boolean | undefined;
  readonly display_name?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly whatsapp_number?: string | null | undefined;
  readonly closed_at?: Date | null | undefined;
  readonly suspended_at?: Date | null | undefined;
  readonly suspended_reason?: string | null | undefined;
  readonly suspended_review_at?: Date | null | undefined;
};

export async function changeSeller(tx: Db, id: bigint, change: SellerChange, now: Date) {
  const said = Object.entries(change).filter(([, value]) => value !== undefined);
  const columns = said.map(([name, value]) => sql`${sql.ref(name)} = ${value}, `);
  await sql`
    UPDATE sellers SET ${sql.join(columns, sql``)} updated_at = ${now} WHERE id = ${id}
  `.execute(tx);
}

/** Takes away what a seller said of himself. */
export const eraseProfile = (tx: Db, id: bigint, now: Date) =>
  changeSeller(tx, id, { display_name: null, country: null, whatsapp_number: null }, now);
