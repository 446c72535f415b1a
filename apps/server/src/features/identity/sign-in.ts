import type { BuyerSignInAnswer, IdentityRefusal } from "@sesame/contract/identity";
import {
  addMs,
  assert,
  DAY_MS,
  ok,
  Outage,
  type Result,
  refuse,
  secretToken,
} from "@sesame/kernel";
import { type App, perApp } from "../../app.ts";
import { linkWaiting } from "../groups/index.ts";
import { createInitDataVerifier } from "./init-data.ts";
import { type SellerStart, sellerStart } from "./seller-start.ts";
import { hashToken } from "./sessions.ts";
import {
  type Audience,
  createSeller,
  type NewSession,
  type SignInOutcome,
  signIn,
  signInAndRead,
} from "./sessions.store.ts";
import { buyerToWire } from "./user-on-wire.ts";
import { findBuyer } from "./users.view.ts";

/** How long a token serves. The web view signs in at each opening, so this bounds a stolen one. */
export const SESSION_MS = 30 * DAY_MS;

const TOKEN_BYTES = 32;

const verifierOf = perApp(({ config }) =>
  createInitDataVerifier([
    { name: "seller", token: config.sellerBot.token },
    { name: "buyer", token: config.buyerBot.token },
  ]),
);

/** From init data to a buyer's session. */
export async function openBuyerSession(
  app: App,
  rawInitData: string,
): Promise<Result<Omit<BuyerSignInAnswer, "success">, IdentityRefusal>> {
  const proved = prove(app, rawInitData, "buyer");
  if (!proved.ok) return proved;
  const { session, token } = proved.value;
  const { personId, outcome } = await signIn(app.db, session);
  const refused = judge(outcome);
  if (refused) return refused;
  const buyer = await findBuyer(app.db, personId);
  assert(buyer, "a buyer who signed in exists");
  return ok({ token, user: buyerToWire(app, buyer) });
}

/**
 * From init data to a seller's session and what his screens begin with; he exists from his first
 * sign-in at the seller's door.
 */
export async function openSellerSession(
  app: App,
  rawInitData: string,
): Promise<Result<SellerStart & { readonly token: string }, IdentityRefusal>> {
  const proved = prove(app, rawInitData, "seller");
  if (!proved.ok) return proved;
  const { session, token } = proved.value;
  const part = sellerStart(app, session.person);
  let opening = await signInAndRead(app.db, session, part);
  if (opening.outcome === "new-seller") {
    const { personId } = opening;
    opening = await app.db.transaction().execute(async (tx) => {
      const created = await createSeller(tx, personId, session.now);
      if (created) await linkWaiting(tx, { sellerId: personId, now: session.now });
      return signInAndRead(tx, session, part);
    });
  }
  const refused = judge(opening.outcome);
  if (refused) return refused;
  const { start } = opening;
  assert(start !== null, "who is signed in has a start");
  return ok({ token, ...start });
}

/** From init data to the session it asks for, or what is wrong with it. */
function prove(
  app: App,
  rawInitData: string,
  audience: Audience,
): Result<{ session: NewSession; token: string }, IdentityRefusal> {
  if (!app.clock.isTrusted()) {
    throw new Outage("the clock is not trusted", { party: "clock", retryable: true });
  }
  const now = app.clock.now();
  const proof = verifierOf(app)(rawInitData, now);
  if (!proof.ok) return proof;
  const person = proof.value;
  const token = secretToken(TOKEN_BYTES, app.chance);
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
