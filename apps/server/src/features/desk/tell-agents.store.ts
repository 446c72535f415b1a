import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

export type Agent = { readonly id: bigint; readonly telegram_id: bigint };

/** Those of these people who have opened the sellers' bot and may be written to. */
export async function listAgentsInTouch(db: Db, telegramIds: readonly bigint[]): Promise<Agent[]> {
  const { rows } = await sql<Agent>`
    SELECT p.id, p.telegram_id FROM people p
    JOIN bot_chats c ON c.person_id = p.id AND c.bot = 'seller' AND c.reachable
    WHERE p.telegram_id = ANY(${[...telegramIds]}::bigint[])
    ORDER BY p.id
  `.execute(db);
  return rows;
}

/** One teller at a time, until the transaction ends. → when agents were last told of something */
export async function lockTelling(tx: Db): Promise<Date | null> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('desk.tell-agents', 0))`.execute(tx);
  const { rows } = await sql<{ told_at: Date | null }>`
    SELECT max(told_at) AS told_at FROM desk_tellings
  `.execute(tx);
  return rows[0]?.told_at ?? null;
}

/** Notes that agents are told of all that waits. → whose requests were not told before */
export async function noteTold(tx: Db, now: Date): Promise<bigint[]> {
  const { rows } = await sql<{ seller_id: bigint }>`
    WITH told AS (
      INSERT INTO desk_tellings (withdrawal_id, told_at)
      SELECT w.id, ${now} FROM withdrawals w
      WHERE w.status = 'pending'
        AND NOT EXISTS (SELECT FROM desk_tellings t WHERE t.withdrawal_id = w.id)
      RETURNING withdrawal_id
    )
    SELECT w.seller_id FROM told JOIN withdrawals w ON w.id = told.withdrawal_id
  `.execute(tx);
  return rows.map(({ seller_id }) => seller_id);
}
