import { createHash } from "node:crypto";
import type { Update } from "grammy/types";
import { sql } from "kysely";
import type { Db } from "../postgres/database.ts";
import type { BotName } from "./gateway.ts";
import { isWanted, queueKeyOf } from "./queue-key.ts";

export type StoredUpdate = {
  readonly bot: BotName;
  readonly update_id: bigint;
  readonly body: Update;
  readonly attempts: number;
};

export const UPDATES_CHANNEL = "sesame_updates";

/** Stores updates once each, before Telegram is told they arrived. */
export async function storeUpdates(
  db: Db,
  bot: BotName,
  arrived: { updates: readonly Update[]; now: Date },
): Promise<void> {
  const { now } = arrived;
  const updates = arrived.updates.filter((update) => isNumbered(update) && isWanted(update));
  if (updates.length === 0) return;
  await sql`
    INSERT INTO telegram_updates (bot, update_id, queue_key, body, received_at, due_at)
    SELECT ${bot}, u.id, u.queue_key, u.body, ${now}, ${now}
    FROM (SELECT DISTINCT ON (id) * FROM unnest(
      ${updates.map((update) => update.update_id)}::bigint[],
      ${updates.map((update) => queueKeyOf(update))}::text[],
      ${updates.map((update) => JSON.stringify(update, storable))}::jsonb[]
    ) AS came(id, queue_key, body)) AS u
    ORDER BY u.id
    ON CONFLICT (bot, update_id) DO UPDATE SET
      queue_key = excluded.queue_key, body = excluded.body, received_at = excluded.received_at,
      due_at = excluded.due_at, handled_at = NULL, attempts = 0, last_error = NULL
      -- The same number for something else: Telegram has begun to number anew.
      WHERE telegram_updates.handled_at IS NOT NULL
        AND telegram_updates.body IS DISTINCT FROM excluded.body
  `.execute(db);
  await sql`SELECT pg_notify(${UPDATES_CHANNEL}, '')`.execute(db);
}

/** How `last_error` begins of an update that could not be read. */
export const UNREADABLE = "unreadable";
const UNREADABLE_KEPT_CHARACTERS = 4_096;

/**
 * Keeps what came by a bot's webhook and is no update, once and already closed: nobody handles it,
 * and it goes as handled updates go. Its number is negative, made of its hash: Telegram's are not.
 */
export async function storeUnreadableUpdate(
  db: Db,
  bot: BotName,
  { body, now }: { readonly body: Buffer; readonly now: Date },
): Promise<void> {
  const hash = createHash("sha256").update(body).digest();
  const id = -(hash.readBigUInt64BE() >> 1n) - 1n;
  const begin = body.toString("latin1").replaceAll("\0", "").slice(0, UNREADABLE_KEPT_CHARACTERS);
  await sql`
    INSERT INTO telegram_updates
      (bot, update_id, queue_key, body, received_at, due_at, handled_at, last_error)
    VALUES (${bot}, ${id}, ${`update:${id}`}, ${JSON.stringify({ unreadable: begin })}::jsonb,
      ${now}, ${now}, ${now}, ${`${UNREADABLE}: ${body.length} bytes`})
    ON CONFLICT (bot, update_id) DO NOTHING
  `.execute(db);
}

/** What has no number could neither be kept once nor confirmed. */
function isNumbered(update: Update): boolean {
  return Number.isSafeInteger(update.update_id);
}

/** jsonb holds neither NUL nor half a surrogate pair, and people can type both. */
function storable(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : value;
}

/**
 * Takes updates that are first in their queue, for `leaseMs`: those behind one under way, or behind
 * one that failed, wait for it.
 */
export async function claimUpdates(
  db: Db,
  bot: BotName,
  claim: { limit: number; now: Date; leaseMs: number },
): Promise<StoredUpdate[]> {
  const leaseEnd = new Date(claim.now.getTime() + claim.leaseMs);
  const { rows } = await sql<StoredUpdate>`
    UPDATE telegram_updates SET due_at = ${leaseEnd}, attempts = attempts + 1
    WHERE bot = ${bot} AND update_id IN (
      SELECT u.update_id FROM telegram_updates u
      WHERE u.bot = ${bot} AND u.handled_at IS NULL AND u.due_at <= ${claim.now}
        AND NOT EXISTS (
          SELECT FROM telegram_updates earlier
          WHERE earlier.bot = u.bot AND earlier.queue_key = u.queue_key
            AND earlier.handled_at IS NULL AND earlier.update_id < u.update_id
        )
      ORDER BY u.update_id
      LIMIT ${claim.limit}
      FOR UPDATE SKIP LOCKED
    )
    RETURNING bot, update_id, body, attempts
  `.execute(db);
  return rows;
}

type UpdateKey = { readonly bot: BotName; readonly update_id: bigint };

/** Done with it, whether handled or given up (`error`). */
export async function closeUpdate(
  db: Db,
  key: UpdateKey,
  end: { now: Date; error: string | null },
): Promise<void> {
  await sql`
    UPDATE telegram_updates SET handled_at = ${end.now}, last_error = ${end.error}
    WHERE bot = ${key.bot} AND update_id = ${key.update_id}
  `.execute(db);
}

export async function postponeUpdate(
  db: Db,
  key: UpdateKey,
  later: { dueAt: Date; error: string },
): Promise<void> {
  await sql`
    UPDATE telegram_updates SET due_at = ${later.dueAt}, last_error = ${later.error}
    WHERE bot = ${key.bot} AND update_id = ${key.update_id} AND handled_at IS NULL
  `.execute(db);
}

/** At start: what a former process had taken and not finished is taken again. */
export async function releaseUpdates(db: Db, bot: BotName, now: Date): Promise<void> {
  await sql`
    UPDATE telegram_updates SET due_at = ${now}
    WHERE bot = ${bot} AND handled_at IS NULL AND due_at > ${now}
  `.execute(db);
}

/** Telegram repeats an update for a day at most: older ones need not be recognised. */
export async function forgetUpdates(db: Db, before: Date): Promise<void> {
  await sql`DELETE FROM telegram_updates WHERE handled_at < ${before}`.execute(db);
}
