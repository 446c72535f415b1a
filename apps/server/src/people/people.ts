import type { User } from "grammy/types";
import { sql } from "kysely";
import { assignments, type Db, maybe, one, many, PREPARED } from "../postgres/database.ts";
import { ERASED_NAME } from "@sesame/contract/identity";
import type { BotName } from "../bot/gateway.ts";
import { addMs, DAY_MS } from "@sesame/kernel";
import type { App } from "../app.ts";
import type { Principal } from "../http/server.ts";
import { createPruningLoop, type Loop } from "../jobs/loop.ts";
import { publish, SESSION_ENDED, sessionRoom } from "../realtime/events.store.ts";
import { hashOf } from "../secrets/vault.ts";

/** The person of a Telegram account, known or new, with the current names. */
export async function meetPerson(db: Db, user: User, now: Date): Promise<bigint> {
  const { id } = await one<{ id: bigint }>(db)`
    INSERT INTO people
      (telegram_id, first_name, last_name, username, language_code, created_at, seen_at)
    VALUES (${user.id}, ${user.first_name}, ${user.last_name ?? null}, ${user.username ?? null},
      ${user.language_code ?? null}, ${now}, ${now})
    ON CONFLICT (telegram_id) DO UPDATE SET
      first_name = excluded.first_name, last_name = excluded.last_name,
      username = excluded.username,
      language_code = coalesce(excluded.language_code, people.language_code),
      seen_at = excluded.seen_at
    RETURNING id
  `;
  return id;
}

/** Null for an unknown person. */
export async function findPerson(db: Db, telegramId: number): Promise<bigint | null> {
  const row = await maybe<{ id: bigint }>(db)`
    SELECT id FROM people WHERE telegram_id = ${telegramId}
  `;
  return row?.id ?? null;
}

export async function telegramIdOf(db: Db, personId: bigint): Promise<bigint | null> {
  const row = await maybe<{ telegram_id: bigint }>(db)`
    SELECT telegram_id FROM people WHERE id = ${personId}
  `;
  return row?.telegram_id ?? null;
}

/** Records whether the bots may write to a person. → whether that has changed */
export async function noteReachable(
  db: Db,
  chat: { bots: readonly BotName[]; personId: bigint; reachable: boolean; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO bot_chats (bot, person_id, reachable, changed_at)
    SELECT b, ${chat.personId}, ${chat.reachable}, ${chat.now}
    FROM unnest(${[...chat.bots]}::text[]) AS b
    ON CONFLICT (bot, person_id) DO UPDATE
      SET reachable = excluded.reachable, changed_at = excluded.changed_at
      WHERE bot_chats.reachable <> excluded.reachable
  `.execute(db);
  return Boolean(numAffectedRows);
}

/**
 * Deletes a person's names and chats, and ends the sessions. → the hashes of those that were open,
 * in hex
 */
export async function eraseIdentity(tx: Db, id: bigint, now: Date): Promise<string[]> {
  await sql`DELETE FROM bot_chats WHERE person_id = ${id}`.execute(tx);
  await sql`
    UPDATE people SET first_name = ${ERASED_NAME}, last_name = NULL, username = NULL,
      language_code = NULL, photo_url = NULL, logged_out_at = ${now}
    WHERE id = ${id}
  `.execute(tx);
  return endSessions(tx, id, { now });
}

/** Those of these agents and operators who have started the sellers' bot and may be written to. */
export async function listStaffInTouch(db: Db, telegramIds: Iterable<bigint>) {
  return many<{ id: bigint; telegram_id: bigint }>(db)`
    SELECT p.id, p.telegram_id FROM people p
    JOIN bot_chats c ON c.person_id = p.id AND c.bot = 'seller' AND c.reachable
    WHERE p.telegram_id = ANY(${[...telegramIds]}::bigint[]) ORDER BY p.id
  `;
}

/**
 * Serializes changes of one seller (requests, settings, keys, payment methods) until the
 * transaction ends; the plan cannot change meanwhile.
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

type SellerTexts = "display_name" | "country" | "whatsapp_number" | "suspended_reason";
type SellerDates = "closed_at" | "suspended_at" | "suspended_review_at";

/** Changes of a seller's row; absent fields are unchanged. */
type SellerChange = { readonly [K in SellerTexts]?: string | null | undefined } & {
  readonly [K in SellerDates]?: Date | null | undefined;
} & { readonly plan?: "free" | undefined; readonly onboarded?: boolean | undefined };

export async function changeSeller(tx: Db, id: bigint, change: SellerChange, now: Date) {
  await sql`
    UPDATE sellers SET ${assignments({ ...change, updated_at: now })} WHERE id = ${id}
  `.execute(tx);
}

/** Ends the session, and refuses its init data from now on. */
export async function logOut(app: App, { personId }: Principal, token: string): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    await sql`
      WITH ended AS (
        UPDATE sessions SET revoked_at = ${now}
        WHERE token_hash = ${hashOf(token)} AND revoked_at IS NULL
      )
      UPDATE people SET logged_out_at = ${now} WHERE id = ${personId}
    `.execute(tx);
    await publish(tx, [{ room: sessionRoom(token), name: SESSION_ENDED, body: {} }]);
  });
}

/** Ends open sessions of a person: as a seller, as a buyer, or all. → the tokens' hashes, in hex */
export async function endSessions(
  tx: Db,
  personId: bigint,
  { audience, now }: { audience?: "seller"; now: Date },
): Promise<string[]> {
  const there = audience ? sql`AND audience = ${audience}` : sql``;
  const sessions = await many<{ hash: string }>(tx)`
    UPDATE sessions SET revoked_at = ${now}
    WHERE person_id = ${personId} ${there} AND revoked_at IS NULL AND expires_at > ${now}
    RETURNING encode(token_hash, 'hex') AS hash
  `;
  return sessions.map(({ hash }) => hash);
}

/** Deletes sessions that ended a day ago, some at a time. */
export const sessionPruning = (app: App): Loop =>
  createPruningLoop(app, "identity.forget-old-sessions", (now, limit) => {
    const before = addMs(now, -DAY_MS);
    return sql`${PREPARED}
      DELETE FROM sessions WHERE token_hash IN (
        SELECT token_hash FROM sessions WHERE expires_at < ${before} LIMIT ${limit})
    `;
  });
