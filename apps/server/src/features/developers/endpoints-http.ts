import { commonRefusals, idInPath } from "@sesame/contract";
import {
  developersRefusals,
  doneAnswer,
  ENDPOINT_CHANGED,
  ENDPOINT_CREATED,
  ENDPOINT_DELETED,
  endpointAnswer,
  endpointBody,
  endpointChange,
  endpointSecretAnswer,
  SECRET_ROTATED,
} from "@sesame/contract/developers";
import { plansRefusals } from "@sesame/contract/plans";
import { assert, ok } from "@sesame/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import { actorOf } from "../../audit/audit.store.ts";
import { answerRefusal } from "../../http/answers.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import {
  addEndpointIn,
  changeEndpointIn,
  deleteEndpointIn,
  rotateSecretIn,
} from "./change-endpoints.ts";
import { viewEndpoint } from "./endpoints.view.ts";
import { endpointToWire } from "./on-wire.ts";
import { remember } from "./remember.ts";
import { openSecrets } from "./secrets.ts";

const params = z.object({ id: idInPath });
const NOT_FOUND = { kind: "developers.endpoint-not-found" } as const;
const sentences = { ...developersRefusals, ...plansRefusals, ...commonRefusals };

/** Where a seller's events go. */
export function registerEndpointsHttp(app: App, http: HttpServer): void {
  http.post(
    "/api/developers/endpoints",
    {
      summary: "Ajouter une adresse de webhook : la réponse porte son secret",
      config: { access: "seller", idempotent: true },
      schema: { body: endpointBody.optional(), response: { 201: endpointSecretAnswer } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { personId: sellerId } = caller;
      const added = await remember(app, request, async (tx) => {
        const asked = { sellerId, actor: actorOf(caller), fields: request.body ?? {} };
        const id = await addEndpointIn(app, tx, asked);
        return id.ok ? ok(String(id.value)) : id;
      });
      if (!added.ok) return answerRefusal(reply, added.refusal, sentences);
      const answer = await withSecret(app, { sellerId, id: BigInt(added.value) });
      if (!answer) return answerRefusal(reply, NOT_FOUND, sentences);
      return noStore(reply)
        .code(201)
        .send({ ...answer, message: ENDPOINT_CREATED });
    },
  );
  http.post(
    "/api/developers/endpoints/:id/secret",
    {
      summary: "Changer de secret : l'ancien signe aussi pendant 24 heures",
      config: { access: "seller", idempotent: true },
      schema: { params, response: { 200: endpointSecretAnswer } },
    },
    async (request, reply) => {
      const named = namedBy(request, request.params.id);
      const rotated = await remember(app, request, (tx) => rotateSecretIn(app, tx, named));
      if (!rotated.ok) return answerRefusal(reply, rotated.refusal, sentences);
      const answer = await withSecret(app, named);
      if (!answer) return answerRefusal(reply, NOT_FOUND, sentences);
      return noStore(reply).send({ ...answer, message: SECRET_ROTATED });
    },
  );
  registerChanges(app, http);
}

function registerChanges(app: App, http: HttpServer): void {
  http.put(
    "/api/developers/endpoints/:id",
    {
      summary: "Modifier une adresse, la mettre en pause ou la réactiver",
      config: { access: "seller", idempotent: true },
      schema: { params, body: endpointChange.optional(), response: { 200: endpointAnswer } },
    },
    async (request, reply) => {
      const named = { ...namedBy(request, request.params.id), fields: request.body ?? {} };
      const changed = await remember(app, request, (tx) => changeEndpointIn(app, tx, named));
      if (!changed.ok) return answerRefusal(reply, changed.refusal, sentences);
      const row = await viewEndpoint(app.db, named);
      if (!row) {
        return answerRefusal(reply, NOT_FOUND, sentences);
      }
      const endpoint = endpointToWire(row, app.clock.now());
      return { success: true as const, message: ENDPOINT_CHANGED, endpoint };
    },
  );
  http.delete(
    "/api/developers/endpoints/:id",
    {
      summary: "Supprimer une adresse",
      config: { access: "seller", idempotent: true },
      schema: { params, response: { 200: doneAnswer } },
    },
    async (request, reply) => {
      const named = namedBy(request, request.params.id);
      const deleted = await remember(app, request, (tx) => deleteEndpointIn(app, tx, named));
      if (!deleted.ok) return answerRefusal(reply, deleted.refusal, sentences);
      return { success: true as const, message: ENDPOINT_DELETED };
    },
  );
}

function namedBy(request: FastifyRequest, id: bigint) {
  const caller = callerOf(request);
  return { sellerId: caller.personId, id, actor: actorOf(caller) };
}

/**
 * Its secret is shown to its seller when he has just made or changed it. Null: deleted since, and
 * this is the repetition of a call of before.
 */
async function withSecret(app: App, of: { sellerId: bigint; id: bigint }) {
  const row = await viewEndpoint(app.db, of);
  if (!row) return null;
  const now = app.clock.now();
  const [secret] = openSecrets(app.vault, { row, now }) ?? [];
  assert(secret, "a secret sealed just now opens");
  return { success: true as const, endpoint: endpointToWire(row, now), secret };
}

function noStore<R extends FastifyReply>(reply: R): R {
  return reply.header("cache-control", "no-store") as R;
}
