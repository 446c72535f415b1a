import type { Message, User } from "grammy/types";
import type { App } from "../../../app.ts";
import { type BotMessage, type MessageButton, tell } from "../../../bot/message.ts";
import { meetPerson, listStaffInTouch } from "../../../people/people.ts";
import { digest, type JobHandler, type JobOutcome } from "../../../jobs/outbox.ts";
import { board, OPEN_DESK, waiting } from "./messages.fr.ts";
import { countQueue } from "./queue.ts";
import { many } from "../../../postgres/database.ts";

/** The first request is told at once; those of the next seconds together. */
const GROUPING_MS = 15_000;

export function treasuryJobs(app: App): JobHandler[] {
  const run = () => tellAgents(app);
  return [{ topic: "desk.tell-agents", batch: 50, concurrency: 1, maxAttempts: 10, run }];
}

/** One message to each agent: how many requests wait, and a button into the back office. */
async function tellAgents(app: App): Promise<JobOutcome> {
  const now = app.clock.now();
  return app.db.transaction().execute((tx) =>
    digest(tx, { key: "desk.tell-agents", everyMs: GROUPING_MS, now }, async () => {
      // Agents are told of all that waits; these are the sellers who were not told of before.
      const sellers = await many<{ seller_id: bigint }>(tx)`
        WITH told AS (
          INSERT INTO desk_tellings (withdrawal_id)
          SELECT w.id FROM withdrawals w
          WHERE w.status = 'pending'
            AND NOT EXISTS (SELECT FROM desk_tellings t WHERE t.withdrawal_id = w.id)
          RETURNING withdrawal_id
        )
        SELECT w.seller_id FROM told JOIN withdrawals w ON w.id = told.withdrawal_id
      `;
      if (sellers.length === 0) return false;
      const { agentTelegramIds, operatorTelegramIds } = app.config;
      const staff = await listStaffInTouch(tx, [...agentTelegramIds, ...operatorTelegramIds]);
      // An agent who sells too hears nothing of his own request: another decides about it.
      const told = staff.filter(({ id }) => sellers.some(({ seller_id }) => seller_id !== id));
      const counts = await countQueue(tx, { personId: 0n, now });
      const message = { text: waiting(counts), buttons: [deskButton(app)] };
      await tell(
        tx,
        told.map(({ id }) => ({ bot: "seller", personId: id, message })),
        now,
      );
      return true;
    }),
  );
}

const deskButton = ({ appButton }: App): MessageButton => appButton(OPEN_DESK, "/bureau");

function isStaff({ config }: App, { id }: { readonly id: number }): boolean {
  return config.agentTelegramIds.has(BigInt(id)) || config.operatorTelegramIds.has(BigInt(id));
}

/** What the bot says to /bureau; null when the message is none of the desk's. */
export async function replyToStaff(app: App, { from, text }: Message): Promise<BotMessage | null> {
  if (!from || !isStaff(app, from) || !/^\/bureau(?:@\w+)?\s*$/.test(text ?? "")) return null;
  const now = app.clock.now();
  const personId = await meetPerson(app.db, from, now);
  return { text: board(await countQueue(app.db, { personId, now })), buttons: [deskButton(app)] };
}

export function staffButtons(app: App, user: User): MessageButton[] {
  return isStaff(app, user) ? [deskButton(app)] : [];
}
