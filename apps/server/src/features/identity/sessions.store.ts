import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import type { BotName, ProvenPerson } from "./init-data.ts";

export type Audience = "seller" | "buyer";

export type NewSession = {
  readonly person: ProvenPerson;
  readonly writableBots: readonly BotName[];
  readonly audience: Audience;
  readonly tokenHash: Buffer;
  readonly now: Date;
  readonly expiresAt: Date;
};

export type SignInOutcome = "signed-in" | "revoked" | "new-seller" | "closed";

/** One call: see `identity_sign_in`. */
export async function signIn(
  db: Db,
  session: NewSession,
): Promise<{ personId: bigint; outcome: SignInOutcome }> {
  const { person } = session;
  const { rows } = await sql<{ person_id: bigint; outcome: SignInOutcome }>`
    SELECT * FROM identity_sign_in(
      ${person.telegramId}, ${person.firstName}, ${person.lastName}, ${person.username},
      ${person.languageCode}, ${person.photoUrl}, ${person.provedAt},
      ${session.writableBots}::text[], ${session.audience}, ${session.tokenHash},
      ${session.now}, ${session.expiresAt})
  `.execute(db);
  const row = rows[0];
  if (!row) throw new Error("identity_sign_in answers one row");
  return { personId: row.person_id, outcome: row.outcome };
}

/** True when it was this call that created the seller. */
export async function createSeller(tx: Db, personId: bigint, now: Date): Promise<boolean> {
  const { rows } = await sql<{ created: boolean }>`
    SELECT identity_create_seller(${personId}, ${now}) AS created
  `.execute(tx);
  return rows[0]?.created === true;
}

/** Ends the session, and refuses from now on the init data it came from. */
export async function revokeSession(
  db: Db,
  session: { tokenHash: Buffer; personId: bigint; now: Date },
): Promise<void> {
  await sql`
    WITH ended AS (
      UPDATE sessions SET revoked_at = ${session.now}
      WHERE token_hash = ${session.tokenHash} AND revoked_at IS NULL
    )
    UPDATE people SET logged_out_at = ${session.now} WHERE id = ${session.personId}
  `.execute(db);
}

/** Forgets sessions long over. → whether there may be more. */
export async function forgetOldSessions(db: Db, before: Date): Promise<boolean> {
  const limit = 1_000;
  const { numAffectedRows } = await sql`
    DELETE FROM sessions WHERE token_hash IN (
      SELECT token_hash FROM sessions WHERE expires_at < ${before} LIMIT ${limit}
    )
  `.execute(db);
  return numAffectedRows === BigInt(limit);
}
