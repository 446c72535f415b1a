import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import type { Audience } from "./sessions.store.ts";

export type SessionRow = {
  readonly person_id: bigint;
  readonly telegram_id: bigint;
  readonly audience: Audience;
  readonly expires_at: Date;
};

/** Null for an unknown, expired or revoked token. Not cached: a revoked token ends at once. */
export async function findSession(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<SessionRow | null> {
  const { rows } = await sql<SessionRow>`
    SELECT s.person_id, p.telegram_id, s.audience, s.expires_at
    FROM sessions s JOIN people p ON p.id = s.person_id
    WHERE s.token_hash = ${tokenHash} AND s.revoked_at IS NULL AND s.expires_at > ${now}
  `.execute(db);
  return rows[0] ?? null;
}
