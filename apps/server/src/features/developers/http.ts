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
import { actorOf } from "../../audit/audit.store.ts";
import { answerRefusal } from "../../http/answers.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { createKeyIn, revokeKeyIn } from "./change-keys.ts";
import type { DevelopersDeps } from "./deps.ts";
import { viewEndpoints } from "./endpoints.view.ts";
import { viewKey, viewKeys } from "./keys.view.ts";
import { endpointToWire, keyToWire } from "./on-wire.ts";
import { remember } from "./remember.ts";

const params = z.object({ id: idInPath });
const sentences = { ...developersRefusals, ...plansRefusals, ...commonRefusals };

/** The page of keys and endpoints, and its keys. */
export function registerDevelopersHttp(app: HttpServer, deps: DevelopersDeps): void {
  app.get(
    "/api/developers",
    {
      summary: "Ses clés, ses adresses de webhook, et ce qu'on peut y choisir",
      config: { access: "seller" },
      schema: { response: { 200: developersAnswer } },
    },
    async (request) => {
      const { personId } = callerOf(request);
      const now = deps.clock.now();
      const [barred, keys, endpoints] = await Promise.all([
        deps.refuseCapability(deps.db, personId, "developer-api"),
        viewKeys(deps.db, personId),
        viewEndpoints(deps.db, personId),
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
  registerKeys(app, deps);
}

function registerKeys(app: HttpServer, deps: DevelopersDeps): void {
  app.post(
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
      const created = await remember(deps, request, async (tx) => {
        const asked = { sellerId, actor: actorOf(caller), name, scopes };
        const key = await createKeyIn(deps, tx, asked);
        if (!key.ok) return key;
        secret = key.value.secret;
        return ok(String(key.value.id));
      });
      if (!created.ok) return answerRefusal(reply, created.refusal, sentences);
      const row = await viewKey(deps.db, sellerId, BigInt(created.value));
      assert(row, "the key was created");
      const message = secret === null ? KEY_CREATED_BEFORE : KEY_CREATED;
      return reply
        .code(201)
        .header("cache-control", "no-store")
        .send({ success: true, message, key: keyToWire(row), secret });
    },
  );
  app.delete(
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
      const revoked = await remember(deps, request, (tx) => revokeKeyIn(deps, tx, key));
      if (!revoked.ok) return answerRefusal(reply, revoked.refusal, sentences);
      return { success: true as const, message: KEY_REVOKED };
    },
  );
}
