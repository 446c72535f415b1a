import { addMs, DAY_MS, HOUR_MS } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../app.ts";
import type { Principal } from "../http/principal.ts";
import { createLoop, type Loop } from "../jobs/loop.ts";
import { type Db, many, PREPARED } from "../postgres/database.ts";
import { publish, SESSION_ENDED, sessionRoom } from "../realtime/events.store.ts";
import { hashOf } from "../secrets/hash.ts";

/** Ends the session, and refuses from now on the init data it came from. */
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

/** Ends what is open: a person's sessions at one door, or at each. → the tokens' hashes, in hex */
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

const FORGOTTEN_AT_ONCE = 1_000;

/** Sessions over for a day are forgotten, little by little. */
export function sessionLoops({ db, clock, log }: App): Loop[] {
  const run = async () => {
    const before = addMs(clock.now(), -DAY_MS);
    const { numAffectedRows } = await sql`${PREPARED}
      DELETE FROM sessions WHERE token_hash IN (
        SELECT token_hash FROM sessions WHERE expires_at < ${before} LIMIT ${FORGOTTEN_AT_ONCE}
      )
    `.execute(db);
    return numAffectedRows === BigInt(FORGOTTEN_AT_ONCE);
  };
  return [createLoop({ name: "identity.forget-old-sessions", clock, log, everyMs: HOUR_MS, run })];
}
