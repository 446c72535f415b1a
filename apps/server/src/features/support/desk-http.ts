import { commonRefusals, idInPath } from "@sesame/contract";
import {
  deskTicketAnswer,
  deskTicketsAnswer,
  deskTicketsQuery,
  type SupportRefusal,
  supportRefusals,
  TICKET_ANSWERED,
  TICKET_CLOSED,
  ticketWordsBody,
} from "@sesame/contract/support";
import { assert, type Result } from "@sesame/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import { once, readCall } from "../../http/once.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import type { Db } from "../../postgres/database.ts";
import { answerTicketIn, closeTicketIn, type DeskStep } from "./answer-ticket.ts";
import { deskLineToWire, deskTicketToWire } from "./ticket-on-wire.ts";
import { countTickets, findMessages, findTicket, findTickets } from "./ticket.view.ts";

const params = z.object({ id: idInPath });
const sentences = { ...supportRefusals, ...commonRefusals };
const NOT_FOUND = { kind: "support.ticket-not-found" } as const;
const agent = { access: "agent" } as const;

/** The desk's part: what waits, and the answers. */
export function registerDeskSupportHttp(app: App, http: HttpServer): void {
  http.get(
    "/api/desk/tickets",
    {
      summary: "Les demandes d'assistance : Premium d'abord, puis la plus ancienne",
      config: agent,
      schema: { querystring: deskTicketsQuery, response: { 200: deskTicketsAnswer } },
    },
    async (request, reply) => {
      const { view, cursor = "", limit } = request.query;
      if (!/^\d{0,18}$/.test(cursor)) return answerCommon(reply, { kind: "request.malformed" });
      const after = cursor === "" ? null : BigInt(cursor);
      const [rows, counts] = await Promise.all([
        findTickets(app.db, { view, after, limit }),
        countTickets(app.db),
      ]);
      return reply.header("cache-control", "no-store").send({
        success: true,
        now: app.clock.now().toISOString(),
        tickets: rows.map(deskLineToWire),
        counts,
        next_cursor: rows.length === limit ? String(rows.at(-1)?.id) : null,
      });
    },
  );
  http.get(
    "/api/desk/tickets/:id",
    {
      summary: "Une demande, vue du bureau",
      config: agent,
      schema: { params, response: { 200: deskTicketAnswer } },
    },
    async (request, reply) => {
      const seen = await seenAtDesk(app, request, request.params.id);
      if (!seen) return answerRefusal(reply, NOT_FOUND, sentences);
      return reply
        .header("cache-control", "no-store")
        .send({ ...seen, message: seen.ticket.status_label });
    },
  );
  http.post(
    "/api/desk/tickets/:id/answer",
    {
      summary: "Répondre à un vendeur, qui le reçoit dans l'application et par le bot",
      config: { ...agent, idempotent: true },
      schema: { params, body: ticketWordsBody.optional(), response: { 200: deskTicketAnswer } },
    },
    (request, reply) =>
      step(app, request, { reply, run: answerTicketIn, message: TICKET_ANSWERED }),
  );
  http.post(
    "/api/desk/tickets/:id/close",
    {
      summary: "Clore une demande d'assistance",
      config: { ...agent, idempotent: true },
      schema: { params, response: { 200: deskTicketAnswer } },
    },
    (request, reply) => step(app, request, { reply, run: closeTicketIn, message: TICKET_CLOSED }),
  );
}

async function seenAtDesk({ db, clock }: App, request: FastifyRequest, id: bigint) {
  const row = await findTicket(db, id);
  if (!row) return null;
  const messages = await findMessages(db, id);
  const ticket = deskTicketToWire(row, messages, callerOf(request).personId);
  return { success: true as const, now: clock.now().toISOString(), ticket };
}

type Step = {
  readonly reply: FastifyReply;
  readonly message: string;
  run(app: App, tx: Db, step: DeskStep): Promise<Result<null, SupportRefusal>>;
};

async function step(app: App, request: FastifyRequest, { reply, run, message }: Step) {
  const call = readCall(request);
  if (!call.ok) return answerRefusal(reply, call.refusal, sentences);
  const { id } = request.params as z.output<typeof params>;
  const words = ticketWordsBody.safeParse(request.body ?? {}).data?.message;
  const asked = { id, caller: callerOf(request), words };
  const ground = { db: app.db, call: call.value, now: app.clock.now() };
  const done = await once(ground, (tx) => run(app, tx, asked));
  if (!done.ok) return answerRefusal(reply, done.refusal, sentences);
  const seen = await seenAtDesk(app, request, id);
  assert(seen, "a ticket that was answered is there");
  return { ...seen, message };
}
