import { createHash } from "node:crypto";
import type { IdentityRefusal } from "@sesame/contract/identity";
import {
  addMs,
  assert,
  type Chance,
  type Clock,
  DAY_MS,
  ok,
  Outage,
  type Result,
  refuse,
  secretToken,
} from "@sesame/kernel";
import type { Db } from "../../postgres/database.ts";
import type { SellerPart } from "../../postgres/parts.ts";
import type { InitDataVerifier, ProvenPerson } from "./init-data.ts";
import {
  type Audience,
  createSeller,
  type NewSession,
  type SignInOutcome,
  signIn,
  signInAndRead,
} from "./sessions.store.ts";

/** How long a token serves. The web view signs in at each opening, so this bounds a stolen one. */
export const SESSION_MS = 30 * DAY_MS;

const TOKEN_BYTES = 32;

export type SignInDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly verify: InitDataVerifier;
  /** Called in the transaction that creates a seller. */
  onSellerCreated(
    tx: Db,
    seller: { sellerId: bigint; telegramId: bigint; now: Date },
  ): Promise<void>;
};

export type SignedIn = { readonly personId: bigint; readonly token: string };

const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/;

/** Known without asking anybody: 32 bytes, base64url. */
export function isTokenText(text: string): boolean {
  return TOKEN_FORM.test(text);
}

/** Tokens are kept as their SHA-256: a leaked table opens nothing. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** From init data to a buyer's session. */
export async function signInBuyer(
  deps: SignInDeps,
  rawInitData: string,
): Promise<Result<SignedIn, IdentityRefusal>> {
  const proved = prove(deps, rawInitData, "buyer");
  if (!proved.ok) return proved;
  const { session, token } = proved.value;
  const { personId, outcome } = await signIn(deps.db, session);
  return judge(outcome) ?? ok({ personId, token });
}

export type SellerSignedIn<T> = SignedIn & { readonly start: T };

/**
 * From init data to a seller's session and what his screens begin with; he exists from his first
 * sign-in at the seller's door.
 */
export async function signInSeller<T>(
  deps: SignInDeps,
  rawInitData: string,
  partFor: (person: ProvenPerson) => SellerPart<T>,
): Promise<Result<SellerSignedIn<T>, IdentityRefusal>> {
  const proved = prove(deps, rawInitData, "seller");
  if (!proved.ok) return proved;
  const { session, token } = proved.value;
  const part = partFor(session.person);
  let opening = await signInAndRead(deps.db, session, part);
  if (opening.outcome === "new-seller") {
    const { personId } = opening;
    const { telegramId } = session.person;
    opening = await deps.db.transaction().execute(async (tx) => {
      const created = await createSeller(tx, personId, session.now);
      if (created)
        await deps.onSellerCreated(tx, { sellerId: personId, telegramId, now: session.now });
      return signInAndRead(tx, session, part);
    });
  }
  const refused = judge(opening.outcome);
  if (refused) return refused;
  const { personId, start } = opening;
  assert(start !== null, "who is signed in has a start");
  return ok({ personId, token, start });
}

/** From init data to the session it asks for, or what is wrong with it. */
function prove(
  deps: SignInDeps,
  rawInitData: string,
  audience: Audience,
): Result<{ session: NewSession; token: string }, IdentityRefusal> {
  if (!deps.clock.isTrusted()) {
    throw new Outage("the clock is not trusted", { party: "clock", retryable: true });
  }
  const now = deps.clock.now();
  const proof = deps.verify(rawInitData, now);
  if (!proof.ok) return proof;
  const person = proof.value;
  const token = secretToken(TOKEN_BYTES, deps.chance);
  const session: NewSession = {
    person,
    writableBots: person.allowsWriting ? person.bots : [],
    audience,
    tokenHash: hashToken(token),
    now,
    expiresAt: addMs(now, SESSION_MS),
  };
  return ok({ session, token });
}

function judge(outcome: SignInOutcome) {
  if (outcome === "revoked") return refuse({ kind: "identity.init-data-revoked" } as const);
  if (outcome === "closed") return refuse({ kind: "identity.account-closed" } as const);
  return null;
}
