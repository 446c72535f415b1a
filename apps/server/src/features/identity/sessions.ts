import { addMs, assert, DAY_MS, ok, Outage, refuse, secretToken } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { type App, perApp } from "../../app.ts";
import type { LiveSession, Principal } from "../../http/server.ts";
import { type Db, maybe, one, PREPARED } from "../../postgres/database.ts";
import { hashOf } from "../../secrets/vault.ts";
import { createSeller } from "../../people/people.ts";
import type { SellerPart } from "../../postgres/parts.ts";
import { linkWaiting } from "../groups/index.ts";
import { createInitDataVerifier } from "./init-data.ts";
import { buyerOf, sellerStart } from "./users.ts";

/** How long a token is valid. The web view signs in at each opening, so this limits a stolen one. */
export const SESSION_MS = 30 * DAY_MS;

const TOKEN_BYTES = 32;

/** 32 bytes, base64url. */
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/;

const verifierOf = perApp(({ config }) =>
  createInitDataVerifier([
    { name: "seller", token: config.sellerBot.token },
    { name: "buyer", token: config.buyerBot.token },
  ]),
);

type SignInOutcome = "signed-in" | "revoked" | "new-seller" | "closed";

/** From init data to a buyer's session. */
export async function openBuyerSession(app: App, rawInitData: string) {
  const proved = prove(app, rawInitData, "buyer");
  if (!proved.ok) return proved;
  const { signIn, token } = proved.value;
  const signed = await one<{ person_id: bigint; outcome: SignInOutcome }>(app.db)`
    SELECT * FROM ${signIn}
  `;
  const refused = refusalOf(signed.outcome);
  if (refused) return refused;
  return ok({ token, user: await buyerOf(app, signed.person_id) });
}

/**
 * From init data to a seller's session and start; the first sign-in as a seller creates the seller.
 */
export async function openSellerSession(app: App, rawInitData: string) {
  const proved = prove(app, rawInitData, "seller");
  if (!proved.ok) return proved;
  const { signIn, person, token, now } = proved.value;
  const part = sellerStart(app, person);
  let opening = await signInAndRead(app.db, signIn, part);
  if (opening.outcome === "new-seller") {
    const { personId } = opening;
    opening = await app.db.transaction().execute(async (tx) => {
      if (await createSeller(tx, personId, now)) await linkWaiting(tx, { sellerId: personId, now });
      return signInAndRead(tx, signIn, part);
    });
  }
  const refused = refusalOf(opening.outcome);
  if (refused) return refused;
  const { start } = opening;
  assert(start !== null, "who is signed in has a start");
  return ok({ token, ...start });
}

/** From init data to the session it proves, or the refusal. */
function prove(app: App, rawInitData: string, audience: "seller" | "buyer") {
  if (!app.clock.isTrusted()) {
    throw new Outage("the clock is not trusted", { party: "clock", retryable: true });
  }
  const now = app.clock.now();
  const proof = verifierOf(app)(rawInitData, now);
  if (!proof.ok) return proof;
  const person = proof.value;
  const token = secretToken(TOKEN_BYTES, app.random);
  // One call: see `identity_sign_in`.
  const signIn = sql`identity_sign_in(
    ${person.telegramId}, ${person.firstName}, ${person.lastName}, ${person.username},
    ${person.languageCode}, ${person.photoUrl}, ${person.provedAt},
    ${person.allowsWriting ? person.bots : []}::text[], ${audience}, ${hashOf(token)},
    ${now}, ${addMs(now, SESSION_MS)})`;
  return ok({ person, token, now, signIn });
}

/**
 * Signs in and reads the seller's start, in one statement. It reads the database as it was when it
 * began: the person's own row does not yet have the values of the proof (`sellerStart`). `start` is
 * null unless he is signed in.
 */
async function signInAndRead<T>(db: Db, signIn: RawBuilder<unknown>, part: SellerPart<T>) {
  const { json, read } = part(sql`signed.person_id`);
  const row = await one<{ person_id: bigint; outcome: SignInOutcome; start: unknown }>(
    db,
  )`${PREPARED}
    WITH signed AS MATERIALIZED (SELECT * FROM ${signIn})
    SELECT signed.person_id, signed.outcome,
      CASE WHEN signed.outcome = 'signed-in'
        AND EXISTS (SELECT FROM sellers s WHERE s.id = signed.person_id)
      THEN ${json} END AS start
    FROM signed
  `;
  const { person_id: personId, outcome } = row;
  if (outcome !== "signed-in") return { personId, outcome, start: null };
  // Null: the first sign-in ran at the same instant on another connection, and was not finished.
  const { start } =
    row.start === null
      ? await one<{ start: unknown }>(db)`SELECT ${part(sql`${personId}`).json} AS start`
      : row;
  return { personId, outcome, start: await read(start) };
}

function refusalOf(outcome: SignInOutcome) {
  if (outcome === "revoked") return refuse({ kind: "identity.init-data-revoked" });
  if (outcome === "closed") return refuse({ kind: "identity.account-closed" });
  return null;
}

/** Null for an unknown, expired or revoked token. */
export async function authenticate(app: App, token: string): Promise<Principal | null> {
  return (await sessionOf(app, token))?.principal ?? null;
}

type SessionRow = {
  readonly person_id: bigint;
  readonly telegram_id: bigint;
  readonly audience: "seller" | "buyer";
  readonly expires_at: Date;
};

/** Like `authenticate`, with the end of the session. Not cached: a revoked token ends at once. */
export async function sessionOf(app: App, token: string): Promise<LiveSession | null> {
  // A token of another form needs no query.
  if (!TOKEN_FORM.test(token)) return null;
  const { db, clock, config } = app;
  const session = await maybe<SessionRow>(db)`
    SELECT s.person_id, p.telegram_id, s.audience, s.expires_at
    FROM sessions s JOIN people p ON p.id = s.person_id
    WHERE s.token_hash = ${hashOf(token)} AND s.revoked_at IS NULL
      AND s.expires_at > ${clock.now()}
  `;
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
