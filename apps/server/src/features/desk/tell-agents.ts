import type { Message, User } from "grammy/types";
import type { BotMessage, MessageButton } from "../../bot/message.ts";
import { meetPerson } from "../../bot/people.store.ts";
import { tell } from "../../bot/tell.ts";
import { DONE, type JobHandler, type JobOutcome } from "../../jobs/outbox.ts";
import { board, OPEN_DESK, waiting } from "./messages.fr.ts";
import type { DeskBotDeps } from "./deps.ts";
import { countQueue } from "./queue.view.ts";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

type Agent = { readonly id: bigint; readonly telegram_id: bigint };

/** Those of these people who have opened the sellers' bot and may be written to. */
async function listAgentsInTouch(db: Db, telegramIds: readonly bigint[]): Promise<Agent[]> {
  const { rows } = await sql<Agent>`
    SELECT p.id, p.telegram_id FROM people p
    JOIN bot_chats c ON c.person_id = p.id AND c.bot = 'seller' AND c.reachable
    WHERE p.telegram_id = ANY(${[...telegramIds]}::bigint[])
    ORDER BY p.id
  `.execute(db);
  return rows;
}

/** One teller at a time, until the transaction ends. → when agents were last told of something */
async function lockTelling(tx: Db): Promise<Date | null> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('desk.tell-agents', 0))`.execute(tx);
  const { rows } = await sql<{ told_at: Date | null }>`
    SELECT max(told_at) AS told_at FROM desk_tellings
  `.execute(tx);
  return rows[0]?.told_at ?? null;
}

/** Notes that agents are told of all that waits. → whose requests were not told before */
async function noteTold(tx: Db, now: Date): Promise<bigint[]> {
  const { rows } = await sql<{ seller_id: bigint }>`
    WITH told AS (
      INSERT INTO desk_tellings (withdrawal_id, told_at)
      SELECT w.id, ${now} FROM withdrawals w
      WHERE w.status = 'pending'
        AND NOT EXISTS (SELECT FROM desk_tellings t WHERE t.withdrawal_id = w.id)
      RETURNING withdrawal_id
    )
    SELECT w.seller_id FROM told JOIN withdrawals w ON w.id = told.withdrawal_id
  `.execute(tx);
  return rows.map(({ seller_id }) => seller_id);
}

/** The first request is told at once; those of the next seconds together. */
const GROUPING_MS = 15_000;

export function deskJobs(deps: DeskBotDeps): JobHandler[] {
  const run = () => tellAgents(deps);
  return [{ topic: "desk.tell-agents", batch: 50, concurrency: 1, maxAttempts: 10, run }];
}

/** One message to each agent: how many requests wait, and a button into the back office. */
async function tellAgents(deps: DeskBotDeps): Promise<JobOutcome> {
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (tx): Promise<JobOutcome> => {
    const toldAt = await lockTelling(tx);
    const sinceMs = toldAt ? now.getTime() - toldAt.getTime() : GROUPING_MS;
    if (sinceMs < GROUPING_MS) {
      return { kind: "later", afterMs: GROUPING_MS - sinceMs, reason: "told with the next ones" };
    }
    const sellers = await noteTold(tx, now);
    if (sellers.length === 0) return DONE;
    const { agents, operators } = deps.staff;
    const staff = await listAgentsInTouch(tx, [...new Set([...agents, ...operators])]);
    // An agent who sells too hears nothing of his own request: another decides about it.
    const told = staff.filter(({ id }) => sellers.some((sellerId) => sellerId !== id));
    const counts = await countQueue(tx, { personId: 0n, now });
    const message = { text: waiting(counts), buttons: [deskButton(deps)] };
    await tell(
      tx,
      told.map(({ id }) => ({ bot: "seller", personId: id, message })),
      now,
    );
    return DONE;
  });
}

const deskButton = ({ appButton }: DeskBotDeps): MessageButton => appButton(OPEN_DESK, "/bureau");

function isStaff({ staff }: DeskBotDeps, { id }: { readonly id: number }): boolean {
  return staff.agents.has(BigInt(id)) || staff.operators.has(BigInt(id));
}

/** What the bot says to /bureau; null when the message is none of the desk's. */
export async function replyToStaff(
  deps: DeskBotDeps,
  { from, text }: Message,
): Promise<BotMessage | null> {
  if (!from || !isStaff(deps, from) || !/^\/bureau(?:@\w+)?\s*$/.test(text ?? "")) return null;
  const now = deps.clock.now();
  const personId = await meetPerson(deps.db, from, now);
  return { text: board(await countQueue(deps.db, { personId, now })), buttons: [deskButton(deps)] };
}

export function staffButtons(deps: DeskBotDeps, user: User): MessageButton[] {
  return isStaff(deps, user) ? [deskButton(deps)] : [];
}
