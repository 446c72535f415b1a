import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

/**
 * Takes away what providers' notices say of a person: they are kept as they came, names and numbers
 * too. Their hashes stay, so that one that comes again is known; nothing reads them otherwise.
 */
export async function forgetNotices(db: Db, personId: bigint): Promise<void> {
  await sql`
    UPDATE provider_notices n SET body = ''
    FROM payments p JOIN orders o ON o.id = p.order_id
    WHERE o.buyer_id = ${personId} AND n.provider = p.provider
      AND n.provider_payment_id = p.provider_payment_id AND n.body <> ''
  `.execute(db);
  // Of payouts only the words of the notice say whose it is.
  await sql`
    WITH named AS (
      SELECT p.lane, array_remove(
        array_agg(p.reference) || array_agg(p.provider_payout_id) || array_agg(p.handle), NULL
      ) AS names
      FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id
      WHERE w.seller_id = ${personId} GROUP BY p.lane
    )
    UPDATE payout_notices n SET body = '' FROM named
    WHERE n.provider = named.lane AND n.body <> ''
      AND regexp_split_to_array(encode(n.body, 'escape'), '[^A-Za-z0-9_-]+') && named.names
  `.execute(db);
}

/**
 * Takes away what Telegram said of the person in the updates that are still stored: the names and
 * the words. The row stays, so that Telegram repeating the update changes nothing.
 */
export async function redactUpdates(db: Db, personId: bigint): Promise<void> {
  await sql`
    UPDATE telegram_updates u
    SET body = jsonb_build_object('update_id', u.update_id, 'redacted', true)
    FROM people p
    WHERE p.id = ${personId} AND u.handled_at IS NOT NULL
      AND jsonb_path_exists(u.body, '$.**.id ? (@ == $id)',
        jsonb_build_object('id', p.telegram_id))
  `.execute(db);
}
