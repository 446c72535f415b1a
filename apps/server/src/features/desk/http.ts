import { idInPath } from "@sesame/contract";
import {
  auditAnswer,
  auditExportQuery,
  auditQuery,
  closeAccountAnswer,
  closeAccountBody,
  deskAlertAnswer,
  deskAlertsAnswer,
  deskAlertsQuery,
  deskSearchAnswer,
  deskSearchQuery,
  deskSellerAnswer,
  endMeasureBody,
  measureBody,
  reconcileNowAnswer,
  reconciliationsAnswer,
  reconciliationsQuery,
  reportProductAnswer,
  reportProductBody,
  resolveAlertBody,
} from "@sesame/contract/desk";
import { Readable } from "node:stream";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerCommon } from "../../http/answers.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { requestReconciliation } from "../payouts/index.ts";
import { listAlerts, resolveAlert } from "./alerts.ts";
import { EXPORT_DAYS_MAX, exportAudit } from "./audit-export.ts";
import { readAudit } from "./audit.ts";
import { registerDayHttp } from "./day-http.ts";
import { registerJobsHttp } from "./jobs.ts";
import { addDays } from "./day-zone.ts";
import { registerQueueHttp } from "./queue-http.ts";
import { viewReconciliations } from "./reconcile.ts";
import { CSV, refuseRegistry, sendCsv } from "./registry-answers.ts";
import { reportProduct } from "./reports.ts";
import { ACCOUNT_CLOSED, RECONCILING, REPORTED, REPORTED_BEFORE } from "./messages.fr.ts";
import { searchDesk } from "./search.ts";
import { closeAccount } from "./sellers-close.ts";
import { takeMeasure, takeProductMeasure } from "./sellers-measures.ts";
import { viewSeller } from "./sellers.ts";

const agent = { access: "agent" } as const;
const operator = { access: "operator" } as const;
const params = z.object({ id: idInPath });
const MALFORMED = { kind: "request.malformed" } as const;

/** Requests for money and what is decided of them; what is known, measured, counted, was done. */
export function registerDeskHttp(app: App, http: HttpServer): void {
  registerQueueHttp(app, http);
  registerAlerts(app, http);
  registerSellers(app, http);
  registerMeasures(app, http);
  registerAudit(app, http);
  registerReconciliations(app, http);
  registerPeople(app, http);
  registerDayHttp(app, http);
  registerJobsHttp(app, http);
}

function registerAlerts(app: App, http: HttpServer): void {
  http.get(
    "/api/desk/alerts",
    {
      summary: "Les alertes, avec ce qu'il faut en faire",
      config: agent,
      schema: { querystring: deskAlertsQuery, response: { 200: deskAlertsAnswer } },
    },
    async (request, reply) => {
      const { status, kind = null, cursor, limit } = request.query;
      const page = await listAlerts(app, callerOf(request), { status, kind, cursor, limit });
      return page ?? answerCommon(reply, MALFORMED);
    },
  );
  http.post(
    "/api/desk/alerts/:id/resolve",
    {
      summary: "Clore une alerte, en disant ce qui a été fait",
      config: agent,
      schema: { params, body: resolveAlertBody.optional(), response: { 200: deskAlertAnswer } },
    },
    async (request, reply) => {
      const { id } = request.params;
      const done = await resolveAlert(app, callerOf(request), { id, note: request.body?.note });
      if (!done.ok) return refuseRegistry(reply, done.refusal);
      return { success: true as const, now: app.clock.now().toISOString(), alert: done.value };
    },
  );
}

function registerSellers(app: App, http: HttpServer): void {
  http.get(
    "/api/desk/search",
    {
      summary:
        "Chercher vendeurs, commandes, paiements, retraits et produits : numéro, référence, nom, téléphone",
      config: agent,
      schema: { querystring: deskSearchQuery, response: { 200: deskSearchAnswer } },
    },
    async (request, reply) => {
      const { q, type = null, cursor } = request.query;
      return (await searchDesk(app, { q, type, cursor })) ?? answerCommon(reply, MALFORMED);
    },
  );
  http.get(
    "/api/desk/sellers/:id",
    {
      summary: "La fiche d'un vendeur : soldes, ventes, retraits, produits, alertes, journal",
      config: agent,
      schema: { params, response: { 200: deskSellerAnswer } },
    },
    async (request, reply) => {
      const now = app.clock.now();
      const asked = { id: request.params.id, caller: callerOf(request) };
      const seller = await viewSeller(app.db, asked, now);
      if (!seller) return refuseRegistry(reply, { kind: "desk.seller-not-found" });
      return { success: true as const, now: now.toISOString(), seller };
    },
  );
}

function registerMeasures(app: App, http: HttpServer): void {
  const answer = { 200: deskSellerAnswer };
  const limiting = { params, body: measureBody.optional(), response: answer };
  const ending = { params, body: endMeasureBody.optional(), response: answer };
  for (const { measure, summary } of [
    {
      measure: "suspend",
      summary: "Suspendre les ventes d'un vendeur, avec un motif et une date de réexamen",
    },
    {
      measure: "freeze",
      summary: "Geler les retraits d'un vendeur, avec un motif et une date de réexamen",
    },
    { measure: "resume", summary: "Lever la suspension d'un vendeur" },
    { measure: "unfreeze", summary: "Dégeler les retraits" },
    { measure: "reopen", summary: "Rouvrir le compte qu'un vendeur avait fermé" },
    {
      measure: "write-off",
      summary: "Passer en perte ce que doit un vendeur : l'un demande, un autre opérateur confirme",
    },
  ] as const) {
    const schema = measure === "suspend" || measure === "freeze" ? limiting : ending;
    http.post(
      `/api/desk/sellers/:id/${measure}`,
      { summary, config: operator, schema },
      async (request, reply) => {
        const { id } = request.params;
        const asked = { id, caller: callerOf(request), body: request.body ?? {} };
        const taken = await takeMeasure(app, measure, asked);
        if (!taken.ok) return refuseRegistry(reply, taken.refusal);
        const now = app.clock.now().toISOString();
        return { success: true as const, now, seller: taken.value };
      },
    );
  }
  for (const { measure, summary } of [
    { measure: "suspend", summary: "Suspendre un produit" },
    { measure: "resume", summary: "Lever la suspension d'un produit" },
  ] as const) {
    http.post(
      `/api/desk/products/:id/${measure}`,
      { summary, config: operator, schema: measure === "suspend" ? limiting : ending },
      async (request, reply) => {
        const { id } = request.params;
        const asked = { id, caller: callerOf(request), body: request.body ?? {} };
        const taken = await takeProductMeasure(app, measure, asked);
        if (!taken.ok) return refuseRegistry(reply, taken.refusal);
        const now = app.clock.now().toISOString();
        return { success: true as const, now, seller: taken.value };
      },
    );
  }
}

function registerAudit(app: App, http: HttpServer): void {
  http.get(
    "/api/desk/audit",
    {
      summary: "Le journal d'audit et l'état de sa chaîne",
      config: operator,
      schema: { querystring: auditQuery, response: { 200: auditAnswer } },
    },
    async (request, reply) => {
      const { subject = null, action = null, actor, cursor, limit, verify } = request.query;
      const page = { subject, action, actor, cursor, limit, verify: verify !== undefined };
      return (await readAudit(app, page)) ?? answerCommon(reply, MALFORMED);
    },
  );
  http.get(
    "/api/desk/audit/export",
    {
      summary: "Le journal en CSV",
      config: operator,
      schema: { querystring: auditExportQuery, response: CSV },
    },
    async (request, reply) => {
      const { from, to } = request.query;
      if (to < from || to > addDays(from, EXPORT_DAYS_MAX - 1)) {
        return refuseRegistry(reply, { kind: "desk.period-too-long" });
      }
      return sendCsv(reply, `journal-${from}-${to}`, Readable.from(exportAudit(app, { from, to })));
    },
  );
}

function registerReconciliations(app: App, http: HttpServer): void {
  http.get(
    "/api/desk/reconciliations",
    {
      summary: "Rapprochements : ce que disent les prestataires et ce que disent nos écritures",
      config: agent,
      schema: { querystring: reconciliationsQuery, response: { 200: reconciliationsAnswer } },
    },
    async (request, reply) => {
      const { status, cursor } = request.query;
      return (await viewReconciliations(app, { status, cursor })) ?? answerCommon(reply, MALFORMED);
    },
  );
  http.post(
    "/api/desk/reconciliations",
    {
      summary: "Demander un rapprochement",
      config: agent,
      schema: { response: { 200: reconcileNowAnswer } },
    },
    async () => {
      await requestReconciliation(app.db, app.clock.now());
      return { success: true as const, message: RECONCILING };
    },
  );
}

function registerPeople(app: App, http: HttpServer): void {
  http.post(
    "/api/reports",
    {
      summary: "Signaler un produit, une fois par personne et par produit",
      config: { access: "person" },
      schema: { body: reportProductBody.optional(), response: { 200: reportProductAnswer } },
    },
    async (request, reply) => {
      const { personId } = callerOf(request);
      const told = await reportProduct(app, { personId, body: request.body ?? {} });
      if (!told.ok) return refuseRegistry(reply, told.refusal);
      const { already } = told.value;
      return { success: true as const, already, message: already ? REPORTED_BEFORE : REPORTED };
    },
  );
  http.post(
    "/api/users/close",
    {
      summary: "Fermer son compte vendeur, quand il n'y reste rien",
      config: { access: "seller" },
      schema: { body: closeAccountBody.optional(), response: { 200: closeAccountAnswer } },
    },
    async (request, reply) => {
      // Nobody closes it by a call without a word.
      if (request.body?.confirm !== true) {
        return refuseRegistry(reply, { kind: "account.confirm-missing" });
      }
      const closed = await closeAccount(app, callerOf(request));
      if (!closed.ok) return refuseRegistry(reply, closed.refusal);
      return { success: true as const, message: ACCOUNT_CLOSED };
    },
  );
}
