import type { TicketKind, TicketStatus } from "@sesame/contract/support";
import { sql } from "kysely";
import { type Db, many, maybe } from "../../postgres/database.ts";

export type LockedTicket = {
  readonly id: bigint;
  readonly seller_id: bigint;
  readonly kind: TicketKind;
  readonly status: TicketStatus;
  readonly seller_name: string;
};

/** Waits for whoever writes in it. */
export async function lockTicket(tx: Db, id: bigint): Promise<LockedTicket | null> {
  return maybe<LockedTicket>(tx)`
    SELECT t.id, t.seller_id, t.kind, t.status,
      coalesce(s.display_name, concat_ws(' ', p.first_name, p.last_name)) AS seller_name
    FROM tickets t
    JOIN sellers s ON s.id = t.seller_id
    JOIN people p ON p.id = s.id
    WHERE t.id = ${id} FOR NO KEY UPDATE OF t
  `;
}

export type Spent = { readonly open: number; readonly messages: number };

/** What a seller has open, and has said since; two of his calls at once wait for each other. */
export async function lockSpent(tx: Db, sellerId: bigint, since: Date): Promise<Spent> {
  await sql`SELECT FROM sellers WHERE id = ${sellerId} FOR NO KEY UPDATE`.execute(tx);
  const { rows } = await sql<Spent>`
    SELECT
      (SELECT count(*)::int FROM tickets
        WHERE seller_id = ${sellerId} AND status <> 'closed') AS open,
      (SELECT count(*)::int FROM ticket_messages
        WHERE author_id = ${sellerId} AND author = 'seller' AND at > ${since}) AS messages
  `.execute(tx);
  return rows[0] ?? { open: 0, messages: 0 };
}

/** Whether it is his: a sale, or a plan he bought. */
export async function ownsOrder(tx: Db, sellerId: bigint, orderId: bigint): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM orders WHERE id = ${orderId}
      AND (seller_id = ${sellerId} OR (kind = 'plan' AND buyer_id = ${sellerId}))
  `.execute(tx);
  return rows.length > 0;
}

export async function ownsWithdrawal(tx: Db, sellerId: bigint, id: bigint): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM withdrawals WHERE id = ${id} AND seller_id = ${sellerId}
  `.execute(tx);
  return rows.length > 0;
}

export type NewTicket = {
  readonly sellerId: bigint;
  readonly kind: TicketKind;
  readonly orderId: bigint | null;
  readonly withdrawalId: bigint | null;
};

export async function insertTicket(tx: Db, ticket: NewTicket, now: Date): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO tickets (seller_id, kind, order_id, withdrawal_id, opened_at, changed_at,
      waiting_since)
    VALUES (${ticket.sellerId}, ${ticket.kind}, ${ticket.orderId}, ${ticket.withdrawalId}, ${now},
      ${now}, ${now})
    RETURNING id
  `.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("a ticket was not inserted");
  return row.id;
}

export type NewWords = {
  readonly ticketId: bigint;
  readonly author: "seller" | "desk";
  readonly authorId: bigint;
  readonly words: string;
};

export async function addWords(tx: Db, said: NewWords, now: Date): Promise<void> {
  await sql`
    INSERT INTO ticket_messages (ticket_id, author, author_id, words, at)
    VALUES (${said.ticketId}, ${said.author}, ${said.authorId}, ${said.words}, ${now})
  `.execute(tx);
}

/** It waits for the desk; agents are told again when it did not before. */
export async function awaitDesk(tx: Db, id: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE tickets SET changed_at = ${now}, closed_at = NULL, status = 'open',
      waiting_since = coalesce(waiting_since, ${now}),
      told_at = CASE WHEN status = 'open' THEN told_at END
    WHERE id = ${id}
  `.execute(tx);
}

/** It waits for the seller. */
export async function awaitSeller(tx: Db, id: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE tickets SET status = 'answered', changed_at = ${now}, waiting_since = NULL,
      closed_at = NULL
    WHERE id = ${id}
  `.execute(tx);
}

export async function markClosed(tx: Db, id: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE tickets SET status = 'closed', closed_at = ${now}, waiting_since = NULL WHERE id = ${id}
  `.execute(tx);
}

/** The seller has seen all that was said. */
export async function markSeen(tx: Db, id: bigint): Promise<void> {
  await sql`
    UPDATE tickets SET seen_id = m.last
    FROM (SELECT coalesce(max(id), 0) AS last FROM ticket_messages WHERE ticket_id = ${id}) AS m
    WHERE tickets.id = ${id} AND seen_id < m.last
  `.execute(tx);
}

/** One teller at a time, until the transaction ends. → when agents were last told of a ticket */
export async function lockTicketTelling(tx: Db): Promise<Date | null> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('support.tell-desk', 0))`.execute(tx);
  const { rows } = await sql<{ told_at: Date | null }>`
    SELECT max(told_at) AS told_at FROM tickets
  `.execute(tx);
  return rows[0]?.told_at ?? null;
}

export type UntoldTicket = {
  readonly id: bigint;
  readonly kind: TicketKind;
  readonly seller_id: bigint;
  readonly seller_name: string;
  readonly priority: boolean;
};

/** Takes the waiting tickets agents have not been told of: priority first, then the oldest. */
export async function takeUntoldTickets(
  tx: Db,
  { plans, now }: { plans: readonly string[]; now: Date },
): Promise<UntoldTicket[]> {
  return many<UntoldTicket>(tx)`
    WITH told AS (
      UPDATE tickets SET told_at = ${now} WHERE status = 'open' AND told_at IS NULL
      RETURNING id, kind, seller_id, waiting_since
    )
    SELECT t.id, t.kind, t.seller_id,
      coalesce(s.display_name, concat_ws(' ', p.first_name, p.last_name)) AS seller_name,
      coalesce(s.plan = ANY (${[...plans]}::text[]), false) AS priority
    FROM told t
    JOIN sellers s ON s.id = t.seller_id
    JOIN people p ON p.id = s.id
    ORDER BY priority DESC, t.waiting_since, t.id
  `;
}
