import {
  answerDeskTicket,
  closeDeskTicket,
  closeTicket,
  DATA_ERASED,
  erasePersonalData,
  exportPersonalData,
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
} from "@sesame/contract/support";
import { assert, ok, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { on } from "../../http/on.ts";
import { once } from "../../http/once.ts";
import type { Principal } from "../../http/principal.ts";
import type { HttpServer } from "../../http/server.ts";
import { answerTicketIn, closeTicketIn } from "./answer-ticket.ts";
import { eraseAtRequest } from "./erase-person.ts";
import { registerLegalPages } from "./legal-pages.ts";
import { EXPORT_MAX, exportBuyer, exportPerson, exportSeller } from "./personal-data.view.ts";
import { viewFaq, viewSupport } from "./support-page.ts";
import { deskLineToWire, deskTicketToWire, lineToWire, ticketToWire } from "./ticket-on-wire.ts";
import {
  countTickets,
  countUnseen,
  findMessages,
  findTicket,
  findTickets,
  findTicketsOf,
} from "./ticket.view.ts";
import { closeIn, openTicketIn, readIn, writeIn } from "./write-ticket.ts";

const NOT_FOUND = refuse({ kind: "support.ticket-not-found" } as const);

/** Conversations with the desk, questions, personal data. */
export function registerSupportHttp(app: App, http: HttpServer): void {
  on(http, readSupport, ({ caller }) => viewSupport(app, caller.personId));
  on(http, readFaq, () => viewFaq(app));
  registerTickets(app, http);
  registerDeskTickets(app, http);
  registerPersonalData(app, http);
  registerLegalPages(app, http);
}

function registerTickets(app: App, http: HttpServer): void {
  on(http, listTickets, async ({ query: { cursor = "", limit }, caller: { personId } }) => {
    if (!/^\d{0,18}$/.test(cursor)) return refuse({ kind: "request.malformed" });
    const after = cursor === "" ? null : BigInt(cursor);
    const [rows, unread] = await Promise.all([
      findTicketsOf(app.db, personId, { after, limit }),
      countUnseen(app.db, personId),
    ]);
    const next = rows.length === limit ? String(rows.at(-1)?.id) : null;
    return { tickets: rows.map(lineToWire), unread, next_cursor: next };
  });
  on(http, readTicket, async ({ params, caller }) => {
    const ticket = await seenBy(app, caller, params.id);
    return ticket ? { message: ticket.status_label, ticket } : NOT_FOUND;
  });
  on(http, openTicket, async ({ body, caller, call }) => {
    const { sujet: kind, message: words, commande: order, retrait: withdrawal } = body ?? {};
    const asked = { sellerId: caller.personId, kind, words, order, withdrawal };
    const opened = await once(app, call, async (tx) => {
      const id = await openTicketIn(app, tx, asked);
      return id.ok ? ok(String(id.value)) : id;
    });
    if (!opened.ok) return opened;
    return { message: TICKET_OPENED, ticket: await mine(app, caller, BigInt(opened.value)) };
  });
  const steps = [
    [writeTicket, writeIn, TICKET_SENT],
    [closeTicket, closeIn, TICKET_CLOSED],
    [markTicketRead, readIn, TICKET_READ],
  ] as const;
  for (const [route, run, message] of steps) {
    on(http, route, async ({ params: { id }, body, caller, call }) => {
      const asked = { id, sellerId: caller.personId, words: body?.message };
      const done = await once(app, call, (tx) => run(app, tx, asked));
      return done.ok ? { message, ticket: await mine(app, caller, id) } : done;
    });
  }
}

/** The desk's part: what waits, and the answers. */
function registerDeskTickets(app: App, http: HttpServer): void {
  on(http, listDeskTickets, async ({ query: { view, cursor = "", limit } }) => {
    if (!/^\d{0,18}$/.test(cursor)) return refuse({ kind: "request.malformed" });
    const after = cursor === "" ? null : BigInt(cursor);
    const [rows, counts] = await Promise.all([
      findTickets(app.db, { view, after, limit }),
      countTickets(app.db),
    ]);
    return {
      now: app.clock.now().toISOString(),
      tickets: rows.map(deskLineToWire),
      counts,
      next_cursor: rows.length === limit ? String(rows.at(-1)?.id) : null,
    };
  });
  on(http, readDeskTicket, async ({ params, caller }) => {
    const seen = await seenAtDesk(app, caller, params.id);
    return seen ? { ...seen, message: seen.ticket.status_label } : NOT_FOUND;
  });
  const steps = [
    [answerDeskTicket, answerTicketIn, TICKET_ANSWERED],
    [closeDeskTicket, closeTicketIn, TICKET_CLOSED],
  ] as const;
  for (const [route, run, message] of steps) {
    on(http, route, async ({ params: { id }, body, caller, call }) => {
      const asked = { id, caller, words: body?.message };
      const done = await once(app, call, (tx) => run(app, tx, asked));
      if (!done.ok) return done;
      const seen = await seenAtDesk(app, caller, id);
      assert(seen, "a ticket that was answered is there");
      return { ...seen, message };
    });
  }
}

/** What is kept of a person: to be had, and to be erased (decision 101). */
function registerPersonalData(app: App, http: HttpServer): void {
  on(http, exportPersonalData, async ({ caller: { personId: id }, reply }) => {
    reply.header("content-disposition", 'attachment; filename="sesame-mes-donnees.json"');
    return {
      made_at: app.clock.now().toISOString(),
      limit: EXPORT_MAX,
      person: await exportPerson(app.db, id),
      as_buyer: await exportBuyer(app.db, id),
      as_seller: await exportSeller(app.db, id),
    };
  });
  on(http, erasePersonalData, async ({ body, caller }) => {
    // Nobody erases himself by a call without a word.
    if (body?.confirm !== true) return refuse({ kind: "personal.confirm-missing" });
    const erased = await eraseAtRequest(app, caller);
    return erased.ok ? { message: DATA_ERASED } : erased;
  });
}

/** Another's is as absent. */
async function seenBy({ db }: App, { personId }: Principal, id: bigint) {
  const row = await findTicket(db, id);
  return row?.seller_id === personId ? ticketToWire(row, await findMessages(db, id)) : null;
}

async function mine(app: App, caller: Principal, id: bigint) {
  const ticket = await seenBy(app, caller, id);
  assert(ticket, "a seller sees the ticket he wrote in");
  return ticket;
}

async function seenAtDesk({ db, clock }: App, { personId }: Principal, id: bigint) {
  const row = await findTicket(db, id);
  if (!row) return null;
  const ticket = deskTicketToWire(row, await findMessages(db, id), personId);
  return { now: clock.now().toISOString(), ticket };
}
