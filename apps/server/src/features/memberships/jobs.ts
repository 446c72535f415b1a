import { sql } from "kysely";
import type { App } from "../../app.ts";
import { DONE, type JobHandler, type JobOutcome } from "../../jobs/outbox.ts";
import { enqueue, type Job, reviveJobs } from "../../jobs/outbox.store.ts";
import { type Db, many } from "../../postgres/database.ts";
import { RENEW_LINKS, RESUME_ACCESS } from "../groups/index.ts";
import { MEMBERSHIP, type Membership, REVOKE_LINK, revokeLink } from "./accesses.ts";
import { CLOSE_ACCESS, closeAccess } from "./close.ts";
import { DECIDE_ENTRY, decideEntry, REMOVE_ENTRY, removeEntry, REPORT_ENTRIES } from "./entries.ts";
import { reportEntries } from "./entry-presses.ts";
import { admit, OPEN_ACCESS, openAccess, reopening } from "./open.ts";

/**
 * The bot can work in a group again: what waited for it is done now. Requests made meanwhile are
 * still open at Telegram, and nobody tells us of them twice.
 */
async function resumeGroup(app: App, job: Job): Promise<JobOutcome> {
  const now = app.clock.now();
  const of = sql`WHERE group_id = ${job.ref}`;
  for (const [topics, about] of [
    [[OPEN_ACCESS], sql`SELECT id FROM orders ${of}`],
    [[CLOSE_ACCESS], sql`SELECT id FROM accesses ${of}`],
    [[DECIDE_ENTRY, REMOVE_ENTRY], sql`SELECT id FROM unpaid_entries ${of}`],
  ] as const) {
    await reviveJobs(app.db, { topics, about, now });
  }
  for (const access of await waitingIn(app.db, job.ref, now)) {
    const approved = await app.telegram.gatewayOf("seller").call("approveChatJoinRequest", {
      chat_id: Number(access.chat_id),
      user_id: Number(access.telegram_id),
    });
    if (approved.ok || approved.refusal.kind === "already-participant") await admit(app, access);
  }
  return DONE;
}

/** Running accesses of a group whose person is not inside. */
function waitingIn(db: Db, groupId: bigint, now: Date): Promise<Membership[]> {
  return many<Membership>(db)`
    ${MEMBERSHIP}
    WHERE a.group_id = ${groupId} AND a.status IN ('waiting', 'left') AND a.ends_at > ${now}
  `;
}

/** The chat has another id, its links are dead: whoever waits gets one of the new chat. */
async function renewLinks(app: App, job: Job): Promise<JobOutcome> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    await sql`
      UPDATE access_links SET revoked_at = ${now} WHERE group_id = ${job.ref} AND revoked_at IS NULL
    `.execute(tx);
    const waiting = await waitingIn(tx, job.ref, now);
    await enqueue(
      tx,
      waiting.flatMap((access) =>
        reopening(access, { why: access.status === "left" ? "left" : "again", now }),
      ),
    );
  });
  return DONE;
}

/** While Telegram is out, access is tried for days: a job is not given up, the desk decides. */
const FOR_DAYS = 1_000;

export function membershipJobs(app: App): JobHandler[] {
  const access = { batch: 20, concurrency: 10, maxAttempts: FOR_DAYS };
  const group = { batch: 5, concurrency: 1, maxAttempts: FOR_DAYS };
  return [
    { ...access, topic: OPEN_ACCESS, run: (job) => openAccess(app, job) },
    { ...access, topic: CLOSE_ACCESS, run: (job) => closeAccess(app, job) },
    { ...access, topic: DECIDE_ENTRY, run: (job) => decideEntry(app, job) },
    { ...access, topic: REMOVE_ENTRY, run: (job) => removeEntry(app, job) },
    { ...group, topic: REPORT_ENTRIES, run: (job) => reportEntries(app, job) },
    { ...access, topic: REVOKE_LINK, maxAttempts: 10, run: (job) => revokeLink(app, job) },
    { ...group, topic: RESUME_ACCESS, run: (job) => resumeGroup(app, job) },
    { ...group, topic: RENEW_LINKS, run: (job) => renewLinks(app, job) },
  ];
}
