import { commonRefusals, idInPath } from "@sesame/contract";
import {
  DELIVERIES_DAYS,
  developersAnswer,
  developersRefusals,
  doneAnswer,
  ENDPOINTS_MAX,
  EVENT_NAMES,
  EVENT_TYPES,
  KEY_CREATED,
  KEY_CREATED_BEFORE,
  KEY_REVOKED,
  KEY_SCOPES,
  KEYS_MAX,
  keyAnswer,
  keyBody,
  SCOPE_NAMES,
} from "@sesame/contract/developers";
import { plansRefusals } from "@sesame/contract/plans";
import { assert, ok } from "@sesame/kernel";
import { z } from "zod";
import type { App } from "../../app.ts";
import { actorOf } from "../../audit/audit.store.ts";
import { answerRefusal } from "../../http/answers.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { refuseCapability } from "../plans/index.ts";
import { registerApiHttp } from "./api-http.ts";
import { createKeyIn, revokeKeyIn } from "./change-keys.ts";
import { registerDeliveriesHttp } from "./deliveries-http.ts";
import { registerEndpointsHttp } from "./endpoints-http.ts";
import { viewEndpoints } from "./endpoints.view.ts";
import { viewKey, viewKeys } from "./keys.view.ts";
import { endpointToWire, keyToWire } from "./on-wire.ts";
import { remember } from "./remember.ts";

const params = z.object({ id: idInPath });
const sentences = { ...developersRefusals, ...plansRefusals, ...commonRefusals };

/** The page of keys and endpoints, what is done there, and the API of the keys. */
export function registerDevelopersHttp(app: App, http: HttpServer): void {
  http.get(
    "/api/developers",
    {
      summary: "Ses clés, ses adresses de webhook, et ce qu'on peut y choisir",
      config: { access: "seller" },
      schema: { response: { 200: developersAnswer } },
    },
    async (request) => {
      const { personId } = callerOf(request);
      const now = app.clock.now();
      const [barred, keys, endpoints] = await Promise.all([
        refuseCapability(app.db, personId, "developer-api"),
        viewKeys(app.db, personId),
        viewEndpoints(app.db, personId),
      ]);
      return {
        success: true as const,
        open: barred === null,
        keys: keys.map(keyToWire),
        endpoints: endpoints.map((row) => endpointToWire(row, now)),
        scopes: KEY_SCOPES.map((key) => ({ key, label: SCOPE_NAMES[key] })),
        events: EVENT_TYPES.map((key) => ({ key, label: EVENT_NAMES[key] })),
        limits: { keys: KEYS_MAX, endpoints: ENDPOINTS_MAX, deliveries_days: DELIVERIES_DAYS },
      };
    },
  );
  registerKeys(app, http);
  registerEndpointsHttp(app, http);
  registerDeliveriesHttp(app, http);
  registerApiHttp(app, http);
}

function registerKeys(app: App, http: HttpServer): void {
  http.post(
    "/api/developers/keys",
    {
      summary: "Créer une clé : elle n'est montrée que dans cette réponse",
      config: { access: "seller", idempotent: true },
      schema: { body: keyBody.optional(), response: { 201: keyAnswer } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { personId: sellerId } = caller;
      const { name, scopes } = request.body ?? {};
      // The key itself stays in this call: its repetition is answered without it.
      let secret: string | null = null;
      const created = await remember(app, request, async (tx) => {
        const asked = { sellerId, actor: actorOf(caller), name, scopes };
        const key = await createKeyIn(app, tx, asked);
        if (!key.ok) return key;
        secret = key.value.secret;
        return ok(String(key.value.id));
      });
      if (!created.ok) return answerRefusal(reply, created.refusal, sentences);
      const row = await viewKey(app.db, sellerId, BigInt(created.value));
      assert(row, "the key was created");
      const message = secret === null ? KEY_CREATED_BEFORE : KEY_CREATED;
      return reply
        .code(201)
        .header("cache-control", "no-store")
        .send({ success: true, message, key: keyToWire(row), secret });
    },
  );
  http.delete(
    "/api/developers/keys/:id",
    {
      summary: "Révoquer une clé",
      config: { access: "seller", idempotent: true },
      schema: { params, response: { 200: doneAnswer } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { id } = request.params;
      const key = { sellerId: caller.personId, id, actor: actorOf(caller) };
      const revoked = await remember(app, request, (tx) => revokeKeyIn(app, tx, key));
      if (!revoked.ok) return answerRefusal(reply, revoked.refusal, sentences);
      return { success: true as const, message: KEY_REVOKED };
    },
  );
}
