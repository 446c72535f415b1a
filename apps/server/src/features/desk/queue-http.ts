import { commonRefusals, idInPath } from "@sesame/contract";
import {
  approveBody,
  deskAnswer,
  deskDecisionAnswer,
  deskQueueAnswer,
  deskQueueQuery,
  deskRefusals,
  deskWithdrawalAnswer,
  failedBody,
  paidBody,
  rejectBody,
  resolveBody,
} from "@sesame/contract/desk";
import { assert, type Result } from "@sesame/kernel";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import { readIdempotencyKey } from "../../http/idempotency-key.ts";
import type { IdempotentCall } from "../../http/idempotency.store.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { approveDecision } from "./decide-approve.ts";
import { claimDecision, releaseDecision } from "./decide-claim.ts";
import { failedDecision, paidDecision, rejectDecision } from "./decide-end.ts";
import { resolveUncertain } from "./decide-resolve.ts";
import { type Ask, type Decided, type DecisionRefusal, decide } from "./decide.ts";
import { viewDesk, viewQueue, viewWithdrawal } from "./queue.ts";

const withdrawalParams = z.object({ id: idInPath });

export function registerQueueHttp(app: App, http: HttpServer): void {
  registerViews(app, http);
  registerDecisions(app, http);
}

function registerViews(app: App, http: HttpServer): void {
  http.get(
    "/api/desk",
    {
      summary:
        "Le bureau des agents : ce qui attend, les voies d'envoi ouvertes, les raisons de rejet",
      config: { access: "agent" },
      schema: { response: { 200: deskAnswer } },
    },
    async (request, reply) =>
      reply.header("cache-control", "no-store").send(await viewDesk(app, callerOf(request))),
  );
  http.get(
    "/api/desk/withdrawals",
    {
      summary:
        "Les demandes de retrait : Premium d'abord, puis par échéance ; filtres et recherche",
      config: { access: "agent" },
      schema: { querystring: deskQueueQuery, response: { 200: deskQueueAnswer } },
    },
    async (request, reply) => {
      const page = await viewQueue(app, callerOf(request), request.query);
      if (!page) return answerCommon(reply, { kind: "request.malformed" });
      return reply.header("cache-control", "no-store").send(page);
    },
  );
  http.get(
    "/api/desk/withdrawals/:id",
    {
      summary:
        "Une demande : vendeur, historique, signes de risque, voies possibles, trace de l'envoi",
      config: { access: "agent" },
      schema: { params: withdrawalParams, response: { 200: deskWithdrawalAnswer } },
    },
    async (request, reply) => {
      const found = await viewWithdrawal(app, callerOf(request), request.params.id);
      if (!found) return answerRefusal(reply, NOT_FOUND, deskRefusals);
      return reply.header("cache-control", "no-store").send({ success: true as const, ...found });
    },
  );
}

const NOT_FOUND = { kind: "desk.withdrawal-not-found" } as const;

/** `body` is what the schema made of it: validated before the handler runs. */
type Run<B> = (ask: Ask, body: B) => Promise<Result<Decided, DecisionRefusal>>;

type Decision<B> = { summary: string; body?: z.ZodType<B>; run: Run<B> };

function registerDecisions(app: App, http: HttpServer): void {
  const open = <B>(name: string, { summary, body, run }: Decision<B>) => {
    http.post(
      `/api/desk/withdrawals/:id/${name}`,
      {
        summary,
        config: { access: "agent", idempotent: true },
        schema: {
          params: withdrawalParams,
          ...(body ? { body } : {}),
          response: { 200: deskDecisionAnswer },
        },
      },
      async (request, reply) => {
        const { id } = request.params as z.output<typeof withdrawalParams>;
        const ask = askOf(request, id, name);
        if (!ask) return answerCommon(reply, { kind: "request.malformed" });
        const decided = await run(ask, request.body as B);
        if (!decided.ok) return answerRefusal(reply, decided.refusal, sentences);
        const seen = await viewWithdrawal(app, callerOf(request), ask.id);
        assert(seen, "a request decided upon is there");
        return reply.send({ success: true as const, ...decided.value, ...seen });
      },
    );
  };
  open("claim", {
    summary: "Prendre une demande pendant 15 minutes",
    run: (ask) => decide(app, ask, claimDecision),
  });
  open("release", {
    summary: "Relâcher une demande prise",
    run: (ask) => decide(app, ask, releaseDecision),
  });
  open("approve", {
    summary:
      "Approuver : par un prestataire ou à la main ; au-delà d'un seuil, un second agent confirme",
    body: approveBody,
    run: (ask, body) => decide(app, ask, approveDecision(app, body)),
  });
  open("paid", {
    summary: "Payé à la main, avec la référence de l'opérateur",
    body: paidBody,
    run: (ask, body) => decide(app, ask, paidDecision(app, body)),
  });
  open("failed", {
    summary: "L'envoi n'a pas pu être fait : le solde du vendeur est rétabli",
    body: failedBody,
    run: (ask, body) => decide(app, ask, failedDecision(app, body)),
  });
  open("reject", {
    summary: "Rejeter, avec une raison que le vendeur lit",
    body: rejectBody,
    run: (ask, body) => decide(app, ask, rejectDecision(body)),
  });
  open("resolve", {
    summary:
      "Trancher un envoi incertain : parti, pas parti, ou rattaché au paiement du prestataire",
    body: resolveBody,
    run: (ask, body) => resolveUncertain(app, ask, body),
  });
}

const sentences = { ...deskRefusals, ...commonRefusals };

/** Null: the key is malformed. */
function askOf(request: FastifyRequest, id: bigint, name: string): Ask | null {
  const actor = callerOf(request);
  const named = readIdempotencyKey(request);
  if (named.kind === "malformed") return null;
  if (named.kind === "none") return { id, actor, call: null };
  const call: IdempotentCall = {
    personId: actor.personId,
    route: `POST /api/desk/withdrawals/:id/${name}`,
    key: named.key,
    content: JSON.stringify([String(id), request.body ?? null]),
  };
  return { id, actor, call };
}
