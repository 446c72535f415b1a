import { createHash } from "node:crypto";
import { addMs, DAY_MS, HOUR_MS } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import type { LiveSession, Principal } from "../../http/principal.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import { publish, SESSION_ENDED, sessionRoom } from "../../realtime/events.store.ts";
import { type Audience, forgetOldSessions, revokeSession } from "./sessions.store.ts";

/** 32 bytes, base64url. */
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/;

/** Tokens are kept as their SHA-256: a leaked table opens nothing. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Null for an unknown, expired or revoked token. */
export async function authenticate(app: App, token: string): Promise<Principal | null> {
  return (await sessionOf(app, token))?.principal ?? null;
}

type SessionRow = {
  readonly person_id: bigint;
  readonly telegram_id: bigint;
  readonly audience: Audience;
  readonly expires_at: Date;
};

/** As `authenticate`, with the end of the session. Not cached: a revoked token ends at once. */
export async function sessionOf(app: App, token: string): Promise<LiveSession | null> {
  // Of another form it is none of ours: no query for it.
  if (!TOKEN_FORM.test(token)) return null;
  const { db, clock, config } = app;
  const { rows } = await sql<SessionRow>`
    SELECT s.person_id, p.telegram_id, s.audience, s.expires_at
    FROM sessions s JOIN people p ON p.id = s.person_id
    WHERE s.token_hash = ${hashToken(token)} AND s.revoked_at IS NULL
      AND s.expires_at > ${clock.now()}
  `.execute(db);
  const [session] = rows;
  if (!session) return null;
  const principal = {
    personId: session.person_id,
    telegramId: session.telegram_id,
    audience: session.audience,
    isAgent: config.agentTelegramIds.has(session.telegram_id),
    isOperator: config.operatorTelegramIds.has(session.telegram_id),
  };
  return { principal, endsAt: session.expires_at };
}

export async function logOut(app: App, principal: Principal, token: string): Promise<void> {
  const session = { tokenHash: hashToken(token), personId: principal.personId };
  await app.db.transaction().execute(async (tx) => {
    await revokeSession(tx, { ...session, now: app.clock.now() });
    await publish(tx, [{ room: sessionRoom(token), name: SESSION_ENDED, body: {} }]);
  });
}

/** Sessions over for a day are forgotten, little by little. */
export function identityLoops({ db, clock, log }: App): Loop[] {
  const run = () => forgetOldSessions(db, addMs(clock.now(), -DAY_MS));
  return [createLoop({ name: "identity.forget-old-sessions", clock, log, everyMs: HOUR_MS, run })];
}
