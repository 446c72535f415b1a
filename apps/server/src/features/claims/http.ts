import { type CommonRefusal, commonRefusals, idInPath } from "@sesame/contract";
import {
  CLAIM_ANSWERED,
  CLAIM_CONTESTED,
  CLAIM_OPENED,
  CLAIM_WITHDRAWN,
  type ClaimsRefusal,
  claimAnswer,
  claimBody,
  claimsAnswer,
  claimsQuery,
  claimsRefusals,
  claimWordsBody,
} from "@sesame/contract/claims";
import { assert, ok, type Result } from "@sesame/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import { once, readCall } from "../../http/once.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import type { Db } from "../../postgres/database.ts";
import { type Answering, answerIn, contestIn, withdrawIn } from "./answer-claim.ts";
import { claimToWire } from "./claim-on-wire.ts";
import { countWaiting, findClaim, findClaimsOfSeller } from "./claim.view.ts";
import type { ClaimsGiven } from "./decide-claim.ts";
import { registerDeskClaimsHttp } from "./desk-http.ts";
import { openClaimIn } from "./open-claim.ts";

const params = z.object({ id: idInPath });
const sentences = { ...claimsRefusals, ...commonRefusals };
const NOT_FOUND = { kind: "claims.not-found" } as const;

/** What buyers and sellers do about a claim. */
export function registerClaimsHttp(app: App, http: HttpServer, given: ClaimsGiven): void {
  registerReading(app, http);
  http.post(
    "/api/orders/:id/claim",
    {
      summary:
        "Dire que quelque chose ne va pas avec un achat ; le vendeur a 72 heures. Au plus 3 par jour sur des commandes non payées : 429 avec `Retry-After`",
      config: { access: "person", idempotent: true },
      schema: { params, body: claimBody.optional(), response: { 201: claimAnswer } },
    },
    async (request, reply) => {
      const { motif: kind, message: words } = request.body ?? {};
      const asked = { orderId: request.params.id, buyerId: callerOf(request).personId };
      const opened = await remember(app, request, async (tx) => {
        const id = await openClaimIn(app, tx, { ...asked, kind, words });
        return id.ok ? ok(String(id.value)) : id;
      });
      if (!opened.ok) {
        const { refusal } = opened;
        if ("retryAfterSeconds" in refusal) reply.header("retry-after", refusal.retryAfterSeconds);
        return answerRefusal(reply, refusal, sentences);
      }
      const answer = await answerFor(app, request, BigInt(opened.value));
      return reply.code(201).send({ success: true, message: CLAIM_OPENED, claim: answer });
    },
  );
  const saying = { params, body: claimWordsBody.optional(), response: { 200: claimAnswer } };
  http.post(
    "/api/claims/:id/answer",
    {
      summary: "Écrire à l'autre partie d'une réclamation",
      config: { access: "person", idempotent: true },
      schema: saying,
    },
    (request, reply) =>
      step(app, request, {
        reply,
        run: answerIn,
        words: request.body?.message,
        message: CLAIM_ANSWERED,
      }),
  );
  http.post(
    "/api/claims/:id/contest",
    {
      summary: "Contester une réclamation : l'opérateur décide",
      config: { access: "seller", idempotent: true },
      schema: saying,
    },
    (request, reply) =>
      step(app, request, {
        reply,
        run: contestIn,
        words: request.body?.message,
        message: CLAIM_CONTESTED,
      }),
  );
  http.post(
    "/api/claims/:id/withdraw",
    {
      summary: "Retirer sa réclamation",
      config: { access: "person", idempotent: true },
      schema: { params, response: { 200: claimAnswer } },
    },
    // Nothing is said with it: a body is not looked at.
    (request, reply) => step(app, request, { reply, run: withdrawIn, message: CLAIM_WITHDRAWN }),
  );
  registerDeskClaimsHttp(app, http, given);
}

function registerReading(app: App, http: HttpServer): void {
  http.get(
    "/api/claims",
    {
      summary: "Les réclamations sur ses ventes",
      config: { access: "seller" },
      schema: { querystring: claimsQuery, response: { 200: claimsAnswer } },
    },
    async (request, reply) => {
      const { cursor = "", limit } = request.query;
      if (!/^\d{0,18}$/.test(cursor)) return answerCommon(reply, { kind: "request.malformed" });
      const { personId } = callerOf(request);
      const after = cursor === "" ? null : BigInt(cursor);
      const rows = await findClaimsOfSeller(app.db, personId, { after, limit });
      const claims = rows.flatMap((row) => claimToWire(row, { personId, desk: null }) ?? []);
      const next = rows.length === limit ? String(rows.at(-1)?.id) : null;
      const waiting = await countWaiting(app.db, personId);
      return { success: true as const, claims, waiting, next_cursor: next };
    },
  );
  http.get(
    "/api/claims/:id",
    {
      summary: "Une réclamation et tout ce qui y a été dit",
      config: { access: "person" },
      schema: { params, response: { 200: claimAnswer } },
    },
    async (request, reply) => {
      const claim = await seenBy(app, request, request.params.id);
      if (!claim) return answerRefusal(reply, NOT_FOUND, sentences);
      return reply
        .header("cache-control", "no-store")
        .send({ success: true, message: claim.status_label, claim });
    },
  );
}

async function seenBy(app: App, request: FastifyRequest, id: bigint) {
  const row = await findClaim(app.db, id);
  const { personId } = callerOf(request);
  return row && claimToWire(row, { personId, desk: null });
}

async function answerFor(app: App, request: FastifyRequest, id: bigint) {
  const claim = await seenBy(app, request, id);
  assert(claim, "a party sees the claim he acted upon");
  return claim;
}

type Step = {
  readonly reply: FastifyReply;
  readonly words?: unknown;
  readonly message: string;
  run(app: App, tx: Db, asked: Answering): Promise<Result<null, ClaimsRefusal>>;
};

async function step(app: App, request: FastifyRequest, { reply, run, words, message }: Step) {
  const { id } = request.params as z.output<typeof params>;
  const asked = { id, personId: callerOf(request).personId, words };
  const done = await remember(app, request, (tx) => run(app, tx, asked));
  if (!done.ok) return answerRefusal(reply, done.refusal, sentences);
  return { success: true as const, message, claim: await answerFor(app, request, id) };
}

/** The effect once for the caller's key. */
async function remember<T, R extends { readonly kind: string }>(
  { db, clock }: App,
  request: FastifyRequest,
  effect: (tx: Db) => Promise<Result<T, R>>,
): Promise<Result<T, R | CommonRefusal>> {
  const call = readCall(request);
  return call.ok ? once({ db, call: call.value, now: clock.now() }, effect) : call;
}
