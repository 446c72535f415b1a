import { type CommonRefusal, commonRefusals, idInPath } from "@sesame/contract";
import { deskRefusals } from "@sesame/contract/desk";
import {
  deskOrderAnswer,
  deskOrderRefundAnswer,
  deskOrderRefundBody,
  deskRefundAnswer,
  deskRefundPaidBody,
  deskRefundsAnswer,
  deskRefundsQuery,
  MISMATCH_DECIDED,
  mismatchBody,
  PROVIDER_FEE_NOTED,
  providerFeeBody,
  REFUND_BEGUN,
  REFUND_NOTED_DONE,
  REFUND_NUMBER_ASKED_AGAIN,
  REFUND_RETURNED,
  REFUND_TAKEN,
  refundsRefusals,
  wrongNumberBody,
} from "@sesame/contract/refunds";
import { assert, type Result } from "@sesame/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import { once, readCall } from "../../http/once.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import type { Db } from "../../postgres/database.ts";
import { askByOperator, decideMismatch } from "./ask-by.ts";
import { answerSheet } from "./order-sheet.ts";
import { type HandRefusal, paidIn, takeIn, wrongNumberIn } from "./pay-by-hand.ts";
import { deskRefundToWire } from "./refund-on-wire.ts";
import { askLane, noteFeeIn, returnedIn } from "./returned-there.ts";
import { countRefunds, findRefund, findRefunds } from "./refund.view.ts";

const params = z.object({ id: idInPath });
const agent = { access: "agent" } as const;
const operator = { access: "operator" } as const;
const sentences = { ...refundsRefusals, ...deskRefusals, ...commonRefusals };

/** The desk's part: money sent by hand, an order's sheet, the operator's refunds. */
export function registerDeskRefundsHttp(app: App, http: HttpServer): void {
  http.get(
    "/api/desk/refunds",
    {
      summary: "Les remboursements : à envoyer d'abord, puis ceux en route ; ou les terminés",
      config: agent,
      schema: { querystring: deskRefundsQuery, response: { 200: deskRefundsAnswer } },
    },
    async (request, reply) => {
      const { view, limit, cursor = "" } = request.query;
      if (!/^\d{0,18}$/.test(cursor)) return answerCommon(reply, { kind: "request.malformed" });
      const after = cursor === "" ? null : BigInt(cursor);
      const rows = await findRefunds(app.db, { view, after, limit });
      const caller = callerOf(request);
      const now = app.clock.now();
      return {
        success: true as const,
        now: now.toISOString(),
        refunds: rows.map((row) => deskRefundToWire(row, caller, now)),
        counts: await countRefunds(app.db),
        next_cursor: rows.length === limit ? String(rows.at(-1)?.id) : null,
      };
    },
  );
  registerHands(app, http);
  registerReturned(app, http);
  registerOrders(app, http);
  registerMismatches(app, http);
}

function registerHands(app: App, http: HttpServer): void {
  http.post(
    "/api/desk/refunds/:id/take",
    {
      summary: "Prendre en main un remboursement pendant 15 minutes",
      config: { ...agent, idempotent: true },
      schema: { params, response: { 200: deskRefundAnswer } },
    },
    (request, reply) => {
      const hand = { id: request.params.id, caller: callerOf(request) };
      const done = askLane(app, hand.id).then((lane) =>
        remember(app, request, (tx) => takeIn(app, tx, { ...hand, lane })),
      );
      return answerHand(app, request, { reply, done, message: REFUND_TAKEN });
    },
  );
  http.post(
    "/api/desk/refunds/:id/paid",
    {
      summary: "Envoyé à la main : la référence de l'opérateur le prouve, une seule fois",
      config: { ...agent, idempotent: true },
      schema: { params, body: deskRefundPaidBody.optional(), response: { 200: deskRefundAnswer } },
    },
    (request, reply) => {
      const hand = { id: request.params.id, caller: callerOf(request) };
      const reference = request.body?.reference;
      const done = remember(app, request, (tx) => paidIn(app, tx, { ...hand, reference }));
      return answerHand(app, request, { reply, done, message: REFUND_NOTED_DONE });
    },
  );
  http.post(
    "/api/desk/refunds/:id/wrong-number",
    {
      summary: "L'opérateur refuse le numéro : l'acheteur en donne un autre",
      config: { ...agent, idempotent: true },
      schema: { params, body: wrongNumberBody.optional(), response: { 200: deskRefundAnswer } },
    },
    (request, reply) => {
      const hand = { id: request.params.id, caller: callerOf(request) };
      const reason = request.body?.reason;
      const done = remember(app, request, (tx) => wrongNumberIn(app, tx, { ...hand, reason }));
      return answerHand(app, request, { reply, done, message: REFUND_NUMBER_ASKED_AGAIN });
    },
  );
}

function registerReturned(app: App, http: HttpServer): void {
  http.post(
    "/api/desk/refunds/:id/returned",
    {
      summary:
        "Terminer sans rien envoyer un remboursement que le prestataire dit avoir déjà rendu",
      config: { ...operator, idempotent: true },
      schema: { params, response: { 200: deskRefundAnswer } },
    },
    (request, reply) => {
      const { id } = request.params;
      const done = askLane(app, id).then((lane) =>
        remember(app, request, (tx) =>
          returnedIn(app, tx, { id, caller: callerOf(request), lane }),
        ),
      );
      return answerHand(app, request, { reply, done, message: REFUND_RETURNED });
    },
  );
  http.post(
    "/api/desk/refunds/:id/fee",
    {
      summary: "Noter, une fois, ce que le prestataire a retenu pour un paiement repris",
      config: { ...operator, idempotent: true },
      schema: { params, body: providerFeeBody.optional(), response: { 200: deskRefundAnswer } },
    },
    (request, reply) => {
      const asked = { id: request.params.id, caller: callerOf(request) };
      const fee = request.body?.montant;
      const done = remember(app, request, (tx) => noteFeeIn(app, tx, { ...asked, fee }));
      return answerHand(app, request, { reply, done, message: PROVIDER_FEE_NOTED });
    },
  );
}

/** The effect once for the caller's key. */
export async function remember<T, R extends { readonly kind: string }>(
  { db, clock }: App,
  request: FastifyRequest,
  effect: (tx: Db) => Promise<Result<T, R>>,
): Promise<Result<T, R | CommonRefusal>> {
  const call = readCall(request);
  return call.ok ? once({ db, call: call.value, now: clock.now() }, effect) : call;
}

async function answerHand(
  app: App,
  request: FastifyRequest,
  end: {
    reply: FastifyReply;
    done: Promise<Result<null, HandRefusal | CommonRefusal>>;
    message: string;
  },
) {
  const done = await end.done;
  if (!done.ok) return answerRefusal(end.reply, done.refusal, sentences);
  const { id } = request.params as z.output<typeof params>;
  const row = await findRefund(app.db, id);
  assert(row, "a refund that was acted upon is there");
  const now = app.clock.now();
  const refund = deskRefundToWire(row, callerOf(request), now);
  return { success: true as const, now: now.toISOString(), message: end.message, refund };
}

function registerOrders(app: App, http: HttpServer): void {
  http.get(
    "/api/desk/orders/:id",
    {
      summary:
        "La fiche d'une commande : paiements, accès, remboursements, réclamations, écritures",
      config: agent,
      schema: { params, response: { 200: deskOrderAnswer } },
    },
    async (request, reply) => {
      const sheet = await answerSheet(app, callerOf(request), request.params.id);
      if (!sheet) return answerRefusal(reply, ORDER_NOT_FOUND, sentences);
      return reply.header("cache-control", "no-store").send(sheet);
    },
  );
  http.post(
    "/api/desk/orders/:id/refund",
    {
      summary: "Rembourser une commande ; ce qui manque au vendeur est avancé, puis repris",
      config: { ...operator, idempotent: true },
      schema: {
        params,
        body: deskOrderRefundBody.optional(),
        response: { 200: deskOrderRefundAnswer },
      },
    },
    async (request, reply) => {
      const call = readCall(request);
      if (!call.ok) return answerRefusal(reply, call.refusal, sentences);
      const caller = callerOf(request);
      const asked = { orderId: request.params.id, caller, reason: request.body?.reason };
      const begun = await askByOperator(app, { ...asked, call: call.value });
      if (!begun.ok) return answerRefusal(reply, begun.refusal, sentences);
      const sheet = await answerSheet(app, caller, request.params.id);
      assert(sheet, "an order that was refunded is there");
      return { ...sheet, message: REFUND_BEGUN };
    },
  );
}

function registerMismatches(app: App, http: HttpServer): void {
  http.post(
    "/api/desk/payments/:id/decide",
    {
      summary:
        "Dire ce que devient un paiement qui ne correspond pas à la commande : l'honorer, le rendre, ou noter qu'il l'est déjà",
      config: { ...operator, idempotent: true },
      schema: { params, body: mismatchBody.optional(), response: { 200: deskOrderRefundAnswer } },
    },
    async (request, reply) => {
      const call = readCall(request);
      if (!call.ok) return answerRefusal(reply, call.refusal, sentences);
      const caller = callerOf(request);
      const asked = { paymentId: request.params.id, caller, body: request.body ?? {} };
      const decided = await decideMismatch(app, { ...asked, call: call.value });
      if (!decided.ok) return answerRefusal(reply, decided.refusal, sentences);
      const { orderId, outcome } = decided.value;
      const sheet = await answerSheet(app, caller, BigInt(orderId));
      assert(sheet, "an order whose payment was decided is there");
      return { ...sheet, message: MISMATCH_DECIDED[outcome] };
    },
  );
}

const ORDER_NOT_FOUND = { kind: "refunds.order-not-found" } as const;
