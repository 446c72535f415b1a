import type {
  BuyerSignInAnswer,
  IdentityRefusal,
  SellerSignInAnswer,
  UserOnWire,
} from "@sesame/contract/identity";
import type { PlansRefusal } from "@sesame/contract/plans";
import type { PayoutFieldsOnWire } from "@sesame/contract/withdrawals";
import { addMs, assert, DAY_MS, HOUR_MS, ok, type Result } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import type { LiveSession, Principal } from "../../http/principal.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import { publish, SESSION_ENDED, sessionRoom } from "../../realtime/events.store.ts";
import { createInitDataVerifier, type KnownBot } from "./init-data.ts";
import { forgetOldSessions, revokeSession } from "./sessions.store.ts";
import { findSession } from "./sessions.view.ts";
import { sellerStart, type StartParts } from "./seller-start.ts";
import { hashToken, isTokenText, type SignInDeps, signInBuyer, signInSeller } from "./sign-in.ts";
import { updateUser, type UserChange } from "./update-user.ts";
import { buyerToWire, type StaffIds, userToWire } from "./user-on-wire.ts";
import { findBuyer, findSeller } from "./users.view.ts";

export type IdentityDeps = Omit<SignInDeps, "verify"> & {
  readonly bots: readonly KnownBot[];
  readonly staff: StaffIds;
  readonly start: StartParts;
  /** The instance's: what a day is. */
  readonly timeZone: string;
  readonly payoutFieldsOf: (sellerId: bigint) => Promise<PayoutFieldsOnWire>;
};

export type Identity = {
  signInSeller(rawInitData: string): Promise<Result<SellerSignInAnswer, IdentityRefusal>>;
  signInBuyer(rawInitData: string): Promise<Result<BuyerSignInAnswer, IdentityRefusal>>;
  /** Null for an unknown, expired or revoked token. */
  authenticate(token: string): Promise<Principal | null>;
  /** The same, with the end of the session. */
  sessionOf(token: string): Promise<LiveSession | null>;
  logOut(principal: Principal, token: string): Promise<void>;
  /** Null when there is no such seller. */
  userOf(sellerId: bigint): Promise<UserOnWire | null>;
  updateUser(
    sellerId: bigint,
    change: UserChange,
  ): Promise<Result<null, IdentityRefusal | PlansRefusal>>;
};

export function createIdentity(deps: IdentityDeps): Identity {
  const { db, clock } = deps;
  const signInDeps: SignInDeps = { ...deps, verify: createInitDataVerifier(deps.bots) };
  const startFor = sellerStart(deps.start, deps);
  return {
    async signInSeller(raw) {
      const signedIn = await signInSeller(signInDeps, raw, startFor);
      if (!signedIn.ok) return signedIn;
      const { token, start } = signedIn.value;
      return ok({ success: true, token, ...start });
    },
    async signInBuyer(raw) {
      const signedIn = await signInBuyer(signInDeps, raw);
      if (!signedIn.ok) return signedIn;
      const { personId, token } = signedIn.value;
      const buyer = await findBuyer(db, personId);
      assert(buyer, "a buyer who signed in exists");
      return ok({ success: true, token, user: buyerToWire(buyer, deps.staff) });
    },
    authenticate: async (token) => (await sessionOf(deps, token))?.principal ?? null,
    sessionOf: (token) => sessionOf(deps, token),
    async logOut(principal, token) {
      const session = { tokenHash: hashToken(token), personId: principal.personId };
      await db.transaction().execute(async (tx) => {
        await revokeSession(tx, { ...session, now: clock.now() });
        await publish(tx, [{ room: sessionRoom(token), name: SESSION_ENDED, body: {} }]);
      });
    },
    userOf: (sellerId) => userOf(deps, sellerId),
    updateUser: (sellerId, change) => updateUser(deps, sellerId, change),
  };
}

async function sessionOf(deps: IdentityDeps, token: string): Promise<LiveSession | null> {
  // Of another form it is none of ours: no query for it.
  if (!isTokenText(token)) return null;
  const { db, clock, staff } = deps;
  const session = await findSession(db, hashToken(token), clock.now());
  if (!session) return null;
  const principal = {
    personId: session.person_id,
    telegramId: session.telegram_id,
    audience: session.audience,
    isAgent: staff.agents.has(session.telegram_id),
    isOperator: staff.operators.has(session.telegram_id),
  };
  return { principal, endsAt: session.expires_at };
}

async function userOf(deps: IdentityDeps, sellerId: bigint): Promise<UserOnWire | null> {
  const { staff, clock, timeZone: zone } = deps;
  const now = clock.now();
  const seller = await findSeller(deps.db, sellerId, { zone, now });
  if (!seller) return null;
  return userToWire(seller, await deps.payoutFieldsOf(sellerId), { staff, now });
}

/** Sessions over for a day are forgotten, little by little. */
export function createSessionSweep(
  deps: Pick<IdentityDeps, "db" | "clock"> & { log: Pick<FastifyBaseLogger, "error" | "warn"> },
): Loop {
  return createLoop({
    name: "identity.forget-old-sessions",
    clock: deps.clock,
    log: deps.log,
    everyMs: HOUR_MS,
    run: () => forgetOldSessions(deps.db, addMs(deps.clock.now(), -DAY_MS)),
  });
}
