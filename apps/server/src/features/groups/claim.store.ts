import { sql } from "kysely";
import { type Db, many, maybe } from "../../postgres/database.ts";
import type { ChatFacts } from "./standing.ts";

export type Claim = {
  readonly chat_id: bigint;
  readonly telegram_id: bigint | null;
  readonly kind: "group" | "supergroup" | "channel";
  readonly title: string;
  readonly public_username: string | null;
  readonly can_manage: boolean;
  readonly can_invite: boolean;
  readonly can_restrict: boolean;
  readonly told_state: string | null;
};

/**
 * Remembers a chat that is not linked, and a person who may be given it: a hint, of whom Telegram is
 * asked. It stays with the person it names until `replaces` says that somebody else is a better one.
 */
export async function saveClaim(
  db: Db,
  claim: { facts: ChatFacts; telegramId: bigint | null; replaces: boolean; now: Date },
): Promise<void> {
  const { facts, telegramId, replaces, now } = claim;
  const { rights } = facts.standing;
  const first = replaces ? sql`excluded` : sql`old`;
  const second = replaces ? sql`old` : sql`excluded`;
  const person = sql`coalesce(${first}.telegram_id, ${second}.telegram_id)`;
  await sql`
    INSERT INTO group_claims AS old (chat_id, telegram_id, kind, title, public_username, can_manage,
      can_invite, can_restrict, created_at)
    VALUES (${facts.chatId}, ${telegramId}, ${facts.kind}, ${facts.title}, ${facts.publicUsername},
      ${rights.manage_chat}, ${rights.invite_users}, ${rights.restrict_members}, ${now})
    ON CONFLICT (chat_id) DO UPDATE SET
      told_state = CASE WHEN old.telegram_id IS NOT DISTINCT FROM ${person} THEN old.told_state END,
      telegram_id = ${person},
      kind = excluded.kind, title = excluded.title, public_username = excluded.public_username,
      can_manage = excluded.can_manage, can_invite = excluded.can_invite,
      can_restrict = excluded.can_restrict
  `.execute(db);
}

/** What was last said about the chat. False when it was said already. */
export async function markClaimTold(db: Db, chatId: bigint, state: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE group_claims SET told_state = ${state}
    WHERE chat_id = ${chatId} AND told_state IS DISTINCT FROM ${state}
  `.execute(db);
  return numAffectedRows === 1n;
}

export async function findClaim(db: Db, chatId: bigint): Promise<Claim | null> {
  return maybe<Claim>(db)`
    SELECT * FROM group_claims WHERE chat_id = ${chatId}
  `;
}

export async function dropClaim(tx: Db, chatId: bigint): Promise<void> {
  await sql`DELETE FROM group_claims WHERE chat_id = ${chatId}`.execute(tx);
}

/** The supergroups and channels that wait, and of which a person is the hint. */
export async function listClaimsOf(db: Db, telegramId: bigint): Promise<Claim[]> {
  return many<Claim>(db)`
    SELECT * FROM group_claims WHERE telegram_id = ${telegramId} AND kind <> 'group'
    ORDER BY created_at, chat_id LIMIT 50
  `;
}

/** What is known of the new chat already stays: another update of Telegram may be writing it now. */
export async function moveClaim(tx: Db, move: { from: bigint; to: bigint }): Promise<void> {
  await sql`
    WITH gone AS (DELETE FROM group_claims WHERE chat_id = ${move.from} RETURNING *)
    INSERT INTO group_claims (chat_id, telegram_id, kind, title, public_username, can_manage,
      can_invite, can_restrict, told_state, created_at)
    SELECT ${move.to}, telegram_id, 'supergroup', title, public_username, can_manage, can_invite,
      can_restrict, told_state, created_at
    FROM gone
    ON CONFLICT (chat_id) DO NOTHING
  `.execute(tx);
}
