import {
  closeDayAnswer,
  closeDayBody,
  dayAnswer,
  dayExportQuery,
  dayQuery,
  moveBody,
  type PurseOnWire,
  type RegistryRefusal,
} from "@sesame/contract/desk";
import type { CommonRefusal } from "@sesame/contract";
import type { Result } from "@sesame/kernel";
import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { readIdempotencyKey } from "../../http/idempotency-key.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { type Db, hasSqlState } from "../../postgres/database.ts";
import { closeDay } from "./day-close.ts";
import { exportDay } from "./day-export.ts";
import { moveMoney } from "./day-move.ts";
import { viewDay } from "./day.ts";
import { once } from "../../http/once.ts";
import { CSV, refuseRegistry, sendCsv } from "./registry-answers.ts";

const agent = { access: "agent" } as const;

export function registerDayHttp(app: App, http: HttpServer): void {
  http.get(
    "/api/desk/day",
    {
      summary: "La journée : chaque caisse, ses mouvements et son solde d'après les écritures",
      config: agent,
      schema: { querystring: dayQuery, response: { 200: dayAnswer } },
    },
    (request) => viewDay(app, request.query.date ?? null),
  );
  http.get(
    "/api/desk/day/export",
    {
      summary: "La journée en CSV",
      config: agent,
      schema: { querystring: dayExportQuery, response: CSV },
    },
    async (request, reply) => {
      const day = request.query.date;
      return sendCsv(reply, `caisse-${day}`, await exportDay(app, day));
    },
  );
  registerWrites(app, http);
}

function registerWrites(app: App, http: HttpServer): void {
  for (const { step, summary } of [
    { step: "close", summary: "Clore une caisse : le solde compté, l'écart et son explication" },
    { step: "correct", summary: "Corriger une clôture par une nouvelle ligne" },
  ] as const) {
    http.post(
      `/api/desk/day/${step}`,
      {
        summary,
        config: { ...agent, idempotent: true },
        schema: { body: closeDayBody.optional(), response: { 200: closeDayAnswer } },
      },
      async (request, reply) => {
        const body = request.body ?? {};
        const asked = { caller: callerOf(request), correction: step === "correct", body };
        const route = `POST /api/desk/day/${step}`;
        const done = await run(app, { request, route, body }, (tx) => closeDay(app, tx, asked));
        if (!done.ok) return refuseRegistry(reply, done.refusal);
        const now = app.clock.now().toISOString();
        return { success: true as const, now, purse: done.value };
      },
    );
  }
  http.post(
    "/api/desk/day/moves",
    {
      summary: "Argent mis dans une caisse ou sorti d'elle, à la main",
      config: { ...agent, idempotent: true },
      schema: { body: moveBody.optional(), response: { 200: closeDayAnswer } },
    },
    async (request, reply) => {
      const body = request.body ?? {};
      const asked = { caller: callerOf(request), body };
      const route = "POST /api/desk/day/moves";
      const done = await run(app, { request, route, body }, (tx) => moveMoney(app, tx, asked));
      if (!done.ok) return refuseRegistry(reply, done.refusal);
      const now = app.clock.now().toISOString();
      return { success: true as const, now, purse: done.value };
    },
  );
}

type Call = {
  readonly request: FastifyRequest;
  readonly route: string;
  readonly body: unknown;
};

const LOCK_NOT_AVAILABLE = "55P03";

async function run(
  { db, clock }: App,
  { request, route, body }: Call,
  effect: (tx: Db) => Promise<Result<PurseOnWire, RegistryRefusal>>,
): Promise<Result<PurseOnWire, RegistryRefusal | CommonRefusal>> {
  const key = readIdempotencyKey(request);
  if (key.kind === "malformed") return { ok: false, refusal: { kind: "request.malformed" } };
  const { personId } = callerOf(request);
  const content = JSON.stringify(body);
  const call = key.kind === "none" ? null : { personId, route, key: key.key, content };
  try {
    return await once({ db, call, now: clock.now() }, effect);
  } catch (error) {
    // Postings did not pause for two seconds: nothing was counted.
    if (!hasSqlState(error, LOCK_NOT_AVAILABLE)) throw error;
    return { ok: false, refusal: { kind: "desk.purse-busy" } };
  }
}
