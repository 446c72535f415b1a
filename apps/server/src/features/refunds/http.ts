import { commonRefusals, idInPath } from "@sesame/contract";
import { deskRefusals } from "@sesame/contract/desk";
import {
  givenBackBody,
  REFUND_BEGUN,
  REFUND_NOTED_DONE,
  REFUND_NUMBER_TAKEN,
  refundAnswer,
  refundBody,
  refundNumberBody,
  refundsRefusals,
} from "@sesame/contract/refunds";
import { withdrawalsRefusals } from "@sesame/contract/withdrawals";
import { assert, ok } from "@sesame/kernel";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerRefusal } from "../../http/answers.ts";
import { readCall } from "../../http/once.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { askBySeller } from "./ask-by.ts";
import { registerDeskRefundsHttp, remember } from "./desk-http.ts";
import { givenBackBySellerIn } from "./pay-by-hand.ts";
import { type RefundReader, refundToWire } from "./refund-on-wire.ts";
import { findRefund } from "./refund.view.ts";
import { takeNumberIn } from "./take-number.ts";

const params = z.object({ id: idInPath });
const sentences = {
  ...refundsRefusals,
  ...withdrawalsRefusals,
  ...deskRefusals,
  ...commonRefusals,
};

/** What sellers and buyers do about money that goes back. */
export function registerRefundsHttp(app: App, http: HttpServer): void {
  http.post(
    "/api/orders/:id/refund",
    {
      summary: "Rendre une de ses ventes : tout le prix, commission comprise ; l'accès prend fin",
      config: { access: "seller", idempotent: true },
      schema: { params, body: refundBody.optional(), response: { 200: refundAnswer } },
    },
    async (request, reply) => {
      const call = readCall(request);
      if (!call.ok) return answerRefusal(reply, call.refusal, sentences);
      const reason = request.body?.motif;
      const asked = { orderId: request.params.id, caller: callerOf(request), reason };
      const begun = await askBySeller(app, { ...asked, call: call.value });
      if (!begun.ok) return answerRefusal(reply, begun.refusal, sentences);
      return answerOf(app, BigInt(begun.value.id), { reader: "seller", message: REFUND_BEGUN });
    },
  );
  http.post(
    "/api/orders/:id/refund-number",
    {
      summary: "Dire à quel numéro un agent envoie le remboursement",
      config: { access: "person", idempotent: true },
      schema: { params, body: refundNumberBody.optional(), response: { 200: refundAnswer } },
    },
    async (request, reply) => {
      const { methode: method, numero: number } = request.body ?? {};
      const given = { orderId: request.params.id, buyerId: callerOf(request).personId };
      const taken = await remember(app, request, async (tx) => {
        const row = await takeNumberIn(app, tx, { ...given, method, number });
        return row.ok ? ok(String(row.value.id)) : row;
      });
      if (!taken.ok) return answerRefusal(reply, taken.refusal, sentences);
      return answerOf(app, BigInt(taken.value), { reader: "buyer", message: REFUND_NUMBER_TAKEN });
    },
  );
  http.post(
    "/api/refunds/:id/given-back",
    {
      summary: "Noter qu'on a rendu soi-même une vente encaissée directement",
      config: { access: "seller", idempotent: true },
      schema: { params, body: givenBackBody.optional(), response: { 200: refundAnswer } },
    },
    async (request, reply) => {
      const { id } = request.params;
      const reference = request.body?.reference;
      const given = { id, sellerId: callerOf(request).personId, reference };
      const done = await remember(app, request, (tx) => givenBackBySellerIn(app, tx, given));
      if (!done.ok) return answerRefusal(reply, done.refusal, sentences);
      return answerOf(app, id, { reader: "seller", message: REFUND_NOTED_DONE });
    },
  );
  registerDeskRefundsHttp(app, http);
}

async function answerOf(
  app: App,
  id: bigint,
  { reader, message }: { reader: RefundReader; message: string },
) {
  const row = await findRefund(app.db, id);
  assert(row, "a refund that was written is there");
  return { success: true as const, message, refund: refundToWire(row, reader) };
}
