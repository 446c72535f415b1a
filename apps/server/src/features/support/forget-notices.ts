import { ERASED_NAME } from "@sesame/contract/support";
import { MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { backOffMs, DONE, type JobHandler } from "../../jobs/outbox.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { type Db, many, one } from "../../postgres/database.ts";

const FORGET_NOTICES = "support.forget-notices";

/** Soon, and not in the call: every stored webhook and update is looked at. */
export function forgetNoticesSoon(tx: Db, personId: bigint, now: Date): Promise<void> {
  return enqueue(tx, [{ topic: FORGET_NOTICES, ref: personId, priority: 3, dueAt: now }]);
}

export function forgetNoticesJob({ db }: App): JobHandler {
  return {
    topic: FORGET_NOTICES,
    batch: 1,
    concurrency: 1,
    maxAttempts: 20,
    run: async ({ ref, attempts }) => {
      await forgetNotices(db, ref);
      if (!(await redactUpdates(db, ref))) return DONE;
      return {
        kind: "later",
        afterMs: Math.max(MINUTE_MS, backOffMs(attempts)),
        reason: "an update waits to be handled",
      };
    },
  };
}

/**
 * Takes away what providers' notices say of a person: they are kept as they came, names and numbers
 * too. Their hashes stay, so that one that comes again is known; nothing reads them otherwise.
 */
async function forgetNotices(db: Db, personId: bigint): Promise<void> {
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

const NAMES_PERSON = sql`jsonb_path_exists(u.body, '$.**.id ? (@ == $id)',
  jsonb_build_object('id', p.telegram_id))`;

/**
 * Takes away what Telegram said of the person in the updates that are still stored: the names and
 * the words. The row stays, so that Telegram repeating the update changes nothing. Of one that could
 * not be read nobody knows whom it names: each loses its text. → whether one waits to be handled yet
 */
async function redactUpdates(db: Db, personId: bigint): Promise<boolean> {
  const { waits } = await one<{ waits: boolean }>(db)`
    WITH named AS MATERIALIZED (
      SELECT u.bot, u.update_id, u.handled_at FROM telegram_updates u, people p
      WHERE p.id = ${personId} AND (${NAMES_PERSON} OR u.body ? 'unreadable')
    ), redacted AS (
      UPDATE telegram_updates u
      SET body = jsonb_build_object('update_id', u.update_id, 'redacted', true)
      FROM named WHERE u.bot = named.bot AND u.update_id = named.update_id
        AND u.handled_at IS NOT NULL
    )
    SELECT EXISTS (SELECT FROM named WHERE handled_at IS NULL) AS waits
  `;
  return waits;
}

/** Whoever handles a waiting update does not bring the person's names back. */
export async function renameInUpdates(tx: Db, personId: bigint): Promise<void> {
  type Waiting = { bot: string; update_id: bigint; body: string; id: number };
  const updates = await many<Waiting>(tx)`
    SELECT u.bot, u.update_id, u.body::text AS body, p.telegram_id::float8 AS id
    FROM telegram_updates u, people p
    WHERE p.id = ${personId} AND u.handled_at IS NULL AND ${NAMES_PERSON}
    FOR UPDATE OF u
  `;
  for (const { bot, update_id: updateId, body, id } of updates) {
    const renamed = JSON.parse(body, (_key, value) => {
      if (value?.id !== id) return value;
      const { last_name: _, username: __, ...rest } = value;
      return { ...rest, first_name: ERASED_NAME };
    });
    await sql`
      UPDATE telegram_updates SET body = ${JSON.stringify({ ...renamed, redacted: true })}::jsonb
      WHERE bot = ${bot} AND update_id = ${updateId}
    `.execute(tx);
  }
}
