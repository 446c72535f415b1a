import { type CommonRefusal, commonRefusals, idInPath } from "@sesame/contract";
import {
  deliveriesAnswer,
  deliveriesQuery,
  type DeliveryAnswer,
  deliveryAnswer,
  type DevelopersRefusal,
  developersRefusals,
  PING,
  PING_SENT,
  REPLAY_SENT,
} from "@sesame/contract/developers";
import { type PlansRefusal, plansRefusals } from "@sesame/contract/plans";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import type { Db } from "../../postgres/database.ts";
import { refuseCapability } from "../plans/index.ts";
import { insertPing, replay } from "./deliveries.store.ts";
import { viewAttempts, viewDeliveries, viewDelivery } from "./deliveries.view.ts";
import { viewEndpoint } from "./endpoints.view.ts";
import { attemptToWire, deliveryToWire } from "./on-wire.ts";
import { remember } from "./remember.ts";
import { writeBody } from "./send-out.ts";

const params = z.object({ id: idInPath });
const sentences = { ...developersRefusals, ...plansRefusals, ...commonRefusals };
const NOT_FOUND = { kind: "developers.delivery-not-found" } as const;

/** What was sent, what was answered, and once more by hand. */
export function registerDeliveriesHttp(app: App, http: HttpServer): void {
  http.get(
    "/api/developers/deliveries",
    {
      summary: "Les envois de 30 jours, par pages",
      config: { access: "seller" },
      schema: { querystring: deliveriesQuery, response: { 200: deliveriesAnswer } },
    },
    async (request, reply) => {
      const { cursor = "", limit, endpoint: endpointId = null } = request.query;
      if (!/^\d{0,18}$/.test(cursor)) return answerCommon(reply, { kind: "request.malformed" });
      const before = cursor === "" ? null : BigInt(cursor);
      const page = { before, limit: limit + 1, endpointId };
      const rows = await viewDeliveries(app.db, callerOf(request).personId, page);
      const shown = rows.slice(0, limit);
      return {
        success: true as const,
        deliveries: shown.map(deliveryToWire),
        next_cursor: rows.length > limit ? String(shown.at(-1)?.id) : null,
      };
    },
  );
  http.get(
    "/api/developers/deliveries/:id",
    {
      summary: "Un envoi : son contenu, et la réponse à chaque essai",
      config: { access: "seller" },
      schema: { params, response: { 200: deliveryAnswer } },
    },
    async (request, reply) => {
      const delivery = await answerFor(app, request, request.params.id);
      return delivery ?? answerRefusal(reply, NOT_FOUND, sentences);
    },
  );
  registerSending(app, http);
}

function registerSending(app: App, http: HttpServer): void {
  http.post(
    "/api/developers/deliveries/:id/replay",
    {
      summary: "Renvoyer un événement, sous le même webhook-id",
      config: { access: "seller", idempotent: true },
      schema: { params, response: { 200: deliveryAnswer } },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { personId } = callerOf(request);
      const sent = await remember(app, request, (tx) => replayIn(app, tx, { personId, id }));
      if (!sent.ok) return answerRefusal(reply, sent.refusal, sentences);
      const answer = await answerFor(app, request, id);
      // Forgotten since, when this is the repetition of a call of before.
      if (!answer) return answerRefusal(reply, NOT_FOUND, sentences);
      return { ...answer, message: REPLAY_SENT };
    },
  );
  http.post(
    "/api/developers/endpoints/:id/ping",
    {
      summary: "Envoyer un événement de test",
      config: { access: "seller", idempotent: true },
      schema: { params, response: { 200: deliveryAnswer } },
    },
    async (request, reply) => {
      const { personId } = callerOf(request);
      const endpoint = { personId, id: request.params.id };
      const sent = await remember(app, request, (tx) => pingIn(app, tx, endpoint));
      if (!sent.ok) return answerRefusal(reply, sent.refusal, sentences);
      const answer = await answerFor(app, request, BigInt(sent.value));
      if (!answer) return answerRefusal(reply, NOT_FOUND, sentences);
      return { ...answer, message: PING_SENT };
    },
  );
}

type Named = { readonly personId: bigint; readonly id: bigint };
type Refused = DevelopersRefusal | PlansRefusal | CommonRefusal;

async function replayIn(app: App, tx: Db, { personId, id }: Named): Promise<Result<null, Refused>> {
  const row = await viewDelivery(tx, personId, id);
  if (!row) return refuse(NOT_FOUND);
  const barred = await refuseCapability(tx, personId, "developer-api");
  if (barred) return refuse(barred);
  if (!row.endpoint_active) return refuse({ kind: "developers.endpoint-off" });
  const again = { id, endpointId: row.endpoint_id, now: app.clock.now() };
  return (await replay(tx, again)) ? ok(null) : refuse({ kind: "developers.under-way" });
}

async function pingIn(
  app: App,
  tx: Db,
  { personId: sellerId, id }: Named,
): Promise<Result<string, Refused>> {
  const endpoint = await viewEndpoint(tx, { sellerId, id, lock: true });
  if (!endpoint) return refuse({ kind: "developers.endpoint-not-found" });
  const barred = await refuseCapability(tx, sellerId, "developer-api");
  if (barred) return refuse(barred);
  if (!endpoint.active) return refuse({ kind: "developers.endpoint-off" });
  const now = app.clock.now();
  const body = writeBody({ type: PING, at: now, data: { endpoint_id: String(id) } });
  const once = `${id}:${Buffer.from(app.chance.bytes(12)).toString("hex")}`;
  return ok(String(await insertPing(tx, { sellerId, endpointId: id, once, body, now })));
}

async function answerFor(
  { db }: App,
  request: FastifyRequest,
  id: bigint,
): Promise<DeliveryAnswer | null> {
  const row = await viewDelivery(db, callerOf(request).personId, id);
  if (!row) return null;
  const log = (await viewAttempts(db, id)).map(attemptToWire);
  const delivery = deliveryToWire(row);
  return { success: true, message: delivery.type, delivery, body: row.body, log };
}
