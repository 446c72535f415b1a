import { idInPath } from "@sesame/contract";
import {
  AUTOMATIC_SWITCHED_OFF,
  CONFIGURATION_SAVED,
  limitsAnswer,
  payoutSettingsAnswer,
  payoutSettingsBody,
  REQUEST_CANCELLED,
  REQUEST_TAKEN,
  WITHDRAWAL_STATUS_NAMES,
  withdrawalAnswer,
  withdrawalBody,
  withdrawalsAnswer,
  withdrawalsQuery,
  withdrawalsRefusals,
} from "@sesame/contract/withdrawals";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import { readIdempotencyKey } from "../../http/idempotency-key.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { cancel } from "./cancel-withdrawal.ts";
import { configurePayouts } from "./configure-payouts.ts";
import { payoutSettingsOf } from "./payout-settings-on-wire.ts";
import { requestWithdrawal } from "./request-withdrawal.ts";
import { limitsAnswerOf, withdrawalsAnswerOf } from "./seller-answers.ts";
import { withdrawalToWire } from "./withdrawal-on-wire.ts";
import { viewWithdrawal } from "./withdrawals.view.ts";

export function registerWithdrawalsHttp(app: App, http: HttpServer): void {
  registerRequests(app, http);
  registerLists(app, http);
  registerSettings(app, http);
}

function registerRequests(app: App, http: HttpServer): void {
  http.post(
    "/api/users/retrait/demande",
    {
      summary: "Demander un retrait ; le montant est réservé sur le solde",
      config: { access: "seller", idempotent: true },
      schema: { body: withdrawalBody, response: { 201: withdrawalAnswer } },
    },
    async (request, reply) => {
      const named = readIdempotencyKey(request);
      if (named.kind === "malformed") return answerCommon(reply, { kind: "request.malformed" });
      const form = {
        amount: request.body.montant,
        method: request.body.methode_paiement,
        phone: request.body.numero_transfert,
        whatsapp: request.body.numero_whatsapp,
      };
      const asked = await requestWithdrawal(app, {
        sellerId: callerOf(request).personId,
        form,
        key: named.kind === "key" ? { key: named.key, content: JSON.stringify(form) } : null,
        automaticOn: null,
      });
      if (!asked.ok) return answerRefusal(reply, asked.refusal, withdrawalsRefusals);
      const demande = asked.value.withdrawal;
      return reply.code(201).send({ success: true, message: REQUEST_TAKEN, demande });
    },
  );
  http.delete(
    "/api/users/retrait/annuler/:id",
    {
      summary: "Annuler une demande en attente qu'aucun agent n'a prise",
      config: { access: "seller", idempotent: true },
      schema: { params: idParams, response: { 200: withdrawalAnswer } },
    },
    async (request, reply) => {
      const named = readIdempotencyKey(request);
      if (named.kind === "malformed") return answerCommon(reply, { kind: "request.malformed" });
      const cancelled = await cancel(app, {
        id: request.params.id,
        sellerId: callerOf(request).personId,
        key: named.kind === "key" ? named.key : null,
      });
      if (!cancelled.ok) return answerRefusal(reply, cancelled.refusal, withdrawalsRefusals);
      return { success: true as const, message: REQUEST_CANCELLED, demande: cancelled.value };
    },
  );
}

const idParams = z.object({ id: idInPath });

function registerLists(app: App, http: HttpServer): void {
  http.get(
    "/api/users/retrait/mes-demandes",
    {
      summary: "Ses demandes de retrait, les plus récentes d'abord",
      config: { access: "seller" },
      schema: { querystring: withdrawalsQuery, response: { 200: withdrawalsAnswer } },
    },
    async (request, reply) => {
      const { status = "all", cursor } = request.query;
      if (cursor !== undefined && !/^\d{1,18}$/.test(cursor)) {
        return answerCommon(reply, { kind: "request.malformed" });
      }
      return withdrawalsAnswerOf(app, callerOf(request).personId, {
        status: status === "all" ? null : status,
        before: cursor === undefined ? null : BigInt(cursor),
      });
    },
  );
  http.get(
    "/api/users/retrait/limites",
    {
      summary: "Solde disponible, limites, méthodes et délai d'un retrait demandé maintenant",
      config: { access: "seller" },
      schema: { response: { 200: limitsAnswer } },
    },
    async (request, reply) =>
      reply
        .header("cache-control", "no-store")
        .send(await limitsAnswerOf(app, callerOf(request).personId)),
  );
  http.get(
    "/api/users/retrait/:id",
    {
      summary: "Une de ses demandes de retrait",
      config: { access: "seller" },
      schema: { params: idParams, response: { 200: withdrawalAnswer } },
    },
    async (request, reply) => {
      const { personId } = callerOf(request);
      const row = await viewWithdrawal(app.db, request.params.id, personId);
      if (!row) return answerRefusal(reply, { kind: "withdrawals.unknown" }, withdrawalsRefusals);
      const demande = withdrawalToWire(row, app.clock.now());
      const message = WITHDRAWAL_STATUS_NAMES[demande.status];
      return { success: true as const, message, demande };
    },
  );
}

function registerSettings(app: App, http: HttpServer): void {
  http.get(
    "/api/users/paiement",
    {
      summary: "Où va l'argent, et le retrait automatique : prochaine exécution, dernier résultat",
      config: { access: "seller" },
      schema: { response: { 200: payoutSettingsAnswer } },
    },
    async (request) => {
      const paiement = await payoutSettingsOf(app, callerOf(request).personId);
      return { success: true as const, message: "", paiement };
    },
  );
  http.put(
    "/api/users/paiement/update",
    {
      summary:
        "Enregistrer où va l'argent ; activer, modifier ou désactiver le retrait automatique",
      config: { access: "seller" },
      schema: { body: payoutSettingsBody, response: { 200: payoutSettingsAnswer } },
    },
    async (request, reply) => {
      const { personId } = callerOf(request);
      const saved = await configurePayouts(app, personId, request.body);
      if (!saved.ok) return answerRefusal(reply, saved.refusal, withdrawalsRefusals);
      const off = !saved.value.automatic && request.body.retrait_auto !== undefined;
      return {
        success: true as const,
        message: off ? AUTOMATIC_SWITCHED_OFF : CONFIGURATION_SAVED,
        paiement: await payoutSettingsOf(app, personId),
      };
    },
  );
}
