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
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import { readIdempotencyKey } from "../../http/idempotency-key.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import type { Withdrawals } from "./index.ts";

export function registerWithdrawalsHttp(app: HttpServer, withdrawals: Withdrawals): void {
  registerRequests(app, withdrawals);
  registerLists(app, withdrawals);
  registerSettings(app, withdrawals);
}

function registerRequests(app: HttpServer, withdrawals: Withdrawals): void {
  app.post(
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
      const asked = await withdrawals.request({
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
  app.delete(
    "/api/users/retrait/annuler/:id",
    {
      summary: "Annuler une demande en attente qu'aucun agent n'a prise",
      config: { access: "seller", idempotent: true },
      schema: { params: idParams, response: { 200: withdrawalAnswer } },
    },
    async (request, reply) => {
      const named = readIdempotencyKey(request);
      if (named.kind === "malformed") return answerCommon(reply, { kind: "request.malformed" });
      const cancelled = await withdrawals.cancel({
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

function registerLists(app: HttpServer, withdrawals: Withdrawals): void {
  app.get(
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
      return withdrawals.listOf(callerOf(request).personId, {
        status: status === "all" ? null : status,
        before: cursor === undefined ? null : BigInt(cursor),
      });
    },
  );
  app.get(
    "/api/users/retrait/limites",
    {
      summary: "Solde disponible, limites, méthodes et délai d'un retrait demandé maintenant",
      config: { access: "seller" },
      schema: { response: { 200: limitsAnswer } },
    },
    async (request, reply) =>
      reply
        .header("cache-control", "no-store")
        .send(await withdrawals.limitsOf(callerOf(request).personId)),
  );
  app.get(
    "/api/users/retrait/:id",
    {
      summary: "Une de ses demandes de retrait",
      config: { access: "seller" },
      schema: { params: idParams, response: { 200: withdrawalAnswer } },
    },
    async (request, reply) => {
      const { personId } = callerOf(request);
      const demande = await withdrawals.withdrawalOf(personId, request.params.id);
      if (!demande)
        return answerRefusal(reply, { kind: "withdrawals.unknown" }, withdrawalsRefusals);
      const message = WITHDRAWAL_STATUS_NAMES[demande.status];
      return { success: true as const, message, demande };
    },
  );
}

function registerSettings(app: HttpServer, withdrawals: Withdrawals): void {
  app.get(
    "/api/users/paiement",
    {
      summary: "Où va l'argent, et le retrait automatique : prochaine exécution, dernier résultat",
      config: { access: "seller" },
      schema: { response: { 200: payoutSettingsAnswer } },
    },
    async (request) => {
      const paiement = await withdrawals.settingsOf(callerOf(request).personId);
      return { success: true as const, message: "", paiement };
    },
  );
  app.put(
    "/api/users/paiement/update",
    {
      summary:
        "Enregistrer où va l'argent ; activer, modifier ou désactiver le retrait automatique",
      config: { access: "seller" },
      schema: { body: payoutSettingsBody, response: { 200: payoutSettingsAnswer } },
    },
    async (request, reply) => {
      const { personId } = callerOf(request);
      const saved = await withdrawals.configure(personId, request.body);
      if (!saved.ok) return answerRefusal(reply, saved.refusal, withdrawalsRefusals);
      const off = !saved.value.automatic && request.body.retrait_auto !== undefined;
      return {
        success: true as const,
        message: off ? AUTOMATIC_SWITCHED_OFF : CONFIGURATION_SAVED,
        paiement: await withdrawals.settingsOf(personId),
      };
    },
  );
}
