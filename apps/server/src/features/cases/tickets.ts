import { digest, type JobHandler, type JobOutcome } from "../../jobs/outbox.ts";
import * as contract from "@sesame/contract/cases";
import { addMs, DAY_MS, ok, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import type { Asked } from "../../http/on.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import { type Html, notify, toPerson } from "../../bot/message.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { type Db, many, maybe, one } from "../../postgres/database.ts";
import { staffChanged, publish } from "../../realtime/events.store.ts";
import { lockSeller } from "../../people/people.ts";
import { type Step, toStaff } from "./complaints.ts";
import * as messages from "./messages.fr.ts";

type Ticket = {
  readonly id: bigint;
  readonly seller_id: bigint;
  readonly kind: contract.TicketKind;
  readonly status: contract.TicketStatus;
};
type Side = "seller" | "staff";

/** Locks a ticket. Another seller's counts as absent; staff may not answer their own. */
async function lockAs(side: Side, tx: Db, { id, caller }: Step) {
  const ticket = await maybe<Ticket>(tx)`
    SELECT id, seller_id, kind, status FROM tickets WHERE id = ${id} FOR NO KEY UPDATE
  `;
  const isOwn = ticket?.seller_id === caller.personId;
  if (!ticket || (side === "seller" && !isOwn)) return refuse({ kind: "support.ticket-not-found" });
  return side === "staff" && isOwn ? refuse({ kind: "support.own-ticket" }) : ok(ticket);
}

/** A seller's open tickets and messages of the day; two calls at once wait for each other. */
async function lockSpent(tx: Db, sellerId: bigint, now: Date) {
  await lockSeller(tx, sellerId);
  return one<{ open: number; messages: number }>(tx)`
    SELECT
      (SELECT count(*)::int FROM tickets
        WHERE seller_id = ${sellerId} AND status <> 'closed') AS open,
      (SELECT count(*)::int FROM ticket_messages
        WHERE author_id = ${sellerId} AND author = 'seller' AND at > ${addMs(now, -DAY_MS)})
        AS messages
  `;
}

type Said = { readonly id: bigint; readonly authorId: bigint; readonly words: string };

async function addWords(tx: Db, side: Side, said: Said, now: Date): Promise<void> {
  await sql`
    INSERT INTO ticket_messages (ticket_id, author, author_id, words, at)
    VALUES (${said.id}, ${side}, ${said.authorId}, ${said.words}, ${now})
  `.execute(tx);
}

/** The seller has seen all messages. */
async function markSeen(tx: Db, id: bigint): Promise<void> {
  await sql`
    UPDATE tickets SET seen_id = m.last
    FROM (SELECT coalesce(max(id), 0) AS last FROM ticket_messages WHERE ticket_id = ${id}) AS m
    WHERE tickets.id = ${id} AND seen_id < m.last
  `.execute(tx);
}

type Changed = Pick<Ticket, "id" | "seller_id">;

/** The screens of both sides reload. */
async function ticketChanged(tx: Db, { id, seller_id: sellerId }: Changed): Promise<void> {
  await publish(tx, [
    { room: `person:${sellerId}`, name: "ticket:changed", body: { id: String(id) } },
    staffChanged("ticket", id),
  ]);
}

const NOTIFY_STAFF = "support.notify-staff";

/** The back office's screens reload; agents are notified if the ticket had not waited before. */
async function notifyStaff(tx: Db, ticket: Changed, now: Date): Promise<void> {
  await enqueue(tx, [{ topic: NOTIFY_STAFF, ref: ticket.id, dueAt: now }]);
  await ticketChanged(tx, ticket);
}

/** An act of staff: the seller is notified, and the audit log has an entry. */
async function noteStaffStep(
  app: App,
  tx: Db,
  did: { ticket: Ticket; caller: Step["caller"]; action: string; text: Html; button: string },
): Promise<void> {
  const { ticket, caller, action, text, button } = did;
  const { id, seller_id: sellerId, status } = ticket;
  const notification = toPerson(app, sellerId, { text, button, path: `/CustomerSupport/${id}` });
  await notify(tx, [notification], app.clock.now());
  await ticketChanged(tx, ticket);
  // Ids only: words may be erased later, the log never (decision 101).
  const auditEntry = { actor: actorOf(caller), action, subject: `ticket:${id}` };
  const before = { status, seller: String(sellerId) };
  await audit(tx, { ...auditEntry, before }, app.clock.now());
}

type TicketAsked = Asked<typeof contract.openTicket>;

/** A seller writes to the back office. → the ticket's id */
export async function openTicketIn(app: App, tx: Db, asked: TicketAsked) {
  const { personId: sellerId } = asked.caller;
  const { sujet: kind, message } = asked.body ?? {};
  if (!contract.isTicketKind(kind)) return refuse({ kind: "support.kind-missing" });
  const words = contract.readTicketWords(message, contract.TICKET_WORDS_MIN);
  if (!words.ok) return words;
  const subject = await readSubject(tx, asked);
  if (!subject) return refuse({ kind: "support.subject-not-found" });
  const now = app.clock.now();
  const spent = await lockSpent(tx, sellerId, now);
  if (spent.open >= contract.TICKETS_OPEN_MAX) return refuse({ kind: "support.too-many-open" });
  if (spent.messages >= contract.TICKET_MESSAGES_PER_DAY_MAX) {
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
  await notifyStaff(tx, { id, seller_id: sellerId }, now);
  return ok(String(id));
}

/** The subject of the ticket; null for another seller's, as if it did not exist. */
async function readSubject(tx: Db, { body, caller: { personId: sellerId } }: TicketAsked) {
  const orderId = readId(body?.commande);
  const withdrawalId = readId(body?.retrait);
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

/** A seller writes again; an answered or closed ticket waits for the back office again. */
export async function writeIn(app: App, tx: Db, step: Step) {
  const { id } = step;
  const sellerId = step.caller.personId;
  const now = app.clock.now();
  // Before the ticket, in the lock order of opening one.
  const spent = await lockSpent(tx, sellerId, now);
  const ticket = await lockAs("seller", tx, step);
  if (!ticket.ok) return ticket;
  const words = contract.readTicketWords(step.words, contract.TICKET_REPLY_MIN);
  if (!words.ok) return words;
  if (ticket.value.status === "closed" && spent.open >= contract.TICKETS_OPEN_MAX) {
    return refuse({ kind: "support.too-many-open" });
  }
  if (spent.messages >= contract.TICKET_MESSAGES_PER_DAY_MAX) {
    return refuse({ kind: "support.too-many-words" });
  }
  await addWords(tx, "seller", { id, authorId: sellerId, words: words.value }, now);
  // Agents are notified again if the ticket did not wait before.
  await sql`
    UPDATE tickets SET changed_at = ${now}, closed_at = NULL, status = 'open',
      waiting_since = coalesce(waiting_since, ${now}),
      notified_at = CASE WHEN status = 'open' THEN notified_at END
    WHERE id = ${id}
  `.execute(tx);
  await markSeen(tx, id);
  await notifyStaff(tx, ticket.value, now);
  return ok(null);
}

/** The seller has seen the answers of the back office. */
export async function readIn(_app: App, tx: Db, step: Step) {
  const ticket = await lockAs("seller", tx, step);
  if (!ticket.ok) return ticket;
  await markSeen(tx, step.id);
  return ok(null);
}

/** A notification of the database holds some 8 000 bytes: an answer may be longer. */
const PUSHED = 200;

/** An agent answers: the seller is notified at once. It opens a closed ticket. */
export async function answerTicketIn(app: App, tx: Db, step: Step) {
  const found = await lockAs("staff", tx, step);
  if (!found.ok) return found;
  const said = contract.readTicketWords(step.words, contract.TICKET_REPLY_MIN);
  if (!said.ok) return said;
  const { id, caller } = step;
  const [ticket, words, now] = [found.value, said.value, app.clock.now()];
  await addWords(tx, "staff", { id, authorId: caller.personId, words }, now);
  await sql`
    UPDATE tickets SET status = 'answered', changed_at = ${now}, waiting_since = NULL,
      closed_at = NULL
    WHERE id = ${id}
  `.execute(tx);
  // In the app (A §7 `private:message`) and by the bot.
  const room = `person:${ticket.seller_id}`;
  const message = words.length > PUSHED ? `${words.slice(0, PUSHED).toWellFormed()}…` : words;
  await publish(tx, [
    { room, name: "private:message", body: { username: contract.SUPPORT_NAME, message } },
  ]);
  const text = messages.ticketAnswered(ticket.kind, words);
  await noteStaffStep(app, tx, {
    ticket,
    caller,
    action: "ticket.answer",
    text,
    button: messages.BUTTONS.read,
  });
  return ok(null);
}

/** The seller or staff close the ticket as solved; a repeat changes nothing. */
export const closeAs = (side: Side) => async (app: App, tx: Db, step: Step) => {
  const found = await lockAs(side, tx, step);
  if (!found.ok) return found;
  const { id, caller } = step;
  const ticket = found.value;
  if (ticket.status === "closed") return ok(null);
  await sql`
    UPDATE tickets SET status = 'closed', closed_at = ${app.clock.now()}, waiting_since = NULL
    WHERE id = ${id}
  `.execute(tx);
  if (side === "staff") {
    const [text, button] = [messages.ticketClosed(ticket.kind), messages.BUTTONS.ticket];
    await noteStaffStep(app, tx, { ticket, caller, action: "ticket.close", text, button });
    return ok(null);
  }
  await markSeen(tx, id);
  await ticketChanged(tx, ticket);
  return ok(null);
};

/** Deletes the texts of a person's tickets, and closes them. */
export async function eraseTickets(tx: Db, id: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE ticket_messages m SET words = NULL FROM tickets t
    WHERE t.id = m.ticket_id AND t.seller_id = ${id} AND m.words IS NOT NULL
  `.execute(tx);
  await sql`
    UPDATE tickets SET status = 'closed', closed_at = ${now}, waiting_since = NULL
    WHERE seller_id = ${id} AND status <> 'closed'
  `.execute(tx);
}

/** A ticket `t` of a seller `s` has priority. */
export const HAS_PRIORITY = sql`coalesce(s.plan = ANY (${[...contract.PRIORITY_PLANS]}::text[]), false)`;

/** Staff are notified of the first ticket at once, of those of the next seconds together. */
const GROUPING_MS = 15_000;
const NOTIFIED_TOGETHER = 15;

export function casesJobs(app: App): JobHandler[] {
  const run = () => notifyAgents(app);
  return [{ topic: NOTIFY_STAFF, batch: 50, concurrency: 1, maxAttempts: 10, run }];
}

async function notifyAgents(app: App): Promise<JobOutcome> {
  const { agentTelegramIds: agents, operatorTelegramIds: operators } = app.config;
  const now = app.clock.now();
  return app.db.transaction().execute((tx) =>
    digest(tx, { key: NOTIFY_STAFF, everyMs: GROUPING_MS, now }, async () => {
      // Waiting tickets of which agents were not notified: priority first, then the oldest.
      const unannounced = await many<messages.Waiting & { id: bigint; seller_id: bigint }>(tx)`
        WITH notified AS (
          UPDATE tickets SET notified_at = ${now} WHERE status = 'open' AND notified_at IS NULL
          RETURNING id, kind, seller_id, waiting_since
        )
        SELECT t.id, t.kind, t.seller_id, seller_name(s, p) AS seller_name,
          ${HAS_PRIORITY} AS priority
        FROM notified t
        JOIN sellers s ON s.id = t.seller_id
        JOIN people p ON p.id = s.id
        ORDER BY priority DESC, t.waiting_since, t.id
      `;
      const [first] = unannounced;
      if (!first) return false;
      const shown = unannounced.slice(0, NOTIFIED_TOGETHER);
      const alone = unannounced.length === 1;
      const notifications = await toStaff(app, tx, [...agents, ...operators], {
        text: alone
          ? messages.waitingOne(first)
          : messages.waitingMany(shown, unannounced.length - shown.length),
        button: alone ? messages.BUTTONS.answer : messages.BUTTONS.tickets,
        path: alone ? `/bureau/assistance/${first.id}` : "/bureau/assistance",
      });
      // An agent who is also a seller is not notified of the own ticket.
      const notified = notifications.filter(
        ({ personId }) => !alone || personId !== first.seller_id,
      );
      await notify(tx, notified, now);
      return true;
    }),
  );
}
