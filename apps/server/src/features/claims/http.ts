import {
  answerClaim,
  CLAIM_ANSWERED,
  CLAIM_CONTESTED,
  CLAIM_DECIDED_REFUND,
  CLAIM_DECIDED_REJECT,
  CLAIM_OPENED,
  CLAIM_WITHDRAWN,
  contestClaim,
  decideClaim,
  listClaims,
  listDeskClaims,
  openClaim,
  readClaim,
  readDeskClaim,
  withdrawClaim,
} from "@sesame/contract/claims";
import { assert, ok, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { on } from "../../http/on.ts";
import { once } from "../../http/once.ts";
import type { Principal } from "../../http/principal.ts";
import type { HttpServer } from "../../http/server.ts";
import { answerIn, contestIn, withdrawIn } from "./answer-claim.ts";
import { claimToWire, readerAtDesk } from "./claim-on-wire.ts";
import {
  countOpen,
  countWaiting,
  findClaim,
  findClaims,
  findClaimsOfSeller,
} from "./claim.view.ts";
import { type ClaimsGiven, decide } from "./decide-claim.ts";
import { openClaimIn } from "./open-claim.ts";

const NOT_FOUND = refuse({ kind: "claims.not-found" } as const);

/** What buyers, sellers and the back office do about a claim. */
export function registerClaimsHttp(app: App, http: HttpServer, given: ClaimsGiven): void {
  on(http, openClaim, async ({ params, body, caller, call }) => {
    const asked = {
      orderId: params.id,
      buyerId: caller.personId,
      kind: body?.motif,
      words: body?.message,
    };
    const opened = await once(app, call, async (tx) => {
      const id = await openClaimIn(app, tx, asked);
      return id.ok ? ok(String(id.value)) : id;
    });
    if (!opened.ok) return opened;
    return { message: CLAIM_OPENED, claim: await mine(app, caller, BigInt(opened.value)) };
  });
  const steps = [
    [answerClaim, answerIn, CLAIM_ANSWERED],
    [contestClaim, contestIn, CLAIM_CONTESTED],
    [withdrawClaim, withdrawIn, CLAIM_WITHDRAWN],
  ] as const;
  for (const [route, run, message] of steps) {
    on(http, route, async ({ params: { id }, body, caller, call }) => {
      const asked = { id, personId: caller.personId, words: body?.message };
      const done = await once(app, call, (tx) => run(app, tx, asked));
      return done.ok ? { message, claim: await mine(app, caller, id) } : done;
    });
  }
  on(http, listClaims, async ({ query: { cursor = "", limit }, caller: { personId } }) => {
    if (!/^\d{0,18}$/.test(cursor)) return refuse({ kind: "request.malformed" });
    const after = cursor === "" ? null : BigInt(cursor);
    const rows = await findClaimsOfSeller(app.db, personId, { after, limit });
    return {
      claims: rows.flatMap((row) => claimToWire(row, { personId, desk: null }) ?? []),
      waiting: await countWaiting(app.db, personId),
      next_cursor: rows.length === limit ? String(rows.at(-1)?.id) : null,
    };
  });
  on(http, readClaim, async ({ params, caller }) => {
    const claim = await seenBy(app, caller, params.id);
    return claim ? { message: claim.status_label, claim } : NOT_FOUND;
  });
  on(http, listDeskClaims, async ({ query: { view, cursor = "", limit }, caller }) => {
    if (!/^\d{0,18}$/.test(cursor)) return refuse({ kind: "request.malformed" });
    const after = cursor === "" ? null : BigInt(cursor);
    const rows = await findClaims(app.db, { view, after, limit });
    return {
      now: app.clock.now().toISOString(),
      claims: rows.flatMap((row) => claimToWire(row, readerAtDesk(caller)) ?? []),
      counts: await countOpen(app.db),
      next_cursor: rows.length === limit ? String(rows.at(-1)?.id) : null,
    };
  });
  on(http, readDeskClaim, async ({ params, caller }) => {
    const claim = await seenAtDesk(app, caller, params.id);
    if (!claim) return NOT_FOUND;
    return { now: app.clock.now().toISOString(), message: claim.status_label, claim };
  });
  on(http, decideClaim, async ({ params: { id }, body, caller, call }) => {
    const asked = { id, caller, decision: body?.decision, reason: body?.reason, call };
    const decided = await decide(app, asked, given);
    if (!decided.ok) return decided;
    const claim = await seenAtDesk(app, caller, id);
    if (!claim) return NOT_FOUND;
    const message = decided.value === "refund" ? CLAIM_DECIDED_REFUND : CLAIM_DECIDED_REJECT;
    return { now: app.clock.now().toISOString(), message, claim };
  });
}

async function seenBy({ db }: App, { personId }: Principal, id: bigint) {
  const row = await findClaim(db, id);
  return row && claimToWire(row, { personId, desk: null });
}

async function mine(app: App, caller: Principal, id: bigint) {
  const claim = await seenBy(app, caller, id);
  assert(claim, "a party sees the claim he acted upon");
  return claim;
}

async function seenAtDesk({ db }: App, caller: Principal, id: bigint) {
  const row = await findClaim(db, id);
  return row && claimToWire(row, readerAtDesk(caller));
}
