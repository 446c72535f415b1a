import { sql } from "kysely";
import type { BotName } from "../../bot/gateway.ts";
import type { Db } from "../../postgres/database.ts";

export type Agent = { readonly id: bigint; readonly telegram_id: bigint };

/** Those of the configuration who have opened the bot and may be written to. */
export async function agentsInTouch(
  db: Db,
  staff: { telegramIds: readonly bigint[]; bot: BotName },
): Promise<Agent[]> {
  const { rows } = await sql<Agent>`
    SELECT p.id, p.telegram_id FROM people p
    JOIN bot_chats c ON c.person_id = p.id AND c.bot = ${staff.bot} AND c.reachable
    WHERE p.telegram_id = ANY(${[...staff.telegramIds]}::bigint[])
    ORDER BY p.id
  `.execute(db);
  return rows;
}

/** One teller at a time, until the transaction ends. → when agents were last told of something */
export async function lockTelling(tx: Db): Promise<Date | null> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('desk.tell-agents', 0))`.execute(tx);
  const { rows } = await sql<{ told_at: Date | null }>`
    SELECT max(told_at) AS told_at FROM desk_tellings
  `.execute(tx);
  return rows[0]?.told_at ?? null;
}

export async function isTold(db: Db, withdrawalId: bigint): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM desk_tellings WHERE withdrawal_id = ${withdrawalId}
  `.execute(db);
  return rows.length > 0;
}

/** Takes the requests agents have not been told of: premium first, then by deadline. */
export async function takeUntold(tx: Db, now: Date): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    WITH told AS (
      INSERT INTO desk_tellings (withdrawal_id, told_at)
      SELECT w.id, ${now} FROM withdrawals w
      WHERE w.status = 'pending'
        AND NOT EXISTS (SELECT FROM desk_tellings t WHERE t.withdrawal_id = w.id)
      RETURNING withdrawal_id
    )
    SELECT w.id FROM told JOIN withdrawals w ON w.id = told.withdrawal_id
    ORDER BY CASE w.plan WHEN 'premium' THEN 0 ELSE 1 END, w.due_at, w.id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

export type Message = { readonly personId: bigint; readonly messageId: number };

/** Notes what a message speaks of and shows. */
export async function noteMessage(
  db: Db,
  { personId, messageId }: Message,
  content: { withdrawalIds: readonly bigint[]; shown: Buffer },
): Promise<void> {
  await sql`
    INSERT INTO desk_messages (person_id, message_id, withdrawal_id, shown)
    SELECT ${personId}, ${messageId}, w, ${content.shown}
    FROM unnest(${[...content.withdrawalIds]}::bigint[]) AS w
    ON CONFLICT (person_id, message_id, withdrawal_id) DO UPDATE SET shown = excluded.shown
  `.execute(db);
}

export type SentMessage = {
  readonly person_id: bigint;
  readonly telegram_id: bigint;
  readonly message_id: bigint;
  /** All it speaks of, as they were listed. */
  readonly withdrawal_ids: readonly bigint[];
  readonly shown: Buffer;
};

const SENT = sql`
  SELECT m.person_id, p.telegram_id, m.message_id, min(encode(m.shown, 'hex')) AS shown_hex,
    array_agg(m.withdrawal_id ORDER BY CASE w.plan WHEN 'premium' THEN 0 ELSE 1 END, w.due_at,
      w.id)::text[] AS ids
  FROM desk_messages m
  JOIN people p ON p.id = m.person_id
  JOIN withdrawals w ON w.id = m.withdrawal_id`;

type SentRow = Omit<SentMessage, "shown" | "withdrawal_ids"> & {
  readonly shown_hex: string;
  readonly ids: readonly string[];
};

const sentOf = ({ shown_hex, ids, ...row }: SentRow): SentMessage => ({
  ...row,
  shown: Buffer.from(shown_hex, "hex"),
  withdrawal_ids: ids.map(BigInt),
});

/** Messages that speak of a request. */
export async function messagesAbout(db: Db, withdrawalId: bigint): Promise<SentMessage[]> {
  const { rows } = await sql<SentRow>`
    ${SENT}
    WHERE (m.person_id, m.message_id) IN (
      SELECT person_id, message_id FROM desk_messages WHERE withdrawal_id = ${withdrawalId})
    GROUP BY m.person_id, p.telegram_id, m.message_id ORDER BY m.person_id, m.message_id
  `.execute(db);
  return rows.map(sentOf);
}

export async function findMessage(db: Db, message: Message): Promise<SentMessage | null> {
  const { rows } = await sql<SentRow>`
    ${SENT}
    WHERE m.person_id = ${message.personId} AND m.message_id = ${message.messageId}
    GROUP BY m.person_id, p.telegram_id, m.message_id
  `.execute(db);
  return rows[0] ? sentOf(rows[0]) : null;
}

export type Asking = "reference" | "failure" | "reject-reason";

export async function noteQuestion(
  db: Db,
  question: Message & { withdrawalId: bigint; asks: Asking; now: Date },
): Promise<void> {
  const { personId, messageId, withdrawalId, asks, now } = question;
  await sql`
    INSERT INTO desk_questions (person_id, message_id, withdrawal_id, asks, asked_at)
    VALUES (${personId}, ${messageId}, ${withdrawalId}, ${asks}, ${now})
    ON CONFLICT DO NOTHING
  `.execute(db);
}

export type OpenQuestion = {
  readonly message_id: bigint;
  readonly withdrawal_id: bigint;
  readonly asks: Asking;
};

/** The question an agent's message answers: the one it replies to, else his last, if it is fresh. */
export async function findQuestion(
  db: Db,
  answer: { personId: bigint; repliesTo: number | null; since: Date },
): Promise<OpenQuestion | null> {
  const { rows } = await sql<OpenQuestion>`
    SELECT message_id, withdrawal_id, asks FROM desk_questions
    WHERE person_id = ${answer.personId} AND CASE
      WHEN ${answer.repliesTo}::bigint IS NOT NULL THEN message_id = ${answer.repliesTo}
      ELSE answered_at IS NULL AND asked_at > ${answer.since}
    END
    ORDER BY asked_at DESC, message_id DESC LIMIT 1
  `.execute(db);
  return rows[0] ?? null;
}

export async function closeQuestion(db: Db, asked: Message & { now: Date }): Promise<void> {
  await sql`
    UPDATE desk_questions SET answered_at = ${asked.now}
    WHERE person_id = ${asked.personId} AND message_id = ${asked.messageId}
  `.execute(db);
}
