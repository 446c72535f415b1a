import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
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
};

/** Remembers who added the bot; the first stays. True when the chat was not known before. */
export async function saveClaim(
  db: Db,
  claim: { facts: ChatFacts; telegramId: bigint | null; now: Date },
): Promise<boolean> {
  const { facts, telegramId, now } = claim;
  const { rights } = facts.standing;
  const { rows } = await sql<{ is_new: boolean }>`
    INSERT INTO group_claims (chat_id, telegram_id, kind, title, public_username, can_manage,
      can_invite, can_restrict, created_at)
    VALUES (${facts.chatId}, ${telegramId}, ${facts.kind}, ${facts.title}, ${facts.publicUsername},
      ${rights.manage_chat}, ${rights.invite_users}, ${rights.restrict_members}, ${now})
    ON CONFLICT (chat_id) DO UPDATE SET
      telegram_id = coalesce(group_claims.telegram_id, excluded.telegram_id),
      kind = excluded.kind, title = excluded.title, public_username = excluded.public_username,
      can_manage = excluded.can_manage, can_invite = excluded.can_invite,
      can_restrict = excluded.can_restrict
    RETURNING xmax = 0 AS is_new
  `.execute(db);
  return rows[0]?.is_new ?? false;
}

export async function findClaim(db: Db, chatId: bigint): Promise<Claim | null> {
  const { rows } = await sql<Claim>`
    SELECT * FROM group_claims WHERE chat_id = ${chatId}
  `.execute(db);
  return rows[0] ?? null;
}

export async function dropClaim(tx: Db, chatId: bigint): Promise<void> {
  await sql`DELETE FROM group_claims WHERE chat_id = ${chatId}`.execute(tx);
}

/** The supergroups and channels a person added the bot to before becoming a seller. */
export async function takeClaimsOf(tx: Db, telegramId: bigint): Promise<Claim[]> {
  const { rows } = await sql<Claim>`
    DELETE FROM group_claims WHERE telegram_id = ${telegramId} AND kind <> 'group'
    RETURNING *
  `.execute(tx);
  return rows;
}

export async function moveClaim(tx: Db, move: { from: bigint; to: bigint }): Promise<void> {
  await sql`
    UPDATE group_claims SET chat_id = ${move.to}, kind = 'supergroup'
    WHERE chat_id = ${move.from}
      AND NOT EXISTS (SELECT FROM group_claims other WHERE other.chat_id = ${move.to})
  `.execute(tx);
  await sql`DELETE FROM group_claims WHERE chat_id = ${move.from}`.execute(tx);
}
