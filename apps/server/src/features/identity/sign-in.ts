import { createHash } from "node:crypto";
import type { IdentityRefusal } from "@sesame/contract/identity";
import {
  addMs,
  type Chance,
  type Clock,
  DAY_MS,
  ok,
  type Result,
  refuse,
  secretToken,
} from "@sesame/kernel";
import type { Db } from "../../postgres/database.ts";
import type { InitDataVerifier } from "./init-data.ts";
import { type Audience, createSeller, type NewSession, signIn } from "./sessions.store.ts";

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

/** Tokens are kept as their SHA-256: a leaked table opens nothing. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** From init data to a session; a seller exists from his first sign-in at the seller's door. */
export async function signInWith(
  deps: SignInDeps,
  rawInitData: string,
  audience: Audience,
): Promise<Result<SignedIn, IdentityRefusal>> {
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
  const { personId, outcome: first } = await signIn(deps.db, session);
  let outcome = first;
  if (outcome === "new-seller") {
    outcome = await deps.db.transaction().execute(async (tx) => {
      const created = await createSeller(tx, personId, now);
      const seller = { sellerId: personId, telegramId: person.telegramId, now };
      if (created) await deps.onSellerCreated(tx, seller);
      return (await signIn(tx, session)).outcome;
    });
  }
  if (outcome === "revoked") return refuse({ kind: "identity.init-data-revoked" });
  if (outcome === "closed") return refuse({ kind: "identity.account-closed" });
  return ok({ personId, token });
}
