import type { App } from "../../app.ts";
import { listStaffInTouch } from "../../bot/staff.ts";
import { PRIORITY_PLANS, SUPPORT_NAME } from "@sesame/contract/support";
import type { Html } from "../../bot/html.ts";
import { type Telling, tell } from "../../bot/tell.ts";
import { digest } from "../../jobs/digest.ts";
import type { JobHandler, JobOutcome } from "../../jobs/outbox.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { type Db, many } from "../../postgres/database.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";
import { forgetNoticesJob } from "./erase-person.ts";
import { BUTTONS, type Waiting, waitingMany, waitingOne } from "./messages.fr.ts";
import type { LockedTicket } from "./tickets.ts";

const TELL_DESK = "support.tell-desk";

/** The first ticket is told at once; those of the next seconds together. */
const GROUPING_MS = 15_000;
const TOLD_TOGETHER = 15;

type Ticket = Pick<LockedTicket, "id" | "seller_id">;

/** The desk looks again; its agents are told when the ticket had not waited before. */
export async function tellDesk(tx: Db, { id, seller_id: sellerId }: Ticket, now: Date) {
  await enqueue(tx, [{ topic: TELL_DESK, ref: id, dueAt: now }]);
  await ticketChanged(tx, { id, seller_id: sellerId });
}

/** An answer reaches the seller in the app (A §7 `private:message`) and by the bot. */
export async function tellAnswer(
  app: App,
  tx: Db,
  { ticket, words, text }: { ticket: Ticket; words: string; text: Html },
): Promise<void> {
  const room = `person:${ticket.seller_id}`;
  const message = words.length > PUSHED ? `${words.slice(0, PUSHED).toWellFormed()}…` : words;
  await publish(tx, [{ room, name: "private:message", body: { username: SUPPORT_NAME, message } }]);
  await tellSeller(app, tx, { ticket, text, button: BUTTONS.read });
}

/** A notification of the database holds some 8 000 bytes: an answer may be longer. */
const PUSHED = 200;

export async function tellSeller(
  { appButton, clock }: App,
  tx: Db,
  { ticket, text, button }: { ticket: Ticket; text: Html; button: string },
): Promise<void> {
  const buttons = [appButton(button, `/CustomerSupport/${ticket.id}`)];
  const personId = ticket.seller_id;
  await tell(tx, [{ bot: "seller", personId, message: { text, buttons } }], clock.now());
  await ticketChanged(tx, ticket);
}

/** Screens of both sides look again. */
export async function ticketChanged(tx: Db, { id, seller_id: sellerId }: Ticket): Promise<void> {
  await publish(tx, [
    { room: `person:${sellerId}`, name: "ticket:changed", body: { id: String(id) } },
    deskChanged("ticket", id),
  ]);
}

export function supportJobs(app: App): JobHandler[] {
  const run = () => tellAgents(app);
  const telling: JobHandler = { topic: TELL_DESK, batch: 50, concurrency: 1, maxAttempts: 10, run };
  return [telling, forgetNoticesJob(app)];
}

type UntoldTicket = Waiting & { readonly id: bigint; readonly seller_id: bigint };

async function tellAgents(app: App): Promise<JobOutcome> {
  const { agentTelegramIds: agents, operatorTelegramIds: operators } = app.config;
  const now = app.clock.now();
  return app.db.transaction().execute((tx) =>
    digest(tx, { key: TELL_DESK, everyMs: GROUPING_MS, now }, async () => {
      // The waiting tickets that agents have not been told of: priority first, then the oldest.
      const untold = await many<UntoldTicket>(tx)`
        WITH told AS (
          UPDATE tickets SET told_at = ${now} WHERE status = 'open' AND told_at IS NULL
          RETURNING id, kind, seller_id, waiting_since
        )
        SELECT t.id, t.kind, t.seller_id,
          coalesce(s.display_name, concat_ws(' ', p.first_name, p.last_name)) AS seller_name,
          coalesce(s.plan = ANY (${[...PRIORITY_PLANS]}::text[]), false) AS priority
        FROM told t
        JOIN sellers s ON s.id = t.seller_id
        JOIN people p ON p.id = s.id
        ORDER BY priority DESC, t.waiting_since, t.id
      `;
      const [first] = untold;
      if (!first) return false;
      const shown = untold.slice(0, TOLD_TOGETHER);
      const alone = untold.length === 1;
      const text = alone ? waitingOne(first) : waitingMany(shown, untold.length - shown.length);
      const path = alone ? `/bureau/assistance/${first.id}` : "/bureau/assistance";
      const buttons = [app.appButton(alone ? BUTTONS.answer : BUTTONS.all, path)];
      const staff = await listStaffInTouch(tx, [...agents, ...operators]);
      const tellings = staff
        // An agent who is a seller too hears nothing of his own ticket.
        .filter(({ id }) => !alone || id !== first.seller_id)
        .map(
          ({ id: personId }): Telling => ({ bot: "seller", personId, message: { text, buttons } }),
        );
      await tell(tx, tellings, now);
      return true;
    }),
  );
}
