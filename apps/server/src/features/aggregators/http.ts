import { idInPath } from "@sesame/contract";
import {
  AGGREGATOR_UNREACHABLE,
  type AggregatorsRefusal,
  aggregatorsAnswer,
  aggregatorsRefusals,
  trialAnswer,
  userAggregatorAnswer,
  userAggregatorBody,
  userAggregatorsAnswer,
} from "@sesame/contract/aggregators";
import { checkoutRefusals } from "@sesame/contract/checkout";
import { identityRefusals } from "@sesame/contract/identity";
import { type PlansRefusal, plansRefusals } from "@sesame/contract/plans";
import { fcfaToJson, Outage } from "@sesame/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import { actorOf } from "../../audit/audit.store.ts";
import { answerOutage, answerRefusal } from "../../http/answers.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { changeMethod, takeKeysAway } from "./change-methods.ts";
import { knownAggregators, methodsOf } from "./on-wire.ts";
import { type CreateTrial, startTrial, type TrialRefusal } from "./start-trial.ts";

const seller = { access: "seller" } as const;
const ofUser = z.object({ userId: idInPath });
const oneOfUser = ofUser.extend({ key: z.string().max(40) });
const sentences = { ...aggregatorsRefusals, ...plansRefusals };

type Refused = AggregatorsRefusal | PlansRefusal;

type AggregatorsGiven = { readonly createTrial: CreateTrial };

export function registerAggregatorsHttp(
  app: App,
  http: HttpServer,
  { createTrial }: AggregatorsGiven,
): void {
  http.get(
    "/api/payment-aggregators",
    {
      summary: "Les agrégateurs, et les clés que chacun demande",
      config: seller,
      schema: { response: { 200: aggregatorsAnswer } },
    },
    async () => ({ success: true as const, aggregators: knownAggregators(app) }),
  );
  http.get(
    "/api/user-aggregators/:userId",
    {
      summary: "Les moyens de paiement du vendeur ; ses clés y sont masquées",
      config: seller,
      schema: { params: ofUser, response: { 200: userAggregatorsAnswer } },
    },
    async (request, reply) => {
      const sellerId = ownId(request, request.params.userId);
      if (sellerId === null) return unknownUser(reply);
      const list = await methodsOf(app, sellerId);
      return reply
        .header("cache-control", "no-store")
        .send({ success: true as const, aggregators: list });
    },
  );
  registerChanges(app, http);
  registerTrial(app, http, createTrial);
}

function registerChanges(app: App, http: HttpServer): void {
  const url = "/api/user-aggregators/:userId/:key";
  const response = { 200: userAggregatorAnswer };
  http.put(
    url,
    {
      summary: "Activer ou désactiver un moyen ; donner ses propres clés, vérifiées par un appel",
      config: seller,
      schema: { params: oneOfUser, body: userAggregatorBody, response },
    },
    async (request, reply) => {
      const sellerId = ownId(request, request.params.userId);
      if (sellerId === null) return unknownUser(reply);
      const actor = actorOf(callerOf(request));
      const { key } = request.params;
      try {
        const changed = await changeMethod(app, { sellerId, key, actor, body: request.body });
        if (!changed.ok) return answerRefusal<Refused>(reply, changed.refusal, sentences);
        return { success: true as const, aggregator: changed.value };
      } catch (error) {
        if (!(error instanceof Outage)) throw error;
        return answerOutage(reply, error, AGGREGATOR_UNREACHABLE);
      }
    },
  );
  http.delete(
    url,
    {
      summary: "Retirer ses propres clés",
      config: seller,
      schema: { params: oneOfUser, response },
    },
    async (request, reply) => {
      const sellerId = ownId(request, request.params.userId);
      if (sellerId === null) return unknownUser(reply);
      const actor = actorOf(callerOf(request));
      const taken = await takeKeysAway(app, { sellerId, key: request.params.key, actor });
      if (!taken.ok) return answerRefusal<Refused>(reply, taken.refusal, sentences);
      return { success: true as const, aggregator: taken.value };
    },
  );
}

function registerTrial(app: App, http: HttpServer, createTrial: CreateTrial): void {
  const schema = { params: oneOfUser, response: { 201: trialAnswer } };
  http.post(
    "/api/user-aggregators/:userId/:key/trial",
    { summary: "Essayer ses propres clés par un paiement de 100 FCFA", config: seller, schema },
    async (request, reply) => {
      const sellerId = ownId(request, request.params.userId);
      if (sellerId === null) return unknownUser(reply);
      const { telegramId } = callerOf(request);
      const { key } = request.params;
      const opened = await startTrial(app, createTrial, { sellerId, telegramId, key });
      if (!opened.ok) {
        return answerRefusal<TrialRefusal>(reply, opened.refusal, {
          ...sentences,
          ...checkoutRefusals,
        });
      }
      const { id, status, amount, paymentUrl, opens } = opened.value;
      return reply.code(201).send({
        success: true,
        id: String(id),
        status,
        amount: fcfaToJson(amount),
        currency: "XOF",
        payment_url: paymentUrl,
        opens,
      });
    },
  );
}

/** Another's id answers as an absent one. */
function ownId(request: FastifyRequest, id: bigint): bigint | null {
  return id === callerOf(request).personId ? id : null;
}

function unknownUser(reply: FastifyReply): FastifyReply {
  return answerRefusal(reply, { kind: "identity.user-unknown" }, identityRefusals);
}
