import type { TicketKind, TicketStatus } from "@sesame/contract/support";
import { PRIORITY_PLANS } from "@sesame/contract/support";
import type { Plan } from "@sesame/contract/plans";
import type { Fcfa } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";

export type TicketRow = {
  readonly id: bigint;
  readonly seller_id: bigint;
  readonly seller_name: string;
  readonly username: string | null;
  readonly priority: boolean;
  readonly kind: TicketKind;
  readonly status: TicketStatus;
  readonly opened_at: Date;
  readonly changed_at: Date;
  readonly waiting_since: Date | null;
  readonly closed_at: Date | null;
  readonly order_id: bigint | null;
  readonly order_title: string | null;
  readonly order_price: Fcfa | null;
  readonly withdrawal_id: bigint | null;
  readonly withdrawal_reference: string | null;
  readonly withdrawal_amount: Fcfa | null;
  readonly preview: string | null;
  readonly last_author: "seller" | "desk";
  /** Of the desk's, not seen by the seller. */
  readonly unseen: number;
};

const PREVIEW = 160;
const PRIORITY = sql`coalesce(s.plan = ANY (${[...PRIORITY_PLANS]}::text[]), false)`;

async function select(db: Db, rest: RawBuilder<unknown>): Promise<TicketRow[]> {
  return many<TicketRow>(db)`
    SELECT t.id, t.seller_id, t.kind, t.status, t.opened_at, t.changed_at, t.waiting_since,
      t.closed_at, coalesce(s.display_name, concat_ws(' ', p.first_name, p.last_name))
        AS seller_name, p.username, ${PRIORITY} AS priority,
      t.order_id, o.title AS order_title, o.price AS order_price,
      t.withdrawal_id, w.reference AS withdrawal_reference, w.amount AS withdrawal_amount,
      left(last.words, ${PREVIEW}::int) AS preview, last.author AS last_author,
      (SELECT count(*)::int FROM ticket_messages m
        WHERE m.ticket_id = t.id AND m.author = 'desk' AND m.id > t.seen_id) AS unseen
    FROM tickets t
    JOIN sellers s ON s.id = t.seller_id
    JOIN people p ON p.id = s.id
    LEFT JOIN orders o ON o.id = t.order_id
    LEFT JOIN withdrawals w ON w.id = t.withdrawal_id
    CROSS JOIN LATERAL (
      SELECT m.words, m.author FROM ticket_messages m WHERE m.ticket_id = t.id
      ORDER BY m.id DESC LIMIT 1
    ) AS last
    ${rest}
  `;
}

export async function findTicket(db: Db, id: bigint): Promise<TicketRow | null> {
  const [row] = await select(db, sql`WHERE t.id = ${id}`);
  return row ?? null;
}

export type TicketsPage = {
  /** The last one shown. */
  readonly after: bigint | null;
  readonly limit: number;
};

/** A seller's: the last spoken in first. */
export function findTicketsOf(
  db: Db,
  sellerId: bigint,
  { after, limit }: TicketsPage,
): Promise<TicketRow[]> {
  return select(
    db,
    sql`WHERE t.seller_id = ${sellerId} AND ${olderThan(after)}
      ORDER BY t.changed_at DESC, t.id DESC LIMIT ${limit}`,
  );
}

function olderThan(after: bigint | null): RawBuilder<unknown> {
  if (after === null) return sql`true`;
  const seen = sql`(SELECT last.changed_at FROM tickets last WHERE last.id = ${after})`;
  return sql`(t.changed_at, t.id) < (coalesce(${seen}, 'infinity'), ${after}::bigint)`;
}

/** The desk's: waiting ones by priority, then the longest; others the last spoken in first. */
export function findTickets(
  db: Db,
  { view, after, limit }: TicketsPage & { readonly view: TicketStatus },
): Promise<TicketRow[]> {
  if (view !== "open") {
    return select(
      db,
      sql`WHERE t.status = ${view} AND ${olderThan(after)}
        ORDER BY t.changed_at DESC, t.id DESC LIMIT ${limit}`,
    );
  }
  const place = sql`(NOT ${PRIORITY}, t.waiting_since, t.id)`;
  const seen = sql`(SELECT NOT ${PRIORITY}, t.waiting_since, t.id
    FROM tickets t JOIN sellers s ON s.id = t.seller_id WHERE t.id = ${after})`;
  const beyond = after === null ? sql`true` : sql`${place} > ${seen}`;
  return select(
    db,
    sql`WHERE t.status = 'open' AND ${beyond}
      ORDER BY NOT ${PRIORITY}, t.waiting_since, t.id LIMIT ${limit}`,
  );
}

export type MessageRow = {
  readonly id: bigint;
  readonly author: "seller" | "desk";
  readonly words: string | null;
  readonly at: Date;
};

const MESSAGES_MAX = 200;

/** The last ones, oldest first. */
export async function findMessages(db: Db, ticketId: bigint): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    SELECT id, author, words, at FROM ticket_messages WHERE ticket_id = ${ticketId}
    ORDER BY id DESC LIMIT ${MESSAGES_MAX}
  `.execute(db);
  return rows.toReversed();
}

/** Of a seller: messages of the desk's he has not seen. */
export async function countUnseen(db: Db, sellerId: bigint): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM tickets t
    JOIN ticket_messages m ON m.ticket_id = t.id AND m.author = 'desk' AND m.id > t.seen_id
    WHERE t.seller_id = ${sellerId}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

export async function countTickets(db: Db): Promise<{ open: number; answered: number }> {
  const { rows } = await sql<{ open: number; answered: number }>`
    SELECT count(*) FILTER (WHERE status = 'open')::int AS open,
      count(*) FILTER (WHERE status = 'answered')::int AS answered
    FROM tickets WHERE status <> 'closed'
  `.execute(db);
  return rows[0] ?? { open: 0, answered: 0 };
}

export type SubjectRow = {
  readonly what: "commande" | "retrait";
  readonly id: bigint;
  readonly label: string;
  readonly amount: Fcfa;
  readonly at: Date;
};

const SUBJECTS_OF_EACH = 15;

/** What a ticket may be tied to, newest first. */
export async function findSubjects(db: Db, sellerId: bigint): Promise<SubjectRow[]> {
  return many<SubjectRow>(db)`
    SELECT * FROM (
      (SELECT 'commande' AS what, id, title AS label, price AS amount, created_at AS at
        FROM orders WHERE seller_id = ${sellerId} AND kind <> 'trial'
        ORDER BY id DESC LIMIT ${SUBJECTS_OF_EACH})
      UNION ALL
      (SELECT 'commande', id, title, price, created_at FROM orders
        WHERE buyer_id = ${sellerId} AND kind = 'plan' ORDER BY id DESC LIMIT ${SUBJECTS_OF_EACH})
      UNION ALL
      (SELECT 'retrait', id, reference, amount, created_at FROM withdrawals
        WHERE seller_id = ${sellerId} ORDER BY id DESC LIMIT ${SUBJECTS_OF_EACH})
    ) AS subjects ORDER BY at DESC
  `;
}

export async function findPlanOf(db: Db, sellerId: bigint): Promise<Plan | null> {
  const { rows } = await sql<{ plan: Plan | null }>`
    SELECT plan FROM sellers WHERE id = ${sellerId}
  `.execute(db);
  return rows[0]?.plan ?? null;
}
