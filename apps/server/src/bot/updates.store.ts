import { ERASED_NAME } from "@sesame/contract/identity";
import { createHash } from "node:crypto";
import type { Update } from "grammy/types";
import { DAY_MS } from "@sesame/kernel";
import { sql } from "kysely";
import type { Chosen } from "../jobs/failed-jobs.store.ts";
import { datesAhead, type LeaseClock } from "../jobs/leases.ts";
import { redactError } from "../secrets/redact-secrets.ts";
import { type Db, many, PREPARED, one } from "../postgres/database.ts";
import type { BotName } from "./gateway.ts";

/**
 * Updates with one key are handled in order, as in Telegram's own queues for webhooks:
 * a person's acts by person, events of a chat by chat.
 */
function queueKeyOf(update: Update): string {
  try {
    // Telegram's ids are short; an index refuses longer keys.
    return keyOf(update)?.slice(0, LONGEST_KEY) ?? `update:${update.update_id}`;
  } catch {
    // Of another form than Telegram's: its handler reports that, and those behind it are stored.
    return `update:${update.update_id}`;
  }
}

const LONGEST_KEY = 64;

function keyOf(update: Update): string | null {
  const person =
    update.chat_member?.new_chat_member.user.id ??
    update.chat_join_request?.from.id ??
    update.callback_query?.from.id ??
    update.pre_checkout_query?.from.id;
  if (person !== undefined) return `person:${person}`;
  const chat = update.my_chat_member?.chat ?? update.message?.chat;
  if (chat === undefined) return null;
  return chat.type === "private" ? `person:${chat.id}` : `chat:${chat.id}`;
}

/**
 * An administrator bot receives every message of its groups. They are private: only commands and
 * the service messages that are used are stored.
 */
export function isWanted(update: Update): boolean {
  const { message } = update;
  if (!message?.chat || message.chat.type === "private") return true;
  return (
    message.migrate_to_chat_id !== undefined ||
    message.migrate_from_chat_id !== undefined ||
    message.new_chat_title !== undefined ||
    (message.text?.startsWith("/start") ?? false)
  );
}

export type LeasedUpdate = {
  readonly bot: BotName;
  readonly update_id: bigint;
  readonly body: Update;
  /** Includes the current one; handlings that ended in an outage are not counted. */
  readonly attempts: number;
  readonly outages: number;
  readonly lease: string;
  /** Milliseconds since it was stored. */
  readonly age_ms: number;
};

export const UPDATES_CHANNEL = "sesame_updates";

/** Stores updates once each, before their arrival is confirmed to Telegram. */
export async function storeUpdates(
  db: Db,
  bot: BotName,
  arrived: { updates: readonly Update[]; now: Date },
): Promise<void> {
  const { now } = arrived;
  // An update without an id can be neither deduplicated nor confirmed.
  const updates = arrived.updates.filter(
    (update) => Number.isSafeInteger(update.update_id) && isWanted(update),
  );
  if (updates.length === 0) return;
  // jsonb stores neither NUL nor half a surrogate pair, and people can type both.
  const storable = (_key: string, value: unknown) =>
    typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : value;
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
      due_at = excluded.due_at, handled_at = NULL, attempts = 0, outages = 0,
      lease = NULL, last_error = NULL
      -- The same id with other content: Telegram has restarted its numbers.
      WHERE telegram_updates.handled_at IS NOT NULL
        AND telegram_updates.body IS DISTINCT FROM excluded.body
        AND NOT telegram_updates.body ? 'redacted'
  `.execute(db);
  await sql`SELECT pg_notify(${UPDATES_CHANNEL}, '')`.execute(db);
}

/** The prefix of `last_error` for an unreadable update. */
const UNREADABLE = "unreadable";
const UNREADABLE_KEPT_CHARACTERS = 4_096;

/**
 * Stores a body from a bot's webhook that is no update, once and already closed: it is never handled,
 * and deleted like handled updates. Its id is negative, derived from its hash: Telegram's are not.
 */
export async function storeUnreadableUpdate(db: Db, bot: BotName, body: Buffer, now: Date) {
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

/**
 * Due updates that are first in their queue: those behind one in progress, or behind one that
 * waits, wait too.
 */
export const dueUpdates = (bot: BotName, clock: LeaseClock) => sql`
  FROM telegram_updates u
  WHERE u.bot = ${bot} AND u.handled_at IS NULL
    AND (u.due_at <= ${clock.at()} OR u.attempts + u.outages = 0 AND u.lease IS NULL)
    AND NOT EXISTS (
      SELECT FROM telegram_updates earlier
      WHERE earlier.bot = u.bot AND earlier.queue_key = u.queue_key
        AND earlier.handled_at IS NULL AND earlier.update_id < u.update_id
    )
`;

/** A dead process's updates are free after this; a living one renews its leases before. */
export const LEASE_MS = 10_000;

/** Columns of future instants, and the furthest that a correct clock can write. A service requires a day at most. */
export const UPDATES_DATES = datesAhead(
  "telegram_updates",
  [
    ["due_at", LEASE_MS, "handled_at IS NULL AND (lease IS NOT NULL OR attempts + outages = 0)"],
    ["due_at", DAY_MS, "handled_at IS NULL"],
  ],
  { isFenced: true },
);

export async function leaseUpdates(
  db: Db,
  bot: BotName,
  { limit, clock }: { limit: number; clock: LeaseClock },
): Promise<LeasedUpdate[]> {
  const now = clock.at();
  return many<LeasedUpdate>(db)`${PREPARED}
    UPDATE telegram_updates SET due_at = ${clock.at(LEASE_MS)}, lease = gen_random_uuid()
    WHERE bot = ${bot} AND update_id = ANY (ARRAY(
      SELECT u.update_id ${dueUpdates(bot, clock)}
      ORDER BY u.update_id
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    ))
    RETURNING bot, update_id, body, attempts + 1 AS attempts, outages, lease,
      extract(epoch FROM ${now} - received_at)::float8 * 1000 AS age_ms
  `;
}

export type UpdateLease = Pick<LeasedUpdate, "bot" | "update_id" | "lease">;

export async function renewUpdates(db: Db, held: readonly UpdateLease[], clock: LeaseClock) {
  if (held.length === 0) return;
  await sql`
    UPDATE telegram_updates SET due_at = ${clock.at(LEASE_MS)}
    WHERE handled_at IS NULL AND lease = ANY (${held.map(({ lease }) => lease)}::uuid[])
      AND update_id = ANY (${held.map(({ update_id }) => update_id)}::bigint[])
  `.execute(db);
}

/**
 * Closes an update, handled or given up (`error`). If its lease was lost meanwhile, the other
 * worker closes it.
 */
export async function closeUpdate(
  db: Db,
  held: UpdateLease,
  end: { clock: LeaseClock; error: string | null },
): Promise<void> {
  await sql`
    UPDATE telegram_updates SET handled_at = ${end.clock.at()}, lease = NULL,
      last_error = ${end.error === null ? null : redactError(end.error)}
    WHERE bot = ${held.bot} AND update_id = ${held.update_id} AND lease = ${held.lease}
  `.execute(db);
}

export async function postponeUpdate(
  db: Db,
  held: UpdateLease,
  later: { afterMs: number; by: "answer" | "outage"; error: string; clock: LeaseClock },
): Promise<void> {
  const answers = later.by === "answer" ? 1 : 0;
  await sql`
    UPDATE telegram_updates SET due_at = ${later.clock.at(later.afterMs)}, lease = NULL,
      attempts = attempts + ${answers}::integer, outages = outages + ${1 - answers}::integer,
      last_error = ${redactError(later.error)}
    WHERE bot = ${held.bot} AND update_id = ${held.update_id} AND handled_at IS NULL
      AND lease = ${held.lease}
  `.execute(db);
}

/** Makes given-up updates due again, as if they had just come. → how many */
export async function retryUpdates(db: Db, isChosen: Chosen, clock: LeaseClock): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE telegram_updates SET handled_at = NULL, last_error = NULL, due_at = ${clock.at()},
      lease = NULL, received_at = ${clock.at()}, attempts = 0, outages = 0
    WHERE handled_at IS NOT NULL AND last_error IS NOT NULL
      AND ${isChosen(sql`'update:' || bot || ':' || update_id`, sql`'telegram.' || bot`)}
  `.execute(db);
  const retried = Number(numAffectedRows ?? 0n);
  if (retried > 0) await sql`SELECT pg_notify(${UPDATES_CHANNEL}, '')`.execute(db);
  return retried;
}

const NAMES_PERSON = sql`jsonb_path_exists(u.body, '$.**.id ? (@ == $id)',
  jsonb_build_object('id', p.telegram_id))`;

/**
 * Deletes a person's names and texts from stored updates. The rows stay, so that a repeated update
 * changes nothing. It is unknown whom an unreadable one names: each loses its text. → whether one
 * still waits to be handled
 */
export async function redactUpdates(db: Db, personId: bigint): Promise<boolean> {
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

/** Handling a waiting update must not store the person's names again. */
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
