import {
  answerDeskTicket,
  closeDeskTicket,
  closeTicket,
  listDeskTickets,
  listTickets,
  markTicketRead,
  openTicket,
  readDeskTicket,
  readFaq,
  readSupport,
  readTicket,
  TICKET_ANSWERED,
  TICKET_CLOSED,
  TICKET_OPENED,
  TICKET_READ,
  TICKET_SENT,
  writeTicket,
} from "@sesame/contract/cases";
import { assert, ok, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { on } from "../../http/on.ts";
import { once } from "../../http/once.ts";
import type { HttpServer } from "../../http/server.ts";
import { nextCursor } from "../../postgres/database.ts";
import { countTickets, viewFaq, viewSupport } from "./support-page.ts";
import {
  answerTicketIn,
  closeIn,
  closeTicketIn,
  countUnseen,
  findTicketAtDesk,
  findTicketOf,
  listTicketsAtDesk,
  listTicketsOf,
  openTicketIn,
  readIn,
  writeIn,
} from "./tickets.ts";

const NOT_FOUND = refuse({ kind: "support.ticket-not-found" } as const);

/** Conversations with the desk, and questions. */
export function registerSupportHttp(app: App, http: HttpServer): void {
  const { db, clock } = app;
  on(http, readSupport, ({ caller }) => viewSupport(app, caller.personId));
  on(http, readFaq, () => viewFaq(app));

  on(http, listTickets, async ({ query, caller: { personId } }) => {
    const [tickets, unread] = await Promise.all([
      listTicketsOf(db, personId, query),
      countUnseen(db, personId),
    ]);
    return { tickets, unread, next_cursor: nextCursor(tickets, query.limit) };
  });
  on(http, readTicket, async ({ params: { id }, caller: { personId } }) => {
    const ticket = await findTicketOf(db, personId, id);
    return ticket ? { message: ticket.status_label, ticket } : NOT_FOUND;
  });
  const mine = async (sellerId: bigint, id: bigint) => {
    const ticket = await findTicketOf(db, sellerId, id);
    assert(ticket, "a seller sees the ticket he wrote in");
    return ticket;
  };
  on(http, openTicket, async ({ body, caller: { personId }, call }) => {
    const { sujet: kind, message: words, commande: order, retrait: withdrawal } = body ?? {};
    const asked = { sellerId: personId, kind, words, order, withdrawal };
    const opened = await once(app, call, async (tx) => {
      const id = await openTicketIn(app, tx, asked);
      return id.ok ? ok(String(id.value)) : id;
    });
    if (!opened.ok) return opened;
    return { message: TICKET_OPENED, ticket: await mine(personId, BigInt(opened.value)) };
  });
  const steps = [
    [writeTicket, writeIn, TICKET_SENT],
    [closeTicket, closeIn, TICKET_CLOSED],
    [markTicketRead, readIn, TICKET_READ],
  ] as const;
  for (const [route, run, message] of steps) {
    on(http, route, async ({ params: { id }, body, caller, call }) => {
      const done = await once(app, call, (tx) =>
        run(app, tx, { id, caller, words: body?.message }),
      );
      return done.ok ? { message, ticket: await mine(caller.personId, id) } : done;
    });
  }

  on(http, listDeskTickets, async ({ query }) => {
    const [tickets, counts] = await Promise.all([listTicketsAtDesk(db, query), countTickets(db)]);
    return { now: clock.now(), tickets, counts, next_cursor: nextCursor(tickets, query.limit) };
  });
  on(http, readDeskTicket, async ({ params: { id }, caller: { personId } }) => {
    const ticket = await findTicketAtDesk(db, personId, id);
    return ticket ? { now: clock.now(), ticket, message: ticket.status_label } : NOT_FOUND;
  });
  const deskSteps = [
    [answerDeskTicket, answerTicketIn, TICKET_ANSWERED],
    [closeDeskTicket, closeTicketIn, TICKET_CLOSED],
  ] as const;
  for (const [route, run, message] of deskSteps) {
    on(http, route, async ({ params: { id }, body, caller, call }) => {
      const done = await once(app, call, (tx) =>
        run(app, tx, { id, caller, words: body?.message }),
      );
      if (!done.ok) return done;
      const ticket = await findTicketAtDesk(db, caller.personId, id);
      assert(ticket, "a ticket that was answered is there");
      return { now: clock.now(), ticket, message };
    });
  }
}
