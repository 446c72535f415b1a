import type { User } from "grammy/types";
import { sql } from "kysely";
import { type Db, maybe, one } from "../postgres/database.ts";
import { ERASED_NAME } from "@sesame/contract/identity";
import type { BotName } from "../bot/gateway.ts";
import { endSessions } from "./sessions.ts";

/** The person behind a Telegram account, known or new, with the names it has today. */
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

/** Null for somebody we have never met. */
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

/** Whether the bots may write to a person. → whether it was otherwise before */
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
 * Takes away who a person is and where the bots would write, and ends the sessions. → the hashes of
 * those that were open, in hex
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
