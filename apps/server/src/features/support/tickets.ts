import { lockSeller } from "../../people/sellers.ts";
import {
  type deskTicket,
  isTicketKind,
  PRIORITY_PLANS,
  readTicketWords,
  type SupportRefusal,
  TICKET_DAY_MS,
  TICKET_KIND_NAMES,
  TICKET_MESSAGES_PER_DAY_MAX,
  TICKET_REPLY_MIN,
  TICKET_STATUS_NAMES,
  TICKET_STATUS_WORDS,
  TICKET_WORDS_MIN,
  TICKETS_OPEN_MAX,
  type TicketStatus,
} from "@sesame/contract/support";
import { addMs, ok, type Result, refuse } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import type { Principal } from "../../http/principal.ts";
import { type Db, many, maybe, one } from "../../postgres/database.ts";
import { answered, BUTTONS, closed } from "./messages.fr.ts";
import { tellAnswer, tellDesk, tellSeller, ticketChanged } from "./tell.ts";

type Outcome = Promise<Result<null, SupportRefusal>>;
const NOT_FOUND = refuse({ kind: "support.ticket-not-found" } as const);

type Ticket = z.output<typeof deskTicket>;
type Row = Omit<Ticket, "kind_label" | "status" | "status_label" | "messages" | "may"> & {
  readonly id: bigint;
  readonly seller_id: bigint;
  readonly status: TicketStatus;
};

const PREVIEW = 160;
const PRIORITY = sql`coalesce(s.plan = ANY (${[...PRIORITY_PLANS]}::text[]), false)`;
const AUTHOR = sql`CASE m.author WHEN 'desk' THEN 'assistance' ELSE 'vendeur' END`;

const select = (db: Db, rest: RawBuilder<unknown>) => many<Row>(db)`
  SELECT t.id, t.seller_id, t.kind, t.status, t.opened_at, t.changed_at, t.waiting_since,
    t.closed_at, ${PRIORITY} AS priority, left(m.words, ${PREVIEW}::int) AS preview,
    ${AUTHOR} AS last_author,
    json_build_object('id', s.id, 'username', p.username,
      'nom', coalesce(s.display_name, concat_ws(' ', p.first_name, p.last_name))) AS seller,
    CASE WHEN o.id IS NOT NULL THEN
      json_build_object('id', o.id, 'title', coalesce(o.title, ''), 'amount', o.price)
    END AS "order",
    CASE WHEN w.id IS NOT NULL THEN
      json_build_object('id', w.id, 'reference', w.reference, 'amount', w.amount)
    END AS withdrawal,
    (SELECT count(*)::int FROM ticket_messages m
      WHERE m.ticket_id = t.id AND m.author = 'desk' AND m.id > t.seen_id) AS unread
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

function shown(row: Row) {
  const status = TICKET_STATUS_WORDS[row.status];
  const status_label = TICKET_STATUS_NAMES[status];
  return { ...row, status, status_label, kind_label: TICKET_KIND_NAMES[row.kind] };
}

/** At the desk what nobody there has answered is unread. */
const shownAtDesk = (row: Row) => ({ ...shown(row), unread: row.status === "open" ? 1 : 0 });

const MESSAGES_MAX = 200;

/** The last messages, oldest first. */
async function listMessages(db: Db, ticketId: bigint) {
  const messages = await many<Ticket["messages"][number]>(db)`
    SELECT m.id, ${AUTHOR} AS author, m.words, m.at FROM ticket_messages m
    WHERE m.ticket_id = ${ticketId} ORDER BY m.id DESC LIMIT ${MESSAGES_MAX}
  `;
  return messages.toReversed();
}

/** A ticket as its seller sees it; another's is as absent. */
export async function findTicketOf(db: Db, sellerId: bigint, id: bigint) {
  const [row] = await select(db, sql`WHERE t.id = ${id}`);
  if (row?.seller_id !== sellerId) return null;
  const may = { write: true, close: row.status !== "closed" };
  return { ...shown(row), messages: await listMessages(db, id), may };
}

/** A ticket as the desk sees it: nobody answers himself. */
export async function findTicketAtDesk(db: Db, readerId: bigint, id: bigint) {
  const [row] = await select(db, sql`WHERE t.id = ${id}`);
  if (!row) return null;
  const write = row.seller_id !== readerId;
  const may = { write, close: write && row.status !== "closed" };
  return { ...shownAtDesk(row), messages: await listMessages(db, id), may };
}

type Page = { readonly cursor: bigint | null; readonly limit: number };

/** A seller's: the last spoken in first. */
export async function listTicketsOf(db: Db, sellerId: bigint, { cursor, limit }: Page) {
  const rows = await select(
    db,
    sql`WHERE t.seller_id = ${sellerId} AND ${olderThan(cursor)}
      ORDER BY t.changed_at DESC, t.id DESC LIMIT ${limit}`,
  );
  return rows.map(shown);
}

function olderThan(after: bigint | null): RawBuilder<unknown> {
  if (after === null) return sql`true`;
  const seen = sql`(SELECT last.changed_at FROM tickets last WHERE last.id = ${after})`;
  return sql`(t.changed_at, t.id) < (coalesce(${seen}, 'infinity'), ${after}::bigint)`;
}

/** The desk's: waiting ones by priority, then the longest; others the last spoken in first. */
export async function listTicketsAtDesk(
  db: Db,
  { view, cursor, limit }: Page & { readonly view: TicketStatus },
) {
  const seen = sql`(SELECT NOT ${PRIORITY}, t.waiting_since, t.id
    FROM tickets t JOIN sellers s ON s.id = t.seller_id WHERE t.id = ${cursor})`;
  const place = sql`(NOT ${PRIORITY}, t.waiting_since, t.id)`;
  const beyond = cursor === null ? sql`true` : sql`${place} > ${seen}`;
  const rows = await select(
    db,
    view === "open"
      ? sql`WHERE t.status = 'open' AND ${beyond}
          ORDER BY NOT ${PRIORITY}, t.waiting_since, t.id LIMIT ${limit}`
      : sql`WHERE t.status = ${view} AND ${olderThan(cursor)}
          ORDER BY t.changed_at DESC, t.id DESC LIMIT ${limit}`,
  );
  return rows.map(shownAtDesk);
}

/** Of a seller: messages of the desk's he has not seen. */
export async function countUnseen(db: Db, sellerId: bigint): Promise<number> {
  const { count } = await one<{ count: number }>(db)`
    SELECT count(*)::int AS count FROM tickets t
    JOIN ticket_messages m ON m.ticket_id = t.id AND m.author = 'desk' AND m.id > t.seen_id
    WHERE t.seller_id = ${sellerId}
  `;
  return count;
}

export type LockedTicket = Pick<Row, "id" | "seller_id" | "kind" | "status">;

/** Waits for whoever writes in the same ticket. */
const lockTicket = (tx: Db, id: bigint) => maybe<LockedTicket>(tx)`
  SELECT id, seller_id, kind, status FROM tickets WHERE id = ${id} FOR NO KEY UPDATE
`;

/** What a seller has open, and has said in a day; two of his calls at once wait for each other. */
async function lockSpent(tx: Db, sellerId: bigint, now: Date) {
  await lockSeller(tx, sellerId);
  return one<{ open: number; messages: number }>(tx)`
    SELECT
      (SELECT count(*)::int FROM tickets
        WHERE seller_id = ${sellerId} AND status <> 'closed') AS open,
      (SELECT count(*)::int FROM ticket_messages
        WHERE author_id = ${sellerId} AND author = 'seller' AND at > ${addMs(now, -TICKET_DAY_MS)})
        AS messages
  `;
}

type Said = { readonly id: bigint; readonly authorId: bigint; readonly words: string };

async function addWords(tx: Db, author: "seller" | "desk", said: Said, now: Date): Promise<void> {
  await sql`
    INSERT INTO ticket_messages (ticket_id, author, author_id, words, at)
    VALUES (${said.id}, ${author}, ${said.authorId}, ${said.words}, ${now})
  `.execute(tx);
}

async function markClosed(tx: Db, id: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE tickets SET status = 'closed', closed_at = ${now}, waiting_since = NULL WHERE id = ${id}
  `.execute(tx);
}

/** The seller has seen all that was said. */
async function markSeen(tx: Db, id: bigint): Promise<void> {
  await sql`
    UPDATE tickets SET seen_id = m.last
    FROM (SELECT coalesce(max(id), 0) AS last FROM ticket_messages WHERE ticket_id = ${id}) AS m
    WHERE tickets.id = ${id} AND seen_id < m.last
  `.execute(tx);
}

type TicketAsked = {
  readonly sellerId: bigint;
  readonly kind: unknown;
  readonly words: unknown;
  readonly order: unknown;
  readonly withdrawal: unknown;
};

/** A seller asks the desk something. → the ticket's id */
export async function openTicketIn(
  app: App,
  tx: Db,
  asked: TicketAsked,
): Promise<Result<bigint, SupportRefusal>> {
  const { sellerId, kind } = asked;
  if (!isTicketKind(kind)) return refuse({ kind: "support.kind-missing" });
  const words = readTicketWords(asked.words, TICKET_WORDS_MIN);
  if (!words.ok) return words;
  const subject = await readSubject(tx, asked);
  if (!subject) return refuse({ kind: "support.subject-not-found" });
  const now = app.clock.now();
  const spent = await lockSpent(tx, sellerId, now);
  if (spent.open >= TICKETS_OPEN_MAX) return refuse({ kind: "support.too-many-open" });
  if (spent.messages >= TICKET_MESSAGES_PER_DAY_MAX) {
    return refuse({ kind: "support.too-many-words" });
  }
  const { id } = await one<{ id: bigint }>(tx)`
    INSERT INTO tickets (seller_id, kind, order_id, withdrawal_id, opened_at, changed_at,
      waiting_since)
    VALUES (${sellerId}, ${kind}, ${subject.orderId}, ${subject.withdrawalId}, ${now}, ${now},
      ${now})
    RETURNING id
  `;
  await addWords(tx, "seller", { id, authorId: sellerId, words: words.value }, now);
  await tellDesk(tx, { id, seller_id: sellerId }, now);
  return ok(id);
}

/** What the ticket is tied to; null where it is another's, which is as what does not exist. */
async function readSubject(tx: Db, asked: TicketAsked) {
  const { sellerId } = asked;
  const orderId = readId(asked.order);
  const withdrawalId = readId(asked.withdrawal);
  if (orderId === undefined || withdrawalId === undefined) return null;
  if (orderId !== null && withdrawalId !== null) return null;
  // A sale of the seller's, or a plan that the seller bought.
  const owned = await one<{ yes: boolean }>(tx)`
    SELECT (${orderId}::bigint IS NULL OR EXISTS (SELECT FROM orders WHERE id = ${orderId}
        AND (seller_id = ${sellerId} OR (kind = 'plan' AND buyer_id = ${sellerId}))))
      AND (${withdrawalId}::bigint IS NULL OR EXISTS (SELECT FROM withdrawals
        WHERE id = ${withdrawalId} AND seller_id = ${sellerId})) AS yes
  `;
  return owned.yes ? { orderId, withdrawalId } : null;
}

/** Null: none is named; undefined: no id. */
function readId(raw: unknown): bigint | null | undefined {
  if (raw === undefined || raw === null || raw === "") return null;
  const text = typeof raw === "number" || typeof raw === "string" ? String(raw) : "";
  return /^\d{1,18}$/.test(text) ? BigInt(text) : undefined;
}

type TicketStep = { readonly id: bigint; readonly caller: Principal; readonly words: unknown };

/** A seller says more; what was answered or closed waits for the desk again. */
export async function writeIn(app: App, tx: Db, step: TicketStep): Outcome {
  const { id } = step;
  const sellerId = step.caller.personId;
  const now = app.clock.now();
  // Before the ticket, as when one is opened.
  const spent = await lockSpent(tx, sellerId, now);
  const ticket = await lockTicket(tx, id);
  if (ticket?.seller_id !== sellerId) return NOT_FOUND;
  const words = readTicketWords(step.words, TICKET_REPLY_MIN);
  if (!words.ok) return words;
  if (ticket.status === "closed" && spent.open >= TICKETS_OPEN_MAX) {
    return refuse({ kind: "support.too-many-open" });
  }
  if (spent.messages >= TICKET_MESSAGES_PER_DAY_MAX) {
    return refuse({ kind: "support.too-many-words" });
  }
  await addWords(tx, "seller", { id, authorId: sellerId, words: words.value }, now);
  // Agents are told again when the ticket did not wait before.
  await sql`
    UPDATE tickets SET changed_at = ${now}, closed_at = NULL, status = 'open',
      waiting_since = coalesce(waiting_since, ${now}),
      told_at = CASE WHEN status = 'open' THEN told_at END
    WHERE id = ${id}
  `.execute(tx);
  await markSeen(tx, id);
  await tellDesk(tx, ticket, now);
  return ok(null);
}

/** It is solved, its seller says; once closed it stays so, whoever says it again. */
export async function closeIn(app: App, tx: Db, { id, caller }: TicketStep): Outcome {
  const ticket = await lockTicket(tx, id);
  if (ticket?.seller_id !== caller.personId) return NOT_FOUND;
  if (ticket.status === "closed") return ok(null);
  await markClosed(tx, id, app.clock.now());
  await markSeen(tx, id);
  await ticketChanged(tx, ticket);
  return ok(null);
}

/** The seller has seen what the desk said. */
export async function readIn(_app: App, tx: Db, { id, caller }: TicketStep): Outcome {
  const ticket = await lockTicket(tx, id);
  if (ticket?.seller_id !== caller.personId) return NOT_FOUND;
  await markSeen(tx, id);
  return ok(null);
}

/** An agent answers: the seller hears it at once. A closed ticket is opened by it. */
export async function answerTicketIn(app: App, tx: Db, step: TicketStep): Outcome {
  const found = await lockForDesk(tx, step);
  if (!found.ok) return found;
  const words = readTicketWords(step.words, TICKET_REPLY_MIN);
  if (!words.ok) return words;
  const ticket = found.value;
  const now = app.clock.now();
  const said = { id: ticket.id, authorId: step.caller.personId, words: words.value };
  await addWords(tx, "desk", said, now);
  await sql`
    UPDATE tickets SET status = 'answered', changed_at = ${now}, waiting_since = NULL,
      closed_at = NULL
    WHERE id = ${ticket.id}
  `.execute(tx);
  const text = answered(ticket.kind, words.value);
  await tellAnswer(app, tx, { ticket, words: words.value, text });
  await auditStep(app, tx, { ticket, step, action: "ticket.answer" });
  return ok(null);
}

/** Closed once is closed: the second who says it changes nothing. */
export async function closeTicketIn(app: App, tx: Db, step: TicketStep): Outcome {
  const found = await lockForDesk(tx, step);
  if (!found.ok) return found;
  const ticket = found.value;
  if (ticket.status === "closed") return ok(null);
  await markClosed(tx, ticket.id, app.clock.now());
  await tellSeller(app, tx, { ticket, text: closed(ticket.kind), button: BUTTONS.see });
  await auditStep(app, tx, { ticket, step, action: "ticket.close" });
  return ok(null);
}

async function lockForDesk(
  tx: Db,
  { id, caller }: TicketStep,
): Promise<Result<LockedTicket, SupportRefusal>> {
  const ticket = await lockTicket(tx, id);
  if (!ticket) return NOT_FOUND;
  if (ticket.seller_id === caller.personId) return refuse({ kind: "support.own-ticket" });
  return ok(ticket);
}

/** Ids alone: words may be erased one day, the log never (decision 101). */
async function auditStep(
  { clock }: App,
  tx: Db,
  { ticket, step, action }: { ticket: LockedTicket; step: TicketStep; action: string },
): Promise<void> {
  const deed = { actor: actorOf(step.caller), action, subject: `ticket:${ticket.id}` };
  const before = { status: ticket.status, seller: String(ticket.seller_id) };
  await audit(tx, { ...deed, before }, clock.now());
}
