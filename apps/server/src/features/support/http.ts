import { type CommonRefusal, commonRefusals, idInPath } from "@sesame/contract";
import {
  faqAnswer,
  openTicketBody,
  type SupportRefusal,
  supportAnswer,
  supportRefusals,
  TICKET_CLOSED,
  TICKET_OPENED,
  TICKET_READ,
  TICKET_SENT,
  ticketAnswer,
  ticketsAnswer,
  ticketsQuery,
  ticketWordsBody,
} from "@sesame/contract/support";
import { assert, ok, type Result } from "@sesame/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import { once, readCall } from "../../http/once.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import type { Db } from "../../postgres/database.ts";
import { registerDeskSupportHttp } from "./desk-http.ts";
import { registerLegalPages } from "./legal-pages.ts";
import { registerPersonalDataHttp } from "./personal-data-http.ts";
import { viewFaq, viewSupport } from "./support-page.ts";
import { lineToWire, ticketToWire } from "./ticket-on-wire.ts";
import { countUnseen, findMessages, findTicket, findTicketsOf } from "./ticket.view.ts";
import { closeIn, openTicketIn, readIn, type TicketStep, writeIn } from "./write-ticket.ts";

const params = z.object({ id: idInPath });
const sentences = { ...supportRefusals, ...commonRefusals };
const NOT_FOUND = { kind: "support.ticket-not-found" } as const;
const seller = { access: "seller" } as const;

/** Conversations with the desk, questions, personal data. */
export function registerSupportHttp(app: App, http: HttpServer): void {
  registerPages(app, http);
  registerReading(app, http);
  registerWriting(app, http);
  registerDeskSupportHttp(app, http);
  registerPersonalDataHttp(app, http);
  registerLegalPages(app, http);
}

function registerWriting(app: App, http: HttpServer): void {
  http.post(
    "/api/support/tickets",
    {
      summary: "Ouvrir une demande d'assistance, liée ou non à une commande ou à un retrait",
      config: { ...seller, idempotent: true },
      schema: { body: openTicketBody.optional(), response: { 201: ticketAnswer } },
    },
    async (request, reply) => {
      const { sujet: kind, message: words, commande: order, retrait } = request.body ?? {};
      const sellerId = callerOf(request).personId;
      const asked = { sellerId, kind, words, order, withdrawal: retrait };
      const opened = await remember(app, request, async (tx) => {
        const id = await openTicketIn(app, tx, asked);
        return id.ok ? ok(String(id.value)) : id;
      });
      if (!opened.ok) return answerRefusal(reply, opened.refusal, sentences);
      const ticket = await answerFor(app, request, BigInt(opened.value));
      return reply.code(201).send({ success: true, message: TICKET_OPENED, ticket });
    },
  );
  http.post(
    "/api/support/tickets/:id/messages",
    {
      summary: "Écrire dans une demande ; une demande close se rouvre",
      config: { ...seller, idempotent: true },
      schema: { params, body: ticketWordsBody.optional(), response: { 200: ticketAnswer } },
    },
    (request, reply) => step(app, request, { reply, run: writeIn, message: TICKET_SENT }),
  );
  const schema = { params, response: { 200: ticketAnswer } };
  http.post(
    "/api/support/tickets/:id/close",
    { summary: "Dire que c'est résolu", config: { ...seller, idempotent: true }, schema },
    (request, reply) => step(app, request, { reply, run: closeIn, message: TICKET_CLOSED }),
  );
  http.post(
    "/api/support/tickets/:id/read",
    {
      summary: "Dire que les réponses ont été lues",
      config: { ...seller, idempotent: true },
      schema,
    },
    (request, reply) => step(app, request, { reply, run: readIn, message: TICKET_READ }),
  );
}

function registerPages(app: App, http: HttpServer): void {
  http.get(
    "/api/support",
    {
      summary: "Horaires, contacts, et ce à quoi une demande d'assistance peut se rapporter",
      config: seller,
      schema: { response: { 200: supportAnswer } },
    },
    async (request, reply) =>
      reply
        .header("cache-control", "no-store")
        .send(await viewSupport(app, callerOf(request).personId)),
  );
  http.get(
    "/api/support/faq",
    {
      summary: "Les questions fréquentes de chaque page, avec les chiffres de l'instance",
      config: { access: "public" },
      schema: { response: { 200: faqAnswer } },
    },
    () => viewFaq(app),
  );
}

function registerReading(app: App, http: HttpServer): void {
  http.get(
    "/api/support/tickets",
    {
      summary: "Ses demandes d'assistance, de la dernière réponse à la plus ancienne",
      config: seller,
      schema: { querystring: ticketsQuery, response: { 200: ticketsAnswer } },
    },
    async (request, reply) => {
      const { cursor = "", limit } = request.query;
      if (!/^\d{0,18}$/.test(cursor)) return answerCommon(reply, { kind: "request.malformed" });
      const { personId } = callerOf(request);
      const after = cursor === "" ? null : BigInt(cursor);
      const [rows, unread] = await Promise.all([
        findTicketsOf(app.db, personId, { after, limit }),
        countUnseen(app.db, personId),
      ]);
      const next = rows.length === limit ? String(rows.at(-1)?.id) : null;
      return reply
        .header("cache-control", "no-store")
        .send({ success: true, tickets: rows.map(lineToWire), unread, next_cursor: next });
    },
  );
  http.get(
    "/api/support/tickets/:id",
    {
      summary: "Une demande et tous ses messages",
      config: seller,
      schema: { params, response: { 200: ticketAnswer } },
    },
    async (request, reply) => {
      const ticket = await seenBy(app, request, request.params.id);
      if (!ticket) return answerRefusal(reply, NOT_FOUND, sentences);
      return reply
        .header("cache-control", "no-store")
        .send({ success: true, message: ticket.status_label, ticket });
    },
  );
}

/** Another's is as absent. */
async function seenBy({ db }: App, request: FastifyRequest, id: bigint) {
  const row = await findTicket(db, id);
  if (row?.seller_id !== callerOf(request).personId) return null;
  return ticketToWire(row, await findMessages(db, id));
}

async function answerFor(app: App, request: FastifyRequest, id: bigint) {
  const ticket = await seenBy(app, request, id);
  assert(ticket, "a seller sees the ticket he wrote in");
  return ticket;
}

type Step = {
  readonly reply: FastifyReply;
  readonly message: string;
  run(app: App, tx: Db, step: TicketStep): Promise<Result<null, SupportRefusal>>;
};

async function step(app: App, request: FastifyRequest, { reply, run, message }: Step) {
  const { id } = request.params as z.output<typeof params>;
  const words = ticketWordsBody.safeParse(request.body ?? {}).data?.message;
  const asked = { id, sellerId: callerOf(request).personId, words };
  const done = await remember(app, request, (tx) => run(app, tx, asked));
  if (!done.ok) return answerRefusal(reply, done.refusal, sentences);
  return { success: true as const, message, ticket: await answerFor(app, request, id) };
}

/** The effect once for the caller's key. */
async function remember<T, R extends { readonly kind: string }>(
  { db, clock }: App,
  request: FastifyRequest,
  effect: (tx: Db) => Promise<Result<T, R>>,
): Promise<Result<T, R | CommonRefusal>> {
  const call = readCall(request);
  return call.ok ? once({ db, call: call.value, now: clock.now() }, effect) : call;
}
