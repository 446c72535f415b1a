import { commonRefusals, idInPath } from "@sesame/contract";
import {
  CLAIM_DECIDED_REFUND,
  CLAIM_DECIDED_REJECT,
  claimsRefusals,
  decideClaimBody,
  deskClaimAnswer,
  deskClaimsAnswer,
  deskClaimsQuery,
} from "@sesame/contract/claims";
import { deskRefusals } from "@sesame/contract/desk";
import { refundsRefusals } from "@sesame/contract/refunds";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import { readCall } from "../../http/once.ts";
import type { Principal } from "../../http/principal.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { claimToWire, readerAtDesk } from "./claim-on-wire.ts";
import { countOpen, findClaim, findClaims } from "./claim.view.ts";
import { type ClaimsGiven, decideClaim } from "./decide-claim.ts";

const params = z.object({ id: idInPath });
const sentences = { ...claimsRefusals, ...refundsRefusals, ...deskRefusals, ...commonRefusals };
const NOT_FOUND = { kind: "claims.not-found" } as const;

/** The desk's part: what waits for the operator, and his decision. */
export function registerDeskClaimsHttp(app: App, http: HttpServer, given: ClaimsGiven): void {
  http.get(
    "/api/desk/claims",
    {
      summary: "Les réclamations : celles de l'opérateur d'abord ; ou les closes",
      config: { access: "agent" },
      schema: { querystring: deskClaimsQuery, response: { 200: deskClaimsAnswer } },
    },
    async (request, reply) => {
      const { view, cursor = "", limit } = request.query;
      if (!/^\d{0,18}$/.test(cursor)) return answerCommon(reply, { kind: "request.malformed" });
      const after = cursor === "" ? null : BigInt(cursor);
      const rows = await findClaims(app.db, { view, after, limit });
      const reader = readerAtDesk(callerOf(request));
      return {
        success: true as const,
        now: app.clock.now().toISOString(),
        claims: rows.flatMap((row) => claimToWire(row, reader) ?? []),
        counts: await countOpen(app.db),
        next_cursor: rows.length === limit ? String(rows.at(-1)?.id) : null,
      };
    },
  );
  http.get(
    "/api/desk/claims/:id",
    {
      summary: "Une réclamation, vue du bureau",
      config: { access: "agent" },
      schema: { params, response: { 200: deskClaimAnswer } },
    },
    async (request, reply) => {
      const claim = await seenAtDesk(app, callerOf(request), request.params.id);
      if (!claim) return answerRefusal(reply, NOT_FOUND, sentences);
      const now = app.clock.now().toISOString();
      return { success: true as const, now, message: claim.status_label, claim };
    },
  );
  http.post(
    "/api/desk/claims/:id/decide",
    {
      summary: "Trancher : rembourser, ou rejeter avec une raison lue par les deux parties",
      config: { access: "operator", idempotent: true },
      schema: { params, body: decideClaimBody.optional(), response: { 200: deskClaimAnswer } },
    },
    async (request, reply) => {
      const call = readCall(request);
      if (!call.ok) return answerRefusal(reply, call.refusal, sentences);
      const { id } = request.params;
      const caller = callerOf(request);
      const { decision, reason } = request.body ?? {};
      const asked = { id, caller, decision, reason, call: call.value };
      const decided = await decideClaim(app, asked, given);
      if (!decided.ok) return answerRefusal(reply, decided.refusal, sentences);
      const claim = await seenAtDesk(app, caller, id);
      if (!claim) return answerRefusal(reply, NOT_FOUND, sentences);
      const now = app.clock.now().toISOString();
      const message = decided.value === "refund" ? CLAIM_DECIDED_REFUND : CLAIM_DECIDED_REJECT;
      return { success: true as const, now, message, claim };
    },
  );
}

async function seenAtDesk({ db }: App, caller: Principal, id: bigint) {
  const row = await findClaim(db, id);
  return row && claimToWire(row, readerAtDesk(caller));
}
