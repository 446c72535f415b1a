import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../postgres/database.ts";

export type IdempotentCall = {
  readonly personId: bigint;
  /** Method and route pattern: "POST /api/products". */
  readonly route: string;
  readonly key: string;
  /** What identifies the content: the same key with other content is refused. */
  readonly content: string | Uint8Array;
};

type RememberedAnswer = { readonly status: number; readonly answer: unknown };

export type Claim =
  | { readonly kind: "new" }
  | { readonly kind: "repeated"; readonly remembered: RememberedAnswer }
  | { readonly kind: "other-content" };

/**
 * Claims a key inside the transaction of the effect. A second call with the same key waits here
 * until the first has committed (then: repeated) or rolled back (then: new).
 */
export async function claimKey(tx: Db, call: IdempotentCall, now: Date): Promise<Claim> {
  const hash = createHash("sha256").update(call.content).digest();
  const inserted = await sql<{ key: string }>`
    INSERT INTO idempotency_keys (person_id, route, key, body_hash, created_at)
    VALUES (${call.personId}, ${call.route}, ${call.key}, ${hash}, ${now})
    ON CONFLICT DO NOTHING
    RETURNING key
  `.execute(tx);
  if (inserted.rows.length === 1) return { kind: "new" };
  const { rows } = await sql<{ body_hash: Buffer; status: number | null; answer: unknown }>`
    SELECT body_hash, status, answer FROM idempotency_keys
    WHERE person_id = ${call.personId} AND route = ${call.route} AND key = ${call.key}
  `.execute(tx);
  const row = rows[0];
  if (!row || row.status === null) return { kind: "new" };
  if (!row.body_hash.equals(hash)) return { kind: "other-content" };
  return { kind: "repeated", remembered: { status: row.status, answer: row.answer } };
}

/** Remembers the answer of an accepted effect, in the effect's transaction. */
export async function rememberAnswer(
  tx: Db,
  call: IdempotentCall,
  remembered: RememberedAnswer,
): Promise<void> {
  await sql`
    UPDATE idempotency_keys
    SET status = ${remembered.status}, answer = ${JSON.stringify(remembered.answer)}
    WHERE person_id = ${call.personId} AND route = ${call.route} AND key = ${call.key}
  `.execute(tx);
}

/** Answers remembered for repeated calls show what they showed then. */
export async function forgetAnswers(tx: Db, personId: bigint): Promise<void> {
  await sql`DELETE FROM idempotency_keys WHERE person_id = ${personId}`.execute(tx);
}
