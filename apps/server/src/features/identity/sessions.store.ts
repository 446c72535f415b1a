import { type RawBuilder, sql } from "kysely";
import { type Db, PREPARED } from "../../postgres/database.ts";
import type { SellerPart } from "../../postgres/parts.ts";
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
  const { rows } = await sql<{ person_id: bigint; outcome: SignInOutcome }>`
    SELECT * FROM ${signInCall(session)}
  `.execute(db);
  const row = rows[0];
  if (!row) throw new Error("identity_sign_in answers one row");
  return { personId: row.person_id, outcome: row.outcome };
}

/** What a seller's sign-in found: `start` is null unless he is signed in. */
export type Opening<T> = {
  readonly personId: bigint;
  readonly outcome: SignInOutcome;
  readonly start: T | null;
};

/**
 * Signs in and reads what the seller's screens begin with, in one statement. It sees the database as
 * it stood when it began: the person's own row is not yet what the proof says (`sellerAsProved`).
 */
export async function signInAndRead<T>(
  db: Db,
  session: NewSession,
  part: SellerPart<T>,
): Promise<Opening<T>> {
  const { json, read } = part(sql`signed.person_id`);
  const { rows } = await sql<{
    person_id: bigint;
    outcome: SignInOutcome;
    start: unknown;
  }>`${PREPARED}
    WITH signed AS MATERIALIZED (SELECT * FROM ${signInCall(session)})
    SELECT signed.person_id, signed.outcome,
      CASE WHEN signed.outcome = 'signed-in'
        AND EXISTS (SELECT FROM sellers s WHERE s.id = signed.person_id)
      THEN ${json} END AS start
    FROM signed
  `.execute(db);
  const row = rows[0];
  if (!row) throw new Error("identity_sign_in answers one row");
  const { person_id: personId, outcome, start } = row;
  if (outcome !== "signed-in") return { personId, outcome, start: null };
  // Null: his first sign-in, at the same instant on another connection, was not over when this began.
  const said = start ?? (await readStart(db, personId, part));
  return { personId, outcome, start: await read(said) };
}

async function readStart<T>(db: Db, personId: bigint, part: SellerPart<T>): Promise<unknown> {
  const { rows } = await sql<{ start: unknown }>`
    SELECT ${part(sql`${personId}`).json} AS start
  `.execute(db);
  return rows[0]?.start;
}

function signInCall(session: NewSession): RawBuilder<unknown> {
  const { person } = session;
  return sql`identity_sign_in(
    ${person.telegramId}, ${person.firstName}, ${person.lastName}, ${person.username},
    ${person.languageCode}, ${person.photoUrl}, ${person.provedAt},
    ${session.writableBots}::text[], ${session.audience}, ${session.tokenHash},
    ${session.now}, ${session.expiresAt})`;
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
  const { numAffectedRows } = await sql`${PREPARED}
    DELETE FROM sessions WHERE token_hash IN (
      SELECT token_hash FROM sessions WHERE expires_at < ${before} LIMIT ${limit}
    )
  `.execute(db);
  return numAffectedRows === BigInt(limit);
}
