import * as contract from "@sesame/contract/cases";
import { assert, refuse, fcfa, HOUR_MS, splitPrice } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { on, once } from "../../http/on.ts";
import type { HttpServer } from "../../http/server.ts";
import { type Db, many, nextCursor, one, maybe } from "../../postgres/database.ts";
import { answerTicketIn, closeAs, HAS_PRIORITY, openTicketIn, readIn, writeIn } from "./tickets.ts";
import { sayWorkingHours } from "@sesame/contract";
import { FREE_GROUPS_MAX, GRACE_DAYS, type Plan, feeOf } from "@sesame/contract/plans";
import { readContacts } from "../../settings.ts";
import { PROVIDERS } from "@sesame/contract/checkout";

const NOT_FOUND = refuse({ kind: "support.ticket-not-found" });

type Shown = z.output<typeof contract.staffTicket>;
type Row = Omit<Shown, "kind_label" | "status" | "status_label" | "messages" | "may"> & {
  readonly seller_id: bigint;
  readonly status: contract.TicketStatus;
};

const PREVIEW = 160;
const AUTHOR = sql`CASE m.author WHEN 'staff' THEN 'assistance' ELSE 'vendeur' END`;

const select = (db: Db, rest: RawBuilder<unknown>) => many<Row>(db)`
  SELECT t.id, t.seller_id, t.kind, t.status, t.opened_at, t.changed_at, t.waiting_since,
    t.closed_at, ${HAS_PRIORITY} AS priority, left(m.words, ${PREVIEW}::int) AS preview,
    ${AUTHOR} AS last_author,
    json_build_object('id', s.id, 'username', p.username, 'nom', seller_name(s, p)) AS seller,
    CASE WHEN o.id IS NOT NULL THEN
      json_build_object('id', o.id, 'title', coalesce(o.title, ''), 'amount', o.price)
    END AS "order",
    CASE WHEN w.id IS NOT NULL THEN
      json_build_object('id', w.id, 'reference', w.reference, 'amount', w.amount)
    END AS withdrawal,
    (SELECT count(*)::int FROM ticket_messages m
      WHERE m.ticket_id = t.id AND m.author = 'staff' AND m.id > t.seen_id) AS unread
  FROM tickets t
  JOIN sellers s ON s.id = t.seller_id
  JOIN people p ON p.id = s.id
  LEFT JOIN orders o ON o.id = t.order_id
  LEFT JOIN withdrawals w ON w.id = t.withdrawal_id
  CROSS JOIN LATERAL (
    SELECT m.words, m.author FROM ticket_messages m WHERE m.ticket_id = t.id
    ORDER BY m.id DESC LIMIT 1
  ) AS m
  ${rest}
`;

type Side = "seller" | "staff";

/** For staff, messages without an answer are unread. */
const shownTo = (side: Side) => (row: Row) => {
  const [status, status_label] = contract.TICKET_STATUS_NAMES[row.status];
  return {
    ...row,
    status,
    status_label,
    kind_label: contract.TICKET_KIND_NAMES[row.kind],
    unread: side === "seller" ? row.unread : Number(row.status === "open"),
  };
};

const MESSAGES_MAX = 200;

/** A ticket for one of its sides; null for another seller. */
async function find(db: Db, id: bigint, { side, personId }: { side: Side; personId: bigint }) {
  const [row] = await select(db, sql`WHERE t.id = ${id}`);
  if (!row) return null;
  const isOwn = row.seller_id === personId;
  if (side === "seller" && !isOwn) return null;
  const messages = await many<Shown["messages"][number]>(db)`
    SELECT m.id, ${AUTHOR} AS author, m.words, m.at FROM ticket_messages m
    WHERE m.ticket_id = ${id} ORDER BY m.id DESC LIMIT ${MESSAGES_MAX}
  `;
  // Nobody answers himself.
  const write = side === "seller" || !isOwn;
  const may = { write, close: write && row.status !== "closed" };
  return { ...shownTo(side)(row), messages: messages.toReversed(), may };
}

/** The latest message first. */
function newestAfter(cursor: bigint | null, of: RawBuilder<unknown>, limit: number) {
  const seen = sql`(SELECT last.changed_at FROM tickets last WHERE last.id = ${cursor})`;
  const older = sql`(t.changed_at, t.id) < (coalesce(${seen}, 'infinity'), ${cursor}::bigint)`;
  return sql`WHERE ${of} AND ${cursor === null ? sql`true` : older}
    ORDER BY t.changed_at DESC, t.id DESC LIMIT ${limit}`;
}

/** By priority, then the longest waiting. */
function waitingAfter(cursor: bigint | null, limit: number) {
  const place = sql`(NOT ${HAS_PRIORITY}, t.waiting_since, t.id)`;
  const seen = sql`(SELECT NOT ${HAS_PRIORITY}, t.waiting_since, t.id
    FROM tickets t JOIN sellers s ON s.id = t.seller_id WHERE t.id = ${cursor})`;
  return sql`WHERE t.status = 'open' AND ${cursor === null ? sql`true` : sql`${place} > ${seen}`}
    ORDER BY NOT ${HAS_PRIORITY}, t.waiting_since, t.id LIMIT ${limit}`;
}

/** Routes of support tickets and of the FAQ. */
export function registerTicketsHttp(app: App, http: HttpServer): void {
  const { db, clock } = app;
  on(http, contract.readSupport, ({ caller }) => viewSupport(app, caller.personId));
  on(http, contract.readFaq, () => viewFaq(app));

  const changed = async (id: bigint, as: { side: Side; personId: bigint }) => {
    const ticket = await find(db, id, as);
    assert(ticket, "whoever changes a ticket sees it");
    return ticket;
  };
  on(http, contract.listTickets, async ({ query: { cursor, limit }, caller: { personId } }) => {
    const [rows, unread] = await Promise.all([
      select(db, newestAfter(cursor, sql`t.seller_id = ${personId}`, limit)),
      countUnseen(db, personId),
    ]);
    return { tickets: rows.map(shownTo("seller")), unread, next_cursor: nextCursor(rows, limit) };
  });
  const reads = [
    [contract.readTicket, "seller"],
    [contract.readStaffTicket, "staff"],
  ] as const;
  for (const [route, side] of reads) {
    on(http, route, async ({ params: { id }, caller: { personId } }) => {
      const ticket = await find(db, id, { side, personId });
      return ticket ? { now: clock.now(), message: ticket.status_label, ticket } : NOT_FOUND;
    });
  }
  on(http, contract.openTicket, async (asked) => {
    const opened = await once(app, asked.call, (tx) => openTicketIn(app, tx, asked));
    if (!opened.ok) return opened;
    const as = { side: "seller", personId: asked.caller.personId } as const;
    const ticket = await changed(BigInt(opened.value), as);
    return { message: contract.TICKET_ANSWERS.opened, ticket };
  });
  const steps = [
    [contract.writeTicket, "seller", writeIn, "sent"],
    [contract.closeTicket, "seller", closeAs("seller"), "closed"],
    [contract.markTicketRead, "seller", readIn, "read"],
    [contract.answerStaffTicket, "staff", answerTicketIn, "answered"],
    [contract.closeStaffTicket, "staff", closeAs("staff"), "closed"],
  ] as const;
  for (const [route, side, run, done] of steps) {
    on(http, route, async ({ params: { id }, body, caller, call }) => {
      const step = { id, caller, words: body?.message };
      const taken = await once(app, call, (tx) => run(app, tx, step));
      if (!taken.ok) return taken;
      const ticket = await changed(id, { side, personId: caller.personId });
      return { now: clock.now(), message: contract.TICKET_ANSWERS[done], ticket };
    });
  }

  on(http, contract.listStaffTickets, async ({ query: { view, cursor, limit } }) => {
    const isWaiting = view === "open";
    const of = sql`t.status = ${view}`;
    const [rows, counts] = await Promise.all([
      select(db, isWaiting ? waitingAfter(cursor, limit) : newestAfter(cursor, of, limit)),
      one<{ open: number; answered: number }>(db)`
        SELECT count(*) FILTER (WHERE status = 'open')::int AS open,
          count(*) FILTER (WHERE status = 'answered')::int AS answered
        FROM tickets WHERE status <> 'closed'
      `,
    ]);
    const tickets = rows.map(shownTo("staff"));
    return { now: clock.now(), tickets, counts, next_cursor: nextCursor(rows, limit) };
  });
}

/** The support's contacts and opening hours. */
async function viewSupport(app: App, sellerId: bigint) {
  const { db, clock } = app;
  const { timeZone: zone } = app.config;
  const [settings, contacts, seller, unread, subjects] = await Promise.all([
    app.settings.current(),
    readContacts(app),
    maybe<{ plan: Plan }>(db)`SELECT plan FROM sellers WHERE id = ${sellerId}`,
    countUnseen(db, sellerId),
    listSubjects(db, sellerId),
  ]);
  const now = clock.now();
  const hours = settings.hours.support;
  const opening = contract.openingAt(now, hours, zone);
  const { supportTelegram: telegram, supportWhatsapp: whatsapp } = contacts;
  return {
    now,
    hours: {
      open: opening.open,
      label: sayWorkingHours(hours),
      says: contract.sayOpening(opening, now, zone),
    },
    reply_hours: contract.SUPPORT_REPLY_HOURS,
    priority: seller !== null && contract.PRIORITY_PLANS.includes(seller.plan),
    contacts: {
      whatsapp: whatsapp && contract.whatsappAddress(whatsapp),
      telegram: telegram && contract.telegramAddress(telegram),
    },
    unread,
    subjects,
  };
}

const SUBJECTS_OF_EACH = 15;

/** What a ticket may be about, newest first. */
const listSubjects = (db: Db, sellerId: bigint) => many<contract.TicketSubject>(db)`
  SELECT * FROM (
    (SELECT 'commande' AS what, o.id, o.title AS label, o.price AS amount, o.created_at AS at,
        nullif(buyer.name, '') AS buyer
      FROM orders o JOIN people buyer ON buyer.id = o.buyer_id
      WHERE o.seller_id = ${sellerId} AND o.kind <> 'trial'
      ORDER BY o.id DESC LIMIT ${SUBJECTS_OF_EACH})
    UNION ALL
    (SELECT 'commande', id, title, price, created_at, NULL FROM orders
      WHERE buyer_id = ${sellerId} AND kind = 'plan' ORDER BY id DESC LIMIT ${SUBJECTS_OF_EACH})
    UNION ALL
    (SELECT 'retrait', id, reference, amount, created_at, NULL FROM withdrawals
      WHERE seller_id = ${sellerId} ORDER BY id DESC LIMIT ${SUBJECTS_OF_EACH})
  ) AS subjects ORDER BY at DESC
`;

/** Messages of staff that the seller has not seen. */
async function countUnseen(db: Db, sellerId: bigint): Promise<number> {
  const { count } = await one<{ count: number }>(db)`
    SELECT count(*)::int AS count FROM tickets t
    JOIN ticket_messages m ON m.ticket_id = t.id AND m.author = 'staff' AND m.id > t.seen_id
    WHERE t.seller_id = ${sellerId}
  `;
  return count;
}

/** The price in the examples. */
const EXAMPLE = fcfa(5_000n);

async function viewFaq(app: App) {
  const figures = await app.settings.current();
  const { premium } = figures;
  const free = feeOf({ plan: "free" }, figures);
  const open = app.providers
    .map(({ id }) => id)
    .filter((id) => !figures.stars_only || id === "stars");
  const named = (ids: typeof open) => ids.map((id) => PROVIDERS[id].name);
  const chapters = contract.faqOf({
    fees: { free: free / 100, premium: feeOf({ plan: "premium" }, figures) / 100 },
    example: { price: EXAMPLE, net: splitPrice(EXAMPLE, free).net },
    freeGroups: FREE_GROUPS_MAX,
    graceDays: GRACE_DAYS,
    premium: { price: premium.price, days: premium.period_days },
    withdrawals: figures.withdrawals,
    payoutHours: sayWorkingHours(figures.hours.payouts),
    providers: named(open.filter((id) => PROVIDERS[id].onByDefault)),
    toSwitchOn: named(open.filter((id) => !PROVIDERS[id].onByDefault)),
    complaintHours: contract.COMPLAINT_SELLER_MS / HOUR_MS,
  });
  return { chapters };
}
